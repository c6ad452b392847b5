// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/requestprobe.h>
#include <rekindle/mcp/mcpclient.h>
#include <rekindle/process/healthprobedefinition.h>

namespace Rekindle {

/// Detects an MCP server that hangs: the probe `mcp-ping` (spec 6). It sends ping, or
/// server/discover with the modern revision. An error counts as an answer. If there is no answer in
/// time or no session, the run is a probe failure.
///
/// Some servers answer nothing while they work on a call. For such a server, use a schedule that is
/// longer than its longest call.
///
/// ```
/// monitor.setHealth(id, makeHealthChecks({mcpPingProbe()}, agent, {}, scheduler));
/// ```
class REKINDLE_MCP_EXPORT McpPingProbe final : public RequestProbe<McpAnswer>
{
public:
    explicit McpPingProbe(McpClient &client, QObject *parent = nullptr);
};

/// The kind `mcp-ping`, for agents that are McpAgents.
[[nodiscard]] REKINDLE_MCP_EXPORT const ProbeKind &mcpPingProbeKind();

/// Pings the server of an McpAgent.
[[nodiscard]] REKINDLE_MCP_EXPORT HealthProbeDefinition
mcpPingProbe(const HealthSchedule &schedule = {});

} // namespace Rekindle
