// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/licenseprovider.h>

namespace Rekindle {

LicenseProvider::LicenseProvider(QObject *parent)
    : QObject(parent)
{
}

LicenseProvider::~LicenseProvider() = default;

} // namespace Rekindle
