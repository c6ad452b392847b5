// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/restartpolicy.h>

#include <QString>
#include <QStringView>

#include <array>
#include <optional>

namespace Rekindle {

/// The tier of a host's license. Each tier includes the one before it.
enum class LicenseTier {
    Core,       ///< no restarts: type none
    WriterPro,  ///< none, immediate, linear
    Teams,      ///< every built-in type
    Enterprise, ///< every built-in type and custom evaluators
};

/// All tiers, the lowest first.
inline constexpr std::array licenseTiers = {LicenseTier::Core, LicenseTier::WriterPro,
                                            LicenseTier::Teams, LicenseTier::Enterprise};

/// "Core", "WriterPro", "Teams", "Enterprise".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(LicenseTier tier);

/// The tier with exactly this name, if there is one.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<LicenseTier>
licenseTierFromString(QStringView name);

/// Whether the tier permits policies of this type.
[[nodiscard]] REKINDLE_POLICY_EXPORT bool allows(LicenseTier tier, RestartPolicyType type);

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::LicenseTier)
