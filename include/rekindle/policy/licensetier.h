// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/enumnames.h>
#include <rekindle/policy/restartpolicy.h>

#include <QString>

namespace Rekindle {

/// The tier of a host's license. Each tier includes the one before it.
enum class LicenseTier {
    Core,       ///< no restarts: type none
    WriterPro,  ///< none, immediate, linear
    Teams,      ///< every built-in type
    Enterprise, ///< every built-in type and custom evaluators
};

/// All tiers with their names, the lowest first; valueOf() finds a tier by its name.
inline constexpr std::array<EnumName<LicenseTier>, 4> licenseTiers = {{
    {LicenseTier::Core, QLatin1String("Core")},
    {LicenseTier::WriterPro, QLatin1String("WriterPro")},
    {LicenseTier::Teams, QLatin1String("Teams")},
    {LicenseTier::Enterprise, QLatin1String("Enterprise")},
}};

[[nodiscard]] inline QString toText(LicenseTier tier) { return nameOf(licenseTiers, tier); }

/// Whether the tier permits policies of this type.
[[nodiscard]] REKINDLE_POLICY_EXPORT bool allows(LicenseTier tier, RestartPolicyType type);

} // namespace Rekindle
