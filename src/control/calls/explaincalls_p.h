// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/agentcalls_p.h"
#include "control/rings/decisionring_p.h"

#include <QObject>

namespace Rekindle {

/// Carries out agents.explain: stores the newest decisions about each agent, and reports what
/// happens next.
class ExplainCalls : public QObject
{
    Q_OBJECT

public:
    /// The arguments must outlive it.
    ExplainCalls(AgentSupervisor &supervisor, const AgentCalls &agents);

    [[nodiscard]] AgentCalls::Response explain(const QByteArray &params) const;

private:
    [[nodiscard]] Json decisionsOf(const QUuid &id, int limit) const;

    AgentSupervisor &m_supervisor;
    const AgentCalls &m_agents;
    DecisionRing m_decisions;
};

} // namespace Rekindle
