// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "orderedstops_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

OrderedStops::OrderedStops(AgentSupervisor &supervisor, const DependencyGraph &graph, Stop stop)
    : m_supervisor(supervisor)
    , m_graph(graph)
    , m_stop(std::move(stop))
{
}

void OrderedStops::add(const QList<DependencyGraph::Effect> &stops)
{
    QStringList agents;
    for (const DependencyGraph::Effect &each : stops) {
        // Stop overrides restart.
        if (each.how == OnDown::Stop || m_waiting.value(each.agent, OnDown::Keep) == OnDown::Keep)
            m_waiting.insert(each.agent, each.how);
        agents.prepend(each.agent);
    }
    stopFree(agents);
}

void OrderedStops::exited(const QString &agent)
{
    if (m_stopping.isEmpty() && m_waiting.isEmpty()) // the usual case, without an allocation
        return;
    QStringList agents{agent}; // it may wait itself
    if (m_stopping.remove(agent))
        agents += dependenciesOf(agent);
    stopFree(agents);
}

void OrderedStops::forget(const QString &agent)
{
    const bool wasWaiting = m_waiting.remove(agent);
    if (m_stopping.remove(agent) || wasWaiting)
        stopFree(dependenciesOf(agent));
}

void OrderedStops::update()
{
    m_stopping.removeIf([this](const QString &agent) { return !isAlive(agent); });
    QStringList agents = m_waiting.keys();
    agents.sort(); // no order depends on a hash
    stopFree(agents);
}

void OrderedStops::finish()
{
    QStringList agents = m_waiting.keys();
    agents.sort();
    for (const QString &agent : std::as_const(agents)) {
        const OnDown how = m_waiting.take(agent); // a slot may have started it: Keep
        if (how != OnDown::Keep)
            m_stop(agent, how);
    }
}

void OrderedStops::clear()
{
    m_waiting.clear();
    m_stopping.clear();
}

// Not recursive, because a chain can be long.
void OrderedStops::stopFree(QStringList agents)
{
    for (qsizetype i = 0; i < agents.size(); ++i) {
        const QString agent = agents.at(i);
        if (!m_waiting.contains(agent))
            continue;
        const bool mustWait = isBlocked(agent);
        if (mustWait && isAlive(agent))
            continue;
        // An agent that does not run could be started meanwhile. It is stopped at once, but keeps
        // its place in the order.
        const OnDown how =
            mustWait ? std::exchange(m_waiting[agent], OnDown::Keep) : m_waiting.take(agent);
        if (how != OnDown::Keep) {
            if (isAlive(agent))
                m_stopping.insert(agent);
            m_stop(agent, how);
        }
        if (!mustWait && !m_stopping.contains(agent))
            agents += dependenciesOf(agent);
    }
}

bool OrderedStops::isBlocked(const QString &agent) const
{
    const QStringList dependents = m_graph.dependents(agent);
    return std::any_of(dependents.begin(), dependents.end(), [this](const QString &each) {
        return m_waiting.contains(each) || m_stopping.contains(each);
    });
}

// The exit of a stuck agent is not waited for.
bool OrderedStops::isAlive(const QString &agent) const
{
    const QUuid id = m_supervisor.idOf(agent);
    const std::optional<InstanceStatus> status = m_supervisor.policyEvaluator().status(id);
    return status && status->alive && !m_supervisor.isStuck(id);
}

QStringList OrderedStops::dependenciesOf(const QString &agent) const
{
    QStringList names;
    const QList<Dependency> all = m_graph.dependencies(agent);
    for (const Dependency &each : all)
        names.append(each.agent);
    return names;
}

} // namespace Rekindle
