// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/dependencygraph.h>

#include <QSet>

#include <algorithm>
#include <vector>

namespace Rekindle {

// Visits agents after those that they depend on. Not recursive, because a chain can be long.
class DependencyGraph::Walk
{
public:
    explicit Walk(const DependencyGraph &graph)
        : m_graph(graph)
    {
    }

    void visit(const QString &agent)
    {
        if (m_visited.contains(agent))
            return;
        enter(agent);
        while (!m_path.empty()) {
            Step &step = m_path.back();
            if (step.next == step.dependencies.size()) {
                m_inPath.remove(step.agent);
                m_order.append(step.agent);
                m_path.pop_back();
                continue;
            }
            const QString next = step.dependencies.at(step.next++).agent;
            if (m_inPath.contains(next))
                noteCycle(next);
            else if (!m_visited.contains(next))
                enter(next);
        }
    }

    [[nodiscard]] const QStringList &order() const { return m_order; }
    [[nodiscard]] const QStringList &cycle() const { return m_cycle; }

private:
    struct Step
    {
        QString agent;
        QList<Dependency> dependencies;
        qsizetype next = 0;
    };

    void enter(const QString &agent)
    {
        m_visited.insert(agent);
        m_inPath.insert(agent);
        m_path.push_back({agent, m_graph.dependencies(agent)});
    }

    void noteCycle(const QString &agent)
    {
        if (!m_cycle.isEmpty())
            return;
        const auto first = std::find_if(m_path.begin(), m_path.end(),
                                        [&](const Step &step) { return step.agent == agent; });
        for (auto step = first; step != m_path.end(); ++step)
            m_cycle.append(step->agent);
        m_cycle.append(agent);
    }

    const DependencyGraph &m_graph;
    std::vector<Step> m_path;
    QSet<QString> m_visited;
    QSet<QString> m_inPath;
    QStringList m_order;
    QStringList m_cycle;
};

void DependencyGraph::setDependencies(const QString &agent, const QList<Dependency> &dependencies)
{
    const QList<Dependency> before = this->dependencies(agent);
    if (before == dependencies)
        return;
    for (const Dependency &each : before)
        m_nodes[each.agent].dependents.removeAll(agent);
    m_nodes[agent].dependencies = dependencies;
    for (const Dependency &each : dependencies) {
        QStringList &dependents = m_nodes[each.agent].dependents;
        if (dependents.isEmpty() || dependents.constLast() != agent) // a repeated dependency
            dependents.append(agent);
    }
    if (!before.isEmpty() && dependencies.isEmpty())
        m_order.removeOne(agent);
    else if (before.isEmpty() && !dependencies.isEmpty())
        m_order.append(agent);
}

QList<Dependency> DependencyGraph::dependencies(const QString &agent) const
{
    const auto node = m_nodes.constFind(agent);
    return node == m_nodes.constEnd() ? QList<Dependency>() : node->dependencies;
}

QStringList DependencyGraph::dependents(const QString &agent) const
{
    const auto node = m_nodes.constFind(agent);
    return node == m_nodes.constEnd() ? QStringList() : node->dependents;
}

QList<DependencyGraph::Effect> DependencyGraph::effects(const QString &agent) const
{
    QHash<QString, OnDown> found;
    QStringList down{agent};
    for (qsizetype i = 0; i < down.size(); ++i) {
        const QString dependency = down.at(i);
        for (const QString &dependent : dependents(dependency)) {
            const OnDown how = onDown(dependent, dependency);
            if (how == OnDown::Keep || dependent == agent)
                continue;
            if (!found.contains(dependent))
                down.append(dependent);
            if (found.value(dependent) != OnDown::Stop) // stop overrides restart
                found[dependent] = how;
        }
    }
    down.removeFirst();
    QList<Effect> effects;
    for (const QString &each : inStartOrder(down))
        effects.append({each, found.value(each)});
    return effects;
}

OnDown DependencyGraph::onDown(const QString &agent, const QString &dependency) const
{
    const QList<Dependency> all = dependencies(agent);
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const Dependency &each) { return each.agent == dependency; });
    return found == all.end() ? OnDown::Keep : found->onDown;
}

QStringList DependencyGraph::inStartOrder(const QStringList &agents) const
{
    if (agents.size() < 2)
        return agents;
    Walk walk(*this);
    for (const QString &agent : agents)
        walk.visit(agent);
    const QSet<QString> wanted(agents.begin(), agents.end());
    QStringList found = walk.order();
    found.removeIf([&](const QString &agent) { return !wanted.contains(agent); });
    return found;
}

QStringList DependencyGraph::cycle() const
{
    Walk walk(*this);
    for (const QString &agent : m_order) {
        walk.visit(agent);
        if (!walk.cycle().isEmpty())
            return walk.cycle();
    }
    return {};
}

QStringList DependencyGraph::cycleThrough(const QString &agent) const
{
    if (dependents(agent).isEmpty())
        return {};
    Walk walk(*this);
    walk.visit(agent);
    return walk.cycle();
}

} // namespace Rekindle
