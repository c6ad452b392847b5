// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "instancerules_p.h"

// The common steps of the rules: emitting events, planning, concluding. They do not depend on the
// kind of input.

namespace Rekindle::Rules {

using Kind = InstanceEvent::Kind;

InstanceEvent &addEvent(Transition &t, InstanceEvent::Kind kind);

/// Emits the change of the breaker if its visible state differs from `before`.
void addBreakerEvent(Transition &t, CircuitBreakerState before);

template<typename Change>
void changeBreaker(Transition &t, Change change)
{
    const CircuitBreakerState before = t.instance.breaker.state();
    change(t.instance.breaker);
    addBreakerEvent(t, before);
}

/// A start by an operator ends an isolation.
void liftIsolation(Transition &t);
/// A trial that ends without success or failure does not count.
void returnTrial(Transition &t);

void cancelOpenAttempt(Transition &t);
/// Emits the cancellation of a scheduled attempt or a requested restart, too.
void cancelPlanned(Transition &t);
void forgetSequence(Instance &i);

/// Requests the launch if it is due and the old process has exited.
void launchIfFree(Transition &t);
void planFor(Transition &t, InstanceState state, PlannedStart planned, Instant when);
/// Holds a start back until the reset time of the open breaker, or while it is isolated.
void holdBack(Transition &t, PlannedStart planned);
void planRequested(Transition &t);
void planOperator(Transition &t);
/// Plans the new sequence after giving up, if the policy permits it.
void planRearm(Transition &t);

/// The arguments of decide() for the last failure.
[[nodiscard]] DecisionQuestion question(const Instance &i);
/// Plans the restart of a decision and emits it.
void schedule(Transition &t, const RestartDecision &decision);
/// After the decision: ends the attempt, emits the change of the breaker, and plans.
void conclude(Transition &t, const RestartDecision &decision, CircuitBreakerState breakerBefore);

struct FailureFacts
{
    FailureReason reason = FailureReason::Unknown;
    std::optional<int> exitCode{};
    bool permanent = false;
    bool alive = false;
};
void fail(Transition &t, const FailureFacts &facts);

/// The process has exited without a failure.
void endCleanly(Transition &t);
/// Requests an orderly stop and plans what follows.
void stopWith(Transition &t, PlannedStart then);

} // namespace Rekindle::Rules
