// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "host/internal/agenttally.h"
#include "lifecycle/internal/evaluatorport.h"

#include <rekindle/lifecycle/agentsupervisor.h>

#include <algorithm>

namespace Rekindle {

std::array<int, instanceStateCount> AgentTally::counts() const
{
    std::array<int, instanceStateCount> counts{};
    for (const QUuid &id : m_supervisor.ids()) {
        if (const auto state = m_supervisor.policyEvaluator().state(id))
            ++counts.at(static_cast<std::size_t>(*state));
    }
    return counts;
}

int AgentTally::count(InstanceState state) const
{
    return counts().at(static_cast<std::size_t>(state));
}

int AgentTally::total() const { return static_cast<int>(m_supervisor.ids().size()); }

int AgentTally::givenUp() const
{
    return count(InstanceState::Exhausted) + count(InstanceState::Failed)
        + count(InstanceState::Gated);
}

QStringList AgentTally::down() const
{
    QStringList agents;
    for (const QUuid &id : m_supervisor.ids()) {
        const InstanceState state =
            m_supervisor.policyEvaluator().state(id).value_or(InstanceState::Stopped);
        const bool isPending =
            state == InstanceState::Waiting || state == InstanceState::CircuitOpen;
        if (isPending || (isTerminal(state) && state != InstanceState::Stopped))
            agents.append(QStringLiteral("%1 (%2)").arg(m_supervisor.policyEvaluator().name(id),
                                                        toText(state)));
    }
    return agents;
}

// A restart after a failure does not count, because an agent that fails delays nothing.
bool AgentTally::isStarting() const
{
    const QList<QUuid> ids = m_supervisor.ids();
    return std::any_of(ids.begin(), ids.end(), [this](const QUuid &id) {
        RestartPolicyEvaluator &evaluator = m_supervisor.policyEvaluator();
        const auto state = evaluator.state(id);
        const std::optional<DueStart> start = EvaluatorPort(evaluator).dueStart(id);
        return state == InstanceState::Starting || state == InstanceState::Evaluating
            || (start && start->planned != PlannedStart::Attempt && start->canPassGate());
    });
}

} // namespace Rekindle
