// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>

#include "agentwatch_p.h"
#include "base/idlist_p.h"
#include "base/ownthread_p.h"
#include "base/text/terminaltext_p.h"
#include "lifecycle/health/healthwatch_p.h"
#include "lifecycle/internal/wrongthread.h"
#include "outputlimiter_p.h"

#include <QSharedData>

#include <utility>

namespace Rekindle {

namespace {
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

// Many of these texts are output of the agent.
FailureDetail printable(FailureDetail detail)
{
    detail.message = foreignText(detail.message);
    for (QString &line : detail.stderrTail)
        line = foreignText(line);
    return detail;
}
} // namespace

class AgentMonitor::Private
{
public:
    struct Watched;
    using WatchedPointer = QExplicitlySharedDataPointer<Watched>;

    Private(AgentMonitor *monitor, Scheduler &scheduler)
        : q(monitor)
        , shared{scheduler, StallWatch(scheduler), {}, *monitor}
    {
    }

    [[nodiscard]] std::unique_ptr<HealthWatch> makeHealth(const Watched &w,
                                                          std::vector<HealthCheck> checks);
    [[nodiscard]] WatchedPointer find(const QUuid &id) const
    {
        const WatchedPointer *const found = isInOwnThread(*q) ? agents.find(id) : nullptr;
        return found ? *found : WatchedPointer();
    }

    void unwatch(const QUuid &id);
    void onHealthChange(const QUuid &id, const HealthWatch::Change &change) const;
    void reportUnhealthy(const Watched &w, FailureReason reason, const QString &text) const;

    AgentMonitor *const q;
    ProbeCycle::Shared shared;
    IdList<WatchedPointer> agents;
};

/// A watched agent. Slots may end the watch and destroy the monitor, so each function that emits a
/// signal holds a reference and uses the monitor afterwards only if the agent is still watched.
struct AgentMonitor::Private::Watched final : QSharedData, AgentWatch
{
    Watched(Private &thePrivate, QUuid theId, Agent *theAgent)
        : d(thePrivate)
        , id(theId)
        , agent(theAgent)
    {
    }

    void started() override;
    void ready() override;
    void failed(FailureReason reason, const FailureDetail &detail) override;
    void stopped() override;
    void restartRequested(const QString &reason) override;
    void stuck() override;
    void stopping() override { endHealth(); }
    void startExtended(Duration time) override;
    void limitExceeded(const QString &text) override;
    void destroyed() override;

    void onOutput(AgentOutput::Stream stream, const QByteArray &line) const;
    [[nodiscard]] bool emitLastOutput() const;
    [[nodiscard]] bool onExited();
    void endHealth();
    void end();

    /// Of the current start. Ended: also before it, after a request to stop, or unhealthy.
    enum class Phase { Ended, Starting, Ready };
    Phase phase = Phase::Ended;
    Private &d;
    QUuid id;
    Agent *agent = nullptr; ///< null after the end of the watch
    quint64 generation = 0;
    std::unique_ptr<HealthWatch> health{};
    std::unique_ptr<OutputLimiter> output{}; ///< if output events are enabled
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

void AgentMonitor::Private::onHealthChange(const QUuid &id, const HealthWatch::Change &change) const
{
    const WatchedPointer w = find(id);
    if (!w)
        return;
    const quint64 generation = w->generation;
    if (change.failure)
        w->phase = Watched::Phase::Ended;
    if (change.before.state != change.after.state
        || change.before.consecutiveMisses != change.after.consecutiveMisses)
        Q_EMIT q->healthChanged(id, generation, change.before, change.after);
    if (!change.failure || !w->agent || w->generation != generation)
        return;
    reportUnhealthy(*w, FailureReason::HealthCheckFailed, *change.failure);
}

void AgentMonitor::Private::reportUnhealthy(const Watched &w, FailureReason reason,
                                            const QString &text) const
{
    const Failure failure{reason,
                          printable({.message = text,
                                     .processId = w.agent->processId(),
                                     .stderrTail = w.agent->stderrTail()})};
    const quint64 generation = w.generation;
    // A slot may remove the agent, which `w` survives, or restart it.
    if (w.emitLastOutput() && w.generation == generation)
        Q_EMIT q->agentUnhealthy(w.id, generation, failure);
}

void AgentMonitor::Private::unwatch(const QUuid &id)
{
    for (const WatchedPointer &w : agents.take(id))
        w->end();
}

void AgentMonitor::Private::Watched::started()
{
    const WatchedPointer self(this);
    const quint64 before = generation;
    phase = Phase::Starting;
    Q_EMIT d.q->agentStarted(id, generation, agent->processId());
    // A slot may have removed or restarted the agent.
    if (agent && generation == before && health)
        health->started();
}

void AgentMonitor::Private::Watched::ready()
{
    const WatchedPointer self(this);
    phase = Phase::Ready;
    if (health)
        health->ready();
    Q_EMIT d.q->agentReady(id, generation);
}

void AgentMonitor::Private::Watched::failed(FailureReason reason, const FailureDetail &detail)
{
    const WatchedPointer self(this);
    if (onExited())
        Q_EMIT d.q->agentFailed(id, generation, {reason, printable(detail)});
}

void AgentMonitor::Private::Watched::stopped()
{
    const WatchedPointer self(this);
    if (onExited())
        Q_EMIT d.q->agentStopped(id, generation);
}

void AgentMonitor::Private::Watched::restartRequested(const QString &reason)
{
    const WatchedPointer self(this);
    const bool alive = agent->isAlive();
    if (alive || onExited())
        Q_EMIT d.q->restartRequested(id, generation, foreignText(reason), alive);
}

void AgentMonitor::Private::Watched::stuck()
{
    const WatchedPointer self(this);
    if (!agent->defaultStopTimeout()) // the supervisor limits the stops of other agents
        Q_EMIT d.q->agentStuck(id, generation);
}

void AgentMonitor::Private::Watched::startExtended(Duration time)
{
    const WatchedPointer self(this);
    if (phase == Phase::Starting)
        Q_EMIT d.q->startExtended(id, generation, time);
}

void AgentMonitor::Private::Watched::limitExceeded(const QString &text)
{
    const WatchedPointer self(this);
    if (phase == Phase::Ended)
        return;
    endHealth();
    d.reportUnhealthy(*this, FailureReason::ResourceExhaustion, text);
}

void AgentMonitor::Private::Watched::destroyed()
{
    const WatchedPointer self(this);
    d.unwatch(id);
    Q_EMIT d.q->agentDestroyed(id);
}

// Returns false if a slot removed the agent.
bool AgentMonitor::Private::Watched::onExited()
{
    if (!emitLastOutput())
        return false;
    endHealth();
    return true;
}

void AgentMonitor::Private::Watched::onOutput(AgentOutput::Stream stream,
                                              const QByteArray &line) const
{
    if (!output)
        return;
    if (const auto dropped = output->pass(d.shared.scheduler.now(), stream, line))
        Q_EMIT d.q->agentOutput(id, outputEvent(generation, stream, line, *dropped));
}

// The last line of a flood may contain the reason of the exit. Returns false if a slot removed the
// agent.
bool AgentMonitor::Private::Watched::emitLastOutput() const
{
    if (const auto last = output ? output->takeDropped() : std::nullopt)
        Q_EMIT d.q->agentOutput(id,
                                outputEvent(generation, last->stream, last->line, last->before));
    return agent != nullptr;
}

void AgentMonitor::Private::Watched::endHealth()
{
    phase = Phase::Ended;
    if (health)
        health->ended();
}

void AgentMonitor::Private::Watched::end()
{
    if (output)
        QObject::disconnect(agent, nullptr, d.q, nullptr);
    std::exchange(agent, nullptr)->m_watch = nullptr;
    // End the probes now, because a running slot may keep the rest alive.
    health.reset();
}

AgentMonitor::AgentMonitor(Scheduler &scheduler, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, scheduler))
{
}

AgentMonitor::~AgentMonitor()
{
    // The probes are children of this object, which must still be a complete QObject.
    for (const Private::WatchedPointer &w : d->agents)
        w->end();
}

QList<Fault> AgentMonitor::watch(const QUuid &instanceId, Agent *agent)
{
    if (!isInOwnThread(*this))
        return calledFromAnotherThread();
    unwatch(instanceId);
    std::vector<HealthCheck> checks = agent->ownHealthChecks();
    QList<Fault> faults = faultsOf(checks);
    for (Fault &fault : faults)
        fault.path.prepend(QLatin1String("/health"));
    if (agent->m_watch)
        faults.append({QStringLiteral("/"), QStringLiteral("the agent is already watched")});
    if (hasErrors(faults))
        return faults;
    const Private::WatchedPointer w(new Private::Watched(*d, instanceId, agent));
    w->health = d->makeHealth(*w, std::move(checks));
    d->agents.add(w);
    agent->m_watch = w.data();
    return faults;
}

void AgentMonitor::unwatch(const QUuid &instanceId)
{
    if (isInOwnThread(*this))
        d->unwatch(instanceId);
}

void AgentMonitor::setGeneration(const QUuid &instanceId, quint64 generation)
{
    const Private::WatchedPointer w = d->find(instanceId);
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
    const Private::WatchedPointer w = d->find(instanceId);
    if (!w)
        faults.append({QString(), QStringLiteral("no agent has this id")});
    if (hasErrors(faults))
        return faults;
    for (HealthCheck &check : w->agent->ownHealthChecks())
        checks.push_back(std::move(check));
    // The old probes are destroyed last, because one of them may be emitting a signal.
    const std::unique_ptr<HealthWatch> old =
        std::exchange(w->health, d->makeHealth(*w, std::move(checks)));
    if (w->health && w->phase != Private::Watched::Phase::Ended)
        w->health->started();
    // A slot may have changed the agent.
    if (w->health && w->phase == Private::Watched::Phase::Ready)
        w->health->ready();
    return faults;
}

AgentHealthStatus AgentMonitor::health(const QUuid &instanceId) const
{
    const Private::WatchedPointer w = d->find(instanceId);
    return w && w->health ? w->health->status() : AgentHealthStatus{};
}

void AgentMonitor::endHealth(const QUuid &instanceId)
{
    if (const Private::WatchedPointer w = d->find(instanceId))
        w->endHealth();
}

bool AgentMonitor::hasOutputEvents(const QUuid &instanceId) const
{
    const Private::WatchedPointer w = d->find(instanceId);
    return w && w->output != nullptr;
}

void AgentMonitor::setOutputEvents(const QUuid &instanceId, bool enabled)
{
    const Private::WatchedPointer w = d->find(instanceId);
    if (!w || (w->output != nullptr) == enabled)
        return;
    if (!enabled) {
        w->output.reset();
        disconnect(w->agent, &Agent::output, this, nullptr);
        return;
    }
    w->output = std::make_unique<OutputLimiter>(outputPerSecond);
    connect(w->agent, &Agent::output, this,
            [w](AgentOutput::Stream stream, const QByteArray &line) { w->onOutput(stream, line); });
}

} // namespace Rekindle
