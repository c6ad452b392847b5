// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "dependencyreader_p.h"

#include "agentnames_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

bool contains(const QList<Dependency> &dependencies, const QString &agent)
{
    return std::any_of(dependencies.begin(), dependencies.end(),
                       [&](const Dependency &each) { return each.agent == agent; });
}

// Adds the order of the members: each agent starts after the one before it.
void addOrder(const QStringList &agents, DependencyGraph &graph)
{
    for (qsizetype i = 1; i < agents.size(); ++i) {
        QList<Dependency> dependencies = graph.dependencies(agents.at(i));
        if (contains(dependencies, agents.at(i - 1)))
            continue;
        dependencies.append({.agent = agents.at(i - 1)});
        graph.setDependencies(agents.at(i), dependencies);
    }
}

QString cycleText(const QStringList &cycle)
{
    constexpr qsizetype most = 20;
    const QLatin1String arrow(" -> ");
    if (cycle.size() <= most)
        return cycle.join(arrow);
    return cycle.first(most).join(arrow)
        + QStringLiteral(" -> ... (%1 agents)").arg(cycle.size() - 1);
}

} // namespace

void DependencyReader::read(JsonObjectReader &object, const AgentDefinition &agent)
{
    QSet<std::pair<QString, bool>> known;
    for (const JsonPlace &item : object.items("dependsOn"))
        readOne(item, agent.name, known);
}

// A name alone stands for an object with this name.
void DependencyReader::readOne(const JsonPlace &place, const QString &agent,
                               QSet<std::pair<QString, bool>> &known)
{
    Dependency dependency;
    const auto target = readAgentOrGroup(place, [&dependency](JsonObjectReader &object) {
        object.read("until", dependency.until, dependencyLevels);
        object.read("onDown", dependency.onDown, onDownNames);
        object.read("downGrace", dependency.downGrace, Duration{0},
                    Duration{std::chrono::hours(1)});
    });
    if (!target)
        return;
    dependency.agent = target->name;
    const std::pair key(target->name, target->isGroup);
    if (known.contains(key))
        target->place.fault(QStringLiteral("repeated dependency \"%1\"").arg(target->name));
    else if (!target->isGroup && target->name == agent)
        target->place.fault("an agent cannot depend on itself");
    else
        m_entries.push_back({agent, dependency, target->place, target->isGroup});
    known.insert(key);
}

void DependencyReader::check(QList<AgentDefinition> &agents, const GroupReader &groups) const
{
    QHash<QString, AgentDefinition *> known;
    for (AgentDefinition &each : agents)
        known[each.name] = &each;
    for (const Entry &entry : m_entries) {
        const QString &name = entry.dependency.agent;
        if (entry.isGroup && !groups.contains(name))
            entry.place.fault(QStringLiteral("no group has the name \"%1\"").arg(name));
        else
            checkNames(entry, entry.isGroup ? groups.agentsOf(name) : QStringList(name), known);
    }
    QSet<std::pair<QString, QString>> added;
    // The options of an agent have precedence over the options of its group.
    for (const bool isGroup : {false, true}) {
        for (const Entry &entry : m_entries) {
            AgentDefinition *const agent = known.value(entry.agent);
            if (!agent || entry.isGroup != isGroup)
                continue;
            const QString &name = entry.dependency.agent;
            expand(entry, isGroup ? groups.agentsOf(name) : QStringList(name), added,
                   agent->dependsOn);
        }
    }
    checkCycle(agents, groups);
}

void DependencyReader::checkNames(const Entry &entry, const QStringList &names,
                                  const QHash<QString, AgentDefinition *> &agents)
{
    if (names.contains(entry.agent))
        entry.place.fault("an agent cannot depend on a group that contains it");
    for (const QString &each : names) {
        const AgentDefinition *const target = agents.value(each);
        if (!target && !entry.isGroup) {
            entry.place.fault(unknownAgentText(each, agents.keys()));
        } else if (target && entry.dependency.until == DependencyLevel::Completed
                   && target->policy.restartOn == RestartOn::Always) {
            entry.place.warn(QStringLiteral("never completed: the policy of %1 restarts it after "
                                            "each exit (restartOn \"always\")")
                                 .arg(each));
        }
    }
}

void DependencyReader::expand(const Entry &entry, const QStringList &names,
                              QSet<std::pair<QString, QString>> &known, QList<Dependency> &target)
{
    for (const QString &each : names) {
        const std::pair key(entry.agent, each);
        if (each == entry.agent || known.contains(key))
            continue;
        known.insert(key);
        Dependency dependency = entry.dependency;
        dependency.agent = each;
        target.append(dependency);
    }
}

void DependencyReader::checkCycle(const QList<AgentDefinition> &agents,
                                  const GroupReader &groups) const
{
    DependencyGraph graph;
    for (const AgentDefinition &each : agents)
        graph.setDependencies(each.name, each.dependsOn);
    for (const GroupDefinition &each : groups.groups())
        addOrder(groups.agentsOf(each.name), graph);
    const QStringList cycle = graph.cycle();
    if (cycle.isEmpty())
        return;
    QHash<QString, std::vector<const Entry *>> entries;
    for (const Entry &each : m_entries)
        entries[each.agent].push_back(&each);
    const Entry *first = nullptr;
    bool hasOrder = false;
    for (qsizetype i = 1; i < cycle.size(); ++i) {
        const std::vector<const Entry *> &own = entries[cycle.at(i - 1)];
        const auto edge = std::find_if(own.begin(), own.end(), [&](const Entry *entry) {
            const QString &name = entry->dependency.agent;
            return entry->isGroup ? groups.agentsOf(name).contains(cycle.at(i))
                                  : name == cycle.at(i);
        });
        if (edge == own.end())
            hasOrder = true;
        else if (!first)
            first = *edge;
    }
    if (first)
        first->place.fault(
            QLatin1String(hasOrder ? "the dependencies and the order of members form a cycle: "
                                   : "the agents depend on each other in a cycle: ")
            + cycleText(cycle));
}

} // namespace Rekindle
