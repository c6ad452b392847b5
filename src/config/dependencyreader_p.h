// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonobjectreader.h"

#include <rekindle/config/agentdefinition.h>
#include <rekindle/policy/dependencygraph.h>

#include <vector>

namespace Rekindle {

/// Reads `dependsOn` of all agents of a configuration.
class DependencyReader
{
public:
    /// Reads the dependencies of one agent, whose name is set.
    void read(JsonObjectReader &object, AgentDefinition &agent);

    /// Checks them against all agents, when all were read.
    void check(const QList<AgentDefinition> &agents) const;

private:
    struct Entry
    {
        QString agent;
        Dependency dependency;
        JsonPlace place; ///< of the name of the dependency
    };

    void readOne(const JsonPlace &place, AgentDefinition &agent);
    void checkCycle() const;

    std::vector<Entry> m_entries;
};

} // namespace Rekindle
