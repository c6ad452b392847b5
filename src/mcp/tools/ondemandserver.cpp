// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/ondemandserver.h>

#include "backendagent_p.h"
#include "base/readyfuture_p.h"
#include "ondemandstarter_p.h"

#include <utility>

namespace Rekindle {

class OnDemandServer::Private
{
public:
    Private(AgentSupervisor &supervisor, const QString &name, const ProcessDefinition &definition,
            const OnDemandOptions &options)
        : starter(supervisor, options.spawn)
        , restartsOnExit(options.restartsOnExit)
        , server(supervisor, name, definition, starter.startPolicy(), options.client,
                 {[this] {
                      starter.finish(server.id()); // from now on only a call starts it again
                      server.answerWaiters({});
                  },
                  [this](InstanceState state) { follow(state); },
                  [this] { starter.update(server.id(), server.isAwaited()); }})
    {
    }

    [[nodiscard]] bool isReady() const { return !starter.isStarting() && server.isReady(); }
    QFuture<Start> wait(Duration within);
    void follow(InstanceState state);

    OnDemandStarter starter;
    const bool restartsOnExit;
    InstanceState lastState = InstanceState::Stopped;
    BackendAgent server;
};

QFuture<ToolBackend::Start> OnDemandServer::Private::wait(Duration within)
{
    if (!server.isManaged())
        return readyFuture(Start(server.notManaged()));
    QFuture<Start> future = server.addWaiter(within);
    // A server that is stopping, or restarts by request, changes its state by itself.
    if (!starter.isStarting())
        starter.update(server.id(), true);
    return future;
}

void OnDemandServer::Private::follow(InstanceState state)
{
    const InstanceState before = std::exchange(lastState, state);
    const bool hasExited = before == InstanceState::Starting || before == InstanceState::Running;
    // A slot has changed the state; another signal follows.
    if (state != server.state())
        return;
    // Stopped on request, for example by stopAll(): pending waits do not start it again.
    if (starter.takeFailure(server.id()) || (state == InstanceState::Stopped && !hasExited)) {
        server.answerWaiters(
            server.unavailable(state == InstanceState::Stopped
                                   ? QStringLiteral("%1 was stopped").arg(server.name())
                                   : QStringLiteral("%1 cannot be started").arg(server.name())));
    } else {
        starter.update(server.id(), server.isAwaited());
    }
}

OnDemandServer::OnDemandServer(AgentSupervisor &supervisor, const QString &name,
                               const ProcessDefinition &definition, const OnDemandOptions &options,
                               QObject *parent)
    : ToolBackend(parent)
    , d(std::make_unique<Private>(supervisor, name, definition, options))
{
}

OnDemandServer::~OnDemandServer()
{
    d->server.answerWaiters(d->server.unavailable(QStringLiteral("%1 was deleted").arg(name())));
}

const QList<Fault> &OnDemandServer::faults() const { return d->server.faults(); }

QString OnDemandServer::name() const { return d->server.name(); }

McpClient &OnDemandServer::client() { return agent().client(); }

McpAgent &OnDemandServer::agent() const { return d->server.agent(); }

QFuture<ToolBackend::Start> OnDemandServer::ensureStarted(Duration within)
{
    if (d->isReady())
        return readyFuture(Start());
    return d->wait(within);
}

bool OnDemandServer::restartsOnExit() const { return d->restartsOnExit; }

QFuture<ToolBackend::Start> OnDemandServer::respawn(Duration within)
{
    if (d->isReady())
        d->starter.restart(d->server.id(), QStringLiteral("a call failed"));
    return d->wait(within);
}

void OnDemandServer::stop() { d->server.supervisor().stop(d->server.id()); }

} // namespace Rekindle
