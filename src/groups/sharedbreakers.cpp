// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "policy/internal/operatorinput.h"
#include "trialprobe_p.h"

#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/groups/startgate.h>
#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <QHash>
#include <QPointer>
#include <QSet>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace Rekindle {

namespace {

/// A breaker with its timers.
struct SharedNode
{
    SharedNode(const SharedBreakerPolicy &policy, Scheduler &scheduler, Deadline::Callback onDue)
        : breaker(policy)
        , deadline(scheduler, std::move(onDue))
    {
    }

    SharedBreaker breaker;
    /// Open: the next trial. Half-open: the trial has been ready for long enough.
    Deadline deadline;
    bool isLaunching = false; ///< the start of the trial is permitted, and has not happened
    std::unique_ptr<TrialProbe> probe; ///< decides trials; null: an agent is the trial

    [[nodiscard]] bool isProbing() const
    {
        return breaker.state() == CircuitBreakerState::HalfOpen && breaker.trial().isNull();
    }
    /// Whether the trial of an agent may begin.
    [[nodiscard]] bool isAgentTrialDue(Instant now) const
    {
        return !probe && breaker.isTrialDue(now);
    }
};

// A slot may replace the breakers while one is used.
using NodePointer = std::shared_ptr<SharedNode>;

} // namespace

class SharedBreakers::Private
{
public:
    Private(SharedBreakers *breakers, AgentSupervisor &theSupervisor, const StartGate *theGate)
        : q(breakers)
        , supervisor(theSupervisor)
        , evaluator(theSupervisor.policyEvaluator())
        , gate(theGate)
    {
    }

    void connectEvaluator();
    void failed(const AgentFailed &event);
    void trialFailed(const std::vector<NodePointer> &trials, const AgentFailed &event);
    void vote(const NodePointer &node, const AgentFailed &event);
    void refund(const QUuid &id, quint64 generation);
    void follow(const QUuid &id);
    void due(const QString &name);
    void tryTrial(const NodePointer &node);
    void beginProbe(const NodePointer &node) const;
    void probeEnded(const QString &name, bool succeeded);
    void cancelProbe(const NodePointer &node) const;
    void tryDueTrialsSoon();
    void endTrial(const NodePointer &node);
    void endTrials(const QUuid &id);
    void close(const NodePointer &node, const QUuid &agent);
    void changeHolds(const NodePointer &node, CircuitBreakerState before, const QUuid &agent);
    /// Carries out an operator's command.
    CommandResult command(const QString &breaker, OperatorCommand command,
                          const std::function<void(const NodePointer &node)> &change);
    void updateHold(const QUuid &id);
    void updateHolds(const QString &breaker);
    void changed(const NodePointer &node, CircuitBreakerState oldState, const QUuid &agent) const;
    void announce(const NodePointer &node, CircuitBreakerState oldState, const QUuid &agent,
                  bool isRestored) const;
    void armReset(const NodePointer &node);
    [[nodiscard]] NodePointer find(const QString &name) const;
    /// Those of which the start of this agent is the trial.
    [[nodiscard]] std::vector<NodePointer> nodesOfTrial(const QUuid &id) const;
    [[nodiscard]] QStringList requiredBy(const QUuid &id) const
    {
        return required.value(evaluator.name(id));
    }
    [[nodiscard]] bool isHeld(const QUuid &id) const;
    /// Whether a start of this agent can be the trial of each breaker that it requires and that is
    /// not closed.
    [[nodiscard]] bool canBeTrial(const QUuid &id) const;
    /// Whether its start is due, and only shared breakers and the governor hold it.
    [[nodiscard]] bool isAboutToStart(const QUuid &id) const;
    [[nodiscard]] QList<QUuid> agentsOf(const QString &breaker) const;
    [[nodiscard]] QUuid bestTrial(const QString &breaker) const;
    [[nodiscard]] QString holdText(const QUuid &id) const;
    [[nodiscard]] Instant now() const { return supervisor.scheduler().now(); }

    SharedBreakers *const q;
    AgentSupervisor &supervisor;
    RestartPolicyEvaluator &evaluator;
    const StartGate *const gate;
    std::vector<NodePointer> nodes;
    QHash<QString, QStringList> required; ///< breakers by agent
    QSet<QUuid> held;                     ///< with Hold::SharedBreaker
};

void SharedBreakers::Private::connectEvaluator()
{
    using Evaluator = RestartPolicyEvaluator;
    connect(&evaluator, &Evaluator::agentFailed, q,
            [this](const AgentFailed &event) { failed(event); });
    connect(&evaluator, &Evaluator::stateChanged, q, [this](const QUuid &id) { follow(id); });
    connect(&evaluator, &Evaluator::startHeld, q,
            [this](const StartHeld &event) { follow(event.instanceId); });
    connect(&evaluator, &Evaluator::restartRequested, q,
            [this](const RestartRequested &event) { endTrials(event.instanceId); });
    const AgentMonitor &monitor = supervisor.monitor();
    const auto exited = [this](const QUuid &id) {
        if (held.contains(id))
            tryDueTrialsSoon();
    };
    connect(&monitor, &AgentMonitor::agentStopped, q, exited);
    connect(&monitor, &AgentMonitor::agentFailed, q, exited);
    connect(&monitor, &AgentMonitor::restartRequested, q, exited);
    connect(&supervisor, &AgentSupervisor::agentAdded, q,
            [this](const QUuid &id) { updateHold(id); });
    connect(&supervisor, &AgentSupervisor::agentRemoved, q, [this](const QUuid &id) {
        held.remove(id);
        endTrials(id);
    });
}

NodePointer SharedBreakers::Private::find(const QString &name) const
{
    const auto found = std::find_if(nodes.begin(), nodes.end(), [&name](const auto &each) {
        return each->breaker.policy().name == name;
    });
    return found == nodes.end() ? nullptr : *found;
}

std::vector<NodePointer> SharedBreakers::Private::nodesOfTrial(const QUuid &id) const
{
    std::vector<NodePointer> found;
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(found),
                 [&id](const auto &each) { return each->breaker.trial() == id; });
    return found;
}

QList<QUuid> SharedBreakers::Private::agentsOf(const QString &breaker) const
{
    QList<QUuid> ids = supervisor.ids();
    ids.removeIf([&](const QUuid &id) { return !requiredBy(id).contains(breaker); });
    return ids;
}

void SharedBreakers::Private::changed(const NodePointer &node, CircuitBreakerState oldState,
                                      const QUuid &agent) const
{
    const CircuitBreakerState newState = node->breaker.state();
    EvaluatorPort(evaluator).post([breakers = QPointer<SharedBreakers>(q), oldState, newState,
                                   name = node->breaker.policy().name,
                                   agentName = evaluator.name(agent)] {
        if (breakers)
            Q_EMIT breakers->memoryChanged();
        if (breakers && newState != oldState)
            Q_EMIT breakers->stateChanged(name, oldState, newState, agentName);
    });
    if (newState != oldState)
        announce(node, oldState, agent, false);
}

// Every event belongs to an agent.
void SharedBreakers::Private::announce(const NodePointer &node, CircuitBreakerState oldState,
                                       const QUuid &agent, bool isRestored) const
{
    const QList<QUuid> agents = agentsOf(node->breaker.policy().name);
    if (agent.isNull() && agents.isEmpty())
        return;
    SharedBreakerStateChanged event;
    event.breaker = node->breaker.policy().name;
    event.oldState = oldState;
    event.newState = node->breaker.state();
    event.resetDelay = node->breaker.breaker().openFor(now());
    event.restored = isRestored;
    evaluator.announce(agent.isNull() ? agents.front() : agent, std::move(event));
}

void SharedBreakers::Private::failed(const AgentFailed &event)
{
    const DeferredEmission deferred(evaluator);
    if (const std::vector<NodePointer> trials = nodesOfTrial(event.instanceId); !trials.empty()) {
        trialFailed(trials, event);
        return;
    }
    if (event.collateral || event.reason != FailureReason::DependencyFailure)
        return;
    const QStringList names = required.value(event.agent);
    QString name = event.detail.dependency;
    // With several breakers, it is otherwise not known which dependency is down.
    if (name.isEmpty() && names.size() == 1)
        name = names.front();
    if (const NodePointer node = names.contains(name) ? find(name) : nullptr)
        vote(node, event);
}

void SharedBreakers::Private::trialFailed(const std::vector<NodePointer> &trials,
                                          const AgentFailed &event)
{
    const QString &cause = event.detail.dependency;
    const bool isNamed = std::any_of(trials.begin(), trials.end(), [&cause](const auto &each) {
        return each->breaker.policy().name == cause;
    });
    std::vector<CircuitBreakerState> before;
    for (const NodePointer &node : trials) {
        before.push_back(node->breaker.state());
        if (isNamed && node->breaker.policy().name != cause)
            node->breaker.trialEnded(now());
        else
            node->breaker.trialFailed(now());
        node->isLaunching = false;
        armReset(node);
    }
    if (!event.collateral) // it failed before the hold was set again
        refund(event.instanceId, event.generation);
    for (std::size_t i = 0; i < trials.size(); ++i)
        changed(trials[i], before[i], event.instanceId);
}

void SharedBreakers::Private::vote(const NodePointer &node, const AgentFailed &event)
{
    const CircuitBreakerState before = node->breaker.state();
    const QList<SharedBreaker::Vote> votes = node->breaker.vote(
        {.agent = event.instanceId, .generation = event.generation, .at = now()});
    if (votes.isEmpty())
        return;
    armReset(node);
    updateHolds(node->breaker.policy().name);
    for (const SharedBreaker::Vote &each : votes)
        refund(each.agent, each.generation);
    changed(node, before, event.instanceId);
}

// An agent that no longer requires the breaker is not held.
void SharedBreakers::Private::refund(const QUuid &id, quint64 generation)
{
    updateHold(id);
    if (held.contains(id))
        EvaluatorPort(evaluator).refund(id, generation, Hold::SharedBreaker);
}

void SharedBreakers::Private::armReset(const NodePointer &node)
{
    if (node->breaker.state() == CircuitBreakerState::Open && !node->breaker.breaker().isIsolated())
        node->deadline.arm(node->breaker.breaker().resetAt());
    else
        node->deadline.disarm();
}

// The signal may be older than the state.
void SharedBreakers::Private::follow(const QUuid &id)
{
    const DeferredEmission deferred(evaluator);
    const std::vector<NodePointer> trials = nodesOfTrial(id);
    if (trials.empty()) {
        if (held.contains(id))
            tryDueTrialsSoon();
        return;
    }
    switch (evaluator.state(id).value_or(InstanceState::Stopped)) {
    case InstanceState::Starting:
        for (const NodePointer &each : trials)
            each->isLaunching = false;
        updateHold(id); // from now on, its failure counts toward no limit
        return;
    case InstanceState::Running:
        for (const NodePointer &each : trials) {
            if (!each->deadline.isArmed())
                each->deadline.armIn(each->breaker.policy().provenAfter);
        }
        return;
    case InstanceState::Waiting:
    case InstanceState::CircuitOpen:
    case InstanceState::Evaluating:
        if (!trials.front()->isLaunching || isAboutToStart(id))
            return; // failed() follows, or the launch
        break;
    default:
        break;
    }
    endTrials(id);
}

void SharedBreakers::Private::endTrials(const QUuid &id)
{
    const DeferredEmission deferred(evaluator);
    const std::vector<NodePointer> trials = nodesOfTrial(id);
    for (const NodePointer &each : trials)
        endTrial(each);
}

void SharedBreakers::Private::endTrial(const NodePointer &node)
{
    const CircuitBreakerState before = node->breaker.state();
    const QUuid agent = node->breaker.trial();
    node->breaker.trialEnded(now());
    node->isLaunching = false;
    node->deadline.disarm();
    updateHold(agent);
    armReset(node);
    changed(node, before, agent);
}

void SharedBreakers::Private::due(const QString &name)
{
    const DeferredEmission deferred(evaluator);
    const NodePointer node = find(name);
    if (!node)
        return;
    if (node->breaker.trial().isNull())
        tryTrial(node);
    else
        close(node, node->breaker.trial());
}

bool SharedBreakers::Private::canBeTrial(const QUuid &id) const
{
    const QStringList names = requiredBy(id);
    return std::all_of(names.begin(), names.end(), [&](const QString &name) {
        const NodePointer node = find(name);
        return !node || node->breaker.state() == CircuitBreakerState::Closed
            || node->isAgentTrialDue(now()) || (node->breaker.trial() == id && node->isLaunching);
    });
}

bool SharedBreakers::Private::isAboutToStart(const QUuid &id) const
{
    const std::optional<DueStart> start = EvaluatorPort(evaluator).dueStart(id);
    return start && !(start->holds & ~(Holds(Hold::SharedBreaker) | Hold::Governor));
}

QUuid SharedBreakers::Private::bestTrial(const QString &breaker) const
{
    QUuid best;
    int bestPriority = 0;
    Instant bestDue{};
    const QList<QUuid> ids = agentsOf(breaker);
    for (const QUuid &id : ids) {
        if (!isAboutToStart(id) || !canBeTrial(id))
            continue;
        const Instant dueAt = EvaluatorPort(evaluator).dueStart(id)->dueAt;
        const int priority = gate ? gate->priority(id) : 0;
        if (best.isNull() || priority > bestPriority
            || (priority == bestPriority && dueAt < bestDue)) {
            best = id;
            bestPriority = priority;
            bestDue = dueAt;
        }
    }
    return best;
}

void SharedBreakers::Private::tryTrial(const NodePointer &node)
{
    if (supervisor.isStopping() || !node->breaker.isTrialDue(now()))
        return;
    if (node->probe) {
        beginProbe(node);
        return;
    }
    const QUuid agent = bestTrial(node->breaker.policy().name);
    if (agent.isNull())
        return; // the next start is the trial
    // It is the trial of each breaker that is due. Otherwise, two breakers that the same agents
    // require would wait for each other.
    std::vector<NodePointer> trials;
    const QStringList names = requiredBy(agent);
    for (const QString &name : names) {
        const NodePointer each = find(name);
        if (!each || !each->isAgentTrialDue(now()))
            continue;
        each->breaker.beginTrial(agent);
        each->isLaunching = true;
        each->deadline.disarm();
        trials.push_back(each);
    }
    for (const NodePointer &each : trials)
        changed(each, CircuitBreakerState::Open, agent);
    updateHold(agent);
}

void SharedBreakers::Private::beginProbe(const NodePointer &node) const
{
    node->breaker.beginTrial({});
    node->deadline.disarm();
    changed(node, CircuitBreakerState::Open, {});
    node->probe->begin(node->breaker.policy().provenAfter);
}

void SharedBreakers::Private::probeEnded(const QString &name, bool succeeded)
{
    const NodePointer node = find(name);
    if (!node || !node->isProbing())
        return;
    if (succeeded) {
        close(node, {});
        return;
    }
    node->breaker.trialFailed(now());
    armReset(node);
    changed(node, CircuitBreakerState::HalfOpen, {});
}

// Without evidence, the next trial is due at once.
void SharedBreakers::Private::cancelProbe(const NodePointer &node) const
{
    if (node->probe)
        node->probe->cancel();
    if (node->isProbing())
        node->breaker.trialEnded(now());
}

// To be called when an agent may have become the next trial of a breaker that had none: its start
// is due, its old process has exited, or another breaker that it requires has closed. Not at once,
// because this is called in the middle of other changes.
void SharedBreakers::Private::tryDueTrialsSoon()
{
    for (const NodePointer &each : nodes) {
        if (each->breaker.isTrialDue(now()))
            each->deadline.armIn({});
    }
}

void SharedBreakers::Private::close(const NodePointer &node, const QUuid &agent)
{
    const CircuitBreakerState before = node->breaker.state();
    node->breaker.trialSucceeded(now());
    node->deadline.disarm();
    changeHolds(node, before, agent);
}

void SharedBreakers::Private::changeHolds(const NodePointer &node, CircuitBreakerState before,
                                          const QUuid &agent)
{
    tryDueTrialsSoon();
    const DeferredEmission deferred(evaluator);
    changed(node, before, agent);
    updateHolds(node->breaker.policy().name);
}

CommandResult
SharedBreakers::Private::command(const QString &breaker, OperatorCommand command,
                                 const std::function<void(const NodePointer &node)> &change)
{
    const NodePointer node = find(breaker);
    if (!node)
        return {};
    const CircuitBreakerState stateBefore = node->breaker.state();
    const CircuitBreakerSnapshot before = node->breaker.snapshot();
    change(node);
    const bool isApplied = node->breaker.snapshot() != before;
    changeHolds(node, stateBefore, {}); // a slot may delete this object
    if (isApplied)
        return {.effect = CommandResult::Effect::Applied};
    return {.effect = CommandResult::Effect::NoEffect, .reason = noEffectText(command)};
}

bool SharedBreakers::Private::isHeld(const QUuid &id) const
{
    const QStringList names = requiredBy(id);
    return std::any_of(names.begin(), names.end(), [&](const QString &name) {
        const NodePointer node = find(name);
        return node && node->breaker.state() != CircuitBreakerState::Closed
            && !(node->breaker.trial() == id && node->isLaunching);
    });
}

void SharedBreakers::Private::updateHold(const QUuid &id)
{
    const bool isToHold = isHeld(id);
    if (isToHold == held.contains(id) || !evaluator.contains(id))
        return;
    if (isToHold) {
        held.insert(id);
        evaluator.addHolds(id, Hold::SharedBreaker);
    } else {
        held.remove(id);
        evaluator.liftHolds(id, Hold::SharedBreaker);
    }
}

void SharedBreakers::Private::updateHolds(const QString &breaker)
{
    const QList<QUuid> ids = agentsOf(breaker);
    for (const QUuid &id : ids)
        updateHold(id);
}

QString SharedBreakers::Private::holdText(const QUuid &id) const
{
    QStringList texts;
    const QStringList names = requiredBy(id);
    for (const QString &name : names) {
        const NodePointer node = find(name);
        if (!node || node->breaker.state() == CircuitBreakerState::Closed)
            continue;
        const CircuitBreaker &breaker = node->breaker.breaker();
        QString state = breaker.isIsolated() ? QStringLiteral("isolated") : toText(breaker.state());
        if (!node->breaker.trial().isNull())
            state += QLatin1String(", trial: ") + evaluator.name(node->breaker.trial());
        else if (node->isProbing())
            state += QLatin1String(", the probe runs");
        else if (const auto left = breaker.openFor(now()))
            state += QLatin1String(", trial in ") + readable(*left);
        texts += name + QLatin1String(" (") + state + u')';
    }
    return QLatin1String("shared breaker ") + texts.join(QLatin1String(", "));
}

SharedBreakers::SharedBreakers(AgentSupervisor &supervisor, const StartGate *gate, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, supervisor, gate))
{
    d->connectEvaluator();
    d->evaluator.setHoldCauseSource(Hold::SharedBreaker, [this](const QUuid &id) {
        return HoldCause{.text = d->holdText(id)};
    });
}

SharedBreakers::~SharedBreakers()
{
    d->evaluator.disconnect(this);
    d->supervisor.disconnect(this);
    d->evaluator.setHoldCauseSource(Hold::SharedBreaker, {});
    const DeferredEmission deferred(d->evaluator);
    for (const QUuid &id : std::exchange(d->held, {}))
        d->evaluator.liftHolds(id, Hold::SharedBreaker);
}

QStringList SharedBreakers::setBreakers(const QList<SharedBreakerPolicy> &breakers)
{
    QStringList faults;
    QSet<QString> names;
    for (const SharedBreakerPolicy &each : breakers) {
        faults += each.faults();
        if (names.contains(each.name))
            faults += each.name + QLatin1String(": there are two shared breakers with this name");
        names.insert(each.name);
    }
    if (!faults.isEmpty())
        return faults;
    const std::vector<NodePointer> before = std::exchange(d->nodes, {});
    for (const SharedBreakerPolicy &each : breakers) {
        const auto same = std::find_if(before.begin(), before.end(), [&each](const auto &node) {
            return node->breaker.policy().name == each.name;
        });
        if (same == before.end()) {
            d->nodes.push_back(std::make_shared<SharedNode>(
                each, d->supervisor.scheduler(), [this, name = each.name] { d->due(name); }));
        } else {
            (*same)->breaker.setPolicy(each);
            d->nodes.push_back(*same);
        }
    }
    d->tryDueTrialsSoon();
    const DeferredEmission deferred(d->evaluator);
    const QList<QUuid> ids = d->supervisor.ids();
    for (const QUuid &id : ids)
        d->updateHold(id);
    EvaluatorPort(d->evaluator).post([breakers = QPointer<SharedBreakers>(this)] {
        if (breakers)
            Q_EMIT breakers->memoryChanged();
    });
    return {};
}

QList<SharedBreakerPolicy> SharedBreakers::breakers() const
{
    QList<SharedBreakerPolicy> all;
    for (const auto &each : d->nodes)
        all.append(each->breaker.policy());
    return all;
}

void SharedBreakers::setProbe(const QString &breaker, HealthCheck check)
{
    const NodePointer node = d->find(breaker);
    if (!node)
        return;
    const CircuitBreakerState before = node->breaker.state();
    d->cancelProbe(node);
    node->probe.reset();
    if (check.probe) {
        node->probe = std::make_unique<TrialProbe>(
            std::move(check), d->supervisor, d->supervisor.scheduler(),
            [this, breaker](bool succeeded) { d->probeEnded(breaker, succeeded); });
    }
    if (node->breaker.trial().isNull())
        d->armReset(node);
    d->changed(node, before, {});
}

void SharedBreakers::setRequired(const QString &agent, const QStringList &breakers)
{
    if (breakers.isEmpty())
        d->required.remove(agent);
    else
        d->required.insert(agent, breakers);
    d->tryDueTrialsSoon();
    if (const QUuid id = d->supervisor.idOf(agent); !id.isNull())
        d->updateHold(id);
}

QStringList SharedBreakers::required(const QString &agent) const
{
    return d->required.value(agent);
}

std::optional<CircuitBreakerInfo> SharedBreakers::info(const QString &breaker) const
{
    const NodePointer node = d->find(breaker);
    return node ? std::optional(node->breaker.breaker().info(
                      d->now(), d->supervisor.scheduler().clock().utcNow()))
                : std::nullopt;
}

QList<SharedBreaker::Vote> SharedBreakers::votes(const QString &breaker) const
{
    const NodePointer node = d->find(breaker);
    return node ? node->breaker.votes(d->now()) : QList<SharedBreaker::Vote>();
}

QList<QUuid> SharedBreakers::agents(const QString &breaker) const { return d->agentsOf(breaker); }

QUuid SharedBreakers::trial(const QString &breaker) const
{
    const NodePointer node = d->find(breaker);
    return node ? node->breaker.trial() : QUuid();
}

std::optional<CircuitBreakerSnapshot> SharedBreakers::snapshot(const QString &breaker) const
{
    const NodePointer node = d->find(breaker);
    return node ? std::optional(node->breaker.snapshot()) : std::nullopt;
}

void SharedBreakers::restore(const QString &breaker, const CircuitBreakerSnapshot &snapshot)
{
    const NodePointer node = d->find(breaker);
    if (!node)
        return;
    d->cancelProbe(node);
    node->breaker.restore(snapshot, d->now());
    node->isLaunching = false;
    d->armReset(node);
    const DeferredEmission deferred(d->evaluator);
    if (node->breaker.state() != CircuitBreakerState::Closed)
        d->announce(node, CircuitBreakerState::Closed, {}, true);
    d->updateHolds(breaker);
}

CommandResult SharedBreakers::reset(const QString &breaker)
{
    return d->command(breaker, OperatorCommand::ResetBreaker, [this](const NodePointer &node) {
        d->cancelProbe(node);
        node->breaker.reset();
        node->isLaunching = false;
        node->deadline.disarm();
    });
}

CommandResult SharedBreakers::isolate(const QString &breaker)
{
    return d->command(breaker, OperatorCommand::IsolateBreaker, [this](const NodePointer &node) {
        d->cancelProbe(node);
        node->breaker.isolate();
        if (node->breaker.trial().isNull())
            node->deadline.disarm();
    });
}

CommandResult SharedBreakers::release(const QString &breaker)
{
    return d->command(breaker, OperatorCommand::ReleaseBreaker, [this](const NodePointer &node) {
        node->breaker.release();
        if (node->breaker.trial().isNull())
            d->armReset(node);
    });
}

} // namespace Rekindle
