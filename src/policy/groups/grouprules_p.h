// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/grouptable.h>

namespace Rekindle {

/// One input of a group while it is applied.
struct GroupTransition
{
    Group &group;
    const GroupInput &input;
    Instant now;
    GroupOutcome &outcome;

    [[nodiscard]] MemberState &member() const { return group.members[input.member]; }
};

/// The rules of the table of groups. "to" lists the states that a rule can lead to, other than the
/// current one; "next" stands for StartingMembers, Starting, Running and Stopped.
namespace GroupRules {

inline void ignore(GroupTransition &t) { t.outcome.ignored = true; }

void begin(GroupTransition &t);       ///< to Starting: with a fresh budget
void join(GroupTransition &t);        ///< the member starts when its turn comes
void advance(GroupTransition &t);     ///< to Running, Stopped: starts the next member
void advanceStop(GroupTransition &t); ///< to next, Exhausted: stops the next member
void appear(GroupTransition &t);      ///< to Running: the member runs already
void ready(GroupTransition &t);       ///< to Running: starts the next member
void stayReady(GroupTransition &t);   ///< the member is ready
void failed(GroupTransition &t);      ///< to StoppingMembers, Stopping, next: if it was ready
void failedAgain(GroupTransition &t); ///< to StoppingMembers, Stopping, next
void failedToo(GroupTransition &t);   ///< to Stopping, next: if it is not to be stopped anyway
void originDue(GroupTransition &t);   ///< to next: the others no longer wait for it
void noteDue(GroupTransition &t);     ///< the others will not wait for it
void returned(GroupTransition &t);    ///< its process has exited; it starts when its turn comes
void down(GroupTransition &t);        ///< to next, Exhausted: stops the next member
void ended(GroupTransition &t);       ///< to Stopping, next: AutoShutdown applies
void endedToo(GroupTransition &t);    ///< to next, Exhausted: starts again with the others
void left(GroupTransition &t);        ///< to next, Exhausted: the member is not to run
void forget(GroupTransition &t);      ///< the member is not to run
void gaveUp(GroupTransition &t);      ///< to Stopping, next: OnGiveUp applies
void gaveUpToo(GroupTransition &t);   ///< to next, Exhausted: stops the next member
void noteGaveUp(GroupTransition &t);  ///< the member has given up
void permit(GroupTransition &t);      ///< to next: starts the next member
void permitBegin(GroupTransition &t); ///< to Starting: if a member waits
void permitLater(GroupTransition &t); ///< a start is permitted after the stop
void rearm(GroupTransition &t);       ///< to Starting: the members that have given up start again
void forbid(GroupTransition &t);      ///< no start is permitted
void suspend(GroupTransition &t);     ///< the members wait for the next permission
void withdraw(GroupTransition &t);    ///< to Stopping, Stopped: the members start again later
void stop(GroupTransition &t);        ///< to Stopping, Stopped
void stopWaiting(GroupTransition &t); ///< to Stopping: members that wait for the parent
void dismiss(GroupTransition &t);     ///< to Stopped
void giveUp(GroupTransition &t);      ///< to Stopping, Exhausted

} // namespace GroupRules
} // namespace Rekindle
