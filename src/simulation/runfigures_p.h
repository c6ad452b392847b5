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
    void onStarted(std::size_t agent) { ++m_agents[agent].result.starts; }
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
    };

    const bool m_recordsSpans;
    SimulationResult m_result;
    qint64 m_steps = 0;
    std::deque<Tracked> m_agents; ///< not moved, because the trackers refer to the results
    HerdCounter m_inSecond{std::chrono::seconds(1)};
    HerdCounter m_inTenth{std::chrono::milliseconds(100)};
};

} // namespace Rekindle
