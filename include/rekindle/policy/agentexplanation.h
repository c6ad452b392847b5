// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>

#include <QByteArray>
#include <QString>

#include <memory>

namespace Rekindle {

struct AgentHistory;

/// An operation of an operator, a requested restart, or what the group of an agent did.
struct RecordedAction
{
    UtcTime time{};
    QString text{}; ///< for people

    bool operator==(const RecordedAction &) const = default;

    static void fields(auto &io, auto &s) { io("time", s.time, "text", s.text); }
};

/// Explains the newest decisions about one agent, as `rekindle explain` prints them:
/// DecisionLog::explain() of an agent of this process, ControlClient::explain() of an agent of
/// another host, HistoryReader::explain() of an agent in a telemetry store. A value for any thread,
/// cheap to copy.
class REKINDLE_POLICY_EXPORT AgentExplanation
{
public:
    /// Explains nothing: all texts are empty.
    AgentExplanation() = default;

    /// For the functions above.
    explicit AgentExplanation(AgentHistory history);

    /// Whether a decision was found. An agent without failures has none.
    [[nodiscard]] bool hasDecisions() const;

    /// Formats the decisions, oldest first: failure, policy, rule, delay, restarts left, last lines
    /// on stderr, and what happens next as of `now`. Without decisions, the text is stateText().
    /// The last line says what happens next; of a store, it is the latest event. Each line ends
    /// with a line feed. Texts of agents are included without line feeds, but can contain other
    /// control characters. `time` formats times; a view passes toLocalText.
    [[nodiscard]] QString toText(UtcTime now, TimeFormat time = toRfc3339) const;

    /// Formats the decisions, oldest first, one JSON object per line; empty without decisions. Only
    /// decisions of a store have `row`, `run` and `hash`.
    [[nodiscard]] QByteArray toJson() const;

    /// Returns one sentence about an agent without decisions: when it was started or stopped.
    [[nodiscard]] QString stateText(TimeFormat time = toRfc3339) const;

private:
    std::shared_ptr<const AgentHistory> m_history; ///< null: explains nothing
};

} // namespace Rekindle
