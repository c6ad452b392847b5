// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/license/licenseclaims.h>
#include <rekindle/license/signedlicense.h>

#include <QByteArray>

namespace Rekindle {

/// The result of reading claims with a valid signature.
struct ReadClaims
{
    std::optional<LicenseClaims> claims{};
    std::optional<LicenseRefusal> refusal{}; ///< Malformed or UnknownTier
    QString text{};
};

[[nodiscard]] ReadClaims claimsFromJson(const QByteArray &json);

} // namespace Rekindle
