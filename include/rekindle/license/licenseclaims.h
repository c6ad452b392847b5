// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/license/export.h>
#include <rekindle/policy/licensetier.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/policy/validation.h>

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace Rekindle {

/// What a licence says (docs/licensing.md). The three texts are 1 to 200 printable characters
/// each; times are from 1970 to 9999, in milliseconds.
struct LicenseClaims
{
    QString id{};       ///< of this licence, chosen by the vendor
    QString licensee{}; ///< whom it was given to
    QString audience{}; ///< the host application that it is for: "com.example.writer"
    LicenseTier tier = LicenseTier::Core;
    UtcTime issuedAt{};
    UtcTime notBefore{};              ///< valid from here on
    std::optional<UtcTime> expires{}; ///< not valid any more from here on; nothing means never

    bool operator==(const LicenseClaims &) const = default;
};

/// All faults at once; empty if a licence may say this.
[[nodiscard]] REKINDLE_LICENSE_EXPORT QList<Fault> validate(const LicenseClaims &claims);

/// A JSON object of one line; of valid claims, the exact bytes that are signed. It has no "expires"
/// where the licence never does.
[[nodiscard]] REKINDLE_LICENSE_EXPORT QByteArray claimsToJson(const LicenseClaims &claims);

} // namespace Rekindle
