// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/license/signedlicense.h>

#include <QByteArray>

namespace Rekindle {

/// Reads claims with a valid signature. The refusal is Malformed or UnknownTier.
[[nodiscard]] LicenseVerdict claimsFromJson(const QByteArray &json);

} // namespace Rekindle
