// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/fieldtable.h"

#include <rekindle/policy/healthschedule.h>

namespace Rekindle::HealthFields {

using namespace FieldTable;

/// At least the timeout of the schedule.
struct LastChance
{
    Duration greatest;
};

/// The keys of every probe.
inline constexpr std::tuple probeFields{
    field("interval", &HealthSchedule::interval,
          Range<Duration>{std::chrono::milliseconds(10), std::chrono::hours(24)}),
    field("timeout", &HealthSchedule::timeout,
          Range<Duration>{std::chrono::milliseconds(1), std::chrono::hours(1)}),
};

/// The further keys of a health probe; a readiness probe does not have them.
inline constexpr std::tuple healthFields{
    field("misses", &HealthSchedule::misses, Range<int>{1, 1000}),
    field("grace", &HealthSchedule::grace, Range<Duration>{Duration{0}, std::chrono::hours(24)}),
    field("lastChance", &HealthSchedule::lastChance, LastChance{std::chrono::hours(1)}),
};

} // namespace Rekindle::HealthFields
