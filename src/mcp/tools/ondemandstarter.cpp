// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "ondemandstarter_p.h"

#include "backendagent_p.h"

#include <utility>

namespace Rekindle {

OnDemandStarter::OnDemandStarter(AgentSupervisor &supervisor, const RestartPolicy &spawn)
    : m_supervisor(supervisor)
    , m_startPolicy(spawn)
    , m_readyPolicy(spawn)
{
    m_startPolicy.restartOn = RestartOn::Always;
    m_startPolicy.rearmAfter.reset();
    m_readyPolicy.type = RestartPolicyType::None;
    m_readyPolicy.evaluator.reset();
}

void OnDemandStarter::restart(const QUuid &id, const QString &reason)
{
    m_isStarting = true;
    m_supervisor.setPolicy(id, m_startPolicy);
    m_supervisor.restart(id, reason);
}

void OnDemandStarter::finish(const QUuid &id)
{
    m_isStarting = false;
    m_supervisor.setPolicy(id, m_readyPolicy);
}

bool OnDemandStarter::takeFailure(const QUuid &id)
{
    return isTerminal(state(id)) && std::exchange(m_isStarting, false);
}

// An open breaker is left alone: a new start would make it half-open at once.
void OnDemandStarter::update(const QUuid &id, bool isNeeded)
{
    const InstanceState current = state(id);
    const bool isRetryPlanned =
        m_isStarting && (current == InstanceState::Waiting || current == InstanceState::Evaluating);
    if (isNeeded && isTerminal(current)) {
        m_isStarting = true;
        m_supervisor.setPolicy(id, m_startPolicy);
        m_supervisor.start(id);
    } else if (!isNeeded && isRetryPlanned) {
        m_supervisor.stop(id);
    }
}

InstanceState OnDemandStarter::state(const QUuid &id) const
{
    return m_supervisor.policyEvaluator().state(id).value_or(InstanceState::Stopped);
}

} // namespace Rekindle
