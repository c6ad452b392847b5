// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/groups/agentgroups.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <QPointer>

namespace Rekindle {

class JsonWriter;

/// Describes the groups for control clients.
class GroupCalls
{
public:
    /// `supervisor` must outlive it.
    explicit GroupCalls(const AgentSupervisor &supervisor)
        : m_supervisor(supervisor)
    {
    }

    /// Null: there are none.
    void setGroups(const AgentGroups *groups) { m_groups = groups; }

    /// Writes an array with the states of the groups that contain any of these agents, directly or
    /// in another group.
    void writeStates(JsonWriter &json, const QList<QUuid> &agents) const;

private:
    void writeState(JsonWriter &json, const GroupDefinition &group) const;

    const AgentSupervisor &m_supervisor;
    QPointer<const AgentGroups> m_groups;
};

} // namespace Rekindle
