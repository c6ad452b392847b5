// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/configuration.h>
#include <rekindle/host/export.h>
#include <rekindle/lifecycle/agentsupervisor.h>

namespace Rekindle {

/// Adds an entry of a configuration: a ProcessAgent or, for an MCP server, an McpAgent, with its
/// policy, its probes and its output events. Faults have the position of the entry.
[[nodiscard]] REKINDLE_HOST_EXPORT AgentSupervisor::Added
addAgent(AgentSupervisor &supervisor, const AgentDefinition &definition);

/// Adds all entries of a configuration, MCP servers included. Returns the faults of all entries;
/// an entry with an error is not added.
[[nodiscard]] REKINDLE_HOST_EXPORT QList<Fault> addAll(AgentSupervisor &supervisor,
                                                       const Configuration &configuration);

} // namespace Rekindle
