// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/ondemandserver.h>

#include "backendagent_p.h"
#include "spawnpolicies_p.h"
#include "startwaiters_p.h"

#include <rekindle/policy/presets.h>

#include <utility>

namespace Rekindle {

RestartPolicy spawnPolicy() { return *preset(u"spawn"); }

class OnDemandServer::Private
{
public:
    Private(AgentSupervisor &supervisor, const QString &name, const ProcessDefinition &definition,
            const OnDemandOptions &options)
        : policies(options.spawn)
        , server(supervisor, name, definition, policies.starting, options.client)
        , restartsOnExit(options.restartsOnExit)
        , waiters(
              supervisor.scheduler(),
              [this](Duration within) {
                  return server.unavailable(QStringLiteral("%1 was not ready within %2")
                                                .arg(server.name(), durationToString(within)));
              },
              [this] { cancelUnneededRetry(); })
    {
    }

    QFuture<Start> wait(Duration within);
    void begin();
    void becomeReady();
    void follow(InstanceState state);
    void removed();
    [[nodiscard]] bool isReady() const;
    void cancelUnneededRetry();

    const SpawnPolicies policies;
    BackendAgent server;
    bool restartsOnExit;
    StartWaiters waiters;
    bool isStarting = false; // with the policy of starts
    InstanceState lastState = InstanceState::Stopped;
};

QFuture<ToolBackend::Start> OnDemandServer::Private::wait(Duration within)
{
    if (!server.isManaged())
        return QtFuture::makeReadyFuture(Start(server.notManaged()));
    const QFuture<Start> future = waiters.add(within);
    // A server that is stopping, or restarts by request, changes its state by itself.
    if (!isStarting && BackendAgent::isAtRest(server.state()))
        begin();
    return future;
}

void OnDemandServer::Private::begin()
{
    isStarting = true;
    server.supervisor().setPolicy(server.id(), policies.starting);
    server.supervisor().start(server.id());
}

// From now on only a call starts the server again.
void OnDemandServer::Private::becomeReady()
{
    isStarting = false;
    server.supervisor().setPolicy(server.id(), policies.ready);
    waiters.answerAll({});
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
    } else if (isStarting || (state == InstanceState::Stopped && !hasExited)) {
        // Stopped on request, for example by stopAll(): pending waits do not start it again.
        isStarting = false;
        waiters.answerAll(
            server.unavailable(state == InstanceState::Stopped
                                   ? QStringLiteral("%1 was stopped").arg(server.name())
                                   : QStringLiteral("%1 cannot be started").arg(server.name())));
    } else if (waiters.isAwaited()) {
        begin();
    }
}

void OnDemandServer::Private::removed()
{
    isStarting = false;
    server.removed();
    waiters.answerAll(server.notManaged());
}

// The client of a stopping server is still ready.
bool OnDemandServer::Private::isReady() const
{
    return !isStarting && server.agent().client().isReady()
        && server.state() != InstanceState::Stopping;
}

void OnDemandServer::Private::cancelUnneededRetry()
{
    if (isStarting && server.state() == InstanceState::Waiting && !waiters.isAwaited())
        server.supervisor().stop(server.id());
}

OnDemandServer::OnDemandServer(AgentSupervisor &supervisor, const QString &name,
                               const ProcessDefinition &definition, const OnDemandOptions &options,
                               QObject *parent)
    : ToolBackend(parent)
    , d(std::make_unique<Private>(supervisor, name, definition, options))
{
    connect(&supervisor.evaluator(), &RestartPolicyEvaluator::agentReady, this,
            [this](const AgentReady &event) {
                if (event.instanceId == d->server.id())
                    d->becomeReady();
            });
    connect(&supervisor.evaluator(), &RestartPolicyEvaluator::stateChanged, this,
            [this](const QUuid &id, InstanceState state) {
                if (id == d->server.id())
                    d->follow(state);
            });
    connect(&supervisor, &AgentSupervisor::agentRemoved, this, [this](const QUuid &id) {
        if (d->server.isManaged() && id == d->server.id())
            d->removed();
    });
}

OnDemandServer::~OnDemandServer()
{
    d->waiters.answerAll(d->server.unavailable(QStringLiteral("%1 was deleted").arg(name())));
}

const QList<Fault> &OnDemandServer::faults() const { return d->server.faults(); }

QString OnDemandServer::name() const { return d->server.name(); }

McpClient &OnDemandServer::client() { return agent().client(); }

McpAgent &OnDemandServer::agent() const { return d->server.agent(); }

QFuture<ToolBackend::Start> OnDemandServer::ensureStarted(Duration within)
{
    if (d->isReady())
        return QtFuture::makeReadyFuture(Start());
    return d->wait(within);
}

bool OnDemandServer::restartsOnExit() const { return d->restartsOnExit; }

QFuture<ToolBackend::Start> OnDemandServer::respawn(Duration within)
{
    if (d->isReady()) {
        d->isStarting = true;
        d->server.supervisor().setPolicy(d->server.id(), d->policies.starting);
        d->server.supervisor().restart(d->server.id(), QStringLiteral("a call failed"));
    }
    return d->wait(within);
}

void OnDemandServer::stop() { d->server.supervisor().stop(d->server.id()); }

} // namespace Rekindle
