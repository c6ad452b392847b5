// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "groupreader_p.h"

#include <rekindle/policy/dependencygraph.h>

#include <QHash>
#include <QSet>

#include <utility>
#include <vector>

namespace Rekindle {

/// Reads `dependsOn` of all agents of a configuration.
class DependencyReader
{
public:
    /// Reads the dependencies of one agent, whose name is set.
    void read(JsonObjectReader &object, const AgentDefinition &agent);

    /// Sets AgentDefinition::dependsOn of all agents, when all were read, and checks them against
    /// the agents and the groups, which must be checked.
    void check(QList<AgentDefinition> &agents, const GroupReader &groups) const;

private:
    struct Entry
    {
        QString agent;
        Dependency dependency; ///< its `agent` is the name of a group if `isGroup`
        JsonPlace place;       ///< of the name of the dependency
        bool isGroup = false;
    };

    void readOne(const JsonPlace &place, const QString &agent,
                 QSet<std::pair<QString, bool>> &known);
    static void checkNames(const Entry &entry, const QStringList &names,
                           const QHash<QString, AgentDefinition *> &agents);
    /// `known`: pairs of agents for which a dependency was added.
    static void expand(const Entry &entry, const QStringList &names,
                       QSet<std::pair<QString, QString>> &known, QList<Dependency> &target);
    void checkCycle(const QList<AgentDefinition> &agents, const GroupReader &groups) const;

    std::vector<Entry> m_entries; ///< entries of one agent are adjacent
};

} // namespace Rekindle
