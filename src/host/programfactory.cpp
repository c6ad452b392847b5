// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "config/internal/agentfactory.h"

#include <rekindle/host/programfactory.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/process/processagent.h>

namespace Rekindle {

namespace {

class ProgramFactory final : public AgentFactory
{
public:
    std::unique_ptr<Agent> make(const AgentDefinition &definition, Scheduler &scheduler) override
    {
        if (definition.kind == AgentDefinition::Kind::Process)
            return std::make_unique<ProcessAgent>(definition.process, scheduler);
        // Only the policy's startTimeout applies, because it does not count the time in which this
        // host did not run.
        McpClientOptions options;
        options.handshakeTimeout = std::chrono::hours(24);
        return std::make_unique<McpAgent>(definition.process, scheduler, options);
    }

    [[nodiscard]] AgentDefinition definitionOf(const Agent &agent) const override
    {
        AgentDefinition definition;
        if (const auto *server = qobject_cast<const McpAgent *>(&agent)) {
            definition.kind = AgentDefinition::Kind::McpServer;
            definition.process = server->definition();
        } else if (const auto *process = qobject_cast<const ProcessAgent *>(&agent)) {
            definition.process = process->definition();
        }
        return definition;
    }

    void setDefinition(Agent &agent, const AgentDefinition &definition) const override
    {
        if (auto *server = qobject_cast<McpAgent *>(&agent))
            server->setDefinition(definition.process);
        else if (auto *process = qobject_cast<ProcessAgent *>(&agent))
            process->setDefinition(definition.process);
    }
};

} // namespace

AgentFactory &programFactory()
{
    static ProgramFactory factory;
    return factory;
}

} // namespace Rekindle
