// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agenttally_p.h"
#include "lifecycle/internal/evaluatorport.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <algorithm>

namespace Rekindle {

AgentTally::AgentTally(AgentSupervisor &supervisor)
    : m_supervisor(supervisor)
{
    const QList<QUuid> ids = supervisor.ids();
    m_states.reserve(ids.size());
    for (const QUuid &id : ids)
        add(id);
    connect(&supervisor, &AgentSupervisor::agentAdded, this, &AgentTally::add);
    connect(&supervisor, &AgentSupervisor::agentRemoved, this, [this](const QUuid &id) {
        --m_counts[static_cast<std::size_t>(m_states.take(id))];
        look();
    });
    connect(&supervisor.policyEvaluator(), &RestartPolicyEvaluator::stateChanged, this,
            [this](const QUuid &id, InstanceState state) {
                InstanceState &known = m_states[id];
                --m_counts[static_cast<std::size_t>(known)];
                ++m_counts[static_cast<std::size_t>(state)];
                known = state;
                look();
            });
    // An agent may be given up while its process still runs; its exit does not change the state.
    connect(&supervisor.monitor(), &AgentMonitor::agentFailed, this, &AgentTally::look);
    connect(&supervisor.monitor(), &AgentMonitor::agentStopped, this, &AgentTally::look);
}

void AgentTally::add(const QUuid &id)
{
    m_states.insert(id, InstanceState::Stopped);
    ++m_counts[static_cast<std::size_t>(InstanceState::Stopped)];
}

int AgentTally::count(InstanceState state) const
{
    return m_counts[static_cast<std::size_t>(state)];
}

int AgentTally::givenUp() const
{
    return count(InstanceState::Exhausted) + count(InstanceState::Failed)
        + count(InstanceState::Gated);
}

QStringList AgentTally::down() const
{
    QStringList agents;
    for (const QUuid &id : m_supervisor.ids()) {
        const auto snapshot = m_supervisor.snapshot(id);
        const bool isDown = snapshot
            && (snapshot->state == InstanceState::Waiting
                || snapshot->state == InstanceState::CircuitOpen
                || snapshot->state == InstanceState::Exhausted
                || snapshot->state == InstanceState::Failed
                || snapshot->state == InstanceState::Gated);
        if (isDown)
            agents.append(QStringLiteral("%1 (%2)").arg(snapshot->name, toText(snapshot->state)));
    }
    return agents;
}

bool AgentTally::hasEnded() const
{
    return count(InstanceState::Stopped) + givenUp() == total() && !isAnyActive();
}

bool AgentTally::isAnyActive() const
{
    const QList<QUuid> ids = m_supervisor.ids();
    return std::any_of(ids.begin(), ids.end(), [this](const QUuid &id) {
        return m_supervisor.policyEvaluator().isActive(id);
    });
}

bool AgentTally::isStarting() const
{
    if (count(InstanceState::Starting) > 0 || count(InstanceState::Evaluating) > 0)
        return true;
    if (count(InstanceState::Waiting) == 0)
        return false;
    const QList<QUuid> ids = m_supervisor.ids();
    return std::any_of(ids.begin(), ids.end(),
                       [this](const QUuid &id) { return isAboutToStart(id); });
}

// A restart after a failure does not count, because an agent that fails delays nothing.
bool AgentTally::isAboutToStart(const QUuid &id) const
{
    const std::optional<DueStart> start =
        EvaluatorPort(m_supervisor.policyEvaluator()).dueStart(id);
    return start && start->planned != PlannedStart::Attempt && start->canPassGate();
}

void AgentTally::look()
{
    if (hasEnded())
        Q_EMIT ended();
}

} // namespace Rekindle
