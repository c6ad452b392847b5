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

void addBreakerEvent(Transition &t, CircuitBreakerState before)
{
    const CircuitBreaker &breaker = t.instance.breaker;
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
    if (t.instance.breaker.isIsolated())
        changeBreaker(t, [](CircuitBreaker &breaker) { breaker.release(); });
}

void returnTrial(Transition &t)
{
    changeBreaker(
        t, [&](CircuitBreaker &breaker) { breaker.recordIgnored(breaker.generation(), t.now); });
}

void cancelOpenAttempt(Transition &t)
{
    if (t.instance.openAttempt == 0)
        return;
    addEvent(t, Kind::RestartCancelled).attempt = std::exchange(t.instance.openAttempt, 0);
}

// In Evaluating the attempt has already failed.
void cancelPlanned(Transition &t)
{
    Instance &i = t.instance;
    if (i.state == InstanceState::Evaluating && i.openAttempt != 0)
        addEvent(t, Kind::RestartFailed).attempt = std::exchange(i.openAttempt, 0);
    cancelOpenAttempt(t);
    const PlannedStart planned = std::exchange(i.planned, PlannedStart::None);
    const bool announced = planned == PlannedStart::Requested
        || (planned == PlannedStart::Attempt && i.state == InstanceState::Waiting);
    if (announced) {
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

void launchIfFree(Transition &t)
{
    t.outcome.launch = t.instance.startDue && !t.instance.processAlive;
}

void due(Transition &t)
{
    Instance &i = t.instance;
    i.dueAt = i.deadline.value_or(t.now);
    i.deadline.reset();
    i.startDue = true;
    launchIfFree(t);
}

void planFor(Transition &t, InstanceState state, PlannedStart planned, Instant when)
{
    Instance &i = t.instance;
    i.state = state;
    i.planned = planned;
    i.startDue = false;
    i.deadline = std::max(when, t.now);
    if (when <= t.now)
        due(t);
}

void holdBack(Transition &t, PlannedStart planned)
{
    Instance &i = t.instance;
    i.state = InstanceState::CircuitOpen;
    i.planned = planned;
    i.startDue = false;
    i.deadline.reset();
    if (i.breaker.isIsolated())
        return;
    Instant probe = i.breaker.resetAt();
    if (i.lastStartAt)
        probe = std::max(probe, *i.lastStartAt + i.policy->minInterval);
    planFor(t, InstanceState::CircuitOpen, planned, probe);
}

void planRequested(Transition &t)
{
    Instance &i = t.instance;
    if (i.breaker.state() == CircuitBreakerState::Open) {
        holdBack(t, PlannedStart::Requested);
        return;
    }
    const Instant soonest = i.lastStartAt.value_or(t.now) + i.policy->minInterval;
    planFor(t, InstanceState::Waiting, PlannedStart::Requested,
            std::max(t.now + i.policy->requestedDelay, soonest));
}

void planOperator(Transition &t)
{
    forgetSequence(t.instance);
    if (t.instance.breaker.isIsolated()) // isolated after the start was requested
        holdBack(t, PlannedStart::Operator);
    else
        planFor(t, InstanceState::Waiting, PlannedStart::Operator, t.now);
}

DecisionQuestion question(const Instance &i)
{
    return {.policy = *i.policy,
            .breaker = i.breaker,
            .window = i.policy->window ? &i.restarts : nullptr,
            .attemptsMade = i.attempt,
            .reason = i.lastReason,
            .exitCode = i.lastExitCode,
            .permanent = i.lastPermanent,
            .onceReady = i.onceReady,
            .failedAt = i.lastFailureAt,
            .lastStartAt = i.lastStartAt,
            .draw = i.draw,
            .previousDelay = i.previousDelay};
}

namespace {

void endAttempt(Transition &t, const RestartDecision &decision)
{
    Instance &i = t.instance;
    if (i.openAttempt == 0)
        return;
    InstanceEvent &event = addEvent(t, Kind::RestartFailed);
    event.attempt = std::exchange(i.openAttempt, 0);
    const bool probeFollows = decision.circuitBreakerTripped && !i.breaker.isIsolated();
    event.willRetry = decision.shouldRestart || decision.circuitBreakerTripped;
    if (decision.shouldRestart || probeFollows)
        event.delay = std::max(Duration{0}, decision.restartAt - t.now);
}

} // namespace

void schedule(Transition &t, const RestartDecision &decision)
{
    Instance &i = t.instance;
    i.plannedDelay = decision.delay;
    InstanceEvent &event = addEvent(t, Kind::RestartScheduled);
    event.attempt = decision.attemptNumber;
    event.delay = std::max(Duration{0}, decision.restartAt - t.now);
    event.calculatedDelay = decision.inputs.calculatedDelay;
    planFor(t, InstanceState::Waiting, PlannedStart::Attempt, decision.restartAt);
}

void planRearm(Transition &t)
{
    Instance &i = t.instance;
    const RestartPolicy &policy = *i.policy;
    i.deadline.reset();
    if (!policy.rearmAfter || policy.maxRetries == 0
        || policy.effectiveType() == RestartPolicyType::None || i.breaker.isIsolated())
        return;
    Instant when = std::max(i.lastFailureAt + *policy.rearmAfter, i.restarts.freeFrom());
    if (i.lastStartAt)
        when = std::max(when, *i.lastStartAt + policy.minInterval);
    if (i.breaker.state() == CircuitBreakerState::Open)
        when = std::max(when, i.breaker.resetAt());
    i.deadline = std::max(when, t.now);
}

namespace {

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

void followRule(Transition &t, const RestartDecision &decision)
{
    Instance &i = t.instance;
    switch (decision.rule) {
    case DecisionRule::Restart:
        schedule(t, decision);
        return;
    case DecisionRule::CircuitOpen:
        holdBack(t, PlannedStart::Attempt);
        return;
    case DecisionRule::AttemptsExhausted:
    case DecisionRule::WindowExhausted:
        giveUp(t);
        return;
    case DecisionRule::PolicyNone:
    case DecisionRule::PermanentFailure:
    case DecisionRule::EvaluatorRefused:
        i.state = i.gated && decision.rule == DecisionRule::PolicyNone ? InstanceState::Gated
                                                                       : InstanceState::Failed;
        i.planned = PlannedStart::None;
        i.deadline.reset();
        return;
    }
}

} // namespace

void conclude(Transition &t, const RestartDecision &decision, CircuitBreakerState breakerBefore)
{
    t.outcome.decided = true;
    t.outcome.decision = decision;
    endAttempt(t, decision);
    addBreakerEvent(t, breakerBefore);
    followRule(t, decision);
}

void fail(Transition &t, const FailureFacts &facts)
{
    Instance &i = t.instance;
    if (!std::exchange(i.inSequence, true))
        i.firstFailureAt = t.now;
    i.lastFailureAt = t.now;
    i.lastReason = facts.reason;
    i.lastExitCode = facts.exitCode;
    i.lastPermanent = facts.permanent;
    i.draw = t.draw;
    i.previousDelay = i.plannedDelay;
    i.processAlive = facts.alive;
    i.deadline.reset();
    if (facts.alive)
        t.outcome.stop = Outcome::Stop::AtOnce;
    addEvent(t, Kind::AgentFailed);

    const CircuitBreakerState before = i.breaker.state();
    i.breaker.recordFailure(i.breaker.generation(), t.now);
    const RestartDecision decision = decide(question(i));
    const bool ask = i.policy->type == RestartPolicyType::Custom && i.evaluatorAvailable;
    if (!ask || !decision.shouldRestart) {
        conclude(t, decision, before);
        return;
    }
    addBreakerEvent(t, before);
    t.outcome.askEvaluator = true;
    t.outcome.decision = decision;
    i.state = InstanceState::Evaluating;
    i.deadline = t.now + InstanceTable::evaluatorBudget;
}

void endCleanly(Transition &t)
{
    Instance &i = t.instance;
    i.processAlive = false;
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

} // namespace Rekindle::Rules
