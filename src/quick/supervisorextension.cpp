// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "remotehost_p.h"
#include "supervisorextension_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/policy/restartplan.h>

#include <QJsonDocument>

#include <algorithm>

namespace Rekindle {

SupervisorExtension::SupervisorExtension(QObject *supervisor)
    : QObject(supervisor)
    , m_supervisor(*qobject_cast<AgentSupervisor *>(supervisor))
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

int SupervisorExtension::running() const
{
    const QList<QUuid> ids = m_agents.ids();
    return static_cast<int>(std::count_if(ids.begin(), ids.end(), [this](const QUuid &id) {
        return m_agents.state(id) == InstanceState::Running;
    }));
}

int SupervisorExtension::total() const { return static_cast<int>(m_agents.ids().size()); }

bool SupervisorExtension::isStopping() const { return m_supervisor.isStopping(); }

LicenseTier SupervisorExtension::tier() const { return m_supervisor.featureGate().tier(); }

QUuid SupervisorExtension::idOf(const QVariant &agent) const
{
    const QUuid named = m_supervisor.idOf(agent.toString());
    return named.isNull() ? agent.toUuid() : named;
}

CommandResult SupervisorExtension::start(const QVariant &agent)
{
    return m_supervisor.start(idOf(agent));
}

CommandResult SupervisorExtension::stop(const QVariant &agent)
{
    return m_supervisor.stop(idOf(agent));
}

CommandResult SupervisorExtension::restart(const QVariant &agent, const QString &reason)
{
    return m_supervisor.restart(idOf(agent), reason);
}

CommandResult SupervisorExtension::retry(const QVariant &agent)
{
    return m_supervisor.retryNow(idOf(agent));
}

CommandResult SupervisorExtension::reset(const QVariant &agent)
{
    return m_supervisor.policyEvaluator().resetCircuitBreaker(idOf(agent));
}

void SupervisorExtension::startAll() { m_supervisor.startAll(); }

void SupervisorExtension::stopAll()
{
    m_supervisor.stopAll();
    Q_EMIT changed();
}

QVariant SupervisorExtension::snapshot(const QVariant &agent) const
{
    return toQml(m_supervisor.snapshot(idOf(agent)));
}

QString SupervisorExtension::why(const QVariant &agent) const
{
    // The future of a supervisor of this process is finished.
    const auto explained = m_agents.explain(idOf(agent)).result();
    return explained ? explained.value.toText(m_agents.utcNow()) : explained.error->message;
}

QJsonObject SupervisorExtension::plan(const QVariant &agent) const
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
