// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/licensing/gatedpolicies_p.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/restartlog.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QHash>
#include <QPointer>

#include <algorithm>
#include <deque>
#include <functional>

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
    Private(AgentSupervisor *supervisor, Scheduler &scheduler, const SupervisorOptions &theOptions,
            RestartPolicyEvaluator::RandomSource random);

    void connectMonitor();
    void connectEvaluator();
    void runTasks();
    void launch(const QUuid &id);
    void stop(const QUuid &id, quint64 generation, bool atOnce);
    void enqueue(std::function<void()> task);
    void enqueueStop(const QUuid &id, quint64 generation, bool atOnce);
    void stopAll(bool kill);
    void emitAllStoppedIfDone();

    struct Owned
    {
        std::unique_ptr<Agent> agent;
        QString name;
    };

    AgentSupervisor *const q;
    SupervisorOptions options;
    AgentMonitor monitor;
    RestartPolicyEvaluator evaluator;
    FeatureGate gate;
    GatedPolicies policies;
    RestartLog log;
    QHash<QUuid, std::shared_ptr<Owned>> agents;
    QHash<QString, QUuid> names;
    QList<QUuid> order;

    // Agents are started and stopped only by these tasks, never in a slot of their own signals.
    std::deque<std::function<void()>> tasks;
    Deadline pass;
    bool stoppingAll = false;
};

AgentSupervisor::Private::Private(AgentSupervisor *supervisor, Scheduler &scheduler,
                                  const SupervisorOptions &theOptions,
                                  RestartPolicyEvaluator::RandomSource random)
    : q(supervisor)
    , options(withinRange(theOptions))
    , monitor(scheduler)
    , evaluator(scheduler, std::move(random))
    , policies(gate, evaluator)
    , log(evaluator)
    , pass(scheduler, [this] { runTasks(); })
{
    connectMonitor();
    connectEvaluator();
}

void AgentSupervisor::Private::connectMonitor()
{
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
    evaluator.setHealthSource([this](const QUuid &id) { return monitor.health(id); });
    connect(&evaluator, &RestartPolicyEvaluator::launchDue, q,
            [this](const QUuid &id) { enqueue([this, id] { launch(id); }); });
    connect(&evaluator, &RestartPolicyEvaluator::stopDue, q,
            [this](const QUuid &id, quint64 generation, bool atOnce) {
                enqueueStop(id, generation, atOnce);
            });
    connect(&evaluator, &RestartPolicyEvaluator::becameIdle, q, [this] { emitAllStoppedIfDone(); });
    connect(&gate, &FeatureGate::tierChanged, q,
            [this] { policies.applyTier(QList<QUuid>(order)); });
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
        owned->agent->start();
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
    if (atOnce)
        owned->agent->kill();
    else
        owned->agent->stop();
}

void AgentSupervisor::Private::stopAll(bool kill)
{
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

void AgentSupervisor::Private::emitAllStoppedIfDone()
{
    if (!stoppingAll || evaluator.activeCount() > 0)
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
    for (const QUuid &id : std::as_const(d->order))
        d->monitor.unwatch(id);
    // Removed agents whose deferred deletion is pending.
    qDeleteAll(findChildren<Agent *>(QString(), Qt::FindDirectChildrenOnly));
}

AgentSupervisor::Added AgentSupervisor::add(const QString &name, std::unique_ptr<Agent> agent,
                                            const RestartPolicy &policy, bool readyAtOnce)
{
    if (!agent)
        return {{}, {{QStringLiteral("/"), QStringLiteral("missing agent")}}};
    if (name.isEmpty() || d->names.contains(name)) {
        return {{},
                {{QStringLiteral("/name"),
                  name.isEmpty() ? QStringLiteral("empty name")
                                 : QStringLiteral("duplicate name \"%1\"").arg(name)}}};
    }
    const QUuid id = QUuid::createUuid();
    const QList<Fault> faults = d->policies.add(id, name, policy, readyAtOnce);
    if (hasErrors(faults))
        return {{}, faults};
    d->monitor.watch(id, agent.get());
    d->agents.insert(id, std::make_shared<Private::Owned>(Private::Owned{std::move(agent), name}));
    d->names.insert(name, id);
    d->order.append(id);
    const QPointer<AgentSupervisor> alive(this);
    Q_EMIT agentAdded(id);
    if (alive)
        d->policies.announce(id);
    return {id, faults};
}

void AgentSupervisor::remove(const QUuid &instanceId)
{
    const std::shared_ptr<Private::Owned> owned = d->agents.take(instanceId);
    if (!owned)
        return;
    d->names.remove(owned->name);
    d->policies.remove(instanceId);
    d->monitor.unwatch(instanceId);
    d->order.removeOne(instanceId);
    // The agent may be emitting the signal whose slot calls this. As a child, it is destroyed with
    // the supervisor if that happens first.
    Agent *agent = owned->agent.release();
    agent->setParent(this);
    agent->deleteLater();
    const QPointer<AgentSupervisor> alive(this);
    d->evaluator.remove(instanceId);
    if (alive)
        Q_EMIT agentRemoved(instanceId);
}

void AgentSupervisor::start(const QUuid &instanceId)
{
    d->stoppingAll = false;
    d->evaluator.start(instanceId);
}

void AgentSupervisor::stop(const QUuid &instanceId) { d->evaluator.stop(instanceId); }

void AgentSupervisor::restart(const QUuid &instanceId, const QString &reason)
{
    d->stoppingAll = false;
    d->evaluator.restart(instanceId, reason);
}

void AgentSupervisor::retryNow(const QUuid &instanceId) { start(instanceId); }

void AgentSupervisor::resume(const QUuid &instanceId, const InstanceMemory &memory)
{
    d->stoppingAll = false;
    d->evaluator.resume(instanceId, memory);
}

void AgentSupervisor::startAll()
{
    const QList<QUuid> all = d->order;
    for (const QUuid &id : all)
        start(id);
}

void AgentSupervisor::stopAll() { d->stopAll(false); }

void AgentSupervisor::killAll() { d->stopAll(true); }

QList<Fault> AgentSupervisor::setPolicy(const QUuid &instanceId, const RestartPolicy &policy,
                                        bool readyAtOnce)
{
    return d->policies.set(instanceId, policy, readyAtOnce);
}

RestartPolicy AgentSupervisor::requestedPolicy(const QUuid &instanceId) const
{
    return d->policies.requested(instanceId);
}

QList<QUuid> AgentSupervisor::ids() const { return d->order; }

QUuid AgentSupervisor::idOf(const QString &name) const { return d->names.value(name); }

Agent *AgentSupervisor::agent(const QUuid &instanceId) const
{
    const std::shared_ptr<Private::Owned> owned = d->agents.value(instanceId);
    return owned ? owned->agent.get() : nullptr;
}

std::optional<AgentSnapshot> AgentSupervisor::snapshot(const QUuid &instanceId) const
{
    return d->evaluator.snapshot(instanceId);
}

bool AgentSupervisor::isIdle() const { return d->evaluator.activeCount() == 0; }

RestartPolicyEvaluator &AgentSupervisor::evaluator() const { return d->evaluator; }

FeatureGate &AgentSupervisor::featureGate() const { return d->gate; }

AgentMonitor &AgentSupervisor::monitor() const { return d->monitor; }

Scheduler &AgentSupervisor::scheduler() const { return d->evaluator.scheduler(); }

} // namespace Rekindle
