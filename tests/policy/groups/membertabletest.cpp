// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/membertable.h"
#include "testprogram.h"
#include "testrow.h"

#include <array>

using namespace Rekindle;

// The input of a group that follows from what a member does, for each state in which it knows it.
class MemberTableTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agents_data();
    void agents();
    void groups_data();
    void groups();
    void reportsAFailureOnce();
};

namespace {

constexpr std::size_t memberStateCount = 7;

Group groupOf(MemberState known)
{
    Group group({.name = QStringLiteral("g"), .members = {{.name = QStringLiteral("a")}}});
    group.members[0] = known;
    return group;
}

// "-", or the input, with "!" if the process is alive and "~" if a failure does not count.
QString textOf(const std::optional<GroupInput> &input)
{
    static constexpr std::array names = {"planned", "ready", "failed",  "due",
                                         "down",    "ended", "stopped", "gaveUp"};
    if (!input)
        return QStringLiteral("-");
    return QLatin1String(names.at(static_cast<std::size_t>(input->kind)))
        + QLatin1String(input->alive ? "!" : "") + QLatin1String(input->counted ? "" : "~");
}

// "Waiting attempt alive due": a state, why a start is planned, and what else is the case.
Instance instanceOf(const QString &text)
{
    const auto has = [words = text.split(u' ')](const char *word) {
        return words.contains(QLatin1String(word));
    };
    Instance instance(std::make_shared<const RestartPolicy>());
    instance.state = valueOf(instanceStates, text.section(u' ', 0, 0)).value();
    instance.generation = 1;
    instance.planned = has("operator") ? PlannedStart::Operator
        : has("attempt")               ? PlannedStart::Attempt
        : has("requested")             ? PlannedStart::Requested
        : has("group")                 ? PlannedStart::Group
                                       : PlannedStart::None;
    instance.processAlive = has("alive");
    instance.startDue = has("due");
    instance.completed = has("completed");
    if (has("rearms"))
        instance.deadline = Instant();
    return instance;
}

// The inputs are in the order of MemberState.
Rows<QString, QString> addColumns() { return Rows<QString, QString>("member", "inputs"); }

} // namespace

// clang-format off
// Absent, Ended, GaveUp, Waiting, Starting, Ready, Stopping. "=": no input, but it has given up.
void MemberTableTest::agents_data()
{
    const auto row = addColumns();
    row("stopped", "Stopped", "- - stopped stopped stopped stopped stopped");
    row("has ended by itself", "Stopped completed", "- - ended ended ended ended ended");
    row("a start of the group has not begun", "Stopped unchanged", "- - stopped - stopped stopped stopped");
    row("has given up", "Exhausted", "= gaveUp - gaveUp gaveUp gaveUp gaveUp");
    row("has given up before the start of the group", "Exhausted unchanged", "= gaveUp - - gaveUp gaveUp gaveUp");
    row("has given up for some time", "Exhausted unchanged rearms", "= gaveUp - gaveUp gaveUp gaveUp gaveUp");
    row("failed for good", "Failed", "= gaveUp - gaveUp gaveUp gaveUp gaveUp");
    row("gated", "Gated", "= gaveUp - gaveUp gaveUp gaveUp gaveUp");
    row("starts", "Starting alive", "planned! planned! planned! - - - -");
    row("ready", "Running alive", "ready! ready! ready! ready! ready! - -");
    row("is being decided", "Evaluating", "- - - - - - -");
    row("stops", "Stopping alive operator", "- - - - - - -");
    row("a dependency restarts it", "Stopping alive group", "- - - - down! down! -");
    row("start by an operator", "Waiting operator", "planned planned planned - - - down");
    row("start by an operator, due", "Waiting operator due", "planned planned planned due - - down");
    row("start by an operator, the old process runs", "Waiting operator due alive", "planned! planned! planned! - - - -");
    row("start after a stop for others", "Waiting group", "planned planned planned - - down down");
    row("start after a stop for others, due", "Waiting group due", "planned planned planned due - down down");
    row("start after a stop for others, the old process runs", "Waiting group alive", "planned! planned! planned! - - down! -");
    row("restart", "Waiting attempt", "planned planned planned - failed failed down");
    row("restart, due", "Waiting attempt due", "planned planned planned due failed failed down");
    row("restart, the old process runs", "Waiting attempt alive", "planned! planned! planned! - failed! failed! -");
    row("restart after a known failure", "Waiting attempt known", "planned planned planned - - - down");
    row("restart by the breaker", "CircuitOpen attempt", "planned planned planned - failed failed down");
    row("requested restart", "Waiting requested", "planned~ planned~ planned~ - failed~ failed~ down~");
}

void MemberTableTest::groups_data()
{
    const auto row = addColumns();
    row("stopped", "Stopped", "- - - stopped stopped stopped stopped");
    row("stopped because a member has ended", "Stopped Ended", "- - - ended ended ended ended");
    row("has not begun", "Stopped Waiting", "planned planned planned - - - down");
    row("starts", "Starting", "planned planned planned - - - -");
    row("starts without permission", "Starting forbidden", "planned planned planned - down down down");
    row("running", "Running", "ready ready ready ready ready - -");
    row("stops members", "StoppingMembers", "planned planned planned - - - -");
    row("starts members", "StartingMembers", "planned planned planned - - - -");
    row("stops", "Stopping", "- - - - - - -");
    row("has given up", "Exhausted", "- - - failed failed failed gaveUp");
}
// clang-format on

void MemberTableTest::agents()
{
    QFETCH(const QString, member);
    QFETCH(const QString, inputs);
    const Instance agent = instanceOf(member);
    QStringList found;
    for (std::size_t i = 0; i < memberStateCount; ++i) {
        const auto known = static_cast<MemberState>(i);
        Group group = groupOf(known);
        MemberMemory memory{.state = member.contains(QLatin1String("unchanged"))
                                ? agent.state
                                : InstanceState::CircuitOpen,
                            .failed = member.contains(QLatin1String("known")) ? quint64{1} : 0};
        QString text = textOf(MemberTable::observe(group, 0, memory, agent));
        if (group.members[0] != known)
            text = group.members[0] == MemberState::GaveUp ? QStringLiteral("=") : text + u'?';
        found.append(text);
        QCOMPARE(memory.state, agent.state);
    }
    QCOMPARE(found.join(u' '), inputs);
}

void MemberTableTest::groups()
{
    QFETCH(const QString, member);
    QFETCH(const QString, inputs);
    Group inner = groupOf(member.contains(QLatin1String("Ended"))         ? MemberState::Ended
                              : member.contains(QLatin1String("Waiting")) ? MemberState::Waiting
                                                                          : MemberState::Absent);
    inner.state = valueOf(groupStates, member.section(u' ', 0, 0)).value();
    inner.permitted = !member.contains(QLatin1String("forbidden"));
    QStringList found;
    for (std::size_t i = 0; i < memberStateCount; ++i)
        found.append(textOf(MemberTable::observe(groupOf(static_cast<MemberState>(i)), 0, inner)));
    QCOMPARE(found.join(u' '), inputs);
}

void MemberTableTest::reportsAFailureOnce()
{
    Instance agent = instanceOf(QStringLiteral("Waiting attempt"));
    Group group = groupOf(MemberState::Ready);
    MemberMemory memory;
    const auto observe = [&] { return textOf(MemberTable::observe(group, 0, memory, agent)); };
    QCOMPARE(observe(), QStringLiteral("failed"));
    QCOMPARE(observe(), QStringLiteral("-"));
    agent.generation = 2;
    QCOMPARE(observe(), QStringLiteral("failed"));
}

REKINDLE_TEST(MemberTableTest)
#include "membertabletest.moc"
