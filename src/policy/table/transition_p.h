// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "instancerules_p.h"

// What the rules are made of: telling, planning, concluding. Nothing here looks at what kind of
// input it was.

namespace Rekindle::Rules {

using Kind = InstanceEvent::Kind;

InstanceEvent &tell(Transition &t, InstanceEvent::Kind kind);

/// Tells of the breaker if others see another state than before.
void tellBreaker(Transition &t, CircuitBreakerState before);

template<typename Change>
void changeBreaker(Transition &t, Change change)
{
    const CircuitBreakerState before = t.instance.breaker.state();
    change(t.instance.breaker);
    tellBreaker(t, before);
}

/// Who wants the agent to run does not want it held back (spec 3).
void liftIsolation(Transition &t);
/// A probe that ends without a verdict is no evidence (spec 4).
void giveProbeBack(Transition &t);

void cancelOpenAttempt(Transition &t);
/// What was announced has an end too: a scheduled attempt, a requested restart.
void cancelPlanned(Transition &t);
void forgetSequence(Instance &i);

/// Asks for the launch if it is due and the old process is gone.
void launchIfFree(Transition &t);
void planFor(Transition &t, InstanceState state, PlannedStart planned, Instant when);
/// The breaker is open: until its reset time, or, while it is isolated, for as long as it takes.
void holdBack(Transition &t, PlannedStart planned);
void planRequested(Transition &t);
void planOperator(Transition &t);
/// When a fresh sequence begins after giving up, if it may.
void planRearm(Transition &t);

/// What is known about the last failure, for decide().
[[nodiscard]] DecisionQuestion question(const Instance &i);
/// Plans the restart of a decision, and tells of it.
void schedule(Transition &t, const RestartDecision &decision);
/// After the verdict: the attempt ends, the breaker's change is told, the plan is made.
void conclude(Transition &t, const RestartDecision &decision, CircuitBreakerState breakerBefore);

struct FailureFacts
{
    FailureReason reason = FailureReason::Unknown;
    std::optional<int> exitCode{};
    bool permanent = false;
    bool alive = false;
};
void fail(Transition &t, const FailureFacts &facts);

/// The process has ended and was no failure.
void endCleanly(Transition &t);
/// Asks it to end in order, and plans what comes after that.
void stopWith(Transition &t, PlannedStart then);

} // namespace Rekindle::Rules
