// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/license/export.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/policy/validation.h>

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace Rekindle {

/// The claims of a license (docs/licensing.md). Strings have 1 to 200 printable characters. Times
/// are from 1970 to 9999, in milliseconds.
struct LicenseClaims
{
    QString id{};       ///< the id of the license, chosen by the vendor
    QString licensee{}; ///< the owner of the license
    QString audience{}; ///< the id of the host application: "com.example.writer"
    LicenseTier tier = LicenseTier::Core;
    UtcTime issuedAt{};
    UtcTime notBefore{};              ///< the license is valid from this time
    std::optional<UtcTime> expires{}; ///< first time at which it is invalid; nullopt: never

    bool operator==(const LicenseClaims &) const = default;
};

/// Returns all faults of the claims; empty if they are valid.
[[nodiscard]] REKINDLE_LICENSE_EXPORT QList<Fault> validate(const LicenseClaims &claims);

/// Returns the claims as a JSON object in one line. For valid claims, these are the signed bytes.
/// "expires" is absent if the license never expires.
[[nodiscard]] REKINDLE_LICENSE_EXPORT QByteArray claimsToJson(const LicenseClaims &claims);

} // namespace Rekindle
