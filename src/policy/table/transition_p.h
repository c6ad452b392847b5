// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "instancerules_p.h"

// The common steps of the rules. They do not depend on the kind of input.

namespace Rekindle::Rules {

using Kind = InstanceEvent::Kind;

InstanceEvent &addEvent(Transition &t, InstanceEvent::Kind kind);

/// Call it after each change of the breaker: emits the change of its visible state, if there is
/// one.
void addBreakerEvent(Transition &t);

/// A start by an operator ends an isolation.
void liftIsolation(Transition &t);
/// A trial that ends without success or failure does not count.
void returnTrial(Transition &t);

void cancelOpenAttempt(Transition &t);
/// Emits the cancellation of a scheduled attempt or a requested restart, too.
void cancelPlanned(Transition &t);
void forgetSequence(Instance &i);
/// A start by an operator: also clears the failure count of a closed breaker.
void beginSequence(Instance &i);
/// The process has exited without a failure.
void exitCleanly(Transition &t);
/// Requests an orderly stop and plans what follows.
void stopWith(Transition &t, PlannedStart then);

/// Whether the start is due, the old process has exited, and no hold is left.
[[nodiscard]] inline bool isFree(const Instance &i)
{
    return i.startDue && !i.processAlive && !i.holds;
}
void launchIfFree(Transition &t);
/// The earliest time of a start that is not by an operator: minInterval after the last start, and
/// failedLaunchPause after a failed launch.
[[nodiscard]] Instant earliestStart(const Instance &i);
/// Plans a start. Without `when`, it has no time yet.
void plan(Transition &t, InstanceState state, PlannedStart planned, std::optional<Instant> when);
/// The time of the half-open trial; empty while the breaker is isolated.
[[nodiscard]] std::optional<Instant> trialAt(const Instance &i);
/// Holds a start back until the half-open trial. If it is an attempt, emits its schedule.
void holdBack(Transition &t, PlannedStart planned);
/// Plans the restart of a decision and emits it.
void planAttempt(Transition &t, const RestartDecision &decision);
/// Plans a start without delay. If it is an attempt, emits its schedule.
void planNow(Transition &t, PlannedStart planned);
/// Plans a start that no operator has requested: it waits for an open breaker, and it is not before
/// earliestStart().
void planLater(Transition &t, PlannedStart planned, Duration delay = Duration{0});
void planRequested(Transition &t);
void planOperator(Transition &t);
/// Plans the new sequence after giving up, if the policy permits it.
void planRearm(Transition &t);

/// Counts a failure, kills the process if it is still alive, and decides or requests an evaluation.
/// A collateral failure is not counted: the agent starts when its holds are lifted.
void fail(Transition &t, const Failure &failure);
/// The decision of the policy about the last failure.
[[nodiscard]] RestartDecision decideLastFailure(const Instance &i);
/// Applies a decision: the attempt has failed, and a restart is planned or the agent is given up.
void conclude(Transition &t, const RestartDecision &decision);

} // namespace Rekindle::Rules
