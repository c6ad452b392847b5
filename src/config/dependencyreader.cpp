// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "dependencyreader_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

void DependencyReader::read(JsonObjectReader &object, AgentDefinition &agent)
{
    const auto place = object.member(QStringLiteral("dependsOn"));
    if (!place)
        return;
    for (const JsonPlace &item : place->items().value_or(std::vector<JsonPlace>()))
        readOne(item, agent);
}

// A name alone stands for an object with this name.
void DependencyReader::readOne(const JsonPlace &place, AgentDefinition &agent)
{
    if (!place.isString() && !place.isObject()) {
        place.mismatch(QStringLiteral(R"(a name or {"agent": NAME})"));
        return;
    }
    Dependency dependency;
    std::optional<JsonPlace> name = place;
    if (place.isObject()) {
        JsonObjectReader object(place);
        name = object.required(QStringLiteral("agent"));
        object.read(QStringLiteral("until"), dependency.until, dependencyLevels);
        object.read(QStringLiteral("onDown"), dependency.onDown, onDownNames);
        object.read(QStringLiteral("downGrace"), dependency.downGrace, Duration{0},
                    Duration{std::chrono::hours(1)});
        object.finish();
    }
    const std::optional<QString> text = name ? name->textNotEmpty() : std::nullopt;
    if (!text)
        return;
    dependency.agent = *text;
    const bool isRepeated =
        std::any_of(agent.dependsOn.begin(), agent.dependsOn.end(),
                    [&](const Dependency &each) { return each.agent == dependency.agent; });
    if (isRepeated)
        name->fault(QStringLiteral("repeated dependency \"%1\"").arg(dependency.agent));
    else if (dependency.agent == agent.name)
        name->fault(QStringLiteral("an agent cannot depend on itself"));
    agent.dependsOn.append(dependency);
    m_entries.push_back({agent.name, dependency, *name});
}

void DependencyReader::check(const QList<AgentDefinition> &agents) const
{
    QHash<QString, const AgentDefinition *> known;
    for (const AgentDefinition &each : agents)
        known.insert(each.name, &each);
    for (const Entry &entry : m_entries) {
        const AgentDefinition *const target = known.value(entry.dependency.agent);
        if (!target)
            entry.place.fault(QStringLiteral("no agent or MCP server that is not skipped "
                                             "has the name \"%1\"")
                                  .arg(entry.dependency.agent));
        else if (entry.dependency.until == DependencyLevel::Completed
                 && target->policy.restartOn == RestartOn::Always)
            entry.place.warn(QStringLiteral("never completed: the policy of %1 restarts it after "
                                            "each exit (restartOn \"always\")")
                                 .arg(entry.dependency.agent));
    }
    checkCycle();
}

void DependencyReader::checkCycle() const
{
    QHash<QString, QList<Dependency>> all;
    QStringList agents; // in the order of the file
    for (const Entry &entry : m_entries) {
        if (entry.agent == entry.dependency.agent) // has a fault of its own
            continue;
        QList<Dependency> &dependencies = all[entry.agent];
        if (dependencies.isEmpty())
            agents.append(entry.agent);
        dependencies.append(entry.dependency);
    }
    DependencyGraph graph;
    for (const QString &agent : std::as_const(agents))
        graph.setDependencies(agent, all.value(agent));
    const QStringList cycle = graph.cycle();
    if (cycle.isEmpty())
        return;
    const auto edge = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &entry) {
        return entry.agent == cycle.at(0) && entry.dependency.agent == cycle.at(1);
    });
    edge->place.fault(QStringLiteral("the agents depend on each other in a cycle: ")
                      + cycle.join(QLatin1String(" -> ")));
}

} // namespace Rekindle
