// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/ondemandserver.h>

#include "backendagent_p.h"
#include "spawnpolicies_p.h"

#include <utility>

namespace Rekindle {

class OnDemandServer::Private
{
public:
    Private(AgentSupervisor &supervisor, const QString &name, const ProcessDefinition &definition,
            const OnDemandOptions &options)
        : policies(options.spawn)
        , restartsOnExit(options.restartsOnExit)
        , server(supervisor, name, definition, policies.starting, options.client,
                 {[this] { becomeReady(); }, [this](InstanceState state) { follow(state); },
                  [this] { cancelUnneededRetry(); }})
    {
    }

    QFuture<Start> wait(Duration within);
    void begin();
    void becomeReady();
    void follow(InstanceState state);
    void cancelUnneededRetry();

    const SpawnPolicies policies;
    const bool restartsOnExit;
    InstanceState lastState = InstanceState::Stopped;
    BackendAgent server;
};

QFuture<ToolBackend::Start> OnDemandServer::Private::wait(Duration within)
{
    if (!server.isManaged())
        return QtFuture::makeReadyFuture(Start(server.notManaged()));
    const QFuture<Start> future = server.addWaiter(within);
    // A server that is stopping, or restarts by request, changes its state by itself.
    if (!server.isStarting && BackendAgent::isAtRest(server.state()))
        begin();
    return future;
}

void OnDemandServer::Private::begin()
{
    server.isStarting = true;
    server.supervisor().setPolicy(server.id(), policies.starting);
    server.supervisor().start(server.id());
}

// From now on only a call starts the server again.
void OnDemandServer::Private::becomeReady()
{
    server.supervisor().setPolicy(server.id(), policies.ready);
    server.answerWaiters({});
}

void OnDemandServer::Private::follow(InstanceState state)
{
    const InstanceState before = std::exchange(lastState, state);
    const bool hasExited = before == InstanceState::Starting || before == InstanceState::Running;
    // A slot has changed the state; another signal follows.
    if (state != server.state())
        return;
    if (!BackendAgent::isAtRest(state)) {
        cancelUnneededRetry();
    } else if (server.isStarting || (state == InstanceState::Stopped && !hasExited)) {
        // Stopped on request, for example by stopAll(): pending waits do not start it again.
        server.isStarting = false;
        server.answerWaiters(
            server.unavailable(state == InstanceState::Stopped
                                   ? QStringLiteral("%1 was stopped").arg(server.name())
                                   : QStringLiteral("%1 cannot be started").arg(server.name())));
    } else if (server.isAwaited()) {
        begin();
    }
}

void OnDemandServer::Private::cancelUnneededRetry()
{
    if (server.isStarting && server.state() == InstanceState::Waiting && !server.isAwaited())
        server.supervisor().stop(server.id());
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
    if (d->server.isReady())
        return QtFuture::makeReadyFuture(Start());
    return d->wait(within);
}

bool OnDemandServer::restartsOnExit() const { return d->restartsOnExit; }

QFuture<ToolBackend::Start> OnDemandServer::respawn(Duration within)
{
    if (d->server.isReady()) {
        d->server.isStarting = true;
        d->server.supervisor().setPolicy(d->server.id(), d->policies.starting);
        d->server.supervisor().restart(d->server.id(), QStringLiteral("a call failed"));
    }
    return d->wait(within);
}

void OnDemandServer::stop() { d->server.supervisor().stop(d->server.id()); }

} // namespace Rekindle
