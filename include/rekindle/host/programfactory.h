// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/host/export.h>

namespace Rekindle {

class AgentFactory;

/// Makes the agents of ConfiguredAgents: a ProcessAgent or, for an MCP server, an McpAgent.
/// Thread-safe.
[[nodiscard]] REKINDLE_HOST_EXPORT AgentFactory &programFactory();

} // namespace Rekindle
