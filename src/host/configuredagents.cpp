// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/host/configuredagents.h>
#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/process/processagent.h>

namespace Rekindle {

namespace {

std::unique_ptr<Agent> makeAgent(const AgentDefinition &definition, Scheduler &scheduler)
{
    if (definition.kind == AgentDefinition::Kind::Process)
        return std::make_unique<ProcessAgent>(definition.process, scheduler);
    // Only the policy's startTimeout applies, because it does not count the time in which this host
    // did not run.
    McpClientOptions options;
    options.handshakeTimeout = std::chrono::hours(24);
    return std::make_unique<McpAgent>(definition.process, scheduler, options);
}

} // namespace

AgentSupervisor::Added addAgent(AgentSupervisor &supervisor, const AgentDefinition &definition)
{
    const bool readyAtOnce = definition.kind == AgentDefinition::Kind::Process
        && definition.process.readiness.kind == Readiness::Kind::Now;
    AgentSupervisor::Added added =
        supervisor.add(definition.name, makeAgent(definition, supervisor.scheduler()),
                       definition.policy, readyAtOnce);
    if (added)
        supervisor.monitor().setOutputEvents(added.id, definition.outputEvents);
    for (Fault &fault : added.faults) {
        fault.path.prepend(definition.pointer);
        fault.line = definition.line;
        fault.column = definition.column;
        fault.file = definition.file;
    }
    return added;
}

QList<Fault> addAll(AgentSupervisor &supervisor, const Configuration &configuration)
{
    QList<Fault> faults;
    for (const AgentDefinition &definition : configuration.agents)
        faults += addAgent(supervisor, definition).faults;
    return faults;
}

} // namespace Rekindle
