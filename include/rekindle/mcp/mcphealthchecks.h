// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/export.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/process/healthchecks.h>

#include <vector>

namespace Rekindle {

/// Creates the health checks of an MCP server: makeHealthChecks() with probes of kind mcp-ping
/// (spec 6). The agent must outlive the probes.
[[nodiscard]] REKINDLE_MCP_EXPORT std::vector<HealthCheck>
makeMcpHealthChecks(const QList<HealthProbeDefinition> &probes, McpAgent &agent,
                    const ProcessDefinition &surroundings, Scheduler &scheduler);

} // namespace Rekindle
