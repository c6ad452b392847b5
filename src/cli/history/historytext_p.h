// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/telemetry/historyreader.h>

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QString>

namespace Rekindle {

/// What an event says, in a few words: "restart 2 of 5 in 1.9s".
[[nodiscard]] QString describe(const StoredEvent &event);

/// Events as lines for people: time, agent, what happened. Where all that a host has told stands
/// there (`whole`), or its first event, so does its begin; and its end, if it has ended. Where
/// hosts wrote at the same time each line names its own. `lastTold` is when a host told the last
/// event of all, where that is none of `events`.
[[nodiscard]] QByteArray historyText(const QList<StoredEvent> &events, const QList<StoredRun> &runs,
                                     bool whole, const QHash<QString, UtcTime> &lastTold);

/// How a host that is over has ended: "its host (process 4711) ended at ...", or that it "is no
/// longer running". `which` is the host: "its".
[[nodiscard]] QString endText(const StoredRun &run, const QString &which = QStringLiteral("its"));

/// "ProcessCrash: exit code 1", from the JSON of a failure.
[[nodiscard]] QString failureText(const QString &reason, const QJsonObject &detail);

/// A duration from a key of an object that counts milliseconds.
[[nodiscard]] Duration durationIn(const QJsonObject &object, QLatin1String key);

} // namespace Rekindle
