// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/boundedfile_p.h"

#include <rekindle/license/signedlicense.h>

#include <QByteArray>

namespace Rekindle {

/// Returns why a file cannot be used as a license; nothing if it was read.
[[nodiscard]] std::optional<LicenseVerdict::Refusal> refusalOf(const BoundedFile &file);

/// Reads claims with a valid signature. The refusal is Malformed or UnknownTier.
[[nodiscard]] LicenseVerdict claimsFromJson(const QByteArray &json);

namespace SignedLicense {

/// Returns the bytes of a license file for claims, which are not checked.
[[nodiscard]] QByteArray seal(const QByteArray &claims, const LicenseSecretKey &key);

} // namespace SignedLicense
} // namespace Rekindle
