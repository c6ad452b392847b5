// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/enumnames.h>
#include <rekindle/policy/timepoint.h>

#include <QString>

namespace Rekindle {

/// How delays vary, so that agents that fail together are not restarted together. u is uniform in
/// [0, 1), d the limited delay, r the ratio.
enum class JitterKind {
    None,         ///< d
    Symmetric,    ///< d (1 - r + 2ru)
    Additive,     ///< d (1 + ru)
    Full,         ///< d u
    Decorrelated, ///< uniform in [initialDelay, min(maxDelay, 3 * the previous delay)]
};

/// All kinds with their names in a configuration.
inline constexpr std::array<EnumName<JitterKind>, 5> jitterKinds = {{
    {JitterKind::None, QLatin1String("none")},
    {JitterKind::Symmetric, QLatin1String("symmetric")},
    {JitterKind::Additive, QLatin1String("additive")},
    {JitterKind::Full, QLatin1String("full")},
    {JitterKind::Decorrelated, QLatin1String("decorrelated")},
}};

[[nodiscard]] inline QString toText(JitterKind kind) { return nameOf(jitterKinds, kind); }

/// Jitter of a restart policy.
struct Jitter
{
    JitterKind kind = JitterKind::Symmetric;

    /// Width of the band; 0 to 1. Only symmetric and additive use it.
    double ratio = 0.25;

    /// A result above maxDelay is reflected below it (2 * maxDelay - d), so that agents at the
    /// maximum are not restarted together. If false, a delay can exceed maxDelay.
    bool withinMax = true;

    bool operator==(const Jitter &) const = default;
};

} // namespace Rekindle
