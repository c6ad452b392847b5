// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/grouptree.h"

#include <QSet>

#include <utility>

namespace Rekindle {

GroupTree::GroupTree(const QList<GroupDefinition> &definitions, const GroupTree &earlier)
{
    QHash<QString, GroupDefinition> byName;
    QSet<QString> contained;
    for (const GroupDefinition &each : definitions) {
        byName.insert(each.name, each);
        for (const GroupMember &member : each.members) {
            if (member.isGroup)
                contained.insert(member.name);
        }
    }
    for (const GroupDefinition &each : definitions) {
        if (!contained.contains(each.name))
            add(each, {}, earlier);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (std::size_t j = 0; j < nodes[i].group.members.size(); ++j) {
            const GroupMember &member = at({i, j});
            if (member.isGroup)
                add(byName.value(member.name), MemberPlace{i, j}, earlier);
            else
                agents.insert(member.name, {i, j});
        }
    }
}

void GroupTree::add(const GroupDefinition &definition, std::optional<MemberPlace> place,
                    const GroupTree &earlier)
{
    groups.insert(definition.name, nodes.size());
    nodes.push_back({Group(definition, place.has_value()), place});
    const std::optional<std::size_t> before = earlier.find(definition.name);
    if (!before)
        return;
    const auto parentOf = [](const GroupTree &tree, const Node &node) {
        return node.place ? tree.nodes[node.place->group].name() : QString();
    };
    Node &node = nodes.back();
    node.group = earlier.nodes[*before].group;
    GroupTable::redefine(node.group, definition, place.has_value(),
                         parentOf(earlier, earlier.nodes[*before]) != parentOf(*this, node));
}

QList<GroupDefinition> GroupTree::definitions() const
{
    QList<GroupDefinition> all;
    for (const Node &each : nodes)
        all.append(each.group.definition);
    return all;
}

std::optional<std::size_t> GroupTree::find(const QString &group) const
{
    const auto found = groups.constFind(group);
    return found == groups.cend() ? std::nullopt : std::optional(*found);
}

MemberPlace GroupTree::firstAgent(MemberPlace place) const
{
    while (at(place).isGroup)
        place = {groupAt(place), 0};
    return place;
}

std::optional<std::size_t> GroupTree::stoppingGroup(MemberPlace place) const
{
    for (std::optional<MemberPlace> outer = nodes[place.group].place; outer;
         outer = nodes[outer->group].place) {
        const Group &group = nodes[outer->group].group;
        if (group.state == GroupState::Stopping
            || (group.state == GroupState::StoppingMembers && outer->member >= group.first))
            return outer->group;
    }
    return {};
}

bool GroupTree::isHeld(MemberPlace place) const
{
    return GroupTable::isHeld(nodes[place.group].group, place.member) || stoppingGroup(place);
}

} // namespace Rekindle
