// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpagentreader_p.h"

#include "mcpentry_p.h"
#include "mcpserverreader_p.h"
#include "processwarnings_p.h"

#include <rekindle/policy/presets.h>

namespace Rekindle {

std::optional<AgentDefinition> readMcpAgent(const JsonPlace &place, PolicyResolver &policies,
                                            AgentNames &names, const QDir &folder,
                                            const ProbeReader &probes)
{
    if (!place.wantObject())
        return std::nullopt;
    const qsizetype before = place.faults().errorCount();
    JsonObjectReader object(place);
    if (isSkipped(object)) {
        if (const auto policy = object.member(QStringLiteral("policy")))
            policies.use(*policy);
        return std::nullopt;
    }
    AgentDefinition agent;
    agent.kind = AgentDefinition::Kind::McpServer;
    storePosition(place, agent);
    agent.name = place.node().name;
    if (const auto fault = names.add(agent.name, place.node().namePosition.line))
        place.faultAtName(*fault);
    agent.process = readServer(object, folder);
    if (agent.process.workingDirectory.isEmpty())
        agent.process.workingDirectory = QDir::cleanPath(folder.absolutePath());
    resolveProgram(agent.process, folder);
    agent.policyName = QStringLiteral("stdio-backend");
    agent.policy = preset(agent.policyName).value_or(RestartPolicy{});
    if (const auto own = object.member(QStringLiteral("policy"))) {
        if (const auto resolved = policies.resolve(*own)) {
            agent.policy = resolved->policy;
            agent.policyName = resolved->name;
        }
    }
    agent.process.health = probes.serverDefaults();
    probes.readHealth(object, ProbeKind::Use::ServerHealth, agent.process.health);
    warnOfKeysOf(place, gatewayKeys(), QStringLiteral("`rekindle mcp --config`"));
    warnOfUnknownKeys(place,
                      serverKeys() + gatewayKeys()
                          + QStringList{QStringLiteral("policy"), QStringLiteral("health")});
    if (place.faults().errorCount() > before)
        return std::nullopt;
    if (const auto command = object.member(QStringLiteral("command")))
        warnOfMissingProgram(*command, agent.process.program, agent.process);
    warnOfMissingCommands(place, agent.process);
    warnOfMissingFolder(place, u"cwd", agent.process);
    return agent;
}

} // namespace Rekindle
