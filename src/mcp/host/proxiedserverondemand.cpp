// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcp/tools/backendagent_p.h"
#include "proxiedserver_p.h"

#include <utility>

namespace Rekindle {

void ProxiedServer::startOnDemand()
{
    m_isStarting = true;
    m_supervisor.setPolicy(m_id, m_onDemand->starting);
    m_supervisor.start(m_id);
}

// Until it has proven itself its starts have the tries and the delays of their policy; from then on
// each loss is the matter of those whom it concerns.
void ProxiedServer::attendOnDemand()
{
    if (m_agent.isAlive()) {
        m_isAsked = m_isAsked && !m_session.record().handshakeDone;
        return;
    }
    if (!m_session.isAway())
        return; // what becomes of its calls is yet to be told
    const InstanceState state = evaluator().state(m_id).value_or(InstanceState::Stopped);
    const bool isAtRest = BackendAgent::isAtRest(state);
    if (isAtRest && std::exchange(m_isStarting, false)) {
        // Who waited for this start was told; the next one may try again.
        m_isAsked = false;
        m_session.outlookChanged(outlook(), now());
    }
    const bool isWanted = m_isAsked || m_session.wantsServer(m_isStarting);
    const bool isPlanned = state == InstanceState::Waiting || state == InstanceState::CircuitOpen
        || state == InstanceState::Evaluating;
    if (isAtRest && isWanted && !m_isEnding)
        startOnDemand();
    else if (isPlanned && !isWanted)
        m_supervisor.stop(m_id);
}

} // namespace Rekindle
