// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policyresolver_p.h"
#include "probereader_p.h"

#include <rekindle/config/agentdefinition.h>

#include <QDir>
#include <QHash>

namespace Rekindle {

/// Reads `defaults`, the agents that use them, and `mcpServers`.
class AgentReader
{
public:
    AgentReader(PolicyResolver &policies, const QDir &folder, const ProbeKinds &kinds);

    void readDefaults(const JsonPlace &place);

    /// Faulty keys have their defaults in the result, which must not be used if there are faults.
    [[nodiscard]] AgentDefinition read(const JsonPlace &place);

    /// Reads `mcpServers`. The servers are started in `folder`, and their paths count from it.
    /// `defaults` do not apply, because they are for programs whose stdout is not a protocol.
    void readServers(const JsonPlace &place, QList<AgentDefinition> &agents);

private:
    bool readSettings(JsonObjectReader &object, AgentDefinition &agent);
    bool readPolicy(JsonObjectReader &object, AgentDefinition &agent);
    [[nodiscard]] std::optional<QString> addName(const QString &name, int line);
    void check(const JsonPlace &place, const AgentDefinition &agent, bool hasPolicy) const;

    PolicyResolver &m_policies;
    QDir m_folder;
    ProbeReader m_probes;
    QHash<QString, int> m_lines; ///< of the names of all agents, which must be unique
    AgentDefinition m_defaults;
    bool m_hasPolicy = true; ///< false: the policy of `defaults` has a fault
};

} // namespace Rekindle
