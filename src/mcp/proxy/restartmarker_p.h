// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QByteArray>
#include <QString>

#include <optional>

namespace Rekindle {

/// What the restart marker file says: that a restart has happened, when, why and how (S4 3.2).
struct RestartMarker
{
    UtcTime timestamp{}; ///< of the new server's start; the server itself writes when it was asked
    QString reason{};
    int exitCode = 0; ///< of the server that ended; 42 where the restart was asked for
    QString method{}; ///< "restart_server", "exit 42", "watch" or "crash"
    QString server{}; ///< of a proxy, by name and a hash; empty where the server wrote it itself

    bool operator==(const RestartMarker &) const = default;
};

/// What came of reading such a file (S4 4.3).
struct MarkerReading
{
    enum class State {
        Absent,     ///< there is no file
        Unreadable, ///< it cannot be read, or is no JSON object; `fault` says why
        Incomplete, ///< a field is missing or of another type; `fault` says which
        Read,
        Foreign, ///< it can be read, and tells of another server
    };

    State state = State::Absent;
    RestartMarker marker{};
    QString path{};
    QString fault{};

    bool operator==(const MarkerReading &) const = default;
};

/// What a marker says about a restart after some time.
struct RestartVerdict
{
    QString text{};
    bool isRestarted = false; ///< also where the text is a warning: with another exit code than 42
};

/// As much of a reason as goes into a marker: 1,000 characters.
[[nodiscard]] QString markerReason(const QString &reason);

/// JSON with one member in each line, and a line end.
[[nodiscard]] QByteArray toJson(const RestartMarker &marker);

/// Needs timestamp, reason and exit_code; `path` is for messages.
[[nodiscard]] MarkerReading markerFromJson(const QByteArray &json, const QString &path);

/// S4 4.3, whoever has the marker. The text has no full stop at its end.
[[nodiscard]] RestartVerdict judge(const RestartMarker &marker, UtcTime since);
[[nodiscard]] RestartVerdict judge(const MarkerReading &reading, UtcTime since);

/// ISO 8601 as people and programs write it: RFC 3339, also with more than three digits of a
/// fraction (Python), a blank for the T, and without an offset, which then is UTC.
[[nodiscard]] std::optional<UtcTime> utcTimeFromIso8601(QStringView text);

} // namespace Rekindle
