// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/telemetry/historyreader.h>

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <memory>

namespace Rekindle {

struct AgentHistory;

/// Explains the newest decisions about one agent, as `rekindle explain` prints them. The
/// constructor reads them; the result does not change after that and can be used in any thread.
class REKINDLE_TELEMETRY_EXPORT AgentExplanation
{
public:
    /// Reads the newest decisions about the agent of this name, at most `limit` (1 .. 1,000,000).
    /// Blocks for the disk. If that fails, `reader.error()` contains the reason, and the
    /// explanation is incomplete.
    AgentExplanation(HistoryReader &reader, const QString &agent, int limit);

    /// Explains the decisions in `response`, the result of `agents.explain` of a running host.
    /// Their last line says what happens next instead of the latest event.
    explicit AgentExplanation(const QJsonObject &response);
    ~AgentExplanation();
    Q_DISABLE_COPY_MOVE(AgentExplanation)

    /// Whether a decision was found. An agent without failures has none.
    [[nodiscard]] bool hasDecisions() const;

    /// Formats the decisions, oldest first: failure, policy, rule, delay, restarts left, last lines
    /// on stderr, and what happens next as of `now`. Without decisions, the text is stateText().
    /// The last line is the latest event. Each line ends with a line feed. Texts of agents are
    /// included without line feeds, but can contain other control characters.
    [[nodiscard]] QString toText(UtcTime now) const;

    /// Formats the decisions, oldest first, one JSON object per line; empty without decisions. Only
    /// decisions of a store have `row`, `run` and `hash`.
    [[nodiscard]] QByteArray toJson() const;

    /// Returns one sentence about an agent without decisions: when it was started or stopped.
    [[nodiscard]] QString stateText() const;

private:
    QString m_agent;
    std::unique_ptr<const AgentHistory> m_history;
};

} // namespace Rekindle
