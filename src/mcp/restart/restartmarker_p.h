// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QByteArray>
#include <QString>

#include <optional>

namespace Rekindle {

/// The content of the restart marker file: when, why and how a server was restarted (S4 3.2).
struct RestartMarker
{
    UtcTime timestamp{}; ///< of the request; of the new start if the restart was not requested
    QString reason{};
    int exitCode = 0; ///< of the server that exited; 42 for a requested restart
    QString method{}; ///< "restart_server", "exit 42", "watch" or "crash"
    QString server{}; ///< name and hash, from a proxy; empty if the server wrote the marker

    bool operator==(const RestartMarker &) const = default;
};

/// The result of reading a marker file (S4 4.3).
struct MarkerReading
{
    enum class State {
        Absent,     ///< there is no file
        Unreadable, ///< it cannot be read or is not a JSON object; `fault` is the reason
        Incomplete, ///< a field is missing or has the wrong type; `fault` names it
        Read,
        Foreign, ///< it was read and concerns another server
    };

    State state = State::Absent;
    RestartMarker marker{};
    QString path{};
    QString fault{};

    bool operator==(const MarkerReading &) const = default;
};

/// Whether a marker records a restart after a given time.
struct RestartVerdict
{
    QString text{};
    bool isRestarted =
        false; ///< also with an exit code other than 42, for which `text` is a warning
};

/// Returns the time to record for a restart at this time: one millisecond later, because a client
/// may have taken its since_timestamp in the same millisecond.
[[nodiscard]] constexpr UtcTime markerTime(UtcTime time)
{
    return time + std::chrono::milliseconds(1);
}

/// Truncates a reason to the limit of a marker: 1,000 characters.
[[nodiscard]] QString markerReason(const QString &reason);

/// Writes JSON with one member in each line, and a line end.
[[nodiscard]] QByteArray toJson(const RestartMarker &marker);

/// Requires timestamp, reason and exit_code. `path` is for messages.
[[nodiscard]] MarkerReading markerFromJson(const QByteArray &json, const QString &path);

/// The verdict that there was no restart, with the sign of S4.
[[nodiscard]] RestartVerdict notRestarted(const QString &text);

/// Applies S4 4.3. The text has no full stop at its end, except for an absent marker.
[[nodiscard]] RestartVerdict judge(const RestartMarker &marker, UtcTime since);
[[nodiscard]] RestartVerdict judge(const MarkerReading &reading, UtcTime since);

/// Reads ISO 8601: RFC 3339, also with more than three fractional digits (as in Python), with a
/// blank instead of the T, or without an offset, which means UTC.
[[nodiscard]] std::optional<UtcTime> utcTimeFromIso8601(QStringView text);

} // namespace Rekindle
