// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "groups/internal/holdset.h"
#include "policy/internal/operatorinput.h"
#include "trialprobe_p.h"

#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/groups/startgate.h>
#include <rekindle/lifecycle/agentmonitor.h>

#include <QHash>
#include <QSet>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace Rekindle {

namespace {

/// A breaker with its timer and its probe.
struct SharedNode : SharedBreaker
{
    SharedNode(const SharedBreakerPolicy &policy, Scheduler &scheduler, Deadline::Callback onDue)
        : SharedBreaker(policy)
        , deadline(scheduler, std::move(onDue))
    {
    }

    CircuitBreakerState reported = CircuitBreakerState::Closed; ///< by the last event
    /// Open: the next trial. Half-open: the trial has been ready for long enough.
    Deadline deadline;
    bool isLaunching = false; ///< the start of the trial is permitted, and has not happened
    std::unique_ptr<TrialProbe> probe; ///< decides trials; null: an agent is the trial

    [[nodiscard]] bool isProbing() const
    {
        return state() == CircuitBreakerState::HalfOpen && trial().isNull();
    }
    /// Whether the trial of an agent may begin.
    [[nodiscard]] bool isAgentTrialDue(Instant now) const { return !probe && isTrialDue(now); }
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
        , port(evaluator)
        , gate(theGate)
        , holds(supervisor, Hold::SharedBreaker,
                [this](const QUuid &id) { return HoldCause{.text = holdText(id)}; })
    {
    }

    void connectEvaluator();
    void failed(const AgentFailed &event);
    void trialFailed(const std::vector<NodePointer> &trials, const AgentFailed &event);
    /// An agent that no longer requires the breaker is not held.
    void refund(const QUuid &id, quint64 generation)
    {
        updateHold(id);
        if (holds.contains(id))
            port.refund(id, generation, Hold::SharedBreaker);
    }
    void follow(const QUuid &id);
    void due(const QString &name);
    void tryTrial(const NodePointer &node);
    /// Whether other hosts have this breaker, too.
    [[nodiscard]] bool isGated(const NodePointer &node) const
    {
        return trialGate.permits && node->policy().isFleetWide;
    }
    [[nodiscard]] bool isPermitted(const NodePointer &node) const
    {
        return !isGated(node) || trialGate.permits(node->policy().name);
    }
    [[nodiscard]] bool arePermitted(std::vector<NodePointer> trials) const;
    void probeEnded(const QString &name, bool succeeded);
    void cancelProbe(const NodePointer &node) const;
    void tryDueTrialsSoon();
    void endTrials(const QUuid &id);
    CommandResult operate(const QString &breaker, OperatorCommand command);
    void updateHold(const QUuid &id) { holds.set(id, isHeld(id)); }
    void updateHolds(const QString &breaker)
    {
        const QList<QUuid> ids = agentsOf(breaker);
        for (const QUuid &id : ids)
            updateHold(id);
    }
    void changed(const NodePointer &node, const QUuid &agent);
    void changedWithHolds(const NodePointer &node, const QUuid &agent);
    void announce(const NodePointer &node, CircuitBreakerState oldState, const QUuid &agent,
                  bool isRestored);
    void arm(const NodePointer &node) const;
    [[nodiscard]] NodePointer find(const QString &name) const
    {
        const auto found = std::find_if(nodes.begin(), nodes.end(), [&name](const auto &each) {
            return each->policy().name == name;
        });
        return found == nodes.end() ? nullptr : *found;
    }
    /// The breakers whose trial is the start of this agent.
    [[nodiscard]] std::vector<NodePointer> nodesOfTrial(const QUuid &id) const
    {
        std::vector<NodePointer> found;
        std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(found),
                     [&id](const auto &each) { return each->trial() == id; });
        return found;
    }
    [[nodiscard]] QStringList requiredBy(const QUuid &id) const
    {
        return required.value(evaluator.name(id));
    }
    [[nodiscard]] bool isHeld(const QUuid &id) const;
    /// Whether a start of this agent can be the trial of each breaker that it requires and that is
    /// not closed.
    [[nodiscard]] bool canBeTrial(const QUuid &id) const;
    /// Whether its start is due, and only shared breakers and the governor hold it.
    [[nodiscard]] bool isAboutToStart(const QUuid &id) const
    {
        const std::optional<DueStart> start = port.dueStart(id);
        return start && !(start->holds & ~(Holds(Hold::SharedBreaker) | Hold::Governor));
    }
    [[nodiscard]] QList<QUuid> agentsOf(const QString &breaker) const
    {
        QList<QUuid> ids = supervisor.ids();
        ids.removeIf([&](const QUuid &id) { return !requiredBy(id).contains(breaker); });
        return ids;
    }
    [[nodiscard]] QUuid bestTrial(const QString &breaker) const;
    [[nodiscard]] QString waitText(const NodePointer &node) const
    {
        const bool isOpen =
            node->state() == CircuitBreakerState::Open && !node->breaker().isIsolated();
        return isOpen && isGated(node) && trialGate.text ? trialGate.text(node->policy().name)
                                                         : QString();
    }
    [[nodiscard]] QString holdText(const QUuid &id) const;
    [[nodiscard]] Instant now() const { return supervisor.scheduler().now(); }

    SharedBreakers *const q;
    AgentSupervisor &supervisor;
    RestartPolicyEvaluator &evaluator;
    EvaluatorPort port;
    const StartGate *const gate;
    TrialGate trialGate;
    std::vector<NodePointer> nodes;
    QHash<QString, QStringList> required; ///< breakers by agent
    HoldSet holds;
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
        if (holds.contains(id))
            tryDueTrialsSoon();
    };
    connect(&monitor, &AgentMonitor::agentStopped, q, exited);
    connect(&monitor, &AgentMonitor::agentFailed, q, exited);
    connect(&monitor, &AgentMonitor::restartRequested, q, exited);
    connect(&supervisor, &AgentSupervisor::agentAdded, q,
            [this](const QUuid &id) { updateHold(id); });
    connect(&supervisor, &AgentSupervisor::agentRemoved, q,
            [this](const QUuid &id) { endTrials(id); });
}

// To be called after each change of a breaker.
void SharedBreakers::Private::changed(const NodePointer &node, const QUuid &agent)
{
    const DeferredEmission deferred(evaluator);
    arm(node);
    const CircuitBreakerState state = node->state();
    const CircuitBreakerState before = std::exchange(node->reported, state);
    port.postSignal(q, &SharedBreakers::memoryChanged);
    if (state == before)
        return;
    port.postSignal(q, &SharedBreakers::stateChanged, node->policy().name, before, state,
                    evaluator.name(agent));
    announce(node, before, agent, false);
}

// Every event belongs to an agent.
void SharedBreakers::Private::announce(const NodePointer &node, CircuitBreakerState oldState,
                                       const QUuid &agent, bool isRestored)
{
    const QList<QUuid> agents = agentsOf(node->policy().name);
    SharedBreakerStateChanged event;
    event.breaker = node->policy().name;
    event.oldState = oldState;
    event.newState = node->state();
    event.resetDelay = node->breaker().openFor(now());
    event.restored = isRestored;
    evaluator.announce(agent.isNull() ? agents.value(0) : agent, std::move(event));
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
    const NodePointer node = names.contains(name) ? find(name) : nullptr;
    if (!node)
        return;
    const QList<SharedBreaker::Vote> votes =
        node->vote({.agent = event.instanceId, .generation = event.generation, .at = now()});
    if (votes.isEmpty())
        return;
    updateHolds(name);
    for (const SharedBreaker::Vote &each : votes)
        refund(each.agent, each.generation);
    changed(node, event.instanceId);
}

void SharedBreakers::Private::trialFailed(const std::vector<NodePointer> &trials,
                                          const AgentFailed &event)
{
    const auto isCause = [&event](const NodePointer &each) {
        return each->policy().name == event.detail.dependency;
    };
    const bool isNamed = std::any_of(trials.begin(), trials.end(), isCause);
    for (const NodePointer &node : trials) {
        if (isNamed && !isCause(node))
            node->trialEnded(now());
        else
            node->trialFailed(now());
        node->isLaunching = false;
    }
    if (!event.collateral) // it failed before the hold was set again
        refund(event.instanceId, event.generation);
    for (const NodePointer &node : trials)
        changed(node, event.instanceId);
}

void SharedBreakers::Private::arm(const NodePointer &node) const
{
    if (!node->trial().isNull() && !node->isLaunching)
        return; // the trial runs
    if (node->state() == CircuitBreakerState::Open && !node->breaker().isIsolated())
        node->deadline.arm(node->breaker().resetAt());
    else
        node->deadline.disarm();
}

// The signal may be older than the state.
void SharedBreakers::Private::follow(const QUuid &id)
{
    const DeferredEmission deferred(evaluator);
    const std::vector<NodePointer> trials = nodesOfTrial(id);
    if (trials.empty()) {
        if (holds.contains(id))
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
                each->deadline.armIn(each->policy().provenAfter);
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
    for (const NodePointer &each : trials) {
        each->trialEnded(now());
        each->isLaunching = false;
        updateHold(id);
        changed(each, id);
    }
}

void SharedBreakers::Private::due(const QString &name)
{
    const DeferredEmission deferred(evaluator);
    const NodePointer node = find(name);
    const QUuid trial = node ? node->trial() : QUuid();
    if (!trial.isNull()) {
        node->trialSucceeded(now());
        changedWithHolds(node, trial);
    } else if (node) {
        tryTrial(node);
    }
}

bool SharedBreakers::Private::canBeTrial(const QUuid &id) const
{
    const QStringList names = requiredBy(id);
    return std::all_of(names.begin(), names.end(), [&](const QString &name) {
        const NodePointer node = find(name);
        return !node || node->state() == CircuitBreakerState::Closed || node->isAgentTrialDue(now())
            || (node->trial() == id && node->isLaunching);
    });
}

// The one with the highest priority; among equals, the one that has waited longest.
QUuid SharedBreakers::Private::bestTrial(const QString &breaker) const
{
    QUuid best;
    std::pair<int, Instant> bestRank;
    const QList<QUuid> ids = agentsOf(breaker);
    for (const QUuid &id : ids) {
        if (!isAboutToStart(id) || !canBeTrial(id))
            continue;
        const std::pair rank(gate ? -gate->priority(id) : 0, port.dueStart(id)->dueAt);
        if (best.isNull() || rank < bestRank) {
            best = id;
            bestRank = rank;
        }
    }
    return best;
}

void SharedBreakers::Private::tryTrial(const NodePointer &node)
{
    if (supervisor.isStopping() || !node->isTrialDue(now()))
        return;
    if (node->probe) {
        if (!isPermitted(node))
            return;
        node->beginTrial({});
        changed(node, {});
        node->probe->begin(node->policy().provenAfter);
        return;
    }
    const QUuid agent = bestTrial(node->policy().name);
    if (agent.isNull())
        return; // the next start is the trial
    // It is the trial of each breaker that is due. Otherwise, two breakers that the same agents
    // require would wait for each other.
    std::vector<NodePointer> trials;
    const QStringList names = requiredBy(agent);
    for (const QString &name : names) {
        const NodePointer each = find(name);
        if (each && each->isAgentTrialDue(now()))
            trials.push_back(each);
    }
    if (!arePermitted(trials))
        return;
    for (const NodePointer &each : trials) {
        each->beginTrial(agent);
        each->isLaunching = true;
    }
    for (const NodePointer &each : trials)
        changed(each, agent);
    updateHold(agent);
}

// In the same order on all hosts, so that two hosts cannot wait for each other.
bool SharedBreakers::Private::arePermitted(std::vector<NodePointer> trials) const
{
    std::sort(trials.begin(), trials.end(), [](const NodePointer &a, const NodePointer &b) {
        return a->policy().name < b->policy().name;
    });
    return std::all_of(trials.begin(), trials.end(),
                       [this](const NodePointer &each) { return isPermitted(each); });
}

void SharedBreakers::Private::probeEnded(const QString &name, bool succeeded)
{
    const NodePointer node = find(name);
    if (!node || !node->isProbing())
        return;
    if (succeeded) {
        node->trialSucceeded(now());
        changedWithHolds(node, {});
    } else {
        node->trialFailed(now());
        changed(node, {});
    }
}

// Without evidence, the next trial is due at once.
void SharedBreakers::Private::cancelProbe(const NodePointer &node) const
{
    if (node->probe)
        node->probe->cancel();
    if (node->isProbing())
        node->trialEnded(now());
}

// To be called when an agent may have become the next trial of a breaker that had none: its start
// is due, its old process has exited, or another breaker that it requires has closed. Not at once,
// because this is called in the middle of other changes.
void SharedBreakers::Private::tryDueTrialsSoon()
{
    for (const NodePointer &each : nodes) {
        if (each->isTrialDue(now()))
            each->deadline.armIn({});
    }
}

void SharedBreakers::Private::changedWithHolds(const NodePointer &node, const QUuid &agent)
{
    const DeferredEmission deferred(evaluator);
    changed(node, agent);
    tryDueTrialsSoon();
    updateHolds(node->policy().name);
}

CommandResult SharedBreakers::Private::operate(const QString &breaker, OperatorCommand command)
{
    const NodePointer node = find(breaker);
    if (!node)
        return {};
    const CircuitBreakerSnapshot before = node->snapshot();
    if (command == OperatorCommand::ReleaseBreaker) {
        node->release();
    } else {
        cancelProbe(node);
        if (command == OperatorCommand::IsolateBreaker) {
            node->isolate();
        } else {
            node->reset();
            node->isLaunching = false;
        }
    }
    const bool isApplied = node->snapshot() != before;
    changedWithHolds(node, {}); // a slot may delete this object
    if (isApplied)
        return {.effect = CommandResult::Effect::Applied};
    return {.effect = CommandResult::Effect::NoEffect, .reason = noEffectText(command)};
}

bool SharedBreakers::Private::isHeld(const QUuid &id) const
{
    const QStringList names = requiredBy(id);
    return std::any_of(names.begin(), names.end(), [&](const QString &name) {
        const NodePointer node = find(name);
        return node && node->state() != CircuitBreakerState::Closed
            && !(node->trial() == id && node->isLaunching);
    });
}

QString SharedBreakers::Private::holdText(const QUuid &id) const
{
    QStringList texts;
    const QStringList names = requiredBy(id);
    for (const QString &name : names) {
        const NodePointer node = find(name);
        if (!node || node->state() == CircuitBreakerState::Closed)
            continue;
        const CircuitBreaker &breaker = node->breaker();
        QString state = breaker.isIsolated() ? QStringLiteral("isolated") : toText(breaker.state());
        if (isGated(node) && !breaker.isIsolated())
            state += QLatin1String(" in the fleet");
        if (!node->trial().isNull())
            state += QLatin1String(", trial: ") + evaluator.name(node->trial());
        else if (node->isProbing())
            state += QLatin1String(", the probe runs");
        else if (const QString text = waitText(node); !text.isEmpty())
            state += QLatin1String(", ") + text;
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
}

SharedBreakers::~SharedBreakers()
{
    d->evaluator.disconnect(this);
    d->supervisor.disconnect(this);
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
    std::vector<NodePointer> nodes;
    for (const SharedBreakerPolicy &each : breakers) {
        NodePointer node = d->find(each.name);
        if (node)
            node->setPolicy(each);
        else
            node = std::make_shared<SharedNode>(each, d->supervisor.scheduler(),
                                                [this, name = each.name] { d->due(name); });
        nodes.push_back(node);
    }
    d->nodes = std::move(nodes);
    d->tryDueTrialsSoon();
    const DeferredEmission deferred(d->evaluator);
    const QList<QUuid> ids = d->supervisor.ids();
    for (const QUuid &id : ids)
        d->updateHold(id);
    d->port.postSignal(this, &SharedBreakers::memoryChanged);
    return {};
}

QList<SharedBreakerPolicy> SharedBreakers::breakers() const
{
    QList<SharedBreakerPolicy> all;
    for (const auto &each : d->nodes)
        all.append(each->policy());
    return all;
}

void SharedBreakers::setProbe(const QString &breaker, HealthCheck check)
{
    const NodePointer node = d->find(breaker);
    if (!node)
        return;
    d->cancelProbe(node);
    node->probe.reset();
    if (check.probe) {
        node->probe = std::make_unique<TrialProbe>(
            std::move(check), d->supervisor, d->supervisor.scheduler(),
            [this, breaker](bool succeeded) { d->probeEnded(breaker, succeeded); });
    }
    d->changed(node, {});
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
    return node
        ? std::optional(node->breaker().info(d->now(), d->supervisor.scheduler().clock().utcNow()))
        : std::nullopt;
}

QList<SharedBreaker::Vote> SharedBreakers::votes(const QString &breaker) const
{
    const NodePointer node = d->find(breaker);
    return node ? node->votes(d->now()) : QList<SharedBreaker::Vote>();
}

QList<QUuid> SharedBreakers::agents(const QString &breaker) const { return d->agentsOf(breaker); }

QUuid SharedBreakers::trial(const QString &breaker) const
{
    const NodePointer node = d->find(breaker);
    return node ? node->trial() : QUuid();
}

std::optional<CircuitBreakerSnapshot> SharedBreakers::snapshot(const QString &breaker) const
{
    const NodePointer node = d->find(breaker);
    return node ? std::optional(node->snapshot()) : std::nullopt;
}

void SharedBreakers::restore(const QString &breaker, const CircuitBreakerSnapshot &snapshot)
{
    const NodePointer node = d->find(breaker);
    if (!node)
        return;
    d->cancelProbe(node);
    node->restore(snapshot, d->now());
    node->isLaunching = false;
    node->reported = node->state();
    d->arm(node);
    const DeferredEmission deferred(d->evaluator);
    if (node->state() != CircuitBreakerState::Closed)
        d->announce(node, CircuitBreakerState::Closed, {}, true);
    d->updateHolds(breaker);
}

void SharedBreakers::setTrialGate(TrialGate gate)
{
    d->trialGate = std::move(gate);
    d->tryDueTrialsSoon();
}

void SharedBreakers::tryTrial(const QString &breaker)
{
    const DeferredEmission deferred(d->evaluator);
    if (const NodePointer node = d->find(breaker))
        d->tryTrial(node);
}

void SharedBreakers::follow(const QString &breaker, CircuitBreakerState state, int reopened)
{
    const NodePointer node = d->find(breaker);
    if (!node)
        return;
    const DeferredEmission deferred(d->evaluator);
    d->cancelProbe(node);
    const QList<SharedBreaker::Vote> votes = node->follow(state, reopened, d->now());
    node->isLaunching = false;
    d->updateHolds(breaker);
    for (const SharedBreaker::Vote &each : votes)
        d->refund(each.agent, each.generation);
    d->changedWithHolds(node, {});
}

CommandResult SharedBreakers::reset(const QString &breaker)
{
    return d->operate(breaker, OperatorCommand::ResetBreaker);
}

CommandResult SharedBreakers::isolate(const QString &breaker)
{
    return d->operate(breaker, OperatorCommand::IsolateBreaker);
}

CommandResult SharedBreakers::release(const QString &breaker)
{
    return d->operate(breaker, OperatorCommand::ReleaseBreaker);
}

} // namespace Rekindle
