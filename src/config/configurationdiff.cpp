// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/config/configurationdiff.h>

#include "policy/internal/policykeys.h"

#include <QHash>

#include <array>

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

// Whether a process outlives the loss of the fleet's store is decided when it starts.
bool isKept(const AgentDefinition &agent) { return agent.placement && agent.placement->keep; }

bool samePreference(const AgentDefinition &a, const AgentDefinition &b)
{
    return a.placement.value_or(FleetPlacement()).prefer
        == b.placement.value_or(FleetPlacement()).prefer;
}

bool sameStoreLoss(const AgentDefinition &a, const AgentDefinition &b)
{
    return isKept(a) == isKept(b);
}

DefinitionParts changedParts(const AgentDefinition &from, const AgentDefinition &to)
{
    DefinitionParts parts;
    parts.setFlag(DefinitionPart::Process,
                  launched(from) != launched(to)
                      || from.process.watchdogInterval() != to.process.watchdogInterval()
                      || isKept(from) != isKept(to));
    parts.setFlag(DefinitionPart::Policy, from.policy != to.policy);
    parts.setFlag(DefinitionPart::Health, from.process.health != to.process.health);
    parts.setFlag(DefinitionPart::Options,
                  from.tags != to.tags || from.start != to.start || from.dependsOn != to.dependsOn
                      || from.requiredBreakers != to.requiredBreakers
                      || from.outputEvents != to.outputEvents || from.watch != to.watch
                      || from.priority != to.priority || from.placement != to.placement
                      || from.process.usage != to.process.usage
                      || from.process.recycling != to.process.recycling);
    return parts;
}

using Same = bool (*)(const AgentDefinition &, const AgentDefinition &);

template<auto Member>
bool same(const AgentDefinition &a, const AgentDefinition &b)
{
    return a.*Member == b.*Member;
}

template<auto Member>
bool sameProcess(const AgentDefinition &a, const AgentDefinition &b)
{
    return a.process.*Member == b.process.*Member;
}

bool sameLimits(const AgentDefinition &a, const AgentDefinition &b)
{
    return a.process.limits == b.process.limits && a.process.cgroup == b.process.cgroup
        && a.process.usage == b.process.usage;
}

bool sameReadiness(const AgentDefinition &a, const AgentDefinition &b)
{
    return a.kind == AgentDefinition::Kind::McpServer || a.process.readiness == b.process.readiness;
}

struct Key
{
    Same isSame = nullptr;
    QLatin1String name;
    QLatin1String ofServer{}; ///< in `mcpServers`; empty: the same name
};

constexpr std::array keys = {
    Key{sameProcess<&ProcessDefinition::program>, QLatin1String("program"),
        QLatin1String("command")},
    Key{sameProcess<&ProcessDefinition::arguments>, QLatin1String("arguments"),
        QLatin1String("args")},
    Key{sameProcess<&ProcessDefinition::environment>, QLatin1String("environment"),
        QLatin1String("env")},
    Key{sameProcess<&ProcessDefinition::workingDirectory>, QLatin1String("workingDirectory"),
        QLatin1String("cwd")},
    Key{sameProcess<&ProcessDefinition::identity>, QLatin1String("user or group")},
    Key{sameProcess<&ProcessDefinition::umask>, QLatin1String("umask")},
    Key{sameProcess<&ProcessDefinition::nice>, QLatin1String("nice")},
    Key{sameLimits, QLatin1String("limits")},
    Key{sameProcess<&ProcessDefinition::recycling>, QLatin1String("recycle")},
    Key{sameProcess<&ProcessDefinition::standardInput>, QLatin1String("stdin")},
    Key{sameProcess<&ProcessDefinition::standardOutput>, QLatin1String("stdout")},
    Key{sameProcess<&ProcessDefinition::standardError>, QLatin1String("stderr")},
    Key{sameReadiness, QLatin1String("ready")},
    Key{sameProcess<&ProcessDefinition::stop>, QLatin1String("stop")},
    Key{sameProcess<&ProcessDefinition::exitCodes>, QLatin1String("exitCodes")},
    Key{sameProcess<&ProcessDefinition::health>, QLatin1String("health")},
    Key{same<&AgentDefinition::start>, QLatin1String("start")},
    Key{same<&AgentDefinition::tags>, QLatin1String("tags")},
    Key{same<&AgentDefinition::dependsOn>, QLatin1String("dependsOn")},
    Key{same<&AgentDefinition::requiredBreakers>, QLatin1String("requires")},
    Key{same<&AgentDefinition::watch>, QLatin1String("watch")},
    Key{same<&AgentDefinition::priority>, QLatin1String("priority")},
    Key{samePreference, QLatin1String("placement.prefer")},
    Key{sameStoreLoss, QLatin1String("onStoreLoss")},
    Key{same<&AgentDefinition::outputEvents>, QLatin1String("outputEvents")},
};

} // namespace

QStringList changedKeys(const AgentDefinition &from, const AgentDefinition &to)
{
    QStringList names;
    const bool isServer = to.kind == AgentDefinition::Kind::McpServer;
    for (const Key &key : keys) {
        if (!key.isSame(from, to))
            names.append(isServer && !key.ofServer.isEmpty() ? key.ofServer : key.name);
    }
    for (const QString &name : differingKeys(from.policy, to.policy))
        names.append(QLatin1String("policy.") + name);
    return names;
}

QString changeRefusal(const AgentDefinition &from, const AgentDefinition &to)
{
    if (from.kind != to.kind)
        return QStringLiteral("a running host cannot change an agent from a program to an MCP "
                              "server or back; use another name");
    if (from.placement.has_value() != to.placement.has_value())
        return QStringLiteral("a running host cannot add or remove the placement of an agent; use "
                              "another name");
    return {};
}

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
            changes.changed.append({.agent = agent.name,
                                    .parts = parts,
                                    .isRestarted = parts.testFlag(DefinitionPart::Process)});
    }
    for (const AgentDefinition &agent : from) {
        if (left.contains(agent.name))
            changes.removed.append(agent.name);
    }
    return changes;
}

} // namespace Rekindle
