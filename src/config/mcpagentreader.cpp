// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpagentreader_p.h"

#include "mcpentry_p.h"
#include "mcpserverreader_p.h"
#include "processwarnings_p.h"

#include <policy/definition/policynames_p.h>

#include <rekindle/policy/presets.h>

namespace Rekindle {

McpAgentReader::McpAgentReader(PolicyResolver &policies, AgentNames &names, const QDir &folder,
                               const ProbeReader &probes)
    : m_policies(policies)
    , m_names(names)
    , m_folder(folder)
    , m_probes(probes)
{
}

std::optional<AgentDefinition> McpAgentReader::read(const JsonPlace &place)
{
    if (!place.wantObject())
        return std::nullopt;
    const qsizetype before = place.faults().errorCount();
    JsonObjectReader object(place);
    if (isSkipped(object)) {
        if (const auto policy = object.member(QStringLiteral("policy")))
            m_policies.use(*policy);
        return std::nullopt;
    }
    AgentDefinition agent;
    agent.kind = AgentDefinition::Kind::McpServer;
    agent.pointer = place.pointer();
    agent.line = place.node().position.line;
    agent.column = place.node().position.column;
    readName(place, agent.name);
    agent.process = readServer(object, m_folder);
    if (agent.process.workingDirectory.isEmpty())
        agent.process.workingDirectory = QDir::cleanPath(m_folder.absolutePath());
    resolveProgram(agent.process, m_folder);
    agent.policyName = QStringLiteral("stdio-backend");
    agent.policy = preset(agent.policyName).value_or(RestartPolicy{});
    if (const auto own = object.member(QStringLiteral("policy"))) {
        if (const auto resolved = m_policies.resolve(*own)) {
            agent.policy = resolved->policy;
            agent.policyName = resolved->name;
        }
    }
    agent.process.health = m_probes.serverDefaults();
    m_probes.readHealth(object, ProbeKind::Use::ServerHealth, agent.process.health);
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

void McpAgentReader::readName(const JsonPlace &place, QString &target)
{
    const QString &name = place.node().name;
    const JsonPosition &position = place.node().namePosition;
    const auto fault = [&](const QString &text) {
        place.faults().add({place.pointer(), text}, position);
    };
    if (!isPlainName(name)) {
        fault(QStringLiteral("expected %1, found \"%2\"")
                  .arg(AgentNames::expected(), printable(name)));
        return;
    }
    if (const auto why = m_names.add(name, position.line))
        fault(*why);
    else
        target = name;
}

} // namespace Rekindle
