// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/license/signedlicense.h>

#include <QByteArray>

namespace Rekindle::SignedLicense {

/// The file's bytes for claims that are not looked at.
[[nodiscard]] QByteArray seal(const QByteArray &claims, const LicenseSecretKey &key);

} // namespace Rekindle::SignedLicense
