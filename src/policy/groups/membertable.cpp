// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/membertable.h"

#include <algorithm>
#include <array>
#include <utility>

// How a group sees its members. A row is what a member does, a column the state in which the group
// knows it; the cell is the input of the group.

namespace Rekindle::MemberTable {

namespace {

enum class Observation {
    Stopped,
    Completed,       ///< exited by itself, without a failure
    GivenUp,         ///< in the first column: before it was a member, or in an earlier host
    Begins,          ///< starts, or waits for a start; also of a group
    Ready,           ///< also of a group
    Undecided,       ///< stops, or its restart is being decided; also of a group
    StopsForOthers,  ///< stops and starts again: a dependency restarts it
    PlannedByOthers, ///< waits for a start after a stop because of other agents
    Failed,          ///< waits for a restart after a failure that the group does not know
    // Of an agent that waits for a start, if the rows above have no input.
    Exited, ///< its old process has exited
    Due,    ///< and its start is due
    // Of a group.
    GroupStopped, ///< no member is to run
    GroupEnded,   ///< the same, and a member has exited by itself
    GroupWaiting, ///< members are to run, and the group has not begun
    GroupGivenUp,
    GroupForbidden, ///< begins, but needs another permission
};
constexpr std::size_t observationCount = 16;

using Cell = std::optional<GroupInputKind>;

struct Row
{
    Observation observation{};
    std::array<Cell, 7> cells; // in the order of MemberState
};

constexpr Cell none;
constexpr Cell planned = GroupInputKind::MemberPlanned;
constexpr Cell ready = GroupInputKind::MemberReady;
constexpr Cell failed = GroupInputKind::MemberFailed;
constexpr Cell due = GroupInputKind::MemberDue;
constexpr Cell down = GroupInputKind::MemberDown;
constexpr Cell ended = GroupInputKind::MemberEnded;
constexpr Cell stopped = GroupInputKind::MemberStopped;
constexpr Cell gaveUp = GroupInputKind::MemberGaveUp;

// clang-format off
#define ROW(observation, ...) Row{Observation::observation, {{__VA_ARGS__}}}

constexpr std::array<Row, observationCount> table = {{
//                   Absent   Ended    GaveUp   Waiting  Starting Ready    Stopping
ROW(Stopped,         none,    none,    stopped, stopped, stopped, stopped, stopped),
ROW(Completed,       none,    none,    ended,   ended,   ended,   ended,   ended),
ROW(GivenUp,         none,    gaveUp,  none,    gaveUp,  gaveUp,  gaveUp,  gaveUp),
ROW(Begins,          planned, planned, planned, none,    none,    none,    none),
ROW(Ready,           ready,   ready,   ready,   ready,   ready,   none,    none),
ROW(Undecided,       none,    none,    none,    none,    none,    none,    none),
ROW(StopsForOthers,  none,    none,    none,    none,    down,    down,    none),
ROW(PlannedByOthers, planned, planned, planned, none,    none,    down,    none),
ROW(Failed,          planned, planned, planned, none,    failed,  failed,  none),
ROW(Exited,          none,    none,    none,    none,    none,    none,    down),
ROW(Due,             none,    none,    none,    due,     none,    none,    down),
ROW(GroupStopped,    none,    none,    none,    stopped, stopped, stopped, stopped),
ROW(GroupEnded,      none,    none,    none,    ended,   ended,   ended,   ended),
ROW(GroupWaiting,    planned, planned, planned, none,    none,    none,    down),
ROW(GroupGivenUp,    none,    none,    none,    failed,  failed,  failed,  gaveUp),
ROW(GroupForbidden,  planned, planned, planned, none,    down,    down,    down),
}};
// clang-format on
#undef ROW

static_assert(std::is_sorted(table.begin(), table.end(),
                             [](const Row &a, const Row &b) {
                                 return a.observation <= b.observation;
                             }),
              "one row for each observation, in the order of Observation");

Cell cell(Observation observation, MemberState known)
{
    return table[static_cast<std::size_t>(observation)].cells[static_cast<std::size_t>(known)];
}

Observation observationOf(const Instance &agent, const MemberMemory &memory)
{
    const bool isForOthers = agent.planned == PlannedStart::Group;
    switch (agent.state) {
    case InstanceState::Stopped:
        return agent.completed ? Observation::Completed : Observation::Stopped;
    case InstanceState::Starting:
        return Observation::Begins;
    case InstanceState::Running:
        return Observation::Ready;
    case InstanceState::Waiting:
    case InstanceState::CircuitOpen:
        if (isForOthers)
            return Observation::PlannedByOthers;
        return agent.planned == PlannedStart::Operator || agent.generation == memory.failed
            ? Observation::Begins
            : Observation::Failed;
    case InstanceState::Evaluating:
        return Observation::Undecided;
    case InstanceState::Stopping:
        return isForOthers ? Observation::StopsForOthers : Observation::Undecided;
    case InstanceState::Exhausted:
    case InstanceState::Failed:
    case InstanceState::Gated:
        break;
    }
    return Observation::GivenUp;
}

Observation observationOf(const Group &group)
{
    const auto has = [&group](MemberState state) {
        return std::find(group.members.begin(), group.members.end(), state) != group.members.end();
    };
    switch (group.state) {
    case GroupState::Stopped:
        if (has(MemberState::Waiting))
            return Observation::GroupWaiting;
        return has(MemberState::Ended) ? Observation::GroupEnded : Observation::GroupStopped;
    case GroupState::Starting:
        return group.permitted ? Observation::Begins : Observation::GroupForbidden;
    case GroupState::StoppingMembers:
    case GroupState::StartingMembers:
        return Observation::Begins;
    case GroupState::Running:
        return Observation::Ready;
    case GroupState::Stopping:
        return Observation::Undecided;
    case GroupState::Exhausted:
        break;
    }
    return Observation::GroupGivenUp;
}

} // namespace

std::optional<GroupInput> observe(Group &group, std::size_t member, MemberMemory &memory,
                                  const Instance &agent)
{
    MemberState &known = group.members[member];
    const InstanceState before = std::exchange(memory.state, agent.state);
    // The group has planned a start of this agent, which has not begun.
    if (known == MemberState::Waiting && before == agent.state && !agent.isActive())
        return {};
    const Observation observation = observationOf(agent, memory);
    if (observation == Observation::GivenUp && known == MemberState::Absent)
        known = MemberState::GaveUp;
    Cell kind = cell(observation, known);
    const bool waits =
        agent.state == InstanceState::Waiting || agent.state == InstanceState::CircuitOpen;
    if (!kind && waits && !agent.processAlive)
        kind = cell(agent.startDue ? Observation::Due : Observation::Exited, known);
    if (!kind)
        return {};
    if (kind == GroupInputKind::MemberFailed)
        memory.failed = agent.generation;
    return GroupInput{.kind = *kind,
                      .member = member,
                      .counted = agent.planned != PlannedStart::Requested,
                      .alive = agent.processAlive};
}

std::optional<GroupInput> observe(const Group &group, std::size_t member, const Group &inner)
{
    const Cell kind = cell(observationOf(inner), group.members[member]);
    return kind ? std::optional(GroupInput{.kind = *kind, .member = member}) : std::nullopt;
}

} // namespace Rekindle::MemberTable
