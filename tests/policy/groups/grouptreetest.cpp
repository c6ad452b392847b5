// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/grouptree.h"
#include "testprogram.h"

using namespace Rekindle;

class GroupTreeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsMembers();
    void groupsAroundHoldAMember();
    void groupsContinue();
    void movedGroupNeedsPermission();
};

namespace {

// "outer:a,[inner] inner:b"
QList<GroupDefinition> definitionsOf(const QString &text)
{
    QList<GroupDefinition> all;
    for (const QString &each : text.split(u' ')) {
        GroupDefinition group{.name = each.section(u':', 0, 0)};
        for (QString member : each.section(u':', 1).split(u',')) {
            const bool isGroup = member.startsWith(u'[');
            group.members.append({.name = member.remove(u'[').remove(u']'), .isGroup = isGroup});
        }
        all.append(group);
    }
    return all;
}

GroupTree treeOf(const QString &text, const GroupTree &earlier = {})
{
    return {definitionsOf(text), earlier};
}

Group &groupOf(GroupTree &tree, const char *name)
{
    return tree.nodes[tree.find(QLatin1String(name)).value()].group;
}

// Of the members of the first group.
QStringList agentsOf(const GroupTree &tree)
{
    QStringList all;
    for (std::size_t i = 0; i < tree.nodes[0].group.members.size(); ++i)
        tree.forEachAgent({0, i}, [&](MemberPlace each) { all += tree.at(each).name; });
    return all;
}

} // namespace

void GroupTreeTest::findsMembers()
{
    const GroupTree tree = treeOf(QStringLiteral("two:b,[three] three:c,d one:a,[two],e"));
    QStringList names;
    for (const GroupDefinition &each : tree.definitions())
        names += each.name;
    QCOMPARE(names.join(u' '), QStringLiteral("one two three")); // from the outside to the inside
    QCOMPARE(agentsOf(tree).join(u' '), QStringLiteral("a b c d e"));
    QCOMPARE(tree.agents.size(), 5);
    const MemberPlace two{0, 1};
    QCOMPARE(tree.groupAt(two), std::size_t{1});
    QCOMPARE(tree.at(tree.firstAgent(two)).name, QStringLiteral("b"));
    QCOMPARE(tree.at(tree.agents.value(QStringLiteral("d"))).name, QStringLiteral("d"));
    QVERIFY(!tree.nodes[0].place);
    QCOMPARE(tree.nodes[1].place->member, std::size_t{1});
    QVERIFY(!tree.find(QStringLiteral("a"))); // an agent
}

void GroupTreeTest::groupsAroundHoldAMember()
{
    GroupTree tree = treeOf(QStringLiteral("one:a,[two] two:[three] three:b"));
    const MemberPlace b = tree.agents.value(QStringLiteral("b"));
    groupOf(tree, "three").members[0] = MemberState::Ready;
    QVERIFY(!tree.isHeld(b));
    groupOf(tree, "one").state = GroupState::StoppingMembers;
    groupOf(tree, "one").first = 1;
    QCOMPARE(tree.stoppingGroup(b), tree.find(QStringLiteral("one")));
    QVERIFY(tree.isHeld(b));
    groupOf(tree, "one").first = 2; // it stops only later members
    QVERIFY(!tree.isHeld(b));
    groupOf(tree, "two").state = GroupState::Stopping;
    QCOMPARE(tree.stoppingGroup(b), tree.find(QStringLiteral("two")));
    groupOf(tree, "two").state = GroupState::Running;
    groupOf(tree, "three").state = GroupState::Stopping; // its own group
    QVERIFY(!tree.stoppingGroup(b));
    QVERIFY(tree.isHeld(b));
}

void GroupTreeTest::groupsContinue()
{
    GroupTree before = treeOf(QStringLiteral("g:a,b"));
    groupOf(before, "g").state = GroupState::Running;
    groupOf(before, "g").members = {MemberState::Ready, MemberState::Starting};
    GroupTree after = treeOf(QStringLiteral("h:a g:c,b"), before);
    QCOMPARE(groupOf(after, "g").state, GroupState::Running);
    QCOMPARE(groupOf(after, "g").members[0], MemberState::Absent);
    QCOMPARE(groupOf(after, "g").members[1], MemberState::Starting);
    QCOMPARE(groupOf(after, "h").state, GroupState::Stopped);
    QCOMPARE(groupOf(after, "h").members[0], MemberState::Absent);
}

void GroupTreeTest::movedGroupNeedsPermission()
{
    GroupTree before = treeOf(QStringLiteral("one:[g] g:a"));
    groupOf(before, "g").state = GroupState::Starting;
    groupOf(before, "g").permitted = true;
    GroupTree same = treeOf(QStringLiteral("one:b,[g] g:a"), before);
    QVERIFY(groupOf(same, "g").permitted);
    GroupTree moved = treeOf(QStringLiteral("two:[g] g:a"), before);
    QVERIFY(!groupOf(moved, "g").permitted);
    GroupTree top = treeOf(QStringLiteral("g:a"), before);
    QVERIFY(groupOf(top, "g").permitted);
}

REKINDLE_TEST(GroupTreeTest)
#include "grouptreetest.moc"
