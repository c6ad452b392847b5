// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/groupdefinition.h>

#include <QHash>
#include <QSet>

#include <algorithm>

namespace Rekindle {

namespace {

// Finds the faults of several groups.
class GroupCheck
{
public:
    explicit GroupCheck(const QList<GroupDefinition> &groups)
        : m_groups(groups)
    {
        for (qsizetype i = 0; i < groups.size(); ++i)
            checkName(i);
        for (qsizetype i = 0; i < groups.size(); ++i)
            check(i);
        for (qsizetype i = 0; i < groups.size(); ++i)
            checkNesting(i);
    }

    [[nodiscard]] QList<GroupFault> faults() const { return m_faults; }

private:
    void add(qsizetype group, const QString &place, const QString &text)
    {
        m_faults.append({group, place, text});
    }

    void addRange(qsizetype group, const QString &place, const QString &range, const QString &found)
    {
        add(group, place, QStringLiteral("expected %1, found %2").arg(range, found));
    }

    void checkName(qsizetype group)
    {
        const QString place = QStringLiteral("/name");
        const QString &name = m_groups.at(group).name;
        if (name.isEmpty())
            add(group, place, QStringLiteral("expected a name"));
        else if (m_names.contains(name))
            add(group, place, QStringLiteral("there are two groups named \"%1\"").arg(name));
        m_names.insert(name);
    }

    void check(qsizetype index)
    {
        const GroupDefinition &group = m_groups.at(index);
        checkNumbers(index, group);
        if (group.members.isEmpty())
            add(index, QStringLiteral("/members"), QStringLiteral("expected at least one member"));
        const bool hasSignificant =
            std::any_of(group.members.begin(), group.members.end(),
                        [](const GroupMember &member) { return member.significant; });
        if (group.autoShutdown != AutoShutdown::Never && !hasSignificant)
            add(index, QStringLiteral("/autoShutdown"),
                QStringLiteral("has no effect without a significant member"));
        for (qsizetype i = 0; i < group.members.size(); ++i)
            checkMember(index, group.members.at(i), QStringLiteral("/members/%1").arg(i));
    }

    void checkNumbers(qsizetype index, const GroupDefinition &group)
    {
        using Group = GroupDefinition;
        if (group.maxRestarts < 0 || group.maxRestarts > Group::highestMaxRestarts) {
            addRange(index, QStringLiteral("/intensity/restarts"), QStringLiteral("0 to 10000"),
                     QString::number(group.maxRestarts));
        }
        if (group.period < Group::shortestPeriod || group.period > Group::longestTime) {
            addRange(index, QStringLiteral("/intensity/period"), QStringLiteral("1ms to 1d"),
                     durationToString(group.period));
        }
        if (group.rearmAfter
            && (*group.rearmAfter < Group::shortestRearmAfter
                || *group.rearmAfter > Group::longestTime)) {
            addRange(index, QStringLiteral("/rearmAfter"), QStringLiteral("100ms to 1d"),
                     durationToString(*group.rearmAfter));
        }
    }

    void checkMember(qsizetype index, const GroupMember &member, const QString &place)
    {
        const QString kind = member.isGroup ? QStringLiteral("group") : QStringLiteral("agent");
        if (member.name.isEmpty())
            add(index, place, QStringLiteral("expected a name"));
        if (member.isGroup && !m_names.contains(member.name))
            add(index, place, QStringLiteral("no group has the name \"%1\"").arg(member.name));
        const QString &group = m_groups.at(index).name;
        const QString owner = m_owners.value({kind, member.name});
        if (owner.isNull())
            m_owners.insert({kind, member.name}, group);
        else if (owner == group)
            add(index, place, QStringLiteral("repeated member \"%1\"").arg(member.name));
        else
            add(index, place,
                QStringLiteral("the %1 \"%2\" already belongs to the group \"%3\"")
                    .arg(kind, member.name, owner));
    }

    // A group has one owner, so that the way up is a line or a circle.
    void checkNesting(qsizetype index)
    {
        const QString &name = m_groups.at(index).name;
        if (name.isEmpty())
            return;
        QStringList path{name};
        QString owner = m_owners.value({QStringLiteral("group"), name});
        while (!owner.isEmpty() && !path.contains(owner)) {
            path.prepend(owner);
            owner = m_owners.value({QStringLiteral("group"), owner});
        }
        if (owner != name || m_inCircle.contains(owner))
            return;
        m_inCircle.unite(QSet<QString>(path.begin(), path.end()));
        add(index, QStringLiteral("/members"),
            QStringLiteral("the group contains itself: %1")
                .arg((QStringList{owner} + path).join(QStringLiteral(" -> "))));
    }

    const QList<GroupDefinition> &m_groups;
    QSet<QString> m_names;
    QHash<std::pair<QString, QString>, QString> m_owners; // by kind and name of the member
    QSet<QString> m_inCircle;
    QList<GroupFault> m_faults;
};

} // namespace

QList<GroupFault> faultsOfGroups(const QList<GroupDefinition> &groups)
{
    return GroupCheck(groups).faults();
}

namespace {

QStringList agentsOf(const QList<GroupDefinition> &groups, const GroupMember &member)
{
    return member.isGroup ? agentsOfGroup(groups, member.name) : QStringList(member.name);
}

} // namespace

QStringList agentsOfGroup(const QList<GroupDefinition> &groups, const QString &name)
{
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&](const GroupDefinition &each) { return each.name == name; });
    QStringList agents;
    if (group == groups.end())
        return agents;
    for (const GroupMember &each : group->members)
        agents += agentsOf(groups, each);
    return agents;
}

QStringList agentsRestartedWith(const QList<GroupDefinition> &groups, const GroupDefinition &group,
                                qsizetype member)
{
    QStringList agents;
    if (group.strategy == GroupStrategy::OneForOne)
        return agents;
    const bool isAll = group.strategy == GroupStrategy::OneForAll;
    for (qsizetype i = isAll ? 0 : member + 1; i < group.members.size(); ++i) {
        if (i != member)
            agents += agentsOf(groups, group.members.at(i));
    }
    return agents;
}

} // namespace Rekindle
