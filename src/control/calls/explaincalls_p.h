// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/agentcalls_p.h"
#include "control/rings/decisionring_p.h"

#include <QHash>
#include <QObject>
#include <QUuid>

#include <optional>

namespace Rekindle {

/// Carries out agents.explain: stores the newest decisions and actions about each agent, and
/// reports what happens next.
class ExplainCalls : public QObject
{
    Q_OBJECT

public:
    /// The arguments must outlive it.
    ExplainCalls(AgentSupervisor &supervisor, const AgentCalls &agents);

    [[nodiscard]] AgentCalls::Response explain(const QByteArray &params) const;

private:
    /// The last operation of an operator and the last requested restart.
    struct Actions
    {
        std::optional<LifecycleEvent> operation{};
        std::optional<LifecycleEvent> request{};
    };

    [[nodiscard]] Json decisionsOf(const QUuid &id, int limit) const;
    [[nodiscard]] Json actionsOf(const QUuid &id) const;

    AgentSupervisor &m_supervisor;
    const AgentCalls &m_agents;
    DecisionRing m_decisions;
    QHash<QUuid, Actions> m_actions;
};

} // namespace Rekindle
