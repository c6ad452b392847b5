// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "agentnames_p.h"
#include "policyresolver_p.h"
#include "probereader_p.h"

#include <rekindle/config/agentdefinition.h>

#include <QDir>

namespace Rekindle {

/// Reads `defaults` and the agents that use them.
class AgentReader
{
public:
    AgentReader(PolicyResolver &policies, AgentNames &names, const QDir &folder,
                const ProbeReader &probes);

    void readDefaults(const JsonPlace &place);

    /// Faulty keys have their defaults in the result, which must not be used if there are faults.
    [[nodiscard]] AgentDefinition read(const JsonPlace &place);

private:
    void check(const JsonPlace &place, const AgentDefinition &agent, bool policyIsGood) const;

    PolicyResolver &m_policies;
    AgentNames &m_names;
    QDir m_folder;
    const ProbeReader &m_probes;
    ProcessDefinition m_process;
    bool m_outputEvents = false;
    std::optional<ResolvedPolicy> m_policy;
};

} // namespace Rekindle
