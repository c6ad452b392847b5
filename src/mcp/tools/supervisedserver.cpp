// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/supervisedserver.h>

#include "backendagent_p.h"
#include "base/readyfuture_p.h"

namespace Rekindle {

namespace {

// `state` is terminal.
QString downText(InstanceState state)
{
    switch (state) {
    case InstanceState::Exhausted:
        return QStringLiteral("%1 was given up");
    case InstanceState::Gated:
        return QStringLiteral("%1 has failed (the license tier permits no restarts)");
    case InstanceState::Failed:
        return QStringLiteral("%1 has failed");
    default:
        return QStringLiteral("%1 is stopped");
    }
}

} // namespace

class SupervisedServer::Private
{
public:
    Private(AgentSupervisor &supervisor, const QString &name, const ProcessDefinition &definition,
            const RestartPolicy &policy, const McpClientOptions &client)
        : server(supervisor, name, definition, policy, client,
                 {[this] { server.answerWaiters({}); },
                  [this](InstanceState) { failHopelessWaits(); }})
    {
    }

    void failHopelessWaits();

    BackendAgent server;
};

void SupervisedServer::Private::failHopelessWaits()
{
    const auto snapshot = server.supervisor().snapshot(server.id());
    if (!snapshot) {
        server.answerWaiters(server.notManaged());
    } else if (snapshot->nextStartAt) {
        server.answerShortWaiters(
            *snapshot->nextStartAt,
            server.unavailable(
                QStringLiteral("%1 is down, its next start is in %2")
                    .arg(server.name(),
                         durationToString(std::chrono::ceil<std::chrono::milliseconds>(
                             *snapshot->nextStartAt - server.supervisor().scheduler().now())))));
    } else if (isTerminal(snapshot->state)) {
        server.isStarting = false;
        server.answerWaiters(server.unavailable(downText(snapshot->state).arg(server.name())));
    }
}

SupervisedServer::SupervisedServer(AgentSupervisor &supervisor, const QString &name,
                                   const ProcessDefinition &definition, const RestartPolicy &policy,
                                   const McpClientOptions &client, QObject *parent)
    : ToolBackend(parent)
    , d(std::make_unique<Private>(supervisor, name, definition, policy, client))
{
}

SupervisedServer::~SupervisedServer()
{
    d->server.answerWaiters(d->server.unavailable(QStringLiteral("%1 was deleted").arg(name())));
}

const QList<Fault> &SupervisedServer::faults() const { return d->server.faults(); }

void SupervisedServer::start() { d->server.supervisor().start(d->server.id()); }

void SupervisedServer::stop() { d->server.supervisor().stop(d->server.id()); }

QString SupervisedServer::name() const { return d->server.name(); }

McpClient &SupervisedServer::client() { return agent().client(); }

McpAgent &SupervisedServer::agent() const { return d->server.agent(); }

QFuture<ToolBackend::Start> SupervisedServer::ensureStarted(Duration within)
{
    if (d->server.isReady())
        return readyFuture(Start());
    QFuture<Start> future = d->server.addWaiter(within);
    d->failHopelessWaits();
    return future;
}

QFuture<ToolBackend::Start> SupervisedServer::respawn(Duration within)
{
    if (d->server.isReady()) {
        d->server.isStarting = true;
        d->server.supervisor().restart(d->server.id(), QStringLiteral("a call failed"));
    }
    return ensureStarted(within);
}

} // namespace Rekindle
