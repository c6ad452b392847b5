// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/telemetry/historyreader.h>

#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QString>

#include <optional>

namespace Rekindle {

/// The rows of a store that explain the decisions about one agent.
struct AgentHistory
{
    QList<StoredDecision> decisions{};
    /// By row of the decision: the answer of an evaluator in shadow mode (`id`, `answer`, `reason`)
    /// and the decision that it would have led to (`rule`, `delayMs`).
    QHash<qint64, QJsonObject> shadows{};
    std::optional<StoredEvent> started{};
    std::optional<StoredEvent> stopped{};
    std::optional<StoredEvent> failed{};
    std::optional<StoredEvent> latest{};     ///< of any type
    QHash<QString, StoredEvent> lastOfRun{}; ///< by run of the decisions
    QList<StoredRun> runs{};

    /// The run with this id, or an empty value.
    [[nodiscard]] StoredRun runOf(const QString &run) const;

    /// Reads the newest decisions, at most `limit`. The reader has the error.
    [[nodiscard]] static AgentHistory from(HistoryReader &reader, const QString &agent, int limit);
};

} // namespace Rekindle
