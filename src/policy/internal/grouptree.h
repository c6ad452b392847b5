// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/grouptable.h>

#include <QHash>

namespace Rekindle {

/// The place of a member: the index of its group, and its index in the group.
struct MemberPlace
{
    std::size_t group = 0;
    std::size_t member = 0;
};

/// The groups of a supervisor, with the groups in them. Plain data, without clock and timers.
struct REKINDLE_POLICY_EXPORT GroupTree
{
    struct Node
    {
        Group group;
        std::optional<MemberPlace> place; ///< in the group that contains it

        [[nodiscard]] const QString &name() const { return group.definition.name; }
    };

    GroupTree() = default;
    /// `definitions` must have no faults. A group that is also in `earlier` continues, as
    /// GroupTable::redefine() describes.
    GroupTree(const QList<GroupDefinition> &definitions, const GroupTree &earlier);

    std::vector<Node> nodes; ///< each one after the group that contains it
    QHash<QString, std::size_t> groups;
    QHash<QString, MemberPlace> agents; ///< the members that are no groups

    [[nodiscard]] QList<GroupDefinition> definitions() const;
    [[nodiscard]] std::optional<std::size_t> find(const QString &group) const;

    [[nodiscard]] const GroupMember &at(MemberPlace place) const
    {
        const GroupDefinition &group = nodes[place.group].group.definition;
        return group.members.at(static_cast<qsizetype>(place.member));
    }
    /// The group that is this member.
    [[nodiscard]] std::size_t groupAt(MemberPlace place) const
    {
        return groups.value(at(place).name);
    }
    /// The member, or the first agent in it.
    [[nodiscard]] MemberPlace firstAgent(MemberPlace place) const;
    /// Calls a function with the place of the member, or of each agent in it, in the order of
    /// starts.
    template<typename Function>
    void forEachAgent(MemberPlace place, const Function &function) const
    {
        if (!at(place).isGroup) {
            function(place);
            return;
        }
        const std::size_t inner = groupAt(place);
        for (std::size_t i = 0; i < nodes[inner].group.members.size(); ++i)
            forEachAgent({inner, i}, function);
    }

    /// The group around the one of this place that is stopping it.
    [[nodiscard]] std::optional<std::size_t> stoppingGroup(MemberPlace place) const;
    /// Whether its group, or one around it, holds the starts of the member back.
    [[nodiscard]] bool isHeld(MemberPlace place) const;

private:
    void add(const GroupDefinition &definition, std::optional<MemberPlace> place,
             const GroupTree &earlier);
};

} // namespace Rekindle
