// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "agentnames_p.h"
#include "policyresolver_p.h"

#include <rekindle/config/agentdefinition.h>

#include <QDir>

namespace Rekindle {

/// Reads one entry of `mcpServers` of a configuration after the other. `defaults` are not for
/// them: they are written for programs that do not talk over their stdout.
class McpAgentReader
{
public:
    /// The folder is their workspace: where they are started, and what their paths count from.
    McpAgentReader(PolicyResolver &policies, AgentNames &names, const QDir &folder);

    /// Nothing where the entry is not to be started, or has a fault.
    [[nodiscard]] std::optional<AgentDefinition> read(const JsonPlace &place);

private:
    void readName(const JsonPlace &place, QString &target);

    PolicyResolver &m_policies;
    AgentNames &m_names;
    QDir m_folder;
};

} // namespace Rekindle
