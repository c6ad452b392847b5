// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "transition_p.h"

#include <algorithm>

// The inputs of an operator, and changes of policy or license.

namespace Rekindle::Rules {

namespace {

void addRequest(Transition &t)
{
    if (t.input.kind == InputKind::Restart)
        addEvent(t, Kind::RestartRequested);
}

void noteStop(Transition &t)
{
    t.instance.stoppedByOperator = t.instance.stoppedByOperator || !t.input.byHost;
    t.instance.givenUpByGroup = false;
}

} // namespace

void start(Transition &t)
{
    t.instance.stoppedByOperator = false;
    t.instance.givenUpByGroup = false;
    addRequest(t);
    cancelPlanned(t);
    liftIsolation(t);
    planOperator(t);
}

void clear(Transition &t)
{
    liftIsolation(t);
    beginSequence(t.instance);
}

void cancel(Transition &t)
{
    Instance &i = t.instance;
    noteStop(t);
    cancelPlanned(t);
    returnTrial(t);
    i.state = i.processAlive ? InstanceState::Stopping : InstanceState::Stopped;
}

void stop(Transition &t)
{
    noteStop(t);
    stopWith(t, PlannedStart::None);
    returnTrial(t);
}

void restart(Transition &t)
{
    addRequest(t);
    liftIsolation(t);
    stopWith(t, PlannedStart::Operator);
    returnTrial(t);
}

void queue(Transition &t)
{
    t.instance.stoppedByOperator = false;
    addRequest(t);
    cancelPlanned(t);
    liftIsolation(t);
    t.instance.planned = PlannedStart::Operator;
    t.instance.givenUpByGroup = false;
}

void unqueue(Transition &t)
{
    noteStop(t);
    cancelPlanned(t);
    returnTrial(t);
}

namespace {

void breakerChanged(Transition &t)
{
    addBreakerEvent(t);
    if (t.instance.state == InstanceState::Exhausted)
        planRearm(t);
}

} // namespace

void reset(Transition &t)
{
    t.instance.breaker.reset();
    breakerChanged(t);
}

void resetHeld(Transition &t)
{
    reset(t);
    planNow(t, t.instance.planned);
}

void isolate(Transition &t)
{
    t.instance.breaker.isolate();
    breakerChanged(t);
}

void hold(Transition &t)
{
    const PlannedStart planned = t.instance.planned;
    if (planned == PlannedStart::Attempt)
        cancelPlanned(t);
    isolate(t);
    holdBack(t, planned);
}

void decideHeld(Transition &t)
{
    t.instance.breaker.isolate();
    conclude(t, decideLastFailure(t.instance));
}

void release(Transition &t)
{
    t.instance.breaker.release();
    breakerChanged(t);
}

void releaseHeld(Transition &t)
{
    const Instance &i = t.instance;
    release(t);
    if (i.breaker.state() == CircuitBreakerState::Open)
        holdBack(t, i.planned);
    else
        planNow(t, i.planned);
}

void adopt(Transition &t)
{
    Instance &i = t.instance;
    i.policy = t.input.policy;
    i.gated = t.input.gated;
    i.breaker.setPolicy(i.policy->circuitBreaker);
    const RestartWindow window = i.policy->window.value_or(RestartWindow{0, Duration{0}});
    i.restarts.resize(window.restarts, window.period);
    i.requests.resize(i.policy->requestLimit.count, i.policy->requestLimit.period);
    if (i.state == InstanceState::Starting)
        i.deadline = *i.lastStartAt + i.policy->startTimeout;
    else if (i.state == InstanceState::Running && i.deadline)
        i.deadline = i.readyAt + i.policy->stableAfter;
}

void adoptRearm(Transition &t)
{
    adopt(t);
    planRearm(t);
}

void replan(Transition &t)
{
    const Instance &i = t.instance;
    adopt(t);
    if (i.planned != PlannedStart::Attempt && i.planned != PlannedStart::None)
        return;
    const RestartDecision decision = decideLastFailure(i);
    const bool staysOpen = i.state == InstanceState::CircuitOpen && decision.circuitBreakerTripped;
    const bool staysWaiting = i.state == InstanceState::Waiting && decision.shouldRestart;
    const std::optional<Instant> when = staysOpen ? trialAt(i) : decision.restartAt;
    const bool isSameTime = i.startDue ? when && *when <= t.now : when == i.deadline;
    const bool staysGated =
        i.state == InstanceState::Gated && decision.rule == DecisionRule::PolicyNone && i.gated;
    if (((staysOpen || staysWaiting) && isSameTime) || staysGated)
        return;
    if (staysOpen) {
        holdBack(t, i.planned);
        return;
    }
    if (!decision.shouldRestart)
        cancelPlanned(t);
    conclude(t, decision);
}

} // namespace Rekindle::Rules
