// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/process/export.h>
#include <rekindle/process/processdefinition.h>

#include <vector>

namespace Rekindle {

class Agent;
class Scheduler;

/// The probes of an agent, for AgentMonitor::setHealth() (spec 6). The definitions must be valid
/// (validate()). Commands run with the environment and the working directory of `surroundings`;
/// heartbeats are those of `agent`, which must outlive the probes, as must `scheduler`. An mcp-ping
/// comes without its probe, which setHealth() refuses: makeMcpHealthChecks() has it.
///
/// ```
/// supervisor.monitor().setHealth(
///     id, makeHealthChecks(agent.definition().health, agent, agent.definition(), scheduler));
/// ```
[[nodiscard]] REKINDLE_PROCESS_EXPORT std::vector<HealthCheck>
makeHealthChecks(const QList<HealthProbeDefinition> &probes, const Agent &agent,
                 const ProcessDefinition &surroundings, Scheduler &scheduler);

} // namespace Rekindle
