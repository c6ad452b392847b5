// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/instancetable.h>

namespace Rekindle {

/// One input while it is applied.
struct Transition
{
    Instance &instance;
    const InstanceInput &input;
    Instant now;
    double draw = 0;
    Outcome &outcome;
    CircuitBreakerState emittedBreaker = instance.breaker.state(); ///< in the last event
};

/// The rules of the state table. "to" lists the states that a rule can lead to, other than the
/// current one; "Decision" stands for all states that a decision can lead to: Waiting, CircuitOpen,
/// Evaluating, Exhausted, Failed and Gated. scripts/draw-state-diagram reads these comments, and
/// the model test checks the diagram.
namespace Rules {

inline void ignore(Transition &t) { t.outcome.ignored = true; }

// Operator.
void start(Transition &t);       ///< to Waiting: replaces what is planned by a fresh sequence
void clear(Transition &t);       ///< already running: only begins a fresh sequence
void cancel(Transition &t);      ///< to Stopped, Stopping: cancels what is planned
void stop(Transition &t);        ///< to Stopping
void restart(Transition &t);     ///< to Stopping: a start follows
void queue(Transition &t);       ///< starts as soon as the stop is complete
void unqueue(Transition &t);     ///< does not start then
void reset(Transition &t);       ///< closes the breaker
void resetHeld(Transition &t);   ///< to Waiting: closes the breaker and starts what it held back
void isolate(Transition &t);     ///< holds the breaker open
void hold(Transition &t);        ///< to CircuitOpen: holds the breaker open and the start back
void decideHeld(Transition &t);  ///< to Decision: holds the breaker open, no verdict is needed
void release(Transition &t);     ///< ends the isolation
void releaseHeld(Transition &t); ///< to Waiting: ends the isolation and replans the held start
void adopt(Transition &t);       ///< uses the new policy from now on
void adoptRearm(Transition &t);  ///< uses the new policy and plans the rearming again
void replan(Transition &t);      ///< to Decision: decides again under the new policy

// Supervisor and agent.
void launch(Transition &t);    ///< to Starting
void started(Transition &t);   ///< reports the start once
void ready(Transition &t);     ///< to Running
void failed(Transition &t);    ///< to Decision
void unhealthy(Transition &t); ///< to Decision: as failed, but the process is still alive
void exited(Transition &t);    ///< to Stopped, Decision: a failure only for RestartOn::Always
void exitedForRestart(Transition &t); ///< to Decision: the exit requests a restart
void request(Transition &t);          ///< to Stopping: a requested restart follows
void refuse(Transition &t);           ///< the input is not permitted in this state
void oldExited(Transition &t);        ///< the planned start no longer waits for the old process
void stopped(Transition &t); ///< to Stopped, Waiting, CircuitOpen, Exhausted: the stop is complete

// Scheduler, custom evaluator and host.
void timeOut(Transition &t);      ///< to Decision: not ready in time
void extend(Transition &t);       ///< more time until the start times out
void becomeStable(Transition &t); ///< stable, or later if a probe failed recently
void stable(Transition &t);       ///< ends the sequence
void due(Transition &t);          ///< launches as soon as the old process has exited
void rearm(Transition &t);        ///< to Waiting: begins a fresh sequence
void noVerdict(Transition &t);    ///< to Decision: the built-in decision applies
void verdict(Transition &t);      ///< to Decision
void addHolds(Transition &t);     ///< holds starts back
void liftHolds(Transition &t);    ///< launches if the start is due and nothing holds it back
void groupStop(Transition &t);    ///< to Stopping: a start follows when its holds are lifted
void groupWait(Transition &t);    ///< to Waiting, CircuitOpen: replaces an automatic start
void groupAsk(Transition &t);     ///< to Waiting: the same, without waiting for the verdict
void groupQueue(Transition &t);   ///< replaces the automatic start that follows the stop
void stopForGood(Transition &t);  ///< to Stopping: given up as soon as the stop is complete
void abandon(Transition &t);      ///< to Exhausted: cancels what is planned
void abandonLater(Transition &t); ///< given up as soon as the stop is complete
void refund(Transition &t);       ///< to Waiting, CircuitOpen: replaces a restart by a held start
void refundAsk(Transition &t);    ///< to Waiting: the same, without waiting for the verdict
void success(Transition &t);      ///< a success of an agent that is started elsewhere
void resume(Transition &t);       ///< to Waiting, Decision: continues after a restart of the host

} // namespace Rules
} // namespace Rekindle
