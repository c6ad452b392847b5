// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/telemetry/historyreader.h>

#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QSet>
#include <QString>

#include <optional>

namespace Rekindle {

/// A decision whose JSON was read.
struct ExplainedDecision : StoredDecision
{
    QJsonObject object{}; ///< of `data`
};

/// What explains the decisions about one agent: rows of a store, or the response of a running host,
/// whose decisions are numbered from 1.
struct AgentHistory
{
    QList<ExplainedDecision> decisions{};
    /// By row of the decision: the answer of an evaluator in shadow mode (`id`, `answer`, `reason`)
    /// and the decision that it would have led to (`rule`, `delayMs`).
    QHash<qint64, QJsonObject> shadows{};
    QSet<qint64> canceled{}; ///< rows of decisions whose restart was canceled
    std::optional<StoredEvent> started{};
    std::optional<StoredEvent> stopped{};
    std::optional<StoredEvent> failed{};
    std::optional<StoredEvent> latest{};     ///< of any type
    QHash<QString, StoredEvent> lastOfRun{}; ///< by run of the decisions
    QList<StoredRun> runs{};
    QStringList actions{}; ///< of operators, and requested restarts, of a running agent
    QString now{}; ///< the state of a running agent and what happens next; empty: from a store

    /// The run with this id, or an empty value.
    [[nodiscard]] StoredRun runOf(const QString &run) const;

    /// Reads the result of agents.explain of a running host.
    [[nodiscard]] static AgentHistory from(const QJsonObject &response);

    /// Reads the newest decisions, at most `limit`. The reader has the error.
    [[nodiscard]] static AgentHistory from(HistoryReader &reader, const QString &agent, int limit);
};

} // namespace Rekindle
