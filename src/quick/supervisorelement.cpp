// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "remotehost_p.h"
#include "supervisorelement_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/policy/restartplan.h>

#include <QJsonDocument>

#include <algorithm>

namespace Rekindle {

SupervisorElement::SupervisorElement(AgentSupervisor &supervisor)
    : QObject(&supervisor)
    , m_supervisor(supervisor)
    , m_agents(*SourceProperty::of(m_supervisor))
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
    connect(&m_agents, &AgentSource::agentAdded, this, queue);
    connect(&m_agents, &AgentSource::agentRemoved, this, queue);
    connect(&m_agents, &AgentSource::agentChanged, this, queue);
    connect(&m_supervisor, &AgentSupervisor::allStopped, this, queue);
    connect(&m_supervisor.featureGate(), &FeatureGate::tierChanged, this, queue);
}

int SupervisorElement::running() const
{
    const QList<QUuid> ids = m_agents.ids();
    return static_cast<int>(std::count_if(ids.begin(), ids.end(), [this](const QUuid &id) {
        return m_agents.state(id) == InstanceState::Running;
    }));
}

int SupervisorElement::total() const { return static_cast<int>(m_agents.ids().size()); }

bool SupervisorElement::isStopping() const { return m_supervisor.isStopping(); }

LicenseTier SupervisorElement::tier() const { return m_supervisor.featureGate().tier(); }

QUuid SupervisorElement::idOf(const QVariant &agent) const
{
    const QUuid named = m_supervisor.idOf(agent.toString());
    return named.isNull() ? agent.toUuid() : named;
}

CommandResult SupervisorElement::start(const QVariant &agent)
{
    return m_supervisor.start(idOf(agent));
}

CommandResult SupervisorElement::stop(const QVariant &agent)
{
    return m_supervisor.stop(idOf(agent));
}

CommandResult SupervisorElement::restart(const QVariant &agent, const QString &reason)
{
    return m_supervisor.restart(idOf(agent), reason);
}

CommandResult SupervisorElement::retry(const QVariant &agent)
{
    return m_supervisor.retryNow(idOf(agent));
}

CommandResult SupervisorElement::reset(const QVariant &agent)
{
    return m_supervisor.policyEvaluator().resetCircuitBreaker(idOf(agent));
}

void SupervisorElement::startAll() { m_supervisor.startAll(); }

void SupervisorElement::stopAll()
{
    m_supervisor.stopAll();
    Q_EMIT changed();
}

QVariant SupervisorElement::snapshot(const QVariant &agent) const
{
    return toQml(m_supervisor.snapshot(idOf(agent)));
}

QString SupervisorElement::why(const QVariant &agent) const
{
    // The future of a supervisor of this process is finished.
    const auto explained = m_agents.explain(idOf(agent)).result();
    return explained ? explained.value.toText(m_agents.utcNow(), toLocalText)
                     : explained.error->message;
}

QJsonObject SupervisorElement::plan(const QVariant &agent) const
{
    const QUuid id = idOf(agent);
    const auto found = m_supervisor.snapshot(id);
    if (!found)
        return {};
    const RestartPlan plan =
        RestartPlan::of(found->name, m_supervisor.requestedPolicy(id), tier(), 20);
    return QJsonDocument::fromJson(toJson(plan)).object();
}

} // namespace Rekindle
