// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/policy/validation.h>

#include <QLatin1String>

#include <optional>
#include <variant>

namespace Rekindle {

/// When a health probe runs, and how many of its failures make the agent unhealthy (spec 6).
/// healthScheduleFields() has the range of each member.
struct REKINDLE_POLICY_EXPORT HealthSchedule
{
    /// From one run to the next.
    Duration interval = std::chrono::seconds(10);

    /// Of one run. A run that takes longer has failed.
    Duration timeout = std::chrono::seconds(2);

    /// After so many consecutive failures there is one last run. The agent is unhealthy only if
    /// that run fails too.
    int misses = 3;

    /// From ready to the first run. No probe runs before the agent is ready.
    Duration grace{0};

    /// The timeout of the last run, long enough for an agent that is only busy. Default: three
    /// times `timeout`.
    std::optional<Duration> lastChance{};

    [[nodiscard]] Duration lastChanceTimeout() const { return lastChance.value_or(timeout * 3); }

    bool operator==(const HealthSchedule &) const = default;
};

/// One key of a schedule: its member and its range, of a duration in milliseconds.
struct HealthScheduleField
{
    using Member = std::variant<Duration HealthSchedule::*,
                                std::optional<Duration> HealthSchedule::*, int HealthSchedule::*>;

    QLatin1String key;
    Member member;
    int least = 0;
    int greatest = 0;
    bool isForReadiness = false; ///< also a key of a probe that finds out whether an agent is ready
};

/// The keys of a schedule in the order in which they are documented. The range of "lastChance"
/// begins at the timeout of the schedule.
[[nodiscard]] REKINDLE_POLICY_EXPORT const QList<HealthScheduleField> &healthScheduleFields();

/// Returns all faults of a schedule. The paths are those of a configuration: "/interval".
[[nodiscard]] REKINDLE_POLICY_EXPORT QList<Fault> validate(const HealthSchedule &schedule);

} // namespace Rekindle
