// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "transition_p.h"

#include <algorithm>

// The inputs of the scheduler, the host and a custom evaluator.

namespace Rekindle::Rules {

void timeOut(Transition &t) { fail(t, {FailureReason::Timeout, {}, false, true}); }

void stable(Transition &t)
{
    Instance &i = t.instance;
    forgetSequence(i);
    if (std::exchange(i.deadline, std::nullopt)) // otherwise it was emitted before
        addEvent(t, Kind::AgentStable);
    changeBreaker(
        t, [&](CircuitBreaker &breaker) { breaker.recordSuccess(breaker.generation(), t.now); });
}

void success(Transition &t)
{
    changeBreaker(t, [&](CircuitBreaker &breaker) {
        static_cast<void>(breaker.admit(t.now)); // half-open, if its reset time has passed
        breaker.recordSuccess(breaker.generation(), t.now);
    });
}

void rearm(Transition &t)
{
    Instance &i = t.instance;
    forgetSequence(i);
    i.inSequence = true;
    i.firstFailureAt = t.now;
    planFor(t, InstanceState::Waiting, PlannedStart::Attempt, t.now);
}

void noVerdict(Transition &t)
{
    conclude(t, decide(question(t.instance)), t.instance.breaker.state());
}

void verdict(Transition &t)
{
    Instance &i = t.instance;
    const CircuitBreakerState before = i.breaker.state();
    RestartDecision decision = decide(question(i));
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
        decision = decide(question(i));
        break;
    }
    conclude(t, decision, before);
}

} // namespace Rekindle::Rules
