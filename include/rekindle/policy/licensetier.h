// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/restartpolicy.h>

#include <QString>
#include <QStringView>

#include <array>
#include <optional>

namespace Rekindle {

/// What a host's licence entitles it to; each tier has all that the one before it has (S1 3.2).
enum class LicenseTier {
    Core,       ///< no restarts: type none
    WriterPro,  ///< none, immediate, linear
    Teams,      ///< every built-in type
    Enterprise, ///< those and custom evaluators
};

/// All tiers, the least first.
inline constexpr std::array licenseTiers = {LicenseTier::Core, LicenseTier::WriterPro,
                                            LicenseTier::Teams, LicenseTier::Enterprise};

/// S1's names: "Core", "WriterPro", "Teams", "Enterprise".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(LicenseTier tier);

/// The tier of that exact name, or nothing.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<LicenseTier>
licenseTierFromString(QStringView name);

/// Whether policies of this type may be used in this tier.
[[nodiscard]] REKINDLE_POLICY_EXPORT bool allows(LicenseTier tier, RestartPolicyType type);

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::LicenseTier)
