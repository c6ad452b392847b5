// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/restartpolicy.h>
#include <rekindle/process/processdefinition.h>

#include <QString>

namespace Rekindle {

/// One entry of `agents` or of `mcpServers` in a configuration (spec 10), with defaults and names
/// resolved.
struct AgentDefinition
{
    enum class Kind {
        Process,   ///< for a ProcessAgent
        McpServer, ///< for a McpAgent, with makeMcpHealthChecks()
    };

    Kind kind = Kind::Process;

    QString name; ///< unique in its configuration; 1 to 64 of letters, digits, '.', '_' and '-'

    /// Ready to be started: its paths are absolute, but for a bare program name.
    ProcessDefinition process;

    bool outputEvents = false; ///< its lines are events too: AgentMonitor::tellOutput()

    RestartPolicy policy;
    QString policyName; ///< the name or file it was written as; empty for an object in place

    QString pointer; ///< to the entry, for faults that are found later
    int line = 0;    ///< where the entry begins, 1-based; 0 if it did not come from a text
    int column = 0;

    bool operator==(const AgentDefinition &) const = default;
};

} // namespace Rekindle
