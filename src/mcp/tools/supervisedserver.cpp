// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/supervisedserver.h>

#include "backendagent_p.h"
#include "startwaiters_p.h"

#include <rekindle/policy/presets.h>

namespace Rekindle {

RestartPolicy stdioBackendPolicy() { return *preset(u"stdio-backend"); }

class SupervisedServer::Private
{
public:
    Private(AgentSupervisor &supervisor, const QString &name, const ProcessDefinition &definition,
            const RestartPolicy &policy, const McpClientOptions &client)
        : server(supervisor, name, definition, policy, client)
        , waiters(supervisor.scheduler(), [this](Duration within) {
            return server.unavailable(QStringLiteral("%1 was not ready within %2")
                                          .arg(server.name(), durationToString(within)));
        })
    {
    }

    [[nodiscard]] bool isReady() const
    {
        return !isBeingReplaced && server.agent().client().isReady()
            && server.state() != InstanceState::Stopping;
    }
    void removed();
    void failHopelessWaits();

    BackendAgent server;
    StartWaiters waiters;
    bool isBeingReplaced = false; // the client is still ready, with the server that exits
};

void SupervisedServer::Private::removed()
{
    isBeingReplaced = false;
    server.removed();
    waiters.answerAll(server.notManaged());
}

void SupervisedServer::Private::failHopelessWaits()
{
    const auto snapshot = server.supervisor().snapshot(server.id());
    if (!snapshot) {
        waiters.answerAll(server.notManaged());
    } else if (snapshot->nextStartAt) {
        waiters.answerShort(
            *snapshot->nextStartAt,
            server.unavailable(
                QStringLiteral("%1 is down, its next start is in %2")
                    .arg(server.name(),
                         durationToString(std::chrono::ceil<std::chrono::milliseconds>(
                             *snapshot->nextStartAt - server.supervisor().scheduler().now())))));
    } else if (BackendAgent::isAtRest(snapshot->state)) {
        isBeingReplaced = false;
        waiters.answerAll(
            server.unavailable(snapshot->state == InstanceState::Stopped
                                   ? QStringLiteral("%1 is stopped").arg(server.name())
                                   : QStringLiteral("%1 was given up").arg(server.name())));
    }
}

SupervisedServer::SupervisedServer(AgentSupervisor &supervisor, const QString &name,
                                   const ProcessDefinition &definition, const RestartPolicy &policy,
                                   const McpClientOptions &client, QObject *parent)
    : ToolBackend(parent)
    , d(std::make_unique<Private>(supervisor, name, definition, policy, client))
{
    connect(&supervisor.evaluator(), &RestartPolicyEvaluator::agentReady, this,
            [this](const AgentReady &event) {
                if (event.instanceId != d->server.id())
                    return;
                d->isBeingReplaced = false;
                d->waiters.answerAll({});
            });
    connect(&supervisor.evaluator(), &RestartPolicyEvaluator::stateChanged, this,
            [this](const QUuid &id, InstanceState) {
                if (id == d->server.id())
                    d->failHopelessWaits();
            });
    connect(&supervisor, &AgentSupervisor::agentRemoved, this, [this](const QUuid &id) {
        if (d->server.isManaged() && id == d->server.id())
            d->removed();
    });
}

SupervisedServer::~SupervisedServer()
{
    d->waiters.answerAll(d->server.unavailable(QStringLiteral("%1 was deleted").arg(name())));
}

const QList<Fault> &SupervisedServer::faults() const { return d->server.faults(); }

QUuid SupervisedServer::id() const { return d->server.id(); }

void SupervisedServer::start() { d->server.supervisor().start(id()); }

void SupervisedServer::stop() { d->server.supervisor().stop(id()); }

QString SupervisedServer::name() const { return d->server.name(); }

McpClient &SupervisedServer::client() { return agent().client(); }

McpAgent &SupervisedServer::agent() const { return d->server.agent(); }

QFuture<ToolBackend::Start> SupervisedServer::ensureStarted(Duration within)
{
    if (d->isReady())
        return QtFuture::makeReadyFuture(Start());
    const QFuture<Start> future = d->waiters.add(within);
    d->failHopelessWaits();
    return future;
}

bool SupervisedServer::restartsOnExit() const { return false; }

QFuture<ToolBackend::Start> SupervisedServer::respawn(Duration within)
{
    if (d->isReady()) {
        d->isBeingReplaced = true;
        d->server.supervisor().restart(id(), QStringLiteral("a call failed"));
    }
    return ensureStarted(within);
}

} // namespace Rekindle
