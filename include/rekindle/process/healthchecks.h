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

/// Makes the probes of an agent, for Agent::ownHealthChecks() of an agent that runs processes, and
/// for AgentMonitor::setHealth(). The definitions must be valid (validate()). Commands run with the
/// environment and the working directory of `surroundings`. `agent` and `scheduler` must outlive
/// the probes. An mcp-ping of an agent that is not an McpAgent has no probe, which is a fault.
[[nodiscard]] REKINDLE_PROCESS_EXPORT std::vector<HealthCheck>
makeHealthChecks(const QList<HealthProbeDefinition> &probes, Agent &agent,
                 const ProcessDefinition &surroundings, Scheduler &scheduler);

/// Makes the probe of a shared breaker, for SharedBreakers::setProbe(). Commands run in `folder`
/// with the environment of this process. `scheduler` must outlive the probe. The probe is null if
/// its kind does not allow ProbeKind::Use::Readiness, and therefore needs an agent.
[[nodiscard]] REKINDLE_PROCESS_EXPORT HealthCheck
makeSharedCheck(const HealthProbeDefinition &probe, const QString &folder, Scheduler &scheduler);

} // namespace Rekindle
