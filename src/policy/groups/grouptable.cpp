// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "grouprules_p.h"

#include <QHash>

#include <algorithm>
#include <array>
#include <utility>

// The state machine of a group. A row is an input, a column a state; the cell names the rule that
// is applied. The rules are declared, with the states that they lead to, in grouprules_p.h.

namespace Rekindle {

namespace {

SlidingWindow windowOf(const GroupDefinition &definition)
{
    return SlidingWindow(definition.maxRestarts, definition.period);
}

} // namespace

Group::Group(GroupDefinition theDefinition, bool isNested)
    : definition(std::move(theDefinition))
    , nested(isNested)
    , permitted(!isNested)
    , members(static_cast<std::size_t>(definition.members.size()), MemberState::Absent)
    , incidents(windowOf(definition))
{
}

namespace GroupTable {

namespace {

struct Cell
{
    QLatin1String name;
    void (*rule)(GroupTransition &) = nullptr;
};

struct Row
{
    GroupInputKind input{};
    std::array<Cell, groupStates.size()> cells; // in the order of GroupState
};

// clang-format off
#define CELL(rule) Cell{QLatin1String(#rule), GroupRules::rule}
#define ROW(input, a, b, c, d, e, f, g) \
    Row{GroupInputKind::input, {{CELL(a), CELL(b), CELL(c), CELL(d), CELL(e), CELL(f), CELL(g)}}}

constexpr std::array<Row, groupInputCount> table = {
//                 Stopped      Starting  Running    StoppingMembers StartingMembers Stopping     Exhausted
ROW(MemberPlanned, begin,       join,     join,      join,           join,           join,        begin),
ROW(MemberReady,   appear,      ready,    ready,     stayReady,      ready,          stayReady,   appear),
ROW(MemberFailed,  ignore,      failed,   failed,    failedToo,      failedAgain,    down,        ignore),
ROW(MemberDue,     ignore,      ignore,   ignore,    noteDue,        originDue,      ignore,      ignore),
ROW(MemberDown,    ignore,      returned, returned,  down,           returned,       down,        ignore),
ROW(MemberEnded,   ignore,      ended,    ended,     endedToo,       ended,          endedToo,    ignore),
ROW(MemberStopped, forget,      left,     left,      left,           left,           left,        forget),
ROW(MemberGaveUp,  noteGaveUp,  gaveUp,   gaveUp,    gaveUp,         gaveUp,         gaveUpToo,   noteGaveUp),
ROW(Proceed,       ignore,      advance,  advance,   advanceStop,    advance,        advanceStop, ignore),
ROW(Permit,        permitBegin, permit,   permit,    permitLater,    permit,         permitLater, rearm),
ROW(Suspend,       forbid,      suspend,  ignore,    forbid,         suspend,        forbid,      forbid),
ROW(Withdraw,      forbid,      withdraw, withdraw,  withdraw,       withdraw,       forbid,      forbid),
ROW(Stop,          stopWaiting, stop,     stop,      stop,           stop,           stop,        dismiss),
ROW(GiveUp,        giveUp,      giveUp,   giveUp,    giveUp,         giveUp,         giveUp,      ignore),
ROW(Deadline,      ignore,      ignore,   ignore,    ignore,         ignore,         ignore,      rearm),
};
// clang-format on
#undef ROW
#undef CELL

static_assert(std::is_sorted(table.begin(), table.end(),
                             [](const Row &a, const Row &b) { return a.input <= b.input; }),
              "one row for each input, in the order of GroupInputKind");

const Cell &cell(GroupState state, GroupInputKind input)
{
    return table[static_cast<std::size_t>(input)].cells[static_cast<std::size_t>(state)];
}

} // namespace

GroupOutcome apply(Group &group, const GroupInput &input, Instant now)
{
    GroupOutcome outcome;
    // The state may have changed since the timer was armed.
    if (input.kind == GroupInputKind::Deadline && (!group.deadline || now < *group.deadline)) {
        outcome.ignored = true;
        return outcome;
    }
    GroupTransition transition{group, input, now, outcome};
    cell(group.state, input.kind).rule(transition);
    return outcome;
}

void redefine(Group &group, const GroupDefinition &definition, bool isNested, bool isMoved)
{
    Group after(definition, isNested);
    after.state = group.state;
    const bool isWaiting =
        group.state == GroupState::Starting || group.state == GroupState::StartingMembers;
    if (isNested)
        after.permitted = group.permitted && !(isMoved && isWaiting);
    after.incidents = group.incidents;
    after.incidents.resize(definition.maxRestarts, definition.period);
    after.restored = group.restored;
    after.afterStop = group.afterStop;
    after.returns = group.returns;
    if (!isNested)
        after.deadline = group.deadline;
    after.first = group.first == 0 ? 0 : after.members.size();
    after.originDue = true;
    QHash<std::pair<QString, bool>, std::size_t> places;
    for (const GroupMember &each : std::as_const(group.definition.members))
        places.insert({each.name, each.isGroup}, static_cast<std::size_t>(places.size()));
    for (std::size_t now = 0; now < after.members.size(); ++now) {
        const GroupMember &member = definition.members.at(static_cast<qsizetype>(now));
        const auto found = places.constFind({member.name, member.isGroup});
        if (found == places.cend())
            continue;
        const std::size_t before = *found;
        after.members[now] = group.members[before];
        if (before >= group.first)
            after.first = std::min(after.first, now);
        if (before < group.nextStop)
            after.nextStop = now + 1;
        if (before == group.origin) {
            after.origin = now;
            after.originDue = group.originDue;
        }
    }
    group = std::move(after);
}

bool isHeld(const Group &group, std::size_t member)
{
    if (group.state == GroupState::Stopping)
        return true;
    if (group.state == GroupState::StoppingMembers && member >= group.first)
        return true;
    const MemberState state = group.members[member];
    return state != MemberState::Starting && state != MemberState::Ready;
}

QLatin1String ruleName(GroupState state, GroupInputKind input) { return cell(state, input).name; }

} // namespace GroupTable
} // namespace Rekindle
