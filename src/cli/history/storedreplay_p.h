// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/simulation/journalreplay.h>
#include <rekindle/telemetry/journalreader.h>

#include <QSet>

namespace Rekindle {

/// The replay of a run in a store, and its result as text and JSON.
class StoredReplay
{
public:
    /// `agent`: only this one is compared; empty: all.
    StoredReplay(const QString &store, const StoredRun &run, QString agent);

    void run();

    [[nodiscard]] bool isIdentical() const { return !m_replay.difference() && m_fault.isEmpty(); }
    [[nodiscard]] qint64 inputs() const { return m_inputs; } ///< also of other agents
    [[nodiscard]] const QSet<QString> &agents() const { return m_agents; }
    /// Why the run could not be compared completely; empty if it could.
    [[nodiscard]] const QString &fault() const { return m_fault; }

    [[nodiscard]] QByteArray toText() const;
    [[nodiscard]] QByteArray toJson() const; ///< one line

private:
    [[nodiscard]] bool isChosen(const QString &agent) const
    {
        return m_agent.isEmpty() || agent == m_agent;
    }
    /// Compares what was recorded before this time; without a time, everything.
    void compareUntil(std::optional<Instant> end);
    void compare(const StoredEvent &event);

    const StoredRun m_run;
    const QString m_agent;
    JournalReader m_reader;
    JournalReplay m_replay;
    std::optional<StoredEvent> m_event; ///< the next one
    std::optional<StoredDecision> m_decision;
    qint64 m_inputs = 0;
    QSet<QString> m_agents;
    QString m_fault;
};

} // namespace Rekindle
