// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>

#include <QString>
#include <QStringView>

#include <chrono>
#include <optional>

namespace Rekindle {

/// A duration in nanoseconds, up to 292 years.
using Duration = std::chrono::nanoseconds;

/// A point on the monotonic clock, which is never set back. Not comparable between hosts or boots.
using Instant = std::chrono::time_point<std::chrono::steady_clock, Duration>;

/// A point of wall-clock time in UTC, for people and records, not for decisions.
using UtcTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

/// Reads "500ms", "1.5s", "5m", "1h" or "7d": a decimal number and a unit. Rejects a missing unit,
/// a sign, blanks and more than 10,000 days.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<Duration> durationFromString(QStringView text);

/// The shortest text that durationFromString() reads back to the same value, down to a
/// microsecond: "1s", "1.5s", "250ms", "5m".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString durationToString(Duration duration);

/// A duration for people, rounded to at most two units: "750ms", "1.9s", "5m", "2h 5m".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString readable(Duration duration);

/// Milliseconds with their fraction, for output.
[[nodiscard]] constexpr double toMilliseconds(Duration duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

/// "2026-11-21T01:19:49.261Z": RFC 3339 in UTC with milliseconds.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toRfc3339(UtcTime time);

/// "2026-11-21 02:19:49.261": in the time zone of this machine, for views.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toLocalText(UtcTime time);

/// Formats a time: toRfc3339() or toLocalText().
using TimeFormat = QString (*)(UtcTime);

/// Reads RFC 3339, for example "2026-11-21T01:19:49Z", with up to three digits of a fraction and
/// any offset, in the years 1970 to 9999. Rejects anything else, including lower-case letters and
/// leap seconds.
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<UtcTime> utcTimeFromRfc3339(QStringView text);

} // namespace Rekindle
