// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/ownthread_p.h"
#include "base/restartcategory_p.h"
#include "gracefulquit_p.h"
#include "lifecycle/licensing/gatedpolicies_p.h"
#include "lifecycle/workers/workerbarrier_p.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/restartlog.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QCoreApplication>
#include <QHash>
#include <QMetaMethod>
#include <QPointer>

#include <algorithm>
#include <deque>
#include <functional>
#include <tuple>

namespace Rekindle {

namespace {
SupervisorOptions withinRange(SupervisorOptions options)
{
    options.startsPerPass = std::clamp(options.startsPerPass, 1, 10'000);
    return options;
}
} // namespace

class AgentSupervisor::Private
{
public:
    struct Owned
    {
        std::unique_ptr<Agent> agent;
        QString name;
        std::unique_ptr<Deadline> stopTimeout{}; ///< while the agent stops
        bool isStuck = false;
    };

    Private(AgentSupervisor *supervisor, Scheduler &scheduler, const SupervisorOptions &theOptions,
            RestartPolicyEvaluator::RandomSource random);

    void connectMonitor();
    void connectEvaluator();
    void forwardEvents();
    [[nodiscard]] bool hostHasEvents() const;
    void runTasks();
    void launch(const QUuid &id);
    void stop(const QUuid &id, quint64 generation, bool atOnce);
    void enqueue(std::function<void()> task);
    void enqueueStop(const QUuid &id, quint64 generation, bool atOnce);
    void stopAll(bool kill);
    void applyTier();
    [[nodiscard]] QList<Fault> faultsOf(const QString &name, const Agent *agent) const;
    [[nodiscard]] QList<Fault> warningsOf(const RestartPolicy &policy) const;
    void forget(const QUuid &id, Owned &owned);
    void onDeleted(const QUuid &id);
    [[nodiscard]] bool isKnown(const QUuid &id, const char *call) const;
    void emitAllStoppedIfDone();

    /// Calls a function of the agent. An exception becomes a failure.
    static void call(const Owned &owned, void (Agent::*function)());
    void limitStop(const QUuid &id, Owned &owned, quint64 generation, bool killed);
    void exited(const QUuid &id);
    void markStuck(QUuid id);
    void setStuck(Owned &owned, bool isStuck);

    AgentSupervisor *const q;
    SupervisorOptions options;
    AgentMonitor monitor;
    RestartPolicyEvaluator evaluator;
    FeatureGate gate;
    GatedPolicies policies;
    QList<QMetaMethod> eventSignals; ///< of the supervisor
    RestartLog log;
    QHash<QUuid, std::shared_ptr<Owned>> agents;
    QHash<QString, QUuid> names;
    QList<QUuid> order;

    // Agents are started and stopped only by these tasks, never in a slot of their own signals.
    std::deque<std::function<void()>> tasks;
    Deadline pass;
    bool stoppingAll = false;
    std::unique_ptr<GracefulQuit> quit;
    qsizetype stuckCount = 0;
};

AgentSupervisor::Private::Private(AgentSupervisor *supervisor, Scheduler &scheduler,
                                  const SupervisorOptions &theOptions,
                                  RestartPolicyEvaluator::RandomSource random)
    : q(supervisor)
    , options(withinRange(theOptions))
    , monitor(scheduler)
    , evaluator(scheduler, std::move(random))
    , policies(gate, evaluator)
    , log(evaluator, [this] { return hostHasEvents(); })
    , pass(scheduler, [this] { runTasks(); })
{
    connectMonitor();
    connectEvaluator();
    forwardEvents();
    if (!QCoreApplication::instance())
        qCWarning(restartCategory,
                  "[RST] AgentSupervisor was created before QCoreApplication; create it after the "
                  "application, so that it is destroyed first");
}

void AgentSupervisor::Private::connectMonitor()
{
    connect(&monitor, &AgentMonitor::agentStopped, q, [this](const QUuid &id) { exited(id); });
    connect(&monitor, &AgentMonitor::agentFailed, q, [this](const QUuid &id) { exited(id); });
    connect(&monitor, &AgentMonitor::restartRequested, q,
            [this](const QUuid &id, quint64, const QString &, bool alive) {
                if (!alive)
                    exited(id);
            });
    connect(&monitor, &AgentMonitor::agentStuck, q, [this](const QUuid &id) { markStuck(id); });
    connect(&monitor, &AgentMonitor::agentStarted, &evaluator,
            &RestartPolicyEvaluator::reportStarted);
    connect(&monitor, &AgentMonitor::agentReady, &evaluator, &RestartPolicyEvaluator::reportReady);
    connect(&monitor, &AgentMonitor::agentFailed, &evaluator,
            &RestartPolicyEvaluator::reportFailed);
    connect(&monitor, &AgentMonitor::agentUnhealthy, &evaluator,
            &RestartPolicyEvaluator::reportUnhealthy);
    connect(&monitor, &AgentMonitor::healthChanged, &evaluator,
            [this](const QUuid &id, quint64 generation, const AgentHealthStatus &before,
                   const AgentHealthStatus &after) {
                evaluator.announce(id, HealthChanged{{}, generation, before.state, after});
            });
    connect(&monitor, &AgentMonitor::agentOutput, &evaluator,
            [this](const QUuid &id, const AgentOutput &output) { evaluator.announce(id, output); });
    connect(&monitor, &AgentMonitor::agentStopped, &evaluator,
            &RestartPolicyEvaluator::reportStopped);
    connect(&monitor, &AgentMonitor::restartRequested, &evaluator,
            &RestartPolicyEvaluator::reportRestartRequested);
}

void AgentSupervisor::Private::connectEvaluator()
{
    evaluator.setFeatureGate(&gate);
    evaluator.setHealthSource([this](const QUuid &id) { return monitor.health(id); });
    connect(&evaluator, &RestartPolicyEvaluator::launchDue, q,
            [this](const QUuid &id) { enqueue([this, id] { launch(id); }); });
    connect(&evaluator, &RestartPolicyEvaluator::stopDue, q,
            [this](const QUuid &id, quint64 generation, bool atOnce) {
                enqueueStop(id, generation, atOnce);
            });
    connect(&evaluator, &RestartPolicyEvaluator::becameIdle, q, [this] { emitAllStoppedIfDone(); });
    connect(&evaluator, &RestartPolicyEvaluator::stateChanged, q, [this] {
        if (stuckCount > 0) // the last other agent may have stopped
            emitAllStoppedIfDone();
    });
    connect(&gate, &FeatureGate::tierChanged, q, [this] { applyTier(); });
}

void AgentSupervisor::Private::forwardEvents()
{
    using Evaluator = RestartPolicyEvaluator;
    using Supervisor = AgentSupervisor;
    const auto forward = [this](auto from, auto to) {
        connect(&evaluator, from, q, to);
        eventSignals.append(QMetaMethod::fromSignal(to));
    };
    forward(&Evaluator::agentStarted, &Supervisor::agentStarted);
    forward(&Evaluator::agentReady, &Supervisor::agentReady);
    forward(&Evaluator::agentStable, &Supervisor::agentStable);
    forward(&Evaluator::agentStopped, &Supervisor::agentStopped);
    forward(&Evaluator::agentFailed, &Supervisor::agentFailed);
    forward(&Evaluator::restartRequested, &Supervisor::restartRequested);
    forward(&Evaluator::restartScheduled, &Supervisor::restartScheduled);
    forward(&Evaluator::restartStarted, &Supervisor::restartStarted);
    forward(&Evaluator::restartSucceeded, &Supervisor::restartSucceeded);
    forward(&Evaluator::restartFailed, &Supervisor::restartFailed);
    forward(&Evaluator::restartExhausted, &Supervisor::restartExhausted);
    forward(&Evaluator::restartCancelled, &Supervisor::restartCancelled);
    forward(&Evaluator::circuitBreakerStateChanged, &Supervisor::circuitBreakerStateChanged);
    forward(&Evaluator::policyDowngraded, &Supervisor::policyDowngraded);
    forward(&Evaluator::healthChanged, &Supervisor::healthChanged);
    forward(&Evaluator::event, &Supervisor::event);
    connect(&evaluator, &Evaluator::agentOutput, q, &Supervisor::agentOutput);
    connect(&evaluator, &Evaluator::stateChanged, q, &Supervisor::stateChanged);
}

// A host that has connected to the events shows them itself.
bool AgentSupervisor::Private::hostHasEvents() const
{
    return std::any_of(eventSignals.begin(), eventSignals.end(),
                       [this](const QMetaMethod &signal) { return q->isSignalConnected(signal); });
}

void AgentSupervisor::Private::enqueue(std::function<void()> task)
{
    tasks.push_back(std::move(task));
    if (!pass.isArmed())
        pass.arm(q->scheduler().now());
}

void AgentSupervisor::Private::enqueueStop(const QUuid &id, quint64 generation, bool atOnce)
{
    enqueue([=, this] { stop(id, generation, atOnce); });
}

void AgentSupervisor::Private::runTasks()
{
    const QPointer<AgentSupervisor> alive(q);
    const Instant end = q->scheduler().now() + options.passBudget;
    for (int done = 0; done < options.startsPerPass && !tasks.empty(); ++done) {
        const std::function<void()> task = std::move(tasks.front());
        tasks.pop_front();
        task();
        if (alive.isNull())
            return;
        if (q->scheduler().now() >= end)
            break;
    }
    if (!tasks.empty())
        pass.arm(q->scheduler().now());
}

void AgentSupervisor::Private::launch(const QUuid &id)
{
    const std::optional<quint64> generation = evaluator.beginLaunch(id);
    if (!generation)
        return;
    // A slot may remove the agent while it starts.
    const std::shared_ptr<Owned> owned = agents.value(id);
    if (!owned)
        return;
    monitor.setGeneration(id, *generation);
    // A slot of healthChanged() may have removed it.
    if (owned->agent)
        call(*owned, &Agent::start);
}

void AgentSupervisor::Private::stop(const QUuid &id, quint64 generation, bool atOnce)
{
    const std::shared_ptr<Owned> owned = agents.value(id);
    const std::optional<AgentSnapshot> snapshot = evaluator.snapshot(id);
    // The agent may have exited in the meantime.
    const bool isAlive = snapshot && snapshot->startedAt && snapshot->generation == generation;
    if (!owned || !isAlive)
        return;
    monitor.endHealth(id);
    limitStop(id, *owned, generation, atOnce);
    call(*owned, atOnce ? &Agent::kill : &Agent::stop);
}

void AgentSupervisor::Private::call(const Owned &owned, void (Agent::*function)())
{
    const QPointer<Agent> agent(owned.agent.get());
    const QString name = owned.name;
    try {
        (agent->*function)();
    } catch (...) {
        const QString text = exceptionText();
        qCWarning(restartCategory).noquote()
            << "[RST] Agent" << name << "threw an exception:" << text;
        if (agent)
            Q_EMIT agent->failed(FailureReason::UnhandledException, {.message = text});
    }
}

void AgentSupervisor::Private::limitStop(const QUuid &id, Owned &owned, quint64 generation,
                                         bool killed)
{
    std::optional<Duration> timeout = evaluator.policy(id).stopTimeout;
    if (!timeout)
        timeout = owned.agent->defaultStopTimeout();
    if (!timeout)
        return;
    owned.stopTimeout = std::make_unique<Deadline>(q->scheduler(), [=, this] {
        if (killed)
            markStuck(id);
        else
            enqueueStop(id, generation, true);
    });
    owned.stopTimeout->armIn(*timeout);
}

void AgentSupervisor::Private::exited(const QUuid &id)
{
    const std::shared_ptr<Owned> owned = agents.value(id);
    if (!owned)
        return;
    owned->stopTimeout.reset();
    setStuck(*owned, false);
}

void AgentSupervisor::Private::setStuck(Owned &owned, bool isStuck)
{
    const bool before = std::exchange(owned.isStuck, isStuck);
    stuckCount += static_cast<qsizetype>(isStuck) - static_cast<qsizetype>(before);
}

// The id is a copy, because a slot may destroy its owner.
void AgentSupervisor::Private::markStuck(QUuid id)
{
    const std::shared_ptr<Owned> owned = agents.value(id);
    if (!owned || owned->isStuck)
        return;
    setStuck(*owned, true);
    qCWarning(restartCategory).noquote()
        << "[RST] Agent" << owned->name
        << "was killed and still runs; it is not started again until it exits";
    const QPointer<AgentSupervisor> alive(q);
    Q_EMIT q->agentStuck(id);
    if (alive)
        emitAllStoppedIfDone();
}

void AgentSupervisor::Private::stopAll(bool kill)
{
    assertOwnThread(*q);
    const QList<QUuid> all(order.crbegin(), order.crend());
    for (const QUuid &id : all) {
        evaluator.stop(id);
        const std::optional<AgentSnapshot> snapshot = evaluator.snapshot(id);
        if (kill && snapshot)
            enqueueStop(id, snapshot->generation, true);
    }
    stoppingAll = true;
    emitAllStoppedIfDone();
}

QList<Fault> AgentSupervisor::Private::faultsOf(const QString &name, const Agent *agent) const
{
    if (!agent)
        return {{QStringLiteral("/"), QStringLiteral("missing agent")}};
    if (agent->parent())
        return {
            {QStringLiteral("/"), QStringLiteral("the agent has a parent, which would delete it")}};
    if (agent->thread() != q->thread())
        return {{QStringLiteral("/"), QStringLiteral("the agent lives in another thread")}};
    if (name.isEmpty())
        return {{QStringLiteral("/name"), QStringLiteral("empty name")}};
    if (names.contains(name))
        return {{QStringLiteral("/name"), QStringLiteral("duplicate name \"%1\"").arg(name)}};
    return {};
}

QList<Fault> AgentSupervisor::Private::warningsOf(const RestartPolicy &policy) const
{
    if (gate.hasProvider() || allows(gate.tier(), policy.type))
        return {};
    return {{QStringLiteral("/type"),
             QStringLiteral("no license provider: nothing is restarted in tier Core, see "
                            "featureGate().setProvider()"),
             Fault::Severity::Warning}};
}

bool AgentSupervisor::Private::isKnown(const QUuid &id, const char *call) const
{
    assertOwnThread(*q);
    if (agents.contains(id))
        return true;
    qCWarning(restartCategory).noquote().nospace()
        << "[RST] " << call << "(): no agent has the id " << id.toString(QUuid::WithoutBraces);
    return false;
}

// Releases the agent, which the caller destroys.
void AgentSupervisor::Private::forget(const QUuid &id, Owned &owned)
{
    monitor.unwatch(id);
    owned.stopTimeout.reset();
    setStuck(owned, false);
    std::ignore = owned.agent.release();
    names.remove(owned.name);
    policies.remove(id);
    order.removeOne(id);
    agents.remove(id);
}

// Without the release, the agent would be deleted twice.
void AgentSupervisor::Private::onDeleted(const QUuid &id)
{
    const std::shared_ptr<Owned> owned = agents.value(id);
    qCCritical(restartCategory).noquote().nospace()
        << "[RST] Agent \"" << owned->name
        << "\" was deleted by other code than its supervisor; call remove()";
    forget(id, *owned);
    const QPointer<AgentSupervisor> alive(q);
    evaluator.remove(id);
    if (alive)
        Q_EMIT q->agentRemoved(id);
}

void AgentSupervisor::Private::applyTier()
{
    const QList<QUuid> all = order;
    const QPointer<AgentSupervisor> alive(q);
    policies.applyTier(all);
    for (const QUuid &id : all) {
        if (alive)
            Q_EMIT q->policyChanged(id);
    }
}

void AgentSupervisor::Private::emitAllStoppedIfDone()
{
    if (!stoppingAll || evaluator.activeCount() > stuckCount)
        return;
    stoppingAll = false;
    QMetaObject::invokeMethod(q, &AgentSupervisor::allStopped, Qt::QueuedConnection);
}

AgentSupervisor::AgentSupervisor(QObject *parent)
    : QObject(parent)
{
    auto *scheduler = new TimerScheduler(this);
    d = std::make_unique<Private>(this, *scheduler, SupervisorOptions{},
                                  RestartPolicyEvaluator::RandomSource{});
}

AgentSupervisor::AgentSupervisor(Scheduler &scheduler, const SupervisorOptions &options,
                                 RestartPolicyEvaluator::RandomSource random, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, scheduler, options, std::move(random)))
{
}

AgentSupervisor::~AgentSupervisor()
{
    Q_EMIT aboutToBeDestroyed();
    for (const QUuid &id : std::as_const(d->order)) {
        disconnect(d->agents.value(id)->agent.get(), &QObject::destroyed, this, nullptr);
        d->monitor.unwatch(id);
    }
    // Removed agents whose deferred deletion is pending.
    qDeleteAll(findChildren<Agent *>(QString(), Qt::FindDirectChildrenOnly));
}

AgentSupervisor::Added AgentSupervisor::add(const QString &name, std::unique_ptr<Agent> agent,
                                            const RestartPolicy &policy, bool readyAtOnce)
{
    assertOwnThread(*this);
    QList<Fault> faults = d->faultsOf(name, agent.get());
    const QUuid id = QUuid::createUuid();
    if (!hasErrors(faults))
        faults = d->policies.add(id, name, policy, readyAtOnce) + d->warningsOf(policy)
            + d->monitor.watch(id, agent.get());
    if (hasErrors(faults)) {
        d->monitor.unwatch(id);
        d->policies.remove(id);
        d->evaluator.remove(id);
        qCWarning(restartCategory).noquote().nospace()
            << "[RST] Agent \"" << name << "\" was not added: " << faults.constFirst().toString();
        return {{}, faults};
    }
    connect(agent.get(), &QObject::destroyed, this, [this, id] { d->onDeleted(id); });
    d->agents.insert(id, std::make_shared<Private::Owned>(Private::Owned{std::move(agent), name}));
    d->names.insert(name, id);
    d->order.append(id);
    const QPointer<AgentSupervisor> alive(this);
    Q_EMIT agentAdded(id);
    if (alive)
        d->policies.announce(id);
    return {id, faults};
}

// The evaluator queues operatorCommanded() only if it is connected.
void AgentSupervisor::connectNotify(const QMetaMethod &signal)
{
    if (signal == QMetaMethod::fromSignal(&AgentSupervisor::operatorCommanded))
        connect(&d->evaluator, &RestartPolicyEvaluator::operatorCommanded, this,
                &AgentSupervisor::operatorCommanded, Qt::UniqueConnection);
}

void AgentSupervisor::remove(const QUuid &instanceId)
{
    if (!d->isKnown(instanceId, "remove"))
        return;
    const std::shared_ptr<Private::Owned> owned = d->agents.value(instanceId);
    disconnect(owned->agent.get(), &QObject::destroyed, this, nullptr);
    // The agent may be emitting the signal whose slot calls this. As a child, it is destroyed with
    // the supervisor if that happens first.
    Agent *agent = owned->agent.get();
    d->forget(instanceId, *owned);
    agent->setParent(this);
    agent->deleteLater();
    const QPointer<AgentSupervisor> alive(this);
    d->evaluator.remove(instanceId);
    if (alive)
        Q_EMIT agentRemoved(instanceId);
}

void AgentSupervisor::start(const QUuid &instanceId)
{
    if (!d->isKnown(instanceId, "start"))
        return;
    d->stoppingAll = false;
    d->evaluator.start(instanceId);
}

void AgentSupervisor::stop(const QUuid &instanceId)
{
    if (d->isKnown(instanceId, "stop"))
        d->evaluator.stop(instanceId);
}

void AgentSupervisor::restart(const QUuid &instanceId, const QString &reason)
{
    if (!d->isKnown(instanceId, "restart"))
        return;
    d->stoppingAll = false;
    d->evaluator.restart(instanceId, reason);
}

void AgentSupervisor::retryNow(const QUuid &instanceId) { start(instanceId); }

void AgentSupervisor::resume(const QUuid &instanceId, const InstanceMemory &memory)
{
    if (!d->isKnown(instanceId, "resume"))
        return;
    d->stoppingAll = false;
    d->evaluator.resume(instanceId, memory);
}

void AgentSupervisor::startAll()
{
    assertOwnThread(*this);
    const QList<QUuid> all = d->order;
    for (const QUuid &id : all) {
        if (d->agents.contains(id)) // a slot may remove agents
            start(id);
    }
}

void AgentSupervisor::stopAll() { d->stopAll(false); }

void AgentSupervisor::killAll() { d->stopAll(true); }

void AgentSupervisor::quitGracefully(QCoreApplication &application, Duration limit)
{
    assertOwnThread(*this);
    d->quit = std::make_unique<GracefulQuit>(*this, application, limit);
}

QList<Fault> AgentSupervisor::setPolicy(const QUuid &instanceId, const RestartPolicy &policy,
                                        bool readyAtOnce)
{
    if (!d->isKnown(instanceId, "setPolicy"))
        return {{QString(), QStringLiteral("no agent has this id")}};
    const QPointer<AgentSupervisor> alive(this);
    QList<Fault> faults = d->policies.set(instanceId, policy, readyAtOnce);
    if (alive && !hasErrors(faults))
        Q_EMIT policyChanged(instanceId);
    return faults;
}

RestartPolicy AgentSupervisor::requestedPolicy(const QUuid &instanceId) const
{
    assertOwnThread(*this);
    return d->policies.requested(instanceId);
}

QList<QUuid> AgentSupervisor::ids() const
{
    assertOwnThread(*this);
    return d->order;
}

QUuid AgentSupervisor::idOf(const QString &name) const
{
    assertOwnThread(*this);
    return d->names.value(name);
}

Agent *AgentSupervisor::agent(const QUuid &instanceId) const
{
    assertOwnThread(*this);
    const std::shared_ptr<Private::Owned> owned = d->agents.value(instanceId);
    return owned ? owned->agent.get() : nullptr;
}

std::optional<AgentSnapshot> AgentSupervisor::snapshot(const QUuid &instanceId) const
{
    assertOwnThread(*this);
    return d->evaluator.snapshot(instanceId);
}

bool AgentSupervisor::isIdle() const
{
    assertOwnThread(*this);
    return d->evaluator.activeCount() == 0;
}

RestartPolicyEvaluator &AgentSupervisor::policyEvaluator() const { return d->evaluator; }

FeatureGate &AgentSupervisor::featureGate() const { return d->gate; }

AgentMonitor &AgentSupervisor::monitor() const { return d->monitor; }

Scheduler &AgentSupervisor::scheduler() const { return d->evaluator.scheduler(); }

} // namespace Rekindle
