// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonobjectreader.h"

#include <rekindle/config/agentdefinition.h>
#include <rekindle/policy/groupdefinition.h>

#include <functional>
#include <optional>
#include <vector>

namespace Rekindle {

/// The name of an agent or of a group, where a configuration refers to it.
struct AgentOrGroup
{
    JsonPlace place;
    QString name;
    bool isGroup = false;
};

/// Reads the name of an agent, or an object with "agent" or "group", whose other members
/// `readOthers` reads. Returns nothing and adds a fault if there is no name.
[[nodiscard]] std::optional<AgentOrGroup>
readAgentOrGroup(const JsonPlace &place, const std::function<void(JsonObjectReader &)> &readOthers);

/// Reads `groups` of all files of a configuration.
class GroupReader
{
public:
    /// Reads the groups of one file.
    void read(const std::vector<JsonPlace> &groups);

    /// Checks them against all agents and each other, when all were read.
    void check(const QList<AgentDefinition> &agents);

    [[nodiscard]] const QList<GroupDefinition> &groups() const { return m_groups; }
    [[nodiscard]] bool contains(const QString &group) const;

    /// After check(): the agents of a group and of the groups in it, in the order of starts; empty
    /// if any group has a fault.
    [[nodiscard]] QStringList agentsOf(const QString &group) const;

private:
    struct Entry
    {
        JsonPlace place;
        QStringList faulty; ///< what has a fault already, as a pointer in the group
        std::vector<std::optional<AgentOrGroup>> members;
    };

    static GroupDefinition readOne(Entry &entry);
    static void readMembers(JsonObjectReader &object, Entry &entry, GroupDefinition &group);

    std::vector<Entry> m_entries; ///< one for each group
    QList<GroupDefinition> m_groups;
    bool m_isValid = false;
};

} // namespace Rekindle
