// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonwriter.h"

#include <rekindle/config/configuration.h>
#include <rekindle/policy/dependencygraph.h>

namespace Rekindle {

/// The groups and dependencies of a configuration, as text and as JSON.
class AgentRelations
{
public:
    explicit AgentRelations(const Configuration &configuration);

    /// Whether there are neither groups nor dependencies.
    [[nodiscard]] bool isEmpty() const { return m_groups.isEmpty() && m_graph.agents().isEmpty(); }

    /// The members of each group, and what is restarted if one fails.
    [[nodiscard]] QString groupsText() const;
    /// The agents that stop or restart if another one is down.
    [[nodiscard]] QString effectsText() const;
    /// The orders and limits of the groups, what the agents wait for, and all effects.
    [[nodiscard]] QString planText() const;

    /// Writes the member `groups`.
    void writeGroups(JsonWriter &json) const;
    /// Writes the member `effects`.
    void writeEffects(JsonWriter &json, const QString &agent) const;
    /// Writes the members `groups` and `dependencies`: agents that depend on others, or others on
    /// them.
    void writeMembers(JsonWriter &json) const;

private:
    void writeGroup(JsonWriter &json, const GroupDefinition &group) const;
    [[nodiscard]] QStringList failureLines(const GroupDefinition &group) const;

    const QList<GroupDefinition> m_groups;
    QStringList m_agents;
    DependencyGraph m_graph;
};

} // namespace Rekindle
