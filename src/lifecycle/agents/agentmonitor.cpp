// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>

#include "lifecycle/health/healthwatch_p.h"
#include "outputlimiter_p.h"

#include <QHash>
#include <QPointer>

#include <utility>

namespace Rekindle {

namespace {
enum class Phase {
    Stopped, ///< not running, or requested to stop
    Starting,
    Ready,
};

struct Watched
{
    QUuid id;
    Agent *agent = nullptr;
    quint64 generation = 0;
    std::unique_ptr<HealthWatch> health{};
    Phase phase = Phase::Stopped;
    std::unique_ptr<OutputLimiter> output{}; ///< if output events are enabled
};
} // namespace

class AgentMonitor::Private
{
public:
    Private(AgentMonitor *monitor, Scheduler &scheduler)
        : q(monitor)
        , shared{scheduler, StallWatch(scheduler), {}, *monitor}
    {
    }

    [[nodiscard]] std::unique_ptr<HealthWatch> makeHealth(const Watched &w,
                                                          std::vector<HealthCheck> checks);
    [[nodiscard]] std::shared_ptr<Watched> find(const QUuid &id) const { return watched.value(id); }

    void onStarted(const QUuid &id) const;
    void onReady(const QUuid &id) const;
    void onEnded(const QUuid &id) const;
    void onHealthChange(const QUuid &id, const HealthWatch::Change &change) const;
    void onOutput(const QUuid &id, AgentOutput::Stream stream, const QByteArray &line) const;
    [[nodiscard]] bool emitLastOutput(const QUuid &id) const;

    AgentMonitor *const q;
    ProbeCycle::Shared shared;
    QHash<QUuid, std::shared_ptr<Watched>> watched;
};

std::unique_ptr<HealthWatch> AgentMonitor::Private::makeHealth(const Watched &w,
                                                               std::vector<HealthCheck> checks)
{
    for (HealthCheck &check : w.agent->ownHealthChecks())
        checks.push_back(std::move(check));
    // Most agents have no probes, and need no memory for them.
    if (checks.empty() && !w.health)
        return nullptr;
    return std::make_unique<HealthWatch>(
        std::move(checks), w.health ? w.health->status() : AgentHealthStatus{}, shared,
        [this, id = w.id](const HealthWatch::Change &change) { onHealthChange(id, change); });
}

void AgentMonitor::Private::onStarted(const QUuid &id) const
{
    const std::shared_ptr<Watched> w = find(id);
    const quint64 generation = w->generation;
    w->phase = Phase::Starting;
    Q_EMIT q->agentStarted(id, generation, w->agent->processId());
    // A slot may have removed or restarted the agent.
    if (find(id) == w && w->generation == generation && w->health)
        w->health->started();
}

void AgentMonitor::Private::onReady(const QUuid &id) const
{
    const std::shared_ptr<Watched> w = find(id);
    if (w->phase == Phase::Starting)
        w->phase = Phase::Ready;
    if (w->health)
        w->health->ready();
    Q_EMIT q->agentReady(id, w->generation);
}

void AgentMonitor::Private::onEnded(const QUuid &id) const
{
    const std::shared_ptr<Watched> w = find(id);
    if (!w)
        return;
    w->phase = Phase::Stopped;
    if (w->health)
        w->health->ended();
}

void AgentMonitor::Private::onHealthChange(const QUuid &id, const HealthWatch::Change &change) const
{
    const std::shared_ptr<Watched> w = find(id);
    if (!w)
        return;
    const quint64 generation = w->generation;
    if (change.failure)
        w->phase = Phase::Stopped;
    if (change.before.state != change.after.state
        || change.before.consecutiveMisses != change.after.consecutiveMisses)
        Q_EMIT q->healthChanged(id, generation, change.before, change.after);
    if (!change.failure || find(id) != w || w->generation != generation)
        return;
    Failure failure{FailureReason::HealthCheckFailed, {}};
    failure.detail.message = *change.failure;
    failure.detail.processId = w->agent->processId();
    if (!emitLastOutput(id) || w->generation != generation)
        return;
    Q_EMIT q->agentUnhealthy(id, generation, failure);
}

void AgentMonitor::Private::onOutput(const QUuid &id, AgentOutput::Stream stream,
                                     const QByteArray &line) const
{
    const std::shared_ptr<Watched> w = find(id);
    if (!w || !w->output)
        return;
    if (const auto dropped = w->output->pass(shared.scheduler.now(), stream, line))
        Q_EMIT q->agentOutput(id, outputEvent(w->generation, stream, line, *dropped));
}

// The last line of a flood may contain the reason of the exit. Returns false if a slot removed the
// agent.
bool AgentMonitor::Private::emitLastOutput(const QUuid &id) const
{
    const std::shared_ptr<Watched> w = find(id);
    const auto last = w->output ? w->output->takeDropped() : std::nullopt;
    if (!last)
        return true;
    const QPointer<AgentMonitor> alive(q);
    Q_EMIT q->agentOutput(id, outputEvent(w->generation, last->stream, last->line, last->before));
    return !alive.isNull() && find(id) == w;
}

AgentMonitor::AgentMonitor(Scheduler &scheduler, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, scheduler))
{
}

AgentMonitor::~AgentMonitor()
{
    // The probes become children of this object, which must still be a complete QObject.
    d->watched.clear();
}

void AgentMonitor::watch(const QUuid &instanceId, Agent *agent)
{
    unwatch(instanceId);
    const auto watched = std::make_shared<Watched>(Watched{.id = instanceId, .agent = agent});
    watched->health = d->makeHealth(*watched, {});
    d->watched.insert(instanceId, watched);

    // unwatch(), which a slot may call, removes the connections.
    const QUuid id = instanceId;
    connect(agent, &Agent::started, this, [this, id] { d->onStarted(id); });
    connect(agent, &Agent::ready, this, [this, id] { d->onReady(id); });
    connect(agent, &Agent::stopped, this, [this, id] {
        if (!d->emitLastOutput(id))
            return;
        d->onEnded(id);
        Q_EMIT agentStopped(id, d->find(id)->generation);
    });
    connect(agent, &Agent::failed, this,
            [this, id](FailureReason reason, const FailureDetail &detail) {
                if (!d->emitLastOutput(id))
                    return;
                d->onEnded(id);
                Q_EMIT agentFailed(id, d->find(id)->generation, {reason, detail});
            });
    connect(agent, &Agent::restartRequested, this, [this, id](const QString &reason) {
        const std::shared_ptr<Watched> w = d->find(id);
        const bool alive = w->agent->isAlive();
        if (!alive && !d->emitLastOutput(id))
            return;
        if (!alive)
            d->onEnded(id);
        Q_EMIT restartRequested(id, w->generation, reason, alive);
    });
}

void AgentMonitor::unwatch(const QUuid &instanceId)
{
    const std::shared_ptr<Watched> watched = d->watched.take(instanceId);
    if (!watched)
        return;
    disconnect(watched->agent, nullptr, this, nullptr);
    // End the probes now, because a running slot may keep the rest alive.
    watched->health.reset();
}

void AgentMonitor::setGeneration(const QUuid &instanceId, quint64 generation)
{
    const std::shared_ptr<Watched> watched = d->find(instanceId);
    if (!watched || watched->generation == generation)
        return;
    watched->generation = generation;
    // Now and not at started(), because the launch may fail.
    if (watched->health)
        watched->health->renew();
}

Agent *AgentMonitor::agent(const QUuid &instanceId) const
{
    const std::shared_ptr<Watched> watched = d->find(instanceId);
    return watched ? watched->agent : nullptr;
}

QList<Fault> AgentMonitor::setHealth(const QUuid &instanceId, std::vector<HealthCheck> checks)
{
    QList<Fault> faults;
    for (std::size_t i = 0; i < checks.size(); ++i) {
        const QString path = QLatin1Char('/') + QString::number(i);
        if (!checks[i].probe)
            faults.append({path, QStringLiteral("missing probe")});
        for (Fault fault : validate(checks[i].schedule)) {
            fault.path.prepend(path);
            faults.append(fault);
        }
    }
    const std::shared_ptr<Watched> watched = d->find(instanceId);
    if (!watched || hasErrors(faults))
        return faults;
    // The old probes are destroyed last, because one of them may be emitting a signal.
    const std::unique_ptr<HealthWatch> old =
        std::exchange(watched->health, d->makeHealth(*watched, std::move(checks)));
    if (watched->health && watched->phase == Phase::Starting)
        watched->health->started();
    return faults;
}

AgentHealthStatus AgentMonitor::health(const QUuid &instanceId) const
{
    const std::shared_ptr<Watched> watched = d->find(instanceId);
    return watched && watched->health ? watched->health->status() : AgentHealthStatus{};
}

void AgentMonitor::endHealth(const QUuid &instanceId) { d->onEnded(instanceId); }

void AgentMonitor::setOutputEvents(const QUuid &instanceId, bool enabled)
{
    const std::shared_ptr<Watched> watched = d->find(instanceId);
    if (!watched || (watched->output != nullptr) == enabled)
        return;
    if (!enabled) {
        watched->output.reset();
        disconnect(watched->agent, &Agent::output, this, nullptr);
        return;
    }
    watched->output = std::make_unique<OutputLimiter>(outputPerSecond);
    connect(watched->agent, &Agent::output, this,
            [this, instanceId](AgentOutput::Stream stream, const QByteArray &line) {
                d->onOutput(instanceId, stream, line);
            });
}

} // namespace Rekindle
