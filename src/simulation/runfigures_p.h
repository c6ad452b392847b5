// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "herdcounter_p.h"
#include "phasetracker_p.h"

#include <rekindle/policy/instancetable.h>

#include <deque>

namespace Rekindle {

/// Adds up the figures of a run. All times are those since its beginning, and agents are identified
/// by their position.
class RunFigures
{
public:
    explicit RunFigures(bool recordsSpans = false)
        : m_recordsSpans(recordsSpans)
    {
    }

    /// Returns the position of the new agent.
    std::size_t addAgent(const QString &name);

    /// In the order of their positions.
    [[nodiscard]] QStringList names() const;

    void onInput() { ++m_result.inputs; }
    void onState(std::size_t agent, InstanceState state, Duration now)
    {
        m_agents[agent].phases.change(state, now);
    }
    /// It was started on this node, which is 0 without a fleet.
    void onStarted(std::size_t agent, int node = 0);
    /// A placed agent has this number of running copies.
    void onCopies(std::size_t agent, int copies, Duration now);
    void onFailed(std::size_t agent, Duration now);
    void onRestart(Duration now);
    void onBreaker(std::size_t agent, CircuitBreakerState state, Duration now)
    {
        m_agents[agent].phases.changeBreaker(state == CircuitBreakerState::Open, now);
    }
    void onQueue(qint64 length) { m_result.longestQueue = std::max(m_result.longestQueue, length); }
    void onStep() { ++m_steps; }
    void onUnusedStep() { ++m_result.unusedSteps; }
    void onViolation(const QString &text, Duration now);

    /// All of the above for an input of the state table that was applied to `instance`.
    void onOutcome(std::size_t agent, const Outcome &outcome, const Instance &instance,
                   Duration now);

    /// The agent was removed from the run.
    void onRemoved(std::size_t agent, Duration now);

    void setAttempts(std::size_t agent, std::optional<int> maxRetries, int made);

    /// The agent runs on one node of a fleet.
    void setPlaced(std::size_t agent) { m_agents[agent].result.moves = 0; }
    /// Where it was started last; -1 if it was not.
    [[nodiscard]] int lastNode(std::size_t agent) const { return m_agents[agent].lastNode; }

    [[nodiscard]] qint64 starts(std::size_t agent) const { return m_agents[agent].result.starts; }

    /// Call it once, at the end of the run.
    [[nodiscard]] SimulationResult finish(quint64 seed, Duration length);

private:
    struct Tracked
    {
        Tracked(const QString &name, bool recordsSpans)
            : phases(result, recordsSpans)
        {
            result.name = name;
        }

        SimulationResult::Agent result;
        PhaseTracker phases;
        int lastNode = -1;
        std::optional<Duration> twoCopiesSince{};
    };

    const bool m_recordsSpans;
    SimulationResult m_result;
    qint64 m_steps = 0;
    std::deque<Tracked> m_agents; ///< not moved, because the trackers refer to the results
    HerdCounter m_inSecond{std::chrono::seconds(1)};
    HerdCounter m_inTenth{std::chrono::milliseconds(100)};
};

} // namespace Rekindle
