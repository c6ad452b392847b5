// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "grouprules_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle::GroupRules {

namespace {

using enum GroupState;
using Member = MemberState;
using Action = GroupOutcome::Action;

void act(GroupTransition &t, Action action, std::size_t member)
{
    t.outcome.action = action;
    t.outcome.member = member;
}

bool has(const Group &group, std::initializer_list<Member> states)
{
    return std::any_of(group.members.begin(), group.members.end(), [states](Member each) {
        return std::find(states.begin(), states.end(), each) != states.end();
    });
}

void replace(Group &group, std::size_t from, Member old, Member state)
{
    std::replace(group.members.begin() + static_cast<std::ptrdiff_t>(from), group.members.end(),
                 old, state);
}

void setDone(Group &group, GroupState state)
{
    group.state = state;
    group.permitted = !group.nested;
    group.returns = false;
}

void startFresh(GroupTransition &t)
{
    Group &group = t.group;
    group.state = Starting;
    group.deadline.reset();
    if (!std::exchange(group.restored, false))
        group.incidents = SlidingWindow(group.definition.maxRestarts, group.definition.period);
    t.outcome.proceed = true;
}

// No member waits for its turn anymore.
void settle(GroupTransition &t)
{
    if (has(t.group, {Member::Starting, Member::Ready, Member::Stopping}))
        t.group.state = Running;
    else
        setDone(t.group, Stopped);
}

// Whether a start of this member must wait for another one. In a running group, none waits.
bool isBlocking(const Group &group, std::size_t member)
{
    const Member state = group.members[member];
    if (state == Member::Waiting) {
        return group.state == StartingMembers && !group.originDue && member != group.origin
            && group.members[group.origin] == Member::Waiting;
    }
    return group.state != Running && (state == Member::Starting || state == Member::Stopping);
}

void startNext(GroupTransition &t)
{
    Group &group = t.group;
    if (!group.permitted)
        return;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        if (isBlocking(group, i))
            return;
        if (group.members[i] != Member::Waiting)
            continue;
        group.members[i] = Member::Starting;
        act(t, Action::Start, i);
        t.outcome.proceed = group.state == Running && has(group, {Member::Waiting});
        return;
    }
    settle(t);
}

void endStop(GroupTransition &t)
{
    Group &group = t.group;
    if (group.state == StoppingMembers) {
        group.state = StartingMembers;
        startNext(t);
        return;
    }
    const bool returns = group.returns;
    setDone(group, group.afterStop);
    // An operator has started members in the meantime, or there is no parent anymore.
    if ((!returns || !group.nested) && has(group, {Member::Waiting}))
        startFresh(t);
    else if (group.state == Exhausted && !group.nested && group.definition.rearmAfter)
        group.deadline = t.now + *group.definition.rearmAfter;
}

Action stopAction(const Group &group)
{
    if (group.state == StoppingMembers || group.returns)
        return Action::Restart;
    return group.afterStop == Exhausted ? Action::GiveUp : Action::Stop;
}

// Each stop waits for the one before it.
void stopNext(GroupTransition &t)
{
    Group &group = t.group;
    const std::size_t lowest = group.state == StoppingMembers ? group.first : 0;
    const Action action = stopAction(group);
    if (std::find(group.members.begin() + static_cast<std::ptrdiff_t>(lowest), group.members.end(),
                  Member::Stopping)
        != group.members.end())
        return;
    while (group.nextStop > lowest) {
        const std::size_t i = --group.nextStop;
        Member &state = group.members[i];
        if (state != Member::Starting && state != Member::Ready)
            continue;
        state = Member::Stopping;
        act(t, action, i);
        return;
    }
    endStop(t);
}

void stopFrom(GroupTransition &t, std::size_t first)
{
    t.outcome.holdFrom = first;
    t.group.nextStop = t.group.members.size();
    stopNext(t);
}

void stopAll(GroupTransition &t, GroupState afterStop)
{
    t.group.state = Stopping;
    t.group.afterStop = afterStop;
    // What is planned now is stopped, too, but not what is planned from now on.
    if (!t.group.returns)
        replace(t.group, 0, Member::Waiting, Member::Starting);
    stopFrom(t, 0);
}

void exhaust(GroupTransition &t)
{
    t.outcome.exhausted = true;
    stopAll(t, Exhausted);
}

// Returns whether the group tolerates one more failure.
bool count(GroupTransition &t)
{
    if (!t.input.counted)
        return true;
    t.outcome.incident = true;
    Group &group = t.group;
    if (group.definition.maxRestarts == 0 || group.incidents.isFull(t.now))
        return false;
    group.incidents.add(t.now);
    return true;
}

bool isGroup(const GroupTransition &t)
{
    return t.group.definition.members.at(static_cast<qsizetype>(t.input.member)).isGroup;
}

// The failure of a member that is not a consequence of an earlier one.
void incident(GroupTransition &t)
{
    Group &group = t.group;
    const std::size_t member = t.input.member;
    const bool isTolerated = count(t);
    if (group.definition.strategy == GroupStrategy::OneForOne && isTolerated) {
        // An agent starts itself again; a group does not.
        t.member() = isGroup(t) ? Member::Waiting : Member::Starting;
        t.outcome.proceed = isGroup(t);
        return;
    }
    t.member() = t.input.alive ? Member::Stopping : Member::Waiting;
    if (!isTolerated) {
        exhaust(t);
        return;
    }
    const std::size_t lowest = group.definition.strategy == GroupStrategy::OneForAll ? 0 : member;
    // Those that are being stopped must start again; those that have started stay ready.
    group.first = group.state == StoppingMembers ? std::min(group.first, lowest) : lowest;
    group.origin = member;
    group.originDue = isGroup(t);
    replace(group, group.first, Member::Ended, Member::Waiting);
    group.state = StoppingMembers;
    stopFrom(t, group.first);
}

void noteOrigin(GroupTransition &t)
{
    if (t.input.member == t.group.origin)
        t.group.originDue = true;
}

// The member no longer runs and does not start by itself.
void remove(GroupTransition &t, Member state)
{
    t.member() = state;
    noteOrigin(t);
    if (t.group.state == StoppingMembers || t.group.state == Stopping)
        stopNext(t);
    else
        startNext(t);
}

bool endsGroup(const Group &group, std::size_t member)
{
    const QList<GroupMember> &all = group.definition.members;
    if (!all.at(static_cast<qsizetype>(member)).significant)
        return false;
    if (group.definition.autoShutdown != AutoShutdown::AllSignificant)
        return group.definition.autoShutdown == AutoShutdown::AnySignificant;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        if (all.at(static_cast<qsizetype>(i)).significant && group.members[i] != Member::Ended)
            return false;
    }
    return true;
}

} // namespace

void begin(GroupTransition &t)
{
    t.member() = Member::Waiting;
    startFresh(t);
}

void join(GroupTransition &t)
{
    t.member() = Member::Waiting;
    t.outcome.proceed = true;
}

void advance(GroupTransition &t) { startNext(t); }
void advanceStop(GroupTransition &t) { stopNext(t); }

void appear(GroupTransition &t)
{
    t.member() = Member::Ready;
    t.group.state = Running;
    t.group.permitted = true;
    t.group.restored = false;
    t.group.deadline.reset();
}

void ready(GroupTransition &t)
{
    t.member() = Member::Ready;
    if (t.group.state != Running)
        startNext(t);
}

void stayReady(GroupTransition &t)
{
    if (t.member() != Member::Stopping)
        t.member() = Member::Ready;
}

void failed(GroupTransition &t)
{
    // Before it is ready for the first time, the policy of the agent retries it.
    if (t.member() == Member::Ready || isGroup(t))
        incident(t);
    else
        t.member() = Member::Starting;
}

void failedAgain(GroupTransition &t)
{
    if (t.member() == Member::Ready || t.member() == Member::Starting)
        incident(t);
    else
        returned(t);
}

void failedToo(GroupTransition &t)
{
    if (t.input.member < t.group.first && t.member() == Member::Ready)
        incident(t);
    else
        down(t);
}

void originDue(GroupTransition &t)
{
    if (t.input.member != t.group.origin || t.group.originDue) {
        ignore(t);
        return;
    }
    t.group.originDue = true;
    startNext(t);
}

void noteDue(GroupTransition &t)
{
    if (t.input.member == t.group.origin)
        t.group.originDue = true;
    else
        ignore(t);
}

void returned(GroupTransition &t)
{
    t.member() = t.input.alive ? Member::Stopping : Member::Waiting;
    startNext(t);
}

void down(GroupTransition &t)
{
    const Group &group = t.group;
    // It has failed by itself: its planned restart is stopped when its turn comes.
    const bool isStopped =
        group.state == Stopping && !group.returns && t.input.member < group.nextStop;
    const Member planned = isStopped ? Member::Starting : Member::Waiting;
    t.member() = t.input.alive ? Member::Stopping : planned;
    stopNext(t);
}

void ended(GroupTransition &t)
{
    t.member() = Member::Ended;
    noteOrigin(t);
    if (endsGroup(t.group, t.input.member))
        stopAll(t, Stopped);
    else
        startNext(t);
}

void endedToo(GroupTransition &t)
{
    const bool startsAgain =
        t.group.state == StoppingMembers ? t.input.member >= t.group.first : t.group.returns;
    t.member() = startsAgain ? Member::Waiting : Member::Ended;
    stopNext(t);
}

void left(GroupTransition &t) { remove(t, Member::Absent); }
void forget(GroupTransition &t) { t.member() = Member::Absent; }

void gaveUp(GroupTransition &t)
{
    switch (t.group.definition.onGiveUp) {
    case OnGiveUp::Keep:
        remove(t, Member::GaveUp);
        return;
    case OnGiveUp::Stop:
        t.member() = Member::GaveUp;
        stopAll(t, Stopped);
        return;
    case OnGiveUp::Escalate:
        t.member() = Member::GaveUp;
        exhaust(t);
        return;
    }
}

void gaveUpToo(GroupTransition &t) { remove(t, Member::GaveUp); }
void noteGaveUp(GroupTransition &t) { t.member() = Member::GaveUp; }

void permit(GroupTransition &t)
{
    t.group.permitted = true;
    startNext(t);
}

void permitBegin(GroupTransition &t)
{
    if (!has(t.group, {Member::Waiting}))
        return; // a later start needs another permission
    t.group.permitted = true;
    startFresh(t);
}

void permitLater(GroupTransition &t) { t.group.permitted = true; }

void rearm(GroupTransition &t)
{
    t.group.permitted = true;
    replace(t.group, 0, Member::GaveUp, Member::Waiting);
    startFresh(t);
}

void forbid(GroupTransition &t) { t.group.permitted = false; }

void suspend(GroupTransition &t)
{
    t.group.permitted = false;
    replace(t.group, 0, Member::Starting, Member::Waiting);
    t.outcome.holdFrom = 0;
}

void withdraw(GroupTransition &t)
{
    t.group.permitted = false;
    t.group.returns = true;
    replace(t.group, 0, Member::Ended, Member::Waiting);
    stopAll(t, Stopped);
}

void stop(GroupTransition &t)
{
    t.group.returns = false;
    replace(t.group, 0, Member::Ended, Member::Absent); // its end does not end the group
    stopAll(t, Stopped);
}

void stopWaiting(GroupTransition &t)
{
    if (has(t.group, {Member::Waiting}))
        stopAll(t, Stopped);
    else
        ignore(t);
}

void dismiss(GroupTransition &t)
{
    t.group.deadline.reset();
    setDone(t.group, Stopped);
}

void giveUp(GroupTransition &t)
{
    if (!has(t.group, {Member::Waiting, Member::Starting, Member::Ready, Member::Stopping})) {
        ignore(t);
        return;
    }
    t.group.returns = false;
    stopAll(t, Exhausted);
}

} // namespace Rekindle::GroupRules
