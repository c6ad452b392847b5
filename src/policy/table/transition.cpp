// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "transition_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle::Rules {

InstanceEvent &addEvent(Transition &t, Kind kind)
{
    Outcome &outcome = t.outcome;
    Q_ASSERT(outcome.eventCount < static_cast<int>(outcome.events.size()));
    InstanceEvent &event = outcome.events[static_cast<std::size_t>(outcome.eventCount++)];
    event.kind = kind;
    return event;
}

void addBreakerEvent(Transition &t)
{
    const CircuitBreaker &breaker = t.instance.breaker;
    const CircuitBreakerState before = std::exchange(t.emittedBreaker, breaker.state());
    if (breaker.state() == before)
        return;
    InstanceEvent &event = addEvent(t, Kind::CircuitBreakerStateChanged);
    event.oldState = before;
    event.newState = breaker.state();
    event.delay = breaker.openFor(t.now);
    event.restored = t.input.kind == InputKind::Resume;
}

void liftIsolation(Transition &t)
{
    if (!t.instance.breaker.isIsolated())
        return;
    t.instance.breaker.release();
    addBreakerEvent(t);
}

void returnTrial(Transition &t)
{
    CircuitBreaker &breaker = t.instance.breaker;
    breaker.recordIgnored(breaker.generation(), t.now);
    addBreakerEvent(t);
}

void cancelOpenAttempt(Transition &t)
{
    if (t.instance.openAttempt != 0)
        addEvent(t, Kind::RestartCancelled).attempt = std::exchange(t.instance.openAttempt, 0);
}

void cancelPlanned(Transition &t)
{
    Instance &i = t.instance;
    // During an evaluation, the attempt has already failed.
    if (i.state == InstanceState::Evaluating && i.openAttempt != 0)
        addEvent(t, Kind::RestartFailed).attempt = std::exchange(i.openAttempt, 0);
    cancelOpenAttempt(t);
    const PlannedStart planned = std::exchange(i.planned, PlannedStart::None);
    // An isolated breaker has no trial.
    const bool isScheduled = planned == PlannedStart::Attempt
        && (i.state == InstanceState::Waiting
            || (i.state == InstanceState::CircuitOpen && (i.deadline || i.startDue)));
    if (isScheduled || planned == PlannedStart::Requested) {
        addEvent(t, Kind::RestartCancelled).attempt =
            planned == PlannedStart::Attempt ? i.attempt + 1 : 0;
    }
    i.startDue = false;
    i.deadline.reset();
}

void forgetSequence(Instance &i)
{
    i.attempt = 0;
    i.inSequence = false;
    i.plannedDelay = Duration{0};
}

void beginSequence(Instance &i)
{
    forgetSequence(i);
    i.breaker.clearFailures();
}

void exitCleanly(Transition &t)
{
    t.instance.processAlive = false;
    addEvent(t, Kind::AgentStopped);
}

void stopWith(Transition &t, PlannedStart then)
{
    Instance &i = t.instance;
    cancelOpenAttempt(t);
    i.state = InstanceState::Stopping;
    i.planned = then;
    i.deadline.reset();
    t.outcome.stop = Outcome::Stop::InOrder;
}

void launchIfFree(Transition &t) { t.outcome.launch = isFree(t.instance); }

Instant earliestStart(const Instance &i)
{
    Instant earliest = i.launching ? i.lastFailureAt + failedLaunchPause : Instant::min();
    if (i.lastStartAt)
        earliest = std::max(earliest, *i.lastStartAt + i.policy->minInterval);
    return earliest;
}

void plan(Transition &t, InstanceState state, PlannedStart planned, std::optional<Instant> when)
{
    Instance &i = t.instance;
    i.state = state;
    i.planned = planned;
    i.startDue = false;
    i.deadline = when;
    if (when && *when <= t.now) {
        i.deadline = t.now;
        due(t);
    }
}

std::optional<Instant> trialAt(const Instance &i)
{
    if (i.breaker.isIsolated())
        return {};
    return std::max(i.breaker.resetAt(), earliestStart(i));
}

namespace {

InstanceEvent &addScheduled(Transition &t, Instant when)
{
    InstanceEvent &event = addEvent(t, Kind::RestartScheduled);
    event.attempt = t.instance.attempt + 1;
    event.trial = t.instance.breaker.state() == CircuitBreakerState::Open;
    event.delay = event.calculatedDelay = std::max(Duration{0}, when - t.now);
    return event;
}

} // namespace

void holdBack(Transition &t, PlannedStart planned)
{
    const std::optional<Instant> trial = trialAt(t.instance);
    if (trial && planned == PlannedStart::Attempt)
        addScheduled(t, *trial);
    plan(t, InstanceState::CircuitOpen, planned, trial);
}

void planAttempt(Transition &t, const RestartDecision &decision)
{
    t.instance.plannedDelay = decision.delay;
    addScheduled(t, decision.restartAt).calculatedDelay = decision.inputs.calculatedDelay;
    plan(t, InstanceState::Waiting, PlannedStart::Attempt, decision.restartAt);
}

void planNow(Transition &t, PlannedStart planned)
{
    if (planned == PlannedStart::Attempt)
        addScheduled(t, t.now);
    plan(t, InstanceState::Waiting, planned, t.now);
}

void planLater(Transition &t, PlannedStart planned, Duration delay)
{
    const Instance &i = t.instance;
    if (i.breaker.state() == CircuitBreakerState::Open)
        holdBack(t, planned);
    else
        plan(t, InstanceState::Waiting, planned, std::max(t.now + delay, earliestStart(i)));
}

void planRequested(Transition &t)
{
    planLater(t, PlannedStart::Requested, t.instance.policy->requestedDelay);
}

void planOperator(Transition &t)
{
    beginSequence(t.instance);
    if (t.instance.breaker.isIsolated()) // isolated after the start was requested
        holdBack(t, PlannedStart::Operator);
    else
        plan(t, InstanceState::Waiting, PlannedStart::Operator, t.now);
}

void planRearm(Transition &t)
{
    Instance &i = t.instance;
    const RestartPolicy &policy = *i.policy;
    i.deadline.reset();
    if (!policy.rearmAfter || policy.maxRetries == 0
        || policy.effectiveType() == RestartPolicyType::None || i.breaker.isIsolated()
        || i.givenUpByGroup)
        return;
    Instant when = std::max(i.lastFailureAt + *policy.rearmAfter, i.restarts.freeFrom());
    if (i.breaker.state() == CircuitBreakerState::Open)
        when = std::max(when, i.breaker.resetAt());
    i.deadline = std::max({when, earliestStart(i), t.now});
}

namespace {

void failOpenAttempt(Transition &t, const RestartDecision &decision)
{
    Instance &i = t.instance;
    if (i.openAttempt == 0)
        return;
    InstanceEvent &event = addEvent(t, Kind::RestartFailed);
    event.attempt = std::exchange(i.openAttempt, 0);
    const bool trialFollows = decision.circuitBreakerTripped && !i.breaker.isIsolated();
    event.willRetry = decision.shouldRestart || decision.circuitBreakerTripped;
    if (decision.shouldRestart || trialFollows)
        event.delay = std::max(Duration{0}, decision.restartAt - t.now);
}

void giveUp(Transition &t)
{
    Instance &i = t.instance;
    i.state = InstanceState::Exhausted;
    i.planned = PlannedStart::None;
    InstanceEvent &event = addEvent(t, Kind::RestartExhausted);
    event.attempt = i.attempt;
    event.duration = t.now - i.firstFailureAt;
    planRearm(t);
}

using Cause = RestartDeclined::Cause;

void decline(Transition &t, Cause cause)
{
    Instance &i = t.instance;
    i.state = cause == Cause::License ? InstanceState::Gated : InstanceState::Failed;
    i.planned = PlannedStart::None;
    i.deadline.reset();
    addEvent(t, Kind::RestartDeclined).cause = cause;
}

} // namespace

void conclude(Transition &t, const RestartDecision &decision)
{
    const Instance &i = t.instance;
    t.outcome.decided = true;
    t.outcome.decision = decision;
    failOpenAttempt(t, decision);
    addBreakerEvent(t);
    switch (decision.rule) {
    case DecisionRule::Restart:
        planAttempt(t, decision);
        return;
    case DecisionRule::CircuitOpen:
        holdBack(t, PlannedStart::Attempt);
        return;
    case DecisionRule::AttemptsExhausted:
    case DecisionRule::WindowExhausted:
        giveUp(t);
        return;
    case DecisionRule::PolicyNone:
        decline(t, i.gated ? Cause::License : Cause::Policy);
        return;
    case DecisionRule::PermanentFailure:
        decline(t, Cause::PermanentFailure);
        return;
    case DecisionRule::EvaluatorRefused:
        decline(t, Cause::Evaluator);
        return;
    }
}

RestartDecision decideLastFailure(const Instance &i)
{
    return decide({.policy = *i.policy,
                   .breaker = i.breaker,
                   .window = i.policy->window ? &i.restarts : nullptr,
                   .attemptsMade = i.attempt,
                   .reason = i.lastReason,
                   .exitCode = i.lastExitCode,
                   .permanent = i.lastPermanent,
                   .onceReady = i.onceReady,
                   .failedAt = i.lastFailureAt,
                   .notBefore = earliestStart(i),
                   .draw = i.draw,
                   .previousDelay = i.previousDelay});
}

namespace {

InstanceEvent &addFailure(Transition &t, const Failure &failure)
{
    Instance &i = t.instance;
    i.lastFailureAt = t.now;
    i.lastReason = failure.reason;
    i.lastExitCode = failure.detail.exitCode;
    i.lastPermanent = failure.detail.permanent;
    if (i.processAlive)
        t.outcome.stop = Outcome::Stop::AtOnce;
    t.outcome.failed = true;
    return addEvent(t, Kind::AgentFailed);
}

// The group stops the agent anyway, or an open shared breaker is the cause.
bool isCollateral(const Instance &i, const Failure &failure)
{
    constexpr Holds causes = Hold::Group | Hold::SharedBreaker;
    return !failure.detail.permanent && (i.holds & causes) != Holds();
}

void failCollaterally(Transition &t, const Failure &failure)
{
    addFailure(t, failure).collateral = true;
    cancelOpenAttempt(t);
    returnTrial(t);
    planLater(t, PlannedStart::Group);
}

} // namespace

void fail(Transition &t, const Failure &failure)
{
    Instance &i = t.instance;
    if (isCollateral(i, failure)) {
        failCollaterally(t, failure);
        return;
    }
    if (!std::exchange(i.inSequence, true))
        i.firstFailureAt = t.now;
    i.draw = t.draw;
    i.previousDelay = i.plannedDelay;
    i.deadline.reset();
    addFailure(t, failure);

    i.failedAttempt = i.openAttempt != 0;
    i.breakerAtFailure = i.breaker.snapshot().state;
    i.breaker.recordFailure(i.breaker.generation(), t.now);
    const RestartDecision decision = decideLastFailure(i);
    const bool hasEvaluator = i.policy->type == RestartPolicyType::Custom && i.evaluatorAvailable;
    if (!hasEvaluator || !decision.shouldRestart) {
        conclude(t, decision);
        return;
    }
    addBreakerEvent(t);
    t.outcome.evaluate = true;
    t.outcome.decision = decision;
    i.state = InstanceState::Evaluating;
    i.deadline = t.now + InstanceTable::evaluatorBudget;
}

} // namespace Rekindle::Rules
