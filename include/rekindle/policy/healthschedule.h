// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/policy/validation.h>

#include <optional>

namespace Rekindle {

/// When a health probe runs, and how many of its failures make the agent unhealthy (spec 6).
struct REKINDLE_POLICY_EXPORT HealthSchedule
{
    /// Time from one run to the next; 10 ms to 24 h.
    Duration interval = std::chrono::seconds(10);

    /// Timeout of one run; 1 ms to 1 h. A run that takes longer has failed.
    Duration timeout = std::chrono::seconds(2);

    /// Number of consecutive probe failures before the last run; 1 to 1000. The agent is unhealthy
    /// only if the last run fails too.
    int misses = 3;

    /// Time from ready until probing begins; 0 to 24 h. No probe runs before the agent is ready.
    Duration grace{0};

    /// The timeout of the last run, long enough for an agent that is only busy; `timeout` to 1 h.
    /// Default: three times `timeout`.
    std::optional<Duration> lastChance{};

    [[nodiscard]] Duration lastChanceTimeout() const { return lastChance.value_or(timeout * 3); }

    bool operator==(const HealthSchedule &) const = default;
};

/// Returns all faults of a schedule. The paths are as in a configuration: "/interval".
[[nodiscard]] REKINDLE_POLICY_EXPORT QList<Fault> validate(const HealthSchedule &schedule);

} // namespace Rekindle
