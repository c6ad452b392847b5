// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/telemetry/historyreader.h>

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QString>

namespace Rekindle {

/// Describes an event briefly: "restart 2 of 5 in 1.9s".
[[nodiscard]] QString describe(const StoredEvent &event);

/// Formats events as lines: time, agent, what happened. Adds a line for the start of a host if its
/// events are complete (`whole`) or include its first one, and a line for its end. If hosts wrote
/// at the same time, each line names its host. `lastEventTimes` has the time of the last event of
/// each host that is not among `events`.
[[nodiscard]] QByteArray historyText(const QList<StoredEvent> &events, const QList<StoredRun> &runs,
                                     bool whole, const QHash<QString, UtcTime> &lastEventTimes);

/// How a host has ended: "its host (process 4711) exited at ..." or "... is no longer running".
/// `which` stands before "host".
[[nodiscard]] QString endText(const StoredRun &run, const QString &which = QStringLiteral("its"));

/// "ProcessCrash: exit code 1" from the JSON of a failure.
[[nodiscard]] QString failureText(const QString &reason, const QJsonObject &detail);

/// The value of a key as text, or an empty text.
[[nodiscard]] QString textIn(const QJsonObject &object, const char *key);

/// The duration in a key that counts milliseconds.
[[nodiscard]] Duration durationIn(const QJsonObject &object, const char *key);

} // namespace Rekindle
