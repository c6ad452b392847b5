// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "transition_p.h"

#include <utility>

// The inputs of the supervisor and the agent.

namespace Rekindle::Rules {

void launch(Transition &t)
{
    Instance &i = t.instance;
    if (!isFree(i)) {
        refuse(t);
        return;
    }
    const PlannedStart planned = std::exchange(i.planned, PlannedStart::None);
    ++i.generation;
    i.startDue = false;
    i.processAlive = true;
    i.launching = true;
    i.completed = false;
    i.lastStartAt = t.now;
    i.state = InstanceState::Starting;
    i.deadline = t.now + i.policy->startTimeout;
    i.breaker.beginTrial();
    addBreakerEvent(t);
    if (planned != PlannedStart::Attempt)
        return;
    i.openAttempt = ++i.attempt;
    i.restarts.add(t.now);
    InstanceEvent &event = addEvent(t, Kind::RestartStarted);
    event.attempt = i.openAttempt;
    event.duration = t.now - i.dueAt;
}

void started(Transition &t)
{
    if (std::exchange(t.instance.launching, false))
        addEvent(t, Kind::AgentStarted);
}

void ready(Transition &t)
{
    Instance &i = t.instance;
    started(t);
    i.state = InstanceState::Running;
    i.onceReady = true;
    i.readyAt = t.now;
    const Duration sinceStart = t.now - *i.lastStartAt;
    addEvent(t, Kind::AgentReady).duration = sinceStart;
    if (i.openAttempt != 0) {
        InstanceEvent &event = addEvent(t, Kind::RestartSucceeded);
        event.attempt = std::exchange(i.openAttempt, 0);
        event.duration = sinceStart;
    }
    i.deadline = t.now + i.policy->stableAfter;
    if (i.policy->stableAfter == Duration::zero())
        becomeStable(t);
}

void failed(Transition &t)
{
    t.instance.processAlive = false;
    fail(t, *t.input.failure);
}

void unhealthy(Transition &t) { fail(t, *t.input.failure); }

void exited(Transition &t)
{
    Instance &i = t.instance;
    i.processAlive = false;
    if (i.policy->restartOn == RestartOn::Always) {
        fail(t, {FailureReason::ProcessCrash, {.exitCode = 0}});
        return;
    }
    cancelOpenAttempt(t);
    exitCleanly(t);
    returnTrial(t);
    i.completed = true;
    i.state = InstanceState::Stopped;
    i.deadline.reset();
}

void exitedForRestart(Transition &t)
{
    Instance &i = t.instance;
    i.processAlive = false;
    if (i.requests.isFull(t.now)) {
        fail(t, {FailureReason::ProcessCrash, {.exitCode = 42}});
        return;
    }
    i.requests.add(t.now);
    addEvent(t, Kind::RestartRequested);
    cancelOpenAttempt(t);
    exitCleanly(t);
    planRequested(t);
}

void request(Transition &t)
{
    Instance &i = t.instance;
    if (i.requests.isFull(t.now)) {
        refuse(t);
        return;
    }
    i.requests.add(t.now);
    addEvent(t, Kind::RestartRequested);
    stopWith(t, PlannedStart::Requested);
}

void refuse(Transition &t) { t.outcome.refused = true; }

void oldExited(Transition &t)
{
    t.instance.processAlive = false;
    launchIfFree(t);
}

void stopped(Transition &t)
{
    Instance &i = t.instance;
    exitCleanly(t);
    if (i.planned == PlannedStart::Operator)
        planOperator(t);
    else if (i.planned == PlannedStart::Requested)
        planRequested(t);
    else if (i.planned == PlannedStart::Group)
        planLater(t, PlannedStart::Group);
    else
        i.state = i.givenUpByGroup ? InstanceState::Exhausted : InstanceState::Stopped;
}

} // namespace Rekindle::Rules
