// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>

#include <QHash>

namespace Rekindle {

namespace {
struct Watched
{
    QUuid id;
    Agent *agent = nullptr;
    quint64 generation = 0;
};
} // namespace

class AgentMonitor::Private
{
public:
    QHash<QUuid, std::shared_ptr<Watched>> watched;
};

AgentMonitor::AgentMonitor(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
}

AgentMonitor::~AgentMonitor() = default;

void AgentMonitor::watch(const QUuid &instanceId, Agent *agent)
{
    unwatch(instanceId);
    const auto shared = std::make_shared<Watched>(Watched{instanceId, agent, 0});
    d->watched.insert(instanceId, shared);

    // The connections end with unwatch(), which a slot may call: copies outlive the emission.
    Watched *w = shared.get();
    connect(agent, &Agent::started, this, [this, w] {
        const Watched copy = *w;
        Q_EMIT agentStarted(copy.id, copy.generation, copy.agent->processId());
    });
    connect(agent, &Agent::ready, this, [this, w] {
        const Watched copy = *w;
        Q_EMIT agentReady(copy.id, copy.generation);
    });
    connect(agent, &Agent::stopped, this, [this, w] {
        const Watched copy = *w;
        Q_EMIT agentStopped(copy.id, copy.generation);
    });
    connect(agent, &Agent::failed, this,
            [this, w](FailureReason reason, const FailureDetail &detail) {
                const Watched copy = *w;
                Q_EMIT agentFailed(copy.id, copy.generation, {reason, detail});
            });
    connect(agent, &Agent::restartRequested, this, [this, w](const QString &reason) {
        const Watched copy = *w;
        Q_EMIT restartRequested(copy.id, copy.generation, reason, copy.agent->isAlive());
    });
}

void AgentMonitor::unwatch(const QUuid &instanceId)
{
    if (const std::shared_ptr<Watched> watched = d->watched.take(instanceId))
        disconnect(watched->agent, nullptr, this, nullptr);
}

void AgentMonitor::setGeneration(const QUuid &instanceId, quint64 generation)
{
    if (const auto it = d->watched.constFind(instanceId); it != d->watched.cend())
        (*it)->generation = generation;
}

Agent *AgentMonitor::agent(const QUuid &instanceId) const
{
    const auto it = d->watched.constFind(instanceId);
    return it == d->watched.cend() ? nullptr : (*it)->agent;
}

} // namespace Rekindle
