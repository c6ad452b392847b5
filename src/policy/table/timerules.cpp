// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/startdeadline.h"

#include "transition_p.h"

#include <utility>

// The inputs of the scheduler, of a custom evaluator and of the host.

namespace Rekindle::Rules {

namespace {

// After each change of the holds of a start that is due.
void addHeldEvent(Transition &t)
{
    if (t.instance.startDue && t.instance.holds != Holds())
        addEvent(t, Kind::StartHeld).holds = t.instance.holds;
}

} // namespace

void timeOut(Transition &t) { fail(t, {FailureReason::Timeout, {}}); }

void extend(Transition &t)
{
    Instance &i = t.instance;
    const StartDeadline start{*i.lastStartAt, i.policy->startTimeout};
    if (i.deadline)
        i.deadline = start.extended(*i.deadline, t.now + t.input.extension);
}

void becomeStable(Transition &t)
{
    const Duration window = t.instance.policy->healthWindow;
    const std::optional<Instant> &probeFailedAt = t.input.probeFailedAt;
    if (probeFailedAt && t.now - *probeFailedAt < window)
        t.instance.deadline = *probeFailedAt + window;
    else
        stable(t);
}

void stable(Transition &t)
{
    Instance &i = t.instance;
    forgetSequence(i);
    if (std::exchange(i.deadline, std::nullopt)) // otherwise it was emitted before
        addEvent(t, Kind::AgentStable);
    i.breaker.recordSuccess(i.breaker.generation(), t.now);
    addBreakerEvent(t);
}

void due(Transition &t)
{
    Instance &i = t.instance;
    i.dueAt = i.deadline.value_or(t.now);
    i.deadline.reset();
    i.startDue = true;
    launchIfFree(t);
    addHeldEvent(t);
}

void addHolds(Transition &t)
{
    Holds &holds = t.instance.holds;
    if ((holds | t.input.holds) == holds) {
        ignore(t);
        return;
    }
    holds |= t.input.holds;
    addHeldEvent(t);
}

void liftHolds(Transition &t)
{
    Holds &holds = t.instance.holds;
    if (!(holds & t.input.holds)) {
        ignore(t);
        return;
    }
    holds &= ~t.input.holds;
    if (!holds && t.instance.startDue)
        t.instance.dueAt = t.now; // the time of the hold is not a delay of this host
    launchIfFree(t);
    addHeldEvent(t);
}

void groupStop(Transition &t)
{
    t.instance.holds |= t.input.holds;
    stopWith(t, PlannedStart::Group);
    returnTrial(t);
}

// A start by an operator stays one, because it has begun a fresh sequence.
void groupWait(Transition &t)
{
    if (t.instance.planned == PlannedStart::Operator) {
        addHolds(t);
        return;
    }
    t.instance.holds |= t.input.holds;
    cancelPlanned(t);
    returnTrial(t);
    planLater(t, PlannedStart::Group);
}

// The breaker is never open here: that would have been decided without a verdict.
void groupAsk(Transition &t) { groupWait(t); }

void groupQueue(Transition &t)
{
    Instance &i = t.instance;
    if (i.planned == PlannedStart::None) {
        ignore(t);
    } else if (i.planned == PlannedStart::Operator) {
        addHolds(t);
    } else {
        i.holds |= t.input.holds;
        cancelPlanned(t);
        i.planned = PlannedStart::Group;
    }
}

void stopForGood(Transition &t)
{
    stopWith(t, PlannedStart::None);
    returnTrial(t);
    t.instance.givenUpByGroup = true;
}

void abandon(Transition &t)
{
    cancelPlanned(t);
    returnTrial(t);
    t.instance.givenUpByGroup = true;
    t.instance.state = InstanceState::Exhausted;
}

// A stop by an operator, or of the whole host, stays one.
void abandonLater(Transition &t)
{
    if (t.instance.planned == PlannedStart::None) {
        ignore(t);
        return;
    }
    cancelPlanned(t);
    returnTrial(t);
    t.instance.givenUpByGroup = true;
}

void refund(Transition &t)
{
    Instance &i = t.instance;
    const bool isOfFailure = i.state == InstanceState::Evaluating
        || i.planned == PlannedStart::Attempt
        || (i.state == InstanceState::Exhausted && !i.givenUpByGroup);
    if (!isOfFailure) {
        if (i.planned == PlannedStart::None)
            ignore(t);
        else
            addHolds(t);
        return;
    }
    i.holds |= t.input.holds;
    cancelPlanned(t);
    if (std::exchange(i.failedAttempt, false)) {
        i.attempt = std::max(0, i.attempt - 1);
        i.restarts.removeNewest();
    }
    if (i.attempt == 0)
        forgetSequence(i);
    i.breaker.forgetFailure(i.breakerAtFailure, t.now);
    addBreakerEvent(t);
    planLater(t, PlannedStart::Group);
}

// The breaker is never open here.
void refundAsk(Transition &t) { refund(t); }

void rearm(Transition &t)
{
    Instance &i = t.instance;
    forgetSequence(i);
    i.inSequence = true;
    i.firstFailureAt = t.now;
    planNow(t, PlannedStart::Attempt);
}

void noVerdict(Transition &t) { conclude(t, decideLastFailure(t.instance)); }

void verdict(Transition &t)
{
    Instance &i = t.instance;
    RestartDecision decision = decideLastFailure(i);
    switch (t.input.verdict.kind) {
    case EvaluatorVerdict::Kind::Accept:
        break;
    case EvaluatorVerdict::Kind::Delay:
        if (t.input.verdict.delay > EvaluatorVerdict::longestDelay)
            break; // invalid: the built-in decision applies
        decision.restartAt = std::max(decision.restartAt, i.lastFailureAt + t.input.verdict.delay);
        decision.delay = decision.restartAt - i.lastFailureAt;
        break;
    case EvaluatorVerdict::Kind::Refuse:
        decision.shouldRestart = false;
        decision.rule = DecisionRule::EvaluatorRefused;
        break;
    case EvaluatorVerdict::Kind::OpenBreaker:
        i.breaker.trip(t.now);
        decision = decideLastFailure(i);
        break;
    }
    conclude(t, decision);
}

void success(Transition &t)
{
    CircuitBreaker &breaker = t.instance.breaker;
    static_cast<void>(breaker.admit(t.now)); // half-open, if its reset time has passed
    breaker.recordSuccess(breaker.generation(), t.now);
    addBreakerEvent(t);
}

} // namespace Rekindle::Rules
