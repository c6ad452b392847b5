// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/simulation/counterfactualreplay.h>
#include <rekindle/simulation/journalreplay.h>
#include <rekindle/telemetry/journalreader.h>

#include <QSet>

#include <functional>

namespace Rekindle {

/// The replay of a run in a store, and its result as text and JSON.
class StoredReplay
{
public:
    /// `agent`: only this one is compared; empty: all. `until`: later inputs are ignored.
    StoredReplay(const QString &store, const StoredRun &run, QString agent,
                 std::optional<Instant> until = {});

    /// Returns the time of an event; empty if the run has no event with this number.
    [[nodiscard]] static std::optional<Instant> timeOfEvent(const QString &store,
                                                            const QString &run, quint64 sequence);

    using InputReceiver = std::function<void(const JournalEntry &entry)>;
    /// `onInput` receives the inputs of the chosen agents, before the events of later times are
    /// compared.
    void run(const InputReceiver &onInput = {});

    [[nodiscard]] bool isIdentical() const { return !m_replay.difference() && m_fault.isEmpty(); }
    [[nodiscard]] qint64 inputs() const { return m_inputs; } ///< also of other agents
    [[nodiscard]] const QSet<QString> &agents() const { return m_agents; }
    /// Why the run could not be compared completely; empty if it could.
    [[nodiscard]] const QString &fault() const { return m_fault; }
    /// The time of the last input or event.
    [[nodiscard]] Instant end() const { return m_end; }
    /// The number of the last event until now, also of other agents; 0 if there is none.
    [[nodiscard]] qint64 lastEvent() const { return m_lastEvent; }

    [[nodiscard]] QByteArray toText() const;
    [[nodiscard]] QByteArray toJson() const; ///< one line

private:
    [[nodiscard]] bool isChosen(const QString &agent) const
    {
        return m_agent.isEmpty() || agent == m_agent;
    }
    /// Compares what was recorded before this time.
    void compareBefore(Instant end);
    void compare(const StoredEvent &event);

    const StoredRun m_run;
    const QString m_agent;
    const std::optional<Instant> m_until;
    JournalReader m_reader;
    JournalReplay m_replay;
    std::optional<StoredEvent> m_event; ///< the next one
    std::optional<StoredDecision> m_decision;
    qint64 m_inputs = 0;
    QSet<QString> m_agents;
    Instant m_end{};
    qint64 m_lastEvent = 0;
    QString m_fault;
};

/// Describes a replay with other settings. `cursor`: the position of the first difference.
[[nodiscard]] QByteArray counterfactualText(const CounterfactualReplay &replay,
                                            const QString &cursor);

/// The same as JSON on one line.
[[nodiscard]] QByteArray counterfactualJson(const CounterfactualReplay &replay, const QString &run,
                                            const QString &cursor);

} // namespace Rekindle
