// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>

#include "base/ownthread_p.h"
#include "lifecycle/health/healthwatch_p.h"
#include "outputlimiter_p.h"

#include <QHash>
#include <QPointer>
#include <QSharedData>

#include <utility>

namespace Rekindle {

namespace {
struct Watched : QSharedData
{
    Watched(AgentMonitor &theMonitor, QUuid theId, Agent *theAgent)
        : monitor(theMonitor)
        , id(theId)
        , agent(theAgent)
    {
    }

    AgentMonitor &monitor; ///< stored once here instead of in each slot, to save memory
    QUuid id;
    Agent *agent = nullptr;
    quint64 generation = 0;
    std::unique_ptr<HealthWatch> health{};
    bool isStarting = false;                 ///< started, and neither ready nor requested to stop
    std::unique_ptr<OutputLimiter> output{}; ///< if output events are enabled

    void endHealth()
    {
        isStarting = false;
        if (health)
            health->ended();
    }
};
// Smaller than std::shared_ptr, because each slot of an agent's signals has one.
using WatchedPointer = QExplicitlySharedDataPointer<Watched>;

QList<Fault> faultsOf(const std::vector<HealthCheck> &checks)
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
    return faults;
}
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
    [[nodiscard]] WatchedPointer find(const QUuid &id) const
    {
        assertOwnThread(*q);
        return agents.value(id);
    }

    void onStarted(const WatchedPointer &w) const;
    void onReady(const WatchedPointer &w) const;
    [[nodiscard]] bool onExited(const WatchedPointer &w) const;
    void onHealthChange(const QUuid &id, const HealthWatch::Change &change) const;
    void onOutput(const Watched &w, AgentOutput::Stream stream, const QByteArray &line) const;
    [[nodiscard]] bool emitLastOutput(const WatchedPointer &w) const;

    AgentMonitor *const q;
    ProbeCycle::Shared shared;
    QHash<QUuid, WatchedPointer> agents;
};

std::unique_ptr<HealthWatch> AgentMonitor::Private::makeHealth(const Watched &w,
                                                               std::vector<HealthCheck> checks)
{
    // Most agents have no probes, and need no memory for them.
    if (checks.empty() && !w.health)
        return nullptr;
    return std::make_unique<HealthWatch>(
        std::move(checks), w.health ? w.health->status() : AgentHealthStatus{}, shared,
        [this, id = w.id](const HealthWatch::Change &change) { onHealthChange(id, change); });
}

void AgentMonitor::Private::onStarted(const WatchedPointer &w) const
{
    const quint64 generation = w->generation;
    w->isStarting = true;
    Q_EMIT q->agentStarted(w->id, generation, w->agent->processId());
    // A slot may have removed or restarted the agent.
    if (find(w->id) == w && w->generation == generation && w->health)
        w->health->started();
}

void AgentMonitor::Private::onReady(const WatchedPointer &w) const
{
    w->isStarting = false;
    if (w->health)
        w->health->ready();
    Q_EMIT q->agentReady(w->id, w->generation);
}

// Returns false if a slot removed the agent.
bool AgentMonitor::Private::onExited(const WatchedPointer &w) const
{
    if (!emitLastOutput(w))
        return false;
    w->endHealth();
    return true;
}

void AgentMonitor::Private::onHealthChange(const QUuid &id, const HealthWatch::Change &change) const
{
    const WatchedPointer w = find(id);
    if (!w)
        return;
    const quint64 generation = w->generation;
    if (change.failure)
        w->isStarting = false;
    if (change.before.state != change.after.state
        || change.before.consecutiveMisses != change.after.consecutiveMisses)
        Q_EMIT q->healthChanged(id, generation, change.before, change.after);
    if (!change.failure || find(id) != w || w->generation != generation)
        return;
    const Failure failure{FailureReason::HealthCheckFailed,
                          {.message = *change.failure, .processId = w->agent->processId()}};
    if (emitLastOutput(w) && w->generation == generation)
        Q_EMIT q->agentUnhealthy(id, generation, failure);
}

void AgentMonitor::Private::onOutput(const Watched &w, AgentOutput::Stream stream,
                                     const QByteArray &line) const
{
    if (!w.output)
        return;
    if (const auto dropped = w.output->pass(shared.scheduler.now(), stream, line))
        Q_EMIT q->agentOutput(w.id, outputEvent(w.generation, stream, line, *dropped));
}

// The last line of a flood may contain the reason of the exit. Returns false if a slot removed the
// agent.
bool AgentMonitor::Private::emitLastOutput(const WatchedPointer &w) const
{
    const auto last = w->output ? w->output->takeDropped() : std::nullopt;
    if (!last)
        return true;
    const QPointer<AgentMonitor> alive(q);
    Q_EMIT q->agentOutput(w->id,
                          outputEvent(w->generation, last->stream, last->line, last->before));
    return !alive.isNull() && find(w->id) == w;
}

AgentMonitor::AgentMonitor(Scheduler &scheduler, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, scheduler))
{
}

AgentMonitor::~AgentMonitor()
{
    // The probes are children of this object, which must still be a complete QObject. Connections
    // keep the rest until then.
    for (const WatchedPointer &w : std::as_const(d->agents))
        w->health.reset();
}

QList<Fault> AgentMonitor::watch(const QUuid &instanceId, Agent *agent)
{
    unwatch(instanceId);
    std::vector<HealthCheck> checks = agent->ownHealthChecks();
    QList<Fault> faults = faultsOf(checks);
    for (Fault &fault : faults)
        fault.path.prepend(QLatin1String("/health"));
    if (hasErrors(faults))
        return faults;
    const WatchedPointer w(new Watched(*this, instanceId, agent));
    w->health = d->makeHealth(*w, std::move(checks));
    d->agents.insert(instanceId, w);

    // unwatch(), which a slot may call, removes the connections.
    connect(agent, &Agent::started, this, [w] { w->monitor.d->onStarted(w); });
    connect(agent, &Agent::ready, this, [w] { w->monitor.d->onReady(w); });
    connect(agent, &Agent::stopped, this, [w] {
        if (w->monitor.d->onExited(w))
            Q_EMIT w->monitor.agentStopped(w->id, w->generation);
    });
    connect(agent, &Agent::failed, this, [w](FailureReason reason, const FailureDetail &detail) {
        if (w->monitor.d->onExited(w))
            Q_EMIT w->monitor.agentFailed(w->id, w->generation, {reason, detail});
    });
    if (!agent->defaultStopTimeout()) // only such an agent emits stuck()
        connect(agent, &Agent::stuck, this,
                [w] { Q_EMIT w->monitor.agentStuck(w->id, w->generation); });
    connect(agent, &Agent::restartRequested, this, [w](const QString &reason) {
        const bool alive = w->agent->isAlive();
        if (alive || w->monitor.d->onExited(w))
            Q_EMIT w->monitor.restartRequested(w->id, w->generation, reason, alive);
    });
    return faults;
}

void AgentMonitor::unwatch(const QUuid &instanceId)
{
    assertOwnThread(*this);
    const WatchedPointer w = d->agents.take(instanceId);
    if (!w)
        return;
    disconnect(w->agent, nullptr, this, nullptr);
    // End the probes now, because a running slot may keep the rest alive.
    w->health.reset();
}

void AgentMonitor::setGeneration(const QUuid &instanceId, quint64 generation)
{
    const WatchedPointer w = d->find(instanceId);
    if (!w || w->generation == generation)
        return;
    w->generation = generation;
    // Now and not at started(), because the launch may fail.
    if (w->health)
        w->health->renew();
}

QList<Fault> AgentMonitor::setHealth(const QUuid &instanceId, std::vector<HealthCheck> checks)
{
    QList<Fault> faults = faultsOf(checks);
    const WatchedPointer w = d->find(instanceId);
    if (!w)
        faults.append({QString(), QStringLiteral("no agent has this id")});
    if (hasErrors(faults))
        return faults;
    for (HealthCheck &check : w->agent->ownHealthChecks())
        checks.push_back(std::move(check));
    // The old probes are destroyed last, because one of them may be emitting a signal.
    const std::unique_ptr<HealthWatch> old =
        std::exchange(w->health, d->makeHealth(*w, std::move(checks)));
    if (w->health && w->isStarting)
        w->health->started();
    return faults;
}

AgentHealthStatus AgentMonitor::health(const QUuid &instanceId) const
{
    const WatchedPointer w = d->find(instanceId);
    return w && w->health ? w->health->status() : AgentHealthStatus{};
}

void AgentMonitor::endHealth(const QUuid &instanceId)
{
    if (const WatchedPointer w = d->find(instanceId))
        w->endHealth();
}

void AgentMonitor::setOutputEvents(const QUuid &instanceId, bool enabled)
{
    const WatchedPointer w = d->find(instanceId);
    if (!w || (w->output != nullptr) == enabled)
        return;
    if (!enabled) {
        w->output.reset();
        disconnect(w->agent, &Agent::output, this, nullptr);
        return;
    }
    w->output = std::make_unique<OutputLimiter>(outputPerSecond);
    connect(w->agent, &Agent::output, this,
            [this, w](AgentOutput::Stream stream, const QByteArray &line) {
                d->onOutput(*w, stream, line);
            });
}

} // namespace Rekindle
