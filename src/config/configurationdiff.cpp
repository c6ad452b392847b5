// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/config/configurationdiff.h>

#include <QHash>

namespace Rekindle {

namespace {

// Everything that a running process has got from its definition.
ProcessDefinition launched(const AgentDefinition &agent)
{
    ProcessDefinition process = agent.process;
    process.health.clear();
    process.usage = {};
    process.recycling = {};
    if (agent.kind == AgentDefinition::Kind::McpServer)
        process.readiness = {}; // always the handshake
    return process;
}

DefinitionParts changedParts(const AgentDefinition &from, const AgentDefinition &to)
{
    DefinitionParts parts;
    parts.setFlag(DefinitionPart::Process,
                  launched(from) != launched(to)
                      || from.process.watchdogInterval() != to.process.watchdogInterval());
    parts.setFlag(DefinitionPart::Policy, from.policy != to.policy);
    parts.setFlag(DefinitionPart::Health, from.process.health != to.process.health);
    parts.setFlag(DefinitionPart::Options,
                  from.tags != to.tags || from.start != to.start || from.dependsOn != to.dependsOn
                      || from.requiredBreakers != to.requiredBreakers
                      || from.outputEvents != to.outputEvents || from.watch != to.watch
                      || from.priority != to.priority || from.process.usage != to.process.usage
                      || from.process.recycling != to.process.recycling);
    return parts;
}

} // namespace

ConfigurationChanges difference(const QList<AgentDefinition> &from,
                                const QList<AgentDefinition> &to)
{
    ConfigurationChanges changes;
    QHash<QString, const AgentDefinition *> left;
    for (const AgentDefinition &agent : from)
        left.insert(agent.name, &agent);
    for (const AgentDefinition &agent : to) {
        const AgentDefinition *const before = left.take(agent.name);
        if (!before) {
            changes.added.append(agent.name);
            continue;
        }
        const DefinitionParts parts = changedParts(*before, agent);
        if (!parts)
            changes.unchanged.append(agent.name);
        else
            changes.changed.append({agent.name, parts, parts.testFlag(DefinitionPart::Process)});
    }
    for (const AgentDefinition &agent : from) {
        if (left.contains(agent.name))
            changes.removed.append(agent.name);
    }
    return changes;
}

} // namespace Rekindle
