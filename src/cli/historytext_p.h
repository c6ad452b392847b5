// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/telemetry/historyreader.h>

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <optional>

namespace Rekindle {

/// What an event says, in a few words: "restart 2 of 5 in 1.9s".
[[nodiscard]] QString describe(const StoredEvent &event);

/// Events as lines for people: time, agent, what happened.
[[nodiscard]] QByteArray historyText(const QList<StoredEvent> &events);

/// Decisions in words: inputs, rule, delays, budget, stderr, what comes next; `now` tells what is
/// still to come. `latest` is the agent's newest event.
[[nodiscard]] QByteArray explainText(const QList<StoredDecision> &decisions,
                                     const std::optional<StoredEvent> &latest, UtcTime now);

/// One line of JSON without the line end.
[[nodiscard]] QByteArray decisionJson(const StoredDecision &decision);

/// "ProcessCrash: exit code 1", from the JSON of a failure.
[[nodiscard]] QString failureText(const QString &reason, const QJsonObject &detail);

/// A duration from a key of an object that counts milliseconds.
[[nodiscard]] Duration durationIn(const QJsonObject &object, QLatin1String key);

} // namespace Rekindle
