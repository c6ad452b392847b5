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

Json AgentRelations::groupsJson() const
{
    Json json = Json::array();
    for (const GroupDefinition &group : m_groups) {
        Json members = Json::array();
        for (qsizetype i = 0; i < group.members.size(); ++i) {
            const GroupMember &member = group.members.at(i);
            members.push_back({{member.isGroup ? "group" : "agent", member.name.toStdString()},
                               {"significant", member.significant},
                               {"restarts", textsJson(agentsRestartedWith(m_groups, group, i))}});
        }
        const QStringList agents = agentsOfGroup(m_groups, group.name);
        json.push_back({{"name", group.name.toStdString()},
                        {"strategy", toText(group.strategy).toStdString()},
                        {"maxRestarts", group.maxRestarts},
                        {"periodMs", toMilliseconds(group.period)},
                        {"start", textsJson(agents)},
                        {"stop", textsJson(reversed(agents))},
                        {"members", std::move(members)}});
    }
    return json;
}

Json AgentRelations::effectsJson(const QString &agent) const
{
    Json json = Json::array();
    for (const DependencyGraph::Effect &each : m_graph.effects(agent))
        json.push_back(
            {{"agent", each.agent.toStdString()}, {"onDown", toText(each.how).toStdString()}});
    return json;
}

Json AgentRelations::dependenciesJson() const
{
    Json json = Json::array();
    for (const QString &agent : m_agents) {
        Json needed = Json::array();
        for (const Dependency &each : m_graph.dependencies(agent))
            needed.push_back({{"agent", each.agent.toStdString()},
                              {"until", toText(each.until).toStdString()},
                              {"onDown", toText(each.onDown).toStdString()}});
        Json effects = effectsJson(agent);
        if (!needed.empty() || !effects.empty())
            json.push_back({{"agent", agent.toStdString()},
                            {"dependsOn", std::move(needed)},
                            {"effects", std::move(effects)}});
    }
    return json;
}

} // namespace Rekindle
