// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/instancetable.h>

namespace Rekindle {

/// One input on its way through the table.
struct Transition
{
    Instance &instance;
    const InstanceInput &input;
    Instant now;
    double draw = 0;
    Outcome &outcome;
};

/// What the cells of the table do. The names are the words of spec 3; the states in which a rule
/// is asked are in the table.
namespace Rules {

inline void ignore(Transition &) {}

// Operator.
void startAfresh(Transition &t);   ///< from rest, or instead of what is planned
void beginSequence(Transition &t); ///< it runs already: only its failures are forgotten
void stopPlanned(Transition &t);   ///< nothing runs: cancel what is planned
void stopRunning(Transition &t);
void restartRunning(Transition &t);
void queueStart(Transition &t);   ///< while Stopping
void cancelQueued(Transition &t); ///< while Stopping
void resetBreaker(Transition &t);
void resetAndStart(Transition &t); ///< what waits for the breaker starts
void isolate(Transition &t);
void isolateAndHold(Transition &t); ///< what is planned has to wait
void release(Transition &t);
void releaseAndResume(Transition &t);
void adoptPolicy(Transition &t);
void replanPolicy(Transition &t); ///< the deadline is computed anew, or all is called off

// Supervisor and agent.
void launch(Transition &t);
void started(Transition &t);
void ready(Transition &t);
void failed(Transition &t);
void wedged(Transition &t);
void ended(Transition &t);
void endedForRestart(Transition &t);
void requestRestart(Transition &t);
void refuseRequest(Transition &t);
void oldProcessGone(Transition &t); ///< a start may have waited for that
void stopped(Transition &t);        ///< what Stopping waits for

// Host, time and evaluator.
void resume(Transition &t);         ///< of a host that has begun anew
void breakerSuccess(Transition &t); ///< of a host that restarts by itself
void startTimedOut(Transition &t);
void becomeStable(Transition &t);
void startIsDue(Transition &t);
void rearm(Transition &t);
void evaluatorSilent(Transition &t);
void evaluatorAnswered(Transition &t);

} // namespace Rules
} // namespace Rekindle
