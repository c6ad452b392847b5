// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "agentnames_p.h"
#include "policyresolver_p.h"
#include "probereader_p.h"

#include <rekindle/config/agentdefinition.h>

#include <QDir>

namespace Rekindle {

/// Reads the entries of `mcpServers` of a configuration. `defaults` do not apply to them, because
/// those are for programs whose stdout is not a protocol.
class McpAgentReader
{
public:
    /// The servers are started in `folder`, and their paths count from it.
    McpAgentReader(PolicyResolver &policies, AgentNames &names, const QDir &folder,
                   const ProbeReader &probes);

    /// Returns nothing if the entry must not be started or has a fault.
    [[nodiscard]] std::optional<AgentDefinition> read(const JsonPlace &place);

private:
    void readName(const JsonPlace &place, QString &target);

    PolicyResolver &m_policies;
    AgentNames &m_names;
    QDir m_folder;
    const ProbeReader &m_probes;
};

} // namespace Rekindle
