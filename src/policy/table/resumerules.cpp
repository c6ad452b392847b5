// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "transition_p.h"

#include <rekindle/policy/instancememory.h>

#include <algorithm>

// A restarted host continues with the stored state of an instance, whose process no longer exists.
// All counts continue, and every wait has an end that the policy determines.

namespace Rekindle::Rules {

namespace {

void takeOver(Instance &i, const InstanceMemory &memory, Instant now)
{
    const auto past = [now](Instant moment) { return std::min(moment, now); };
    static_cast<InstanceProgress &>(i) = static_cast<const InstanceProgress &>(memory);
    i.attempt = std::max(memory.attempt, 0);
    i.breaker.restore(memory.breaker, now);
    for (const Instant moment : memory.restarts)
        i.restarts.add(past(moment));
    for (const Instant moment : memory.requests)
        i.requests.add(past(moment));
    if (memory.lastStartAt)
        i.lastStartAt = past(*memory.lastStartAt);
    i.firstFailureAt = past(memory.firstFailureAt);
    i.lastFailureAt = past(memory.lastFailureAt);
}

// An agent that ran or was not to be restarted is started like all agents of the host. This is no
// start by an operator: the sequence continues, and minInterval and an open breaker apply.
void startOnce(Transition &t) { planLater(t, PlannedStart::Operator); }

// A pending attempt. If the policy has changed, its time is calculated again from the failure, and
// the attempt may be dropped.
void resumeAttempt(Transition &t)
{
    const Instance &i = t.instance;
    RestartDecision decision = decideLastFailure(i);
    if (!decision.shouldRestart) {
        conclude(t, decision);
        return;
    }
    Duration most = decision.delay;
    if (i.policy->type == RestartPolicyType::Custom) { // the verdict of its evaluator applies
        decision.restartAt = std::max(decision.restartAt, t.input.memory->startAt.value_or(t.now));
        most = std::max(most, EvaluatorVerdict::longestDelay);
    }
    decision.restartAt = std::min(decision.restartAt, t.now + most);
    decision.delay = decision.restartAt - i.lastFailureAt;
    planAttempt(t, decision);
}

void resumeRequested(Transition &t)
{
    planRequested(t);
    const std::optional<Instant> &startAt = t.input.memory->startAt;
    if (t.instance.state == InstanceState::Waiting && startAt)
        plan(t, InstanceState::Waiting, PlannedStart::Requested,
             std::min(*startAt, t.instance.deadline.value_or(t.now)));
}

// A start by an operator that was only waiting for its launch, or one that startOnce() of an
// earlier host delayed for minInterval: neither waits for the breaker.
void resumeOperator(Transition &t)
{
    plan(t, InstanceState::Waiting, PlannedStart::Operator,
         std::min(t.input.memory->startAt.value_or(t.now),
                  std::max(t.now, earliestStart(t.instance))));
}

void resumePlanned(Transition &t)
{
    if (t.input.memory->planned == PlannedStart::Attempt)
        resumeAttempt(t);
    else if (t.input.memory->planned == PlannedStart::Requested)
        resumeRequested(t);
    else if (t.input.memory->state == InstanceState::Waiting)
        resumeOperator(t);
    else
        startOnce(t);
}

void resumeExhausted(Transition &t)
{
    Instance &i = t.instance;
    const RestartDecision decision = decideLastFailure(i);
    // The window of the time of giving up applies, although its restarts have expired since then.
    const bool stays = decision.rule == DecisionRule::AttemptsExhausted
        || decision.rule == DecisionRule::WindowExhausted || i.breaker.isIsolated();
    if (!stays) { // another policy
        conclude(t, decision);
        return;
    }
    i.state = InstanceState::Exhausted;
    planRearm(t);
}

} // namespace

void resume(Transition &t)
{
    if (!t.input.memory) {
        start(t);
        return;
    }
    takeOver(t.instance, *t.input.memory, t.now);
    addBreakerEvent(t);
    if (t.instance.stoppedByOperator)
        return;
    if (t.instance.givenUpByGroup) {
        t.instance.state = InstanceState::Exhausted;
        return;
    }
    switch (t.input.memory->state) {
    case InstanceState::Stopped:
        planOperator(t); // an isolated breaker still holds it back: no operator requested it
        return;
    case InstanceState::Starting:
    case InstanceState::Running:
    case InstanceState::Failed:
    case InstanceState::Gated:
        startOnce(t);
        return;
    case InstanceState::Stopping:
        if (t.input.memory->planned == PlannedStart::Requested)
            planRequested(t);
        else if (t.input.memory->planned == PlannedStart::Group)
            startOnce(t);
        else
            planOperator(t);
        return;
    case InstanceState::Waiting:
    case InstanceState::CircuitOpen:
        resumePlanned(t);
        return;
    case InstanceState::Evaluating: // no answer will come: the built-in decision applies
        conclude(t, decideLastFailure(t.instance));
        return;
    case InstanceState::Exhausted:
        resumeExhausted(t);
        return;
    }
}

} // namespace Rekindle::Rules
