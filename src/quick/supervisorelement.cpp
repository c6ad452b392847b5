// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "supervisorelement_p.h"

#include <rekindle/policy/restartplan.h>

#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace Rekindle {

SupervisorElement::SupervisorElement(AgentSupervisor &supervisor)
    : LocalAgents(supervisor, &supervisor)
    , m_supervisor(supervisor)
{
    // Once for all events of a pass.
    const auto queue = [this] {
        if (std::exchange(m_isQueued, true))
            return;
        QMetaObject::invokeMethod(
            this,
            [this] {
                m_isQueued = false;
                Q_EMIT changed();
            },
            Qt::QueuedConnection);
    };
    connect(this, &AgentSource::agentAdded, this, queue);
    connect(this, &AgentSource::agentRemoved, this, queue);
    connect(this, &AgentSource::agentChanged, this, queue);
    connect(&m_supervisor, &AgentSupervisor::allStopped, this, queue);
    connect(&m_supervisor.featureGate(), &FeatureGate::tierChanged, this, queue);
}

int SupervisorElement::running() const
{
    const QList<QUuid> ids = this->ids();
    return static_cast<int>(std::count_if(ids.begin(), ids.end(), [this](const QUuid &id) {
        return state(id) == InstanceState::Running;
    }));
}

QUuid SupervisorElement::idOf(const QVariant &agent) const
{
    const QUuid named = m_supervisor.idOf(agent.toString());
    return named.isNull() ? agent.toUuid() : named;
}

void SupervisorElement::stopAll()
{
    m_supervisor.stopAll();
    Q_EMIT changed();
}

QString SupervisorElement::why(const QVariant &agent)
{
    // The future of a supervisor of this process is finished.
    const auto explained = explain(idOf(agent)).result();
    return explained ? explained.value.toText(utcNow(), toLocalText) : explained.error->message;
}

QJsonObject SupervisorElement::plan(const QVariant &agent) const
{
    const QUuid id = idOf(agent);
    const auto found = m_supervisor.snapshot(id);
    if (!found)
        return {};
    const RestartPlan plan =
        RestartPlan::of(found->name, m_supervisor.requestedPolicy(id), currentTier(), 20);
    return QJsonDocument::fromJson(toJson(plan)).object();
}

} // namespace Rekindle
