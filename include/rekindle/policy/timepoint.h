// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>

#include <QString>
#include <QStringView>

#include <chrono>
#include <optional>

namespace Rekindle {

/// A length of time. Units are in the type: nanoseconds, good for 292 years.
using Duration = std::chrono::nanoseconds;

/// A point on the monotonic clock: never set back, not comparable between hosts or boots.
using Instant = std::chrono::time_point<std::chrono::steady_clock, Duration>;

/// A point of wall-clock time, UTC, for people and records; nothing is decided by it.
using UtcTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

/// Reads "500ms", "1.5s", "5m", "1h" or "7d": a decimal number and a unit, nothing else (spec 10).
/// A bare number, a sign, a blank or more than 10,000 days is nothing.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<Duration> durationFromString(QStringView text);

/// The shortest text that durationFromString() reads back to the same value, down to a
/// microsecond: "1s", "1.5s", "250ms", "5m".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString durationToString(Duration duration);

/// Milliseconds as a number, with a fraction where there is one: how durations leave the house.
[[nodiscard]] constexpr double toMilliseconds(Duration duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

/// "2026-11-21T01:19:49.261Z": RFC 3339 in UTC with milliseconds.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toRfc3339(UtcTime time);

/// Reads RFC 3339, "2026-11-21T01:19:49Z" or with up to three digits of a second's fraction and
/// any offset, in the years 1970 to 9999. Anything else, lower-case letters and a leap second
/// included, is nothing.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<UtcTime> utcTimeFromRfc3339(QStringView text);

} // namespace Rekindle
