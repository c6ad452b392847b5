// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentrelations_p.h"

#include "policy/internal/texthelpers.h"

#include <algorithm>

namespace Rekindle {

namespace {

const QString comma = QStringLiteral(", ");

// For an agent that fails, or a group that gives up.
QString restartsText(const GroupMember &member, const QStringList &restarts)
{
    const QString who = member.isGroup ? QStringLiteral("group %1 gives up").arg(member.name)
                                       : QStringLiteral("%1 fails").arg(member.name);
    return QStringLiteral("If %1: %2 %3 restarted with it")
        .arg(who, restarts.join(comma), QLatin1String(restarts.size() == 1 ? "is" : "are"));
}

QStringList reversed(QStringList texts)
{
    std::reverse(texts.begin(), texts.end());
    return texts;
}

} // namespace

AgentRelations::AgentRelations(const Configuration &configuration)
    : m_groups(configuration.groups)
{
    for (const AgentDefinition &agent : configuration.agents) {
        m_agents.append(agent.name);
        m_graph.setDependencies(agent.name, agent.dependsOn);
    }
}

QStringList AgentRelations::failureLines(const GroupDefinition &group) const
{
    QStringList lines;
    for (qsizetype i = 0; i < group.members.size(); ++i) {
        const QStringList restarts = agentsRestartedWith(m_groups, group, i);
        if (!restarts.isEmpty())
            lines.append(restartsText(group.members.at(i), restarts));
    }
    return lines;
}

// "Group backend (oneForAll): db, api, group workers"
QString AgentRelations::groupsText() const
{
    QString text;
    for (const GroupDefinition &group : m_groups) {
        QStringList members;
        for (const GroupMember &member : group.members)
            members.append(member.isGroup ? QLatin1String("group ") + member.name : member.name);
        text += QStringLiteral("Group %1 (%2): %3\n")
                    .arg(group.name, toText(group.strategy), members.join(comma));
        for (const QString &line : failureLines(group))
            text += line + u'\n';
    }
    return text;
}

// "If db is down: api restarts, web stops"
QString AgentRelations::effectsText() const
{
    QString text;
    for (const QString &agent : m_agents) {
        QStringList effects;
        for (const DependencyGraph::Effect &each : m_graph.effects(agent))
            effects.append(each.agent
                           + QLatin1String(each.how == OnDown::Stop ? " stops" : " restarts"));
        if (!effects.isEmpty())
            text += QStringLiteral("If %1 is down: %2\n").arg(agent, effects.join(comma));
    }
    return text;
}

// "Group backend: restForOne, gives up after more than 3 failures within 1m"
QString AgentRelations::planText() const
{
    QStringList parts;
    for (const GroupDefinition &group : m_groups) {
        const QStringList agents = agentsOfGroup(m_groups, group.name);
        const QString failures = counted(group.maxRestarts, "failure", "failures");
        QString text =
            QStringLiteral("Group %1: %2, gives up after more than %3 within %4\n"
                           "  start: %5\n  stop:  %6\n")
                .arg(group.name, toText(group.strategy), failures, readable(group.period),
                     agents.join(comma), reversed(agents).join(comma));
        for (const QString &line : failureLines(group))
            text += QLatin1String("  ") + line + u'\n';
        parts.append(text);
    }
    QString dependencies;
    for (const QString &agent : m_agents) {
        QStringList needed;
        for (const Dependency &each : m_graph.dependencies(agent))
            needed.append(QStringLiteral("%1 (%2)").arg(each.agent, toText(each.until)));
        if (!needed.isEmpty())
            dependencies += QStringLiteral("%1 starts after: %2\n").arg(agent, needed.join(comma));
    }
    if (!dependencies.isEmpty())
        parts.append(dependencies + effectsText());
    return parts.isEmpty() ? QStringLiteral("no groups and no dependencies\n") : parts.join(u'\n');
}

void AgentRelations::writeGroups(JsonWriter &json) const
{
    json.array("groups", m_groups, [&](const GroupDefinition &group) {
        json.object([&] { writeGroup(json, group); });
    });
}

void AgentRelations::writeGroup(JsonWriter &json, const GroupDefinition &group) const
{
    const QStringList agents = agentsOfGroup(m_groups, group.name);
    json.member("name", group.name);
    json.member("strategy", toText(group.strategy));
    json.member("maxRestarts", group.maxRestarts);
    json.member("periodMs", group.period);
    json.member("start", agents);
    json.member("stop", reversed(agents));
    qsizetype index = 0;
    json.array("members", group.members, [&](const GroupMember &member) {
        json.object([&] {
            json.member(QLatin1String(member.isGroup ? "group" : "agent"), member.name);
            json.member("significant", member.significant);
            json.member("restarts", agentsRestartedWith(m_groups, group, index++));
        });
    });
}

void AgentRelations::writeEffects(JsonWriter &json, const QString &agent) const
{
    json.array("effects", m_graph.effects(agent), [&json](const DependencyGraph::Effect &each) {
        json.object([&] {
            json.member("agent", each.agent);
            json.member("onDown", toText(each.how));
        });
    });
}

void AgentRelations::writeMembers(JsonWriter &json) const
{
    writeGroups(json);
    QStringList related;
    std::copy_if(m_agents.begin(), m_agents.end(), std::back_inserter(related),
                 [this](const QString &agent) {
                     return !m_graph.dependencies(agent).isEmpty()
                         || !m_graph.effects(agent).isEmpty();
                 });
    json.array("dependencies", related, [&](const QString &agent) {
        json.object([&] {
            json.member("agent", agent);
            json.array("dependsOn", m_graph.dependencies(agent), [&](const Dependency &each) {
                json.object([&] {
                    json.member("agent", each.agent);
                    json.member("until", toText(each.until));
                    json.member("onDown", toText(each.onDown));
                });
            });
            writeEffects(json, agent);
        });
    });
}

} // namespace Rekindle
