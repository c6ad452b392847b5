// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/groupdefinition.h>
#include <rekindle/policy/slidingwindow.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace Rekindle {

/// The state of a group.
enum class GroupState {
    Stopped,         ///< no member is to run
    Starting,        ///< the members are started in order
    Running,         ///< all members that are to run have been ready
    StoppingMembers, ///< members are stopped, because one has failed
    StartingMembers, ///< these members are started again
    Stopping,        ///< all members are stopped
    Exhausted,       ///< given up
};

inline constexpr std::array<EnumName<GroupState>, 7> groupStates = {{
    {GroupState::Stopped, QLatin1String("Stopped")},
    {GroupState::Starting, QLatin1String("Starting")},
    {GroupState::Running, QLatin1String("Running")},
    {GroupState::StoppingMembers, QLatin1String("StoppingMembers")},
    {GroupState::StartingMembers, QLatin1String("StartingMembers")},
    {GroupState::Stopping, QLatin1String("Stopping")},
    {GroupState::Exhausted, QLatin1String("Exhausted")},
}};

[[nodiscard]] inline QString toText(GroupState state) { return nameOf(groupStates, state); }

/// The state of a member, as its group sees it.
enum class MemberState {
    Absent,   ///< it is not to run: not started yet, or stopped by an operator
    Ended,    ///< it has exited by itself, without a failure
    GaveUp,   ///< it is not restarted anymore
    Waiting,  ///< it starts when its turn comes
    Starting, ///< its start is permitted; it is not ready yet
    Ready,
    Stopping, ///< its group has stopped it, or it has failed, and its process has not exited yet
};

/// The inputs of a group: a closed set.
enum class GroupInputKind {
    MemberPlanned, ///< the member is to be started, but not because of a failure
    MemberReady,
    MemberFailed,  ///< and is going to be restarted
    MemberDue,     ///< the start of the member is due and waits only for its turn
    MemberDown,    ///< the process of the member has exited, and its start is planned
    MemberEnded,   ///< it has exited by itself, without a failure
    MemberStopped, ///< it was stopped by an operator or because of a dependency
    MemberGaveUp,  ///< it is not restarted anymore
    Proceed,       ///< start, or stop, the next member
    Permit,        ///< the parent permits this group to start
    Suspend,       ///< the parent takes its permission back; no agent has been launched
    Withdraw,      ///< the parent stops this group and starts it again later
    Stop,          ///< stop all members
    GiveUp,        ///< the parent has given up
    Deadline,      ///< the deadline of the group is due
};
inline constexpr int groupInputCount = 15;

struct GroupInput
{
    GroupInputKind kind = GroupInputKind::Proceed;
    std::size_t member = 0; ///< its index; of the inputs about a member

    // Of MemberFailed.
    bool counted = true; ///< false: the member has requested the restart
    bool alive = false;  ///< its process has not exited yet; MemberDown follows
};

/// The data of a group. Plain data; only GroupTable changes it.
struct REKINDLE_POLICY_EXPORT Group
{
    /// `isNested`: it has a parent, which must permit its start.
    explicit Group(GroupDefinition theDefinition, bool isNested = false);

    GroupDefinition definition;
    bool nested = false;
    bool permitted = true; ///< by the parent
    GroupState state = GroupState::Stopped;
    std::vector<MemberState> members; ///< in the order of the definition
    SlidingWindow incidents;          ///< failures, for maxRestarts
    bool restored = false; ///< they are from an earlier host, and the group has not begun

    /// The first member that is stopped and started again because of the last failure.
    std::size_t first = 0;
    /// The member that has failed: the others start when its start is due.
    std::size_t origin = 0;
    bool originDue = false;
    std::size_t nextStop = 0;                   ///< members from this one on have been stopped
    GroupState afterStop = GroupState::Stopped; ///< the state that follows Stopping
    bool returns = false;              ///< Stopping, to start again when the parent permits it
    std::optional<Instant> deadline{}; ///< of the start after giving up
};

/// The actions and events that follow an input, in this order.
struct GroupOutcome
{
    enum class Action {
        None,
        Restart, ///< stop the member; it starts again when its turn comes
        Stop,    ///< stop the member
        GiveUp,  ///< stop the member; it has given up
        Start,   ///< permit its start, and start it if no start is planned
    };

    bool ignored = false;   ///< the input has no effect in this state
    bool incident = false;  ///< a failure that counts toward the limit
    bool exhausted = false; ///< the limit is exceeded, or a member has given up
    /// Hold the starts of all members from this one on, before the action.
    std::optional<std::size_t> holdFrom{};
    Action action = Action::None;
    std::size_t member = 0; ///< of the action. An input about it must follow, unless it has none
                            ///< yet because its process is alive.
    bool proceed = false;   ///< an input Proceed must follow, after other members were planned
};

/// The state machine of a group: one table of inputs and states in which every pair is written down
/// (src/policy/groups/grouptable.cpp). It is pure, and allocates nothing after the first failure.
///
/// A member may start only while it is Starting or Ready, and never while isHeld().
namespace GroupTable {

REKINDLE_POLICY_EXPORT GroupOutcome apply(Group &group, const GroupInput &input, Instant now);

/// Changes the definition while the group is in any state. Members that remain keep their states;
/// the others are Absent at first. Afterwards, apply Proceed, because the group may have waited for
/// a member that has left. `isMoved`: it has another parent than before, or none; in that case,
/// also apply Permit if it has no parent and is Stopped.
REKINDLE_POLICY_EXPORT void redefine(Group &group, const GroupDefinition &definition, bool isNested,
                                     bool isMoved);

/// Whether the starts of a member are held back. A failure of a running member that is held is a
/// consequence of an earlier one.
[[nodiscard]] REKINDLE_POLICY_EXPORT bool isHeld(const Group &group, std::size_t member);

/// The name of the rule in one cell, "ignore" if nothing happens: for documents and tests.
[[nodiscard]] REKINDLE_POLICY_EXPORT QLatin1String ruleName(GroupState state, GroupInputKind input);

} // namespace GroupTable
} // namespace Rekindle
