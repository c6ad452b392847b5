// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/groupdefinition.h>

#include <QHash>
#include <QSet>

#include <algorithm>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr int highestMaxRestarts = 10'000;
constexpr Duration longestTime = 24h;

QString rangeFault(const QString &key, const QString &range, const QString &found)
{
    return QStringLiteral("%1: expected %2, found %3").arg(key, range, found);
}

QStringList faultsOfNumbers(const GroupDefinition &group)
{
    QStringList faults;
    if (group.maxRestarts < 0 || group.maxRestarts > highestMaxRestarts) {
        faults += rangeFault(QStringLiteral("maxRestarts"), QStringLiteral("0 to 10000"),
                             QString::number(group.maxRestarts));
    }
    if (group.period < 1ms || group.period > longestTime) {
        faults += rangeFault(QStringLiteral("period"), QStringLiteral("1ms to 24h"),
                             durationToString(group.period));
    }
    if (group.rearmAfter && (*group.rearmAfter < 100ms || *group.rearmAfter > longestTime)) {
        faults += rangeFault(QStringLiteral("rearmAfter"), QStringLiteral("100ms to 24h"),
                             durationToString(*group.rearmAfter));
    }
    return faults;
}

// Finds the faults of several groups.
class GroupCheck
{
public:
    explicit GroupCheck(const QList<GroupDefinition> &groups)
    {
        for (const GroupDefinition &each : groups) {
            if (each.name.isEmpty())
                m_faults += QStringLiteral("a group has no name");
            else if (m_groups.contains(each.name))
                add(each, QStringLiteral("there are two groups with this name"));
            else
                m_groups.insert(each.name, each);
        }
        for (const GroupDefinition &each : groups)
            check(each);
        for (const GroupDefinition &each : groups)
            checkNesting(each);
    }

    [[nodiscard]] QStringList faults() const { return m_faults; }

private:
    void add(const GroupDefinition &group, const QString &text)
    {
        m_faults += group.name + QLatin1String(": ") + text;
    }

    void check(const GroupDefinition &group)
    {
        for (const QString &each : faultsOfNumbers(group))
            add(group, each);
        if (group.members.isEmpty())
            add(group, QStringLiteral("it has no members"));
        const bool hasSignificant =
            std::any_of(group.members.begin(), group.members.end(),
                        [](const GroupMember &member) { return member.significant; });
        if (group.autoShutdown != AutoShutdown::Never && !hasSignificant)
            add(group, QStringLiteral("autoShutdown has no effect without a significant member"));
        for (const GroupMember &each : group.members)
            checkMember(group, each);
    }

    void checkMember(const GroupDefinition &group, const GroupMember &member)
    {
        const QString kind = member.isGroup ? QStringLiteral("group") : QStringLiteral("agent");
        if (member.name.isEmpty())
            add(group, QStringLiteral("a member has no name"));
        if (member.isGroup && !m_groups.contains(member.name))
            add(group, QStringLiteral("there is no group \"%1\"").arg(member.name));
        const QString owner = m_owners.value({kind, member.name});
        if (owner.isNull()) {
            m_owners.insert({kind, member.name}, group.name);
        } else if (owner == group.name) {
            add(group, QStringLiteral("it contains the %1 \"%2\" twice").arg(kind, member.name));
        } else {
            add(group,
                QStringLiteral("the %1 \"%2\" already belongs to the group \"%3\"")
                    .arg(kind, member.name, owner));
        }
    }

    // A group has one owner, so that the way up is a line or a circle.
    void checkNesting(const GroupDefinition &group)
    {
        QStringList path{group.name};
        QString owner = m_owners.value({QStringLiteral("group"), group.name});
        while (!owner.isEmpty() && !path.contains(owner)) {
            path.prepend(owner);
            owner = m_owners.value({QStringLiteral("group"), owner});
        }
        if (owner != group.name || m_inCircle.contains(owner))
            return;
        m_inCircle.unite(QSet<QString>(path.begin(), path.end()));
        add(group,
            QStringLiteral("it contains itself: %1")
                .arg((QStringList{owner} + path).join(QStringLiteral(" → "))));
    }

    QHash<QString, GroupDefinition> m_groups;
    QHash<std::pair<QString, QString>, QString> m_owners; // by kind and name of the member
    QSet<QString> m_inCircle;
    QStringList m_faults;
};

} // namespace

QStringList faultsOfGroups(const QList<GroupDefinition> &groups)
{
    return GroupCheck(groups).faults();
}

} // namespace Rekindle
