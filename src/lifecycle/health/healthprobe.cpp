// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/healthprobe.h>

namespace Rekindle {

HealthProbe::HealthProbe(QObject *parent)
    : QObject(parent)
{
}

HealthProbe::~HealthProbe() = default;

} // namespace Rekindle
