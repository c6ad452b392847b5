// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/idlist_p.h"
#include "base/ownthread_p.h"
#include "base/restartcategory_p.h"
#include "base/text/terminaltext_p.h"
#include "gracefulquit_p.h"
#include "lifecycle/internal/evaluatorport.h"
#include "lifecycle/internal/wrongthread.h"
#include "lifecycle/supervisor/gatedpolicies_p.h"
#include "lifecycle/workers/workerbarrier_p.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/restartlog.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/policy/validation.h>

#include <QCoreApplication>
#include <QHash>
#include <QMetaMethod>
#include <QPointer>
#include <QSet>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace Rekindle {

namespace {

void destroyLater(QObject *object)
{
    object->setParent(nullptr);
    object->deleteLater();
}

SupervisorOptions withinRange(SupervisorOptions options)
{
    options.startsPerPass = std::clamp(options.startsPerPass, 1, 10'000);
    return options;
}
} // namespace

class AgentSupervisor::Private
{
public:
    struct Task
    {
        enum class Kind { Launch, Stop, Kill, Remove };
        Kind kind = Kind::Launch;
        QUuid id;
        quint64 generation = 0; ///< of Stop and Kill
    };

    struct Member
    {
        QUuid id;
        Agent *agent = nullptr; ///< owned
        bool hasManualStart = false;
        bool isRetired = false;
        quint64 launching = 0; ///< the generation whose launch is announced; its start() follows
        QStringList tags{};
        QString group{};
    };

    Private(AgentSupervisor *supervisor, Scheduler &scheduler, const SupervisorOptions &theOptions,
            RestartPolicyEvaluator::RandomSource random);

    void connectMonitor();
    void connectEvaluator();
    void runTasks();
    void launch(const QUuid &id);
    void stop(const Task &task);
    void removeRetired(const QUuid &id) const;
    void enqueue(const Task &task);
    void enqueueStop(const QUuid &id, quint64 generation, bool atOnce);
    void stopAll(bool kill);
    void applyTier();
    [[nodiscard]] QList<Fault> faultsOf(const QString &name, const Agent *agent) const;
    [[nodiscard]] QList<Fault> warningsOf(const RestartPolicy &policy) const;
    void forget(const QUuid &id);
    void onDestroyed(QUuid id);
    [[nodiscard]] Agent *find(const QUuid &id) const
    {
        const Member *const member = members.find(id);
        return member ? member->agent : nullptr;
    }
    /// For queries of the host, which may come from a wrong thread.
    [[nodiscard]] const Member *member(const QUuid &id) const
    {
        return isInOwnThread(*q) ? members.find(id) : nullptr;
    }
    [[nodiscard]] bool isKnown(const QUuid &id, const char *call) const;
    /// Applied if the agent can be started; otherwise the result of the call that would start it.
    [[nodiscard]] CommandResult canStart(const QUuid &id, const char *call) const;
    void emitAllStoppedIfDone();

    /// Calls a function of the agent. An exception becomes a failure.
    void call(const QUuid &id, void (Agent::*function)());
    void limitStop(const QUuid &id, quint64 generation, bool killed);
    void exited(const QUuid &id);
    void markStuck(QUuid id);
    [[nodiscard]] QString nameOf(const QUuid &id) const;

    AgentSupervisor *const q;
    SupervisorOptions options;
    AgentMonitor monitor;
    RestartPolicyEvaluator evaluator;
    EvaluatorPort port{evaluator};
    FeatureGate gate;
    /// That of the governor last, because a start that it admits takes a place.
    std::map<Hold, LaunchGate, std::greater<>> launchGates;
    GatedPolicies policies;
    RestartLog log;
    IdList<Member> members;
    QHash<QString, QUuid> names;
    std::map<QUuid, Deadline> stopTimeouts; ///< of agents that stop
    QSet<QUuid> stuck;
    QList<Agent *> calls; ///< the agents with a function that is being called, the innermost last

    // Agents are started and stopped only by these tasks, never in a slot of their own signals.
    std::deque<Task> tasks;
    Deadline pass;
    int passes = 0; ///< that run; several if a slot runs a nested event loop
    bool stoppingAll = false;
    StopOrder stopOrder;
    std::unique_ptr<GracefulQuit> quit;
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
    connect(&monitor, &AgentMonitor::agentDestroyed, q,
            [this](const QUuid &id) { onDestroyed(id); });
    const auto to = [this](auto report) {
        return [this, report](const auto &...of) { (port.*report)(of...); };
    };
    connect(&monitor, &AgentMonitor::agentStarted, &evaluator, to(&EvaluatorPort::reportStarted));
    connect(&monitor, &AgentMonitor::agentReady, &evaluator, to(&EvaluatorPort::reportReady));
    connect(&monitor, &AgentMonitor::agentFailed, &evaluator, to(&EvaluatorPort::reportFailed));
    connect(&monitor, &AgentMonitor::agentUnhealthy, &evaluator,
            to(&EvaluatorPort::reportUnhealthy));
    connect(&monitor, &AgentMonitor::healthChanged, &evaluator,
            [this](const QUuid &id, quint64 generation, const AgentHealthStatus &before,
                   const AgentHealthStatus &after) {
                evaluator.announce(id, HealthChanged{{}, generation, before.state, after});
            });
    connect(&monitor, &AgentMonitor::agentOutput, &evaluator,
            [this](const QUuid &id, const AgentOutput &output) { evaluator.announce(id, output); });
    connect(&monitor, &AgentMonitor::agentStopped, &evaluator, to(&EvaluatorPort::reportStopped));
    connect(&monitor, &AgentMonitor::restartRequested, &evaluator,
            to(&EvaluatorPort::reportRestartRequested));
    connect(&monitor, &AgentMonitor::startExtended, &evaluator, to(&EvaluatorPort::extendStart));
}

void AgentSupervisor::Private::connectEvaluator()
{
    port.setForward(q);
    evaluator.setFeatureGate(&gate);
    port.setHealthSource([this](const QUuid &id) { return monitor.health(id); });
    port.setStderrSource([this](const QUuid &id) {
        const Agent *const agent = find(id);
        QStringList lines = agent != nullptr ? agent->stderrTail() : QStringList();
        for (QString &line : lines)
            line = foreignText(line);
        return lines;
    });
    connect(&evaluator, &RestartPolicyEvaluator::launchDue, q,
            [this](const QUuid &id) { enqueue({Task::Kind::Launch, id}); });
    connect(&evaluator, &RestartPolicyEvaluator::stopDue, q,
            [this](const QUuid &id, quint64 generation, bool atOnce) {
                enqueueStop(id, generation, atOnce);
            });
    connect(&evaluator, &RestartPolicyEvaluator::becameIdle, q, [this] { emitAllStoppedIfDone(); });
    connect(&evaluator, &RestartPolicyEvaluator::stateChanged, q,
            [this](const QUuid &id, InstanceState state) {
                Agent *const agent = isTerminal(state) ? find(id) : nullptr;
                if (agent)
                    agent->discardStored();
                if (!stuck.isEmpty()) // the last other agent may have stopped
                    emitAllStoppedIfDone();
            });
    connect(&gate, &FeatureGate::tierChanged, q, [this] { applyTier(); });
}

void AgentSupervisor::Private::enqueue(const Task &task)
{
    tasks.push_back(task);
    if (!pass.isArmed())
        pass.arm(q->scheduler().now());
}

void AgentSupervisor::Private::enqueueStop(const QUuid &id, quint64 generation, bool atOnce)
{
    enqueue({atOnce ? Task::Kind::Kill : Task::Kind::Stop, id, generation});
}

void AgentSupervisor::Private::runTasks()
{
    const QPointer<AgentSupervisor> alive(q);
    ++passes;
    const Instant end = q->scheduler().now() + options.passBudget;
    for (int done = 0; done < options.startsPerPass && !tasks.empty(); ++done) {
        const Task task = tasks.front();
        tasks.pop_front();
        // A slot may run a nested event loop, which continues with the other tasks.
        if (!tasks.empty() && !pass.isArmed())
            pass.arm(q->scheduler().now());
        if (task.kind == Task::Kind::Launch)
            launch(task.id);
        else if (task.kind == Task::Kind::Remove)
            removeRetired(task.id);
        else
            stop(task);
        if (alive.isNull())
            return;
        if (q->scheduler().now() >= end)
            break;
    }
    --passes;
    if (tasks.empty())
        pass.disarm();
    else
        pass.arm(q->scheduler().now());
}

void AgentSupervisor::Private::launch(const QUuid &id)
{
    if (!launchGates.empty()) {
        // A hold or a command may have come since the start was due.
        const std::optional<DueStart> start = port.dueStart(id);
        if (!start || start->holds != Holds())
            return;
    }
    for (const auto &[hold, isOpen] : launchGates) {
        if (!isOpen(id)) {
            evaluator.addHolds(id, hold);
            return;
        }
    }
    const std::optional<InstanceStatus> status = evaluator.status(id);
    if (Member *const member = members.find(id); member != nullptr && status) {
        if (member->isRetired)
            return;
        member->launching = status->generation + 1;
    }
    const QPointer<AgentSupervisor> alive(q);
    const std::optional<quint64> generation = port.beginLaunch(id);
    if (!alive || !generation)
        return;
    // A slot may have removed the agent, or run an event loop in which this launch was stopped.
    Member *const member = members.find(id);
    if (member == nullptr || std::exchange(member->launching, 0) != *generation)
        return;
    monitor.setGeneration(id, *generation);
    call(id, &Agent::start);
}

void AgentSupervisor::Private::stop(const Task &task)
{
    const QUuid &id = task.id;
    const std::optional<AgentSnapshot> snapshot = evaluator.snapshot(id);
    // The agent may have exited in the meantime.
    const bool isAlive = snapshot && snapshot->startedAt && snapshot->generation == task.generation;
    Member *const member = members.find(id);
    if (member == nullptr || !isAlive)
        return;
    if (member->launching == task.generation) { // not started yet, and not to be started anymore
        member->launching = 0;
        port.reportStopped(id, task.generation);
        exited(id);
        return;
    }
    const bool atOnce = task.kind == Task::Kind::Kill;
    monitor.endHealth(id);
    limitStop(id, task.generation, atOnce);
    call(id, atOnce ? &Agent::kill : &Agent::stop);
}

// A slot may have removed the agent.
void AgentSupervisor::Private::call(const QUuid &id, void (Agent::*function)())
{
    Agent *const agent = find(id);
    if (!agent)
        return;
    const QPointer<AgentSupervisor> alive(q);
    calls.append(agent);
    try {
        (agent->*function)();
    } catch (...) {
        if (!alive)
            return;
        const QString text = exceptionText();
        qCWarning(restartCategory).noquote()
            << "[RST] Agent" << nameOf(id) << "threw an exception:" << text;
        if (find(id) == agent) // the agent may have removed itself
            Q_EMIT agent->failed(FailureReason::UnhandledException, {.message = text});
    }
    if (alive)
        calls.removeLast();
}

QString AgentSupervisor::Private::nameOf(const QUuid &id) const
{
    const QString name = evaluator.name(id);
    return name.isEmpty() ? id.toString(QUuid::WithoutBraces) : name;
}

void AgentSupervisor::Private::limitStop(const QUuid &id, quint64 generation, bool killed)
{
    std::optional<Duration> timeout = evaluator.policy(id).stopTimeout;
    if (!timeout)
        timeout = find(id)->defaultStopTimeout();
    if (!timeout)
        return;
    stopTimeouts.erase(id);
    const auto onTimeout = [=, this] {
        if (killed)
            markStuck(id);
        else
            enqueueStop(id, generation, true);
    };
    stopTimeouts.try_emplace(id, q->scheduler(), onTimeout).first->second.armIn(*timeout);
}

void AgentSupervisor::Private::exited(const QUuid &id)
{
    if (!stopTimeouts.empty())
        stopTimeouts.erase(id);
    if (!stuck.isEmpty())
        stuck.remove(id);
    if (const Member *const member = members.find(id); member && member->isRetired)
        enqueue({Task::Kind::Remove, id});
}

// The task runs after the evaluator has received the report of the exit.
void AgentSupervisor::Private::removeRetired(const QUuid &id) const
{
    const Member *const member = members.find(id);
    if (member != nullptr && member->isRetired
        && !evaluator.status(id).value_or(InstanceStatus()).alive)
        q->remove(id);
}

// The id is a copy, because a slot may destroy its owner.
void AgentSupervisor::Private::markStuck(QUuid id)
{
    if (!find(id) || stuck.contains(id))
        return;
    stuck.insert(id);
    qCWarning(restartCategory).noquote()
        << "[RST] Agent" << nameOf(id)
        << "was killed and still runs; it is not started again until it exits";
    const QPointer<AgentSupervisor> alive(q);
    Q_EMIT q->agentStuck(id);
    if (alive)
        emitAllStoppedIfDone();
}

void AgentSupervisor::Private::stopAll(bool kill)
{
    if (!isInOwnThread(*q))
        return;
    stoppingAll = true; // slots of the events that follow must start nothing
    QList<QUuid> all = members.ids();
    std::reverse(all.begin(), all.end());
    const QPointer<AgentSupervisor> alive(q);
    {
        const DeferredEmission deferred(evaluator);
        if (!kill && stopOrder) {
            stopOrder(all);
        } else {
            for (const QUuid &id : std::as_const(all))
                evaluator.stop(id, true);
        }
    }
    if (!alive)
        return;
    for (const QUuid &id : std::as_const(all)) {
        const std::optional<AgentSnapshot> snapshot = evaluator.snapshot(id);
        if (kill && snapshot)
            enqueueStop(id, snapshot->generation, true);
    }
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
    if (const std::optional<QString> fault = nameFault(name))
        return {{QStringLiteral("/name"), *fault}};
    if (names.contains(name))
        return {{QStringLiteral("/name"), QStringLiteral("duplicate name \"%1\"").arg(name)}};
    return agent->faults();
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
    if (!isInOwnThread(*q))
        return false;
    if (find(id))
        return true;
    qCWarning(restartCategory).noquote().nospace()
        << "[RST] " << call << "(): no agent has the id " << id.toString(QUuid::WithoutBraces);
    return false;
}

CommandResult AgentSupervisor::Private::canStart(const QUuid &id, const char *call) const
{
    if (!isKnown(id, call))
        return {};
    const bool isQuitting = quit != nullptr && quit->isStopping();
    if (!isQuitting && !members.find(id)->isRetired)
        return {.effect = CommandResult::Effect::Applied};
    const QString reason = isQuitting ? QStringLiteral("the application quits")
                                      : QStringLiteral("it was removed and is being stopped");
    qCWarning(restartCategory).noquote().nospace()
        << "[RST] " << call << "() does not start agent " << nameOf(id) << ": " << reason;
    return {.effect = CommandResult::Effect::NoEffect, .reason = reason};
}

// The caller destroys the agent.
void AgentSupervisor::Private::forget(const QUuid &id)
{
    monitor.unwatch(id);
    names.remove(names.key(id)); // the evaluator may have removed the instance already
    policies.remove(id);
    members.take(id);
    exited(id);
}

// Otherwise the supervisor would delete the agent a second time.
void AgentSupervisor::Private::onDestroyed(QUuid id)
{
    qCCritical(restartCategory).noquote().nospace()
        << "[RST] Agent \"" << nameOf(id)
        << "\" was deleted by other code than its supervisor; call remove()";
    forget(id);
    const QPointer<AgentSupervisor> alive(q);
    evaluator.remove(id);
    if (alive)
        Q_EMIT q->agentRemoved(id);
}

void AgentSupervisor::Private::applyTier()
{
    const QList<QUuid> all = members.ids();
    const QPointer<AgentSupervisor> alive(q);
    {
        const DeferredEmission deferred(evaluator);
        policies.applyTier(all);
    }
    for (const QUuid &id : all) {
        if (alive)
            Q_EMIT q->policyChanged(id);
    }
}

void AgentSupervisor::Private::emitAllStoppedIfDone()
{
    if (!stoppingAll || evaluator.activeCount() > stuck.size())
        return;
    stoppingAll = false;
    QMetaObject::invokeMethod(q, &AgentSupervisor::allStopped, Qt::QueuedConnection);
}

AgentSupervisor::AgentSupervisor(QObject *parent)
    : LifecycleSignals(parent)
{
    auto *scheduler = new TimerScheduler(this);
    d = std::make_unique<Private>(this, *scheduler, SupervisorOptions{},
                                  RestartPolicyEvaluator::RandomSource{});
}

AgentSupervisor::AgentSupervisor(Scheduler &scheduler, const SupervisorOptions &options,
                                 RestartPolicyEvaluator::RandomSource random, QObject *parent)
    : LifecycleSignals(parent)
    , d(std::make_unique<Private>(this, scheduler, options, std::move(random)))
{
}

AgentSupervisor::~AgentSupervisor()
{
    Q_EMIT aboutToBeDestroyed();
    // Removed agents whose deferred deletion is pending.
    QList<Agent *> agents = findChildren<Agent *>(QString(), Qt::FindDirectChildrenOnly);
    for (const Private::Member &member : d->members) {
        d->monitor.unwatch(member.id);
        agents.append(member.agent);
    }
    d->members.clear();
    if (!d->calls.isEmpty() || d->passes > 0) {
        qCCritical(restartCategory,
                   "[RST] AgentSupervisor was destroyed in start(), stop() or kill() of its agent "
                   "or in a slot of such a start; call deleteLater()");
        // Their functions are still on the stack, below one of the scheduler.
        for (Agent *const agent : std::as_const(d->calls)) {
            agents.removeAll(agent);
            destroyLater(agent);
        }
        for (auto *const own :
             findChildren<TimerScheduler *>(QString(), Qt::FindDirectChildrenOnly))
            destroyLater(own);
    }
    qDeleteAll(agents);
}

AgentSupervisor::Added AgentSupervisor::add(const QString &name, std::unique_ptr<Agent> agent,
                                            const RestartPolicy &policy, bool readyAtOnce, QUuid id)
{
    if (!isInOwnThread(*this)) {
        // The agent belongs to the other thread, too.
        return {{}, calledFromAnotherThread()};
    }
    QList<Fault> faults = d->faultsOf(name, agent.get());
    if (!hasErrors(faults))
        faults = d->policies.add(id, name, policy, readyAtOnce) + d->warningsOf(policy)
            + d->monitor.watch(id, agent.get()) + faults;
    if (hasErrors(faults)) {
        d->monitor.unwatch(id);
        d->policies.remove(id);
        d->evaluator.remove(id);
        qCWarning(restartCategory).noquote().nospace()
            << "[RST] Agent \"" << name << "\" was not added: "
            << std::find_if(faults.cbegin(), faults.cend(), std::mem_fn(&Fault::isError))
                   ->toString();
        return {{}, faults};
    }
    d->members.add(Private::Member{id, agent.release()});
    d->names.insert(name, id);
    const QPointer<AgentSupervisor> alive(this);
    Q_EMIT agentAdded(id);
    if (alive)
        d->policies.announce(id);
    return {id, faults};
}

// Its members stay in their thread. Therefore, it returns to them before the other thread handles
// other events of it.
bool AgentSupervisor::event(QEvent *event)
{
    if (event->type() == QEvent::ThreadChange && thread() == d->monitor.thread()) {
        qCCritical(restartCategory,
                   "[RST] AgentSupervisor was moved to another thread and returns to its own; "
                   "create it in the thread that uses it");
        QMetaObject::invokeMethod(
            this, [this] { moveToThread(d->monitor.thread()); }, Qt::QueuedConnection);
    }
    return LifecycleSignals::event(event);
}

// The evaluator emits only what is connected, because an event has a cost.
void AgentSupervisor::connectNotify(const QMetaMethod &signal)
{
    if (!signal.isValid() || signal.enclosingMetaObject() == &LifecycleSignals::staticMetaObject)
        d->port.addReceiver(signal);
}

void AgentSupervisor::setManualStart(const QUuid &instanceId, bool manual)
{
    if (d->isKnown(instanceId, "setManualStart"))
        d->members.find(instanceId)->hasManualStart = manual;
}

bool AgentSupervisor::hasManualStart(const QUuid &instanceId) const
{
    const Private::Member *const member = d->member(instanceId);
    return member != nullptr && member->hasManualStart;
}

void AgentSupervisor::setTags(const QUuid &instanceId, const QStringList &tags)
{
    if (d->isKnown(instanceId, "setTags"))
        d->members.find(instanceId)->tags = tags;
}

void AgentSupervisor::setGroup(const QUuid &instanceId, const QString &group)
{
    if (d->isKnown(instanceId, "setGroup"))
        d->members.find(instanceId)->group = group;
}

QString AgentSupervisor::group(const QUuid &instanceId) const
{
    const Private::Member *const member = d->member(instanceId);
    return member ? member->group : QString();
}

QStringList AgentSupervisor::tags(const QUuid &instanceId) const
{
    const Private::Member *const member = d->member(instanceId);
    return member ? member->tags : QStringList();
}

void AgentSupervisor::remove(const QUuid &instanceId)
{
    if (!d->isKnown(instanceId, "remove"))
        return;
    Agent *agent = d->find(instanceId);
    // The agent may be emitting the signal whose slot calls this. As a child, it is destroyed with
    // the supervisor if that happens first.
    d->forget(instanceId);
    agent->setParent(this);
    agent->deleteLater();
    const QPointer<AgentSupervisor> alive(this);
    d->evaluator.remove(instanceId);
    if (alive)
        Q_EMIT agentRemoved(instanceId);
}

void AgentSupervisor::retire(const QUuid &instanceId, const QString &reason)
{
    if (!d->isKnown(instanceId, "retire"))
        return;
    d->members.find(instanceId)->isRetired = true;
    d->enqueue({Private::Task::Kind::Remove, instanceId});
    d->evaluator.stop(instanceId, true, reason);
}

bool AgentSupervisor::isRetired(const QUuid &instanceId) const
{
    const Private::Member *const member = d->member(instanceId);
    return member != nullptr && member->isRetired;
}

CommandResult AgentSupervisor::start(const QUuid &instanceId, bool byHost)
{
    if (CommandResult refusal = d->canStart(instanceId, "start"); !refusal)
        return refusal;
    d->stoppingAll = false;
    return d->evaluator.start(instanceId, byHost);
}

CommandResult AgentSupervisor::stop(const QUuid &instanceId)
{
    return d->isKnown(instanceId, "stop") ? d->evaluator.stop(instanceId) : CommandResult();
}

CommandResult AgentSupervisor::restart(const QUuid &instanceId, const QString &reason, bool byHost)
{
    if (CommandResult refusal = d->canStart(instanceId, "restart"); !refusal)
        return refusal;
    d->stoppingAll = false;
    return d->evaluator.restart(instanceId, reason, byHost);
}

CommandResult AgentSupervisor::retryNow(const QUuid &instanceId)
{
    if (CommandResult refusal = d->canStart(instanceId, "retryNow"); !refusal)
        return refusal;
    d->stoppingAll = false;
    return d->evaluator.retryNow(instanceId);
}

void AgentSupervisor::resume(const QUuid &instanceId, const InstanceMemory &memory)
{
    if (!d->canStart(instanceId, "resume"))
        return;
    d->stoppingAll = false;
    d->evaluator.resume(instanceId, memory);
}

void AgentSupervisor::startAll()
{
    const QList<QUuid> all = ids();
    for (const QUuid &id : all) {
        const Private::Member *const member = d->members.find(id); // a slot may remove agents
        if (member && !member->hasManualStart && !member->isRetired)
            start(id, true);
    }
}

void AgentSupervisor::setStopOrder(StopOrder order)
{
    if (isInOwnThread(*this))
        d->stopOrder = std::move(order);
}

void AgentSupervisor::setLaunchGate(Hold hold, LaunchGate gate)
{
    if (!isInOwnThread(*this))
        return;
    if (gate)
        d->launchGates.insert_or_assign(hold, std::move(gate));
    else
        d->launchGates.erase(hold);
}

void AgentSupervisor::stopAll() { d->stopAll(false); }

void AgentSupervisor::killAll() { d->stopAll(true); }

void AgentSupervisor::quitGracefully(QCoreApplication &application, Duration limit)
{
    if (isInOwnThread(*this))
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
    return isInOwnThread(*this) ? d->policies.requested(instanceId) : RestartPolicy();
}

QList<QUuid> AgentSupervisor::ids() const
{
    return isInOwnThread(*this) ? d->members.ids() : QList<QUuid>();
}

void AgentSupervisor::setOrder(const QList<QUuid> &order)
{
    if (!isInOwnThread(*this))
        return;
    QList<QUuid> known;
    QSet<QUuid> seen;
    for (const QUuid &id : order) {
        if (d->members.contains(id) && !seen.contains(id))
            known.append(id);
        seen.insert(id);
    }
    d->members.arrange(known);
}

QUuid AgentSupervisor::idOf(const QString &name) const
{
    return isInOwnThread(*this) ? d->names.value(name) : QUuid();
}

Agent *AgentSupervisor::agent(const QUuid &instanceId) const
{
    return isInOwnThread(*this) ? d->find(instanceId) : nullptr;
}

std::optional<AgentSnapshot> AgentSupervisor::snapshot(const QUuid &instanceId) const
{
    return d->evaluator.snapshot(instanceId);
}

bool AgentSupervisor::isStuck(const QUuid &instanceId) const
{
    return isInOwnThread(*this) && d->stuck.contains(instanceId);
}

bool AgentSupervisor::isIdle() const
{
    return isInOwnThread(*this) && d->evaluator.activeCount() == 0;
}

bool AgentSupervisor::isStopping() const { return isInOwnThread(*this) && d->stoppingAll; }

RestartPolicyEvaluator &AgentSupervisor::policyEvaluator() const { return d->evaluator; }

FeatureGate &AgentSupervisor::featureGate() const { return d->gate; }

AgentMonitor &AgentSupervisor::monitor() const { return d->monitor; }

Scheduler &AgentSupervisor::scheduler() const { return d->evaluator.scheduler(); }

} // namespace Rekindle
