// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QString>
#include <QStringView>

#include <optional>

namespace Rekindle {

/// How a delay is spread, so that agents that die together do not come back together.
/// u is uniform in [0, 1), d the capped delay, r the ratio (spec 2).
enum class JitterKind {
    None,         ///< d
    Symmetric,    ///< d (1 - r + 2ru): S1's rule with r = 0.25
    Additive,     ///< d (1 + ru): S2's and S3's rule with r = 0.5
    Full,         ///< d u
    Decorrelated, ///< uniform in [initialDelay, min(maxDelay, 3 * the previous delay)]
};

/// The kind's name in a configuration: "none", "symmetric", "additive", "full", "decorrelated".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(JitterKind kind);

/// The kind of that exact name, or nothing.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<JitterKind>
jitterKindFromString(QStringView name);

/// Jitter of a restart policy.
struct Jitter
{
    JitterKind kind = JitterKind::Symmetric;

    /// Width of the band; 0 to 1. Only symmetric and additive use it.
    double ratio = 0.25;

    /// A draw above maxDelay is reflected below it (2 * maxDelay - d), so that the maximum holds
    /// and a fleet that has reached it does not fall into step (resilience.md 2b). Without it a
    /// draw may pass the maximum, as S1 and S2 have it.
    bool withinMax = true;

    bool operator==(const Jitter &) const = default;
};

} // namespace Rekindle
