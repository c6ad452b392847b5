// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/controlrequest_p.h"
#include "control/rings/decisionring_p.h"

#include <rekindle/control/controlmessages.h>
#include <rekindle/lifecycle/agentsupervisor.h>

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
    /// `supervisor` must outlive it.
    explicit ExplainCalls(AgentSupervisor &supervisor);

    [[nodiscard]] ControlReply explain(ControlRequest &request) const;

private:
    /// The last operations of an operator on the agent and on its circuit breaker, the last
    /// requested restart, and what its group did last.
    struct Actions
    {
        std::optional<LifecycleEvent> operation{};
        std::optional<LifecycleEvent> ofBreaker{};
        std::optional<LifecycleEvent> request{};
        std::optional<LifecycleEvent> ofGroup{};
    };

    void addGroupEvent(const LifecycleEvent &event, const QStringList &members);
    [[nodiscard]] QString nextOf(const QUuid &id, const AgentStatus &agent) const;

    [[nodiscard]] QList<QByteArray> decisionsOf(const QUuid &id, int limit) const;
    [[nodiscard]] QList<QByteArray> actionsOf(const QUuid &id) const;

    AgentSupervisor &m_supervisor;
    DecisionRing m_decisions;
    QHash<QUuid, Actions> m_actions;
};

} // namespace Rekindle
