// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/telemetry/historyreader.h>

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QString>

#include <optional>

namespace Rekindle {

/// All that a store has to explain an agent by.
struct Explained
{
    QList<StoredDecision> decisions{};
    /// By the rows of the decisions: what an evaluator in shadow mode said of the failure (`id`,
    /// `answer`, `reason`), and what would have been decided (`rule`, `delayMs`).
    QHash<qint64, QJsonObject> shadows{};
    std::optional<StoredEvent> started{};
    std::optional<StoredEvent> stopped{};
    std::optional<StoredEvent> failed{};
    std::optional<StoredEvent> latest{};     ///< of whatever type
    QHash<QString, StoredEvent> lastOfRun{}; ///< of this agent, for each host that has decided
    QList<StoredRun> runs{};

    /// The host that told this, where it is known; else one that nothing is known of.
    [[nodiscard]] StoredRun runOf(const QString &run) const;

    /// At most `limit` decisions, the newest. The reader tells of an error.
    [[nodiscard]] static Explained from(HistoryReader &reader, const QString &agent, int limit);
};

/// Decisions in words: inputs, rule, delays, budget, stderr, what comes next; `now` tells what is
/// still to come. Where there is none, what else is known of the agent.
[[nodiscard]] QByteArray explainText(const QString &agent, const Explained &found, UtcTime now);

/// Why there is no decision: it has not failed, and how it is. One sentence without its end.
[[nodiscard]] QString noDecisionText(const QString &agent, const Explained &found);

/// One line of JSON without the line end.
[[nodiscard]] QByteArray decisionJson(const StoredDecision &decision, const Explained &found);

} // namespace Rekindle
