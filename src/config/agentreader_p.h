// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "agentnames_p.h"
#include "config/environment/environmentreader_p.h"
#include "config/process/probereader_p.h"
#include "dependencyreader_p.h"
#include "fleetreader_p.h"
#include "policyresolver_p.h"
#include "sharedbreakerreader_p.h"

#include <rekindle/config/agentdefinition.h>

#include <QDir>

namespace Rekindle {

/// Reads `defaults`, the agents that use them, and `mcpServers` of one file.
class AgentReader
{
public:
    /// What the agents of all files share.
    struct Shared
    {
        PolicyResolver &policies;
        AgentNames &names;
        DependencyReader &dependencies;
        SharedBreakerReader &breakers;
        FleetReader &fleet;
    };

    /// The file has the defaults of `parent`, which includes it; null for the main file.
    AgentReader(const Shared &shared, const ConfigurationDocument &document,
                const ProbeKinds &kinds, const AgentReader *parent);

    void readDefaults(const JsonPlace &place);

    /// Faulty keys have their defaults in the result, which must not be used if there are faults.
    [[nodiscard]] AgentDefinition read(const JsonPlace &place);

    /// Reads `mcpServers`. The servers are started in `folder`. Paths are relative to it.
    /// `defaults` do not apply, because they are for programs whose stdout is not a protocol.
    void readServers(const JsonPlace &place, QList<AgentDefinition> &agents);

    /// Absolute paths of the environment files that were read.
    [[nodiscard]] QStringList environmentFiles() const { return m_environments.files(); }

private:
    bool readSettings(JsonObjectReader &object, AgentDefinition &agent);
    bool readPolicy(JsonObjectReader &object, AgentDefinition &agent);
    void check(const JsonPlace &place, const AgentDefinition &agent, bool hasPolicy) const;

    Shared m_shared;
    const ConfigurationDocument &m_document;
    QDir m_folder;
    ProbeReader m_probes;
    EnvironmentReader m_environments;
    AgentDefinition m_defaults;
    bool m_hasPolicy = true; ///< false: the policy of `defaults` has a fault
};

} // namespace Rekindle
