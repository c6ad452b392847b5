// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/dependencygraph.h>

#include <QHash>
#include <QList>
#include <QSet>

#include <functional>

namespace Rekindle {

class AgentSupervisor;

/// Stops agents, each after the agents of the same call that depend on it have exited.
class OrderedStops
{
public:
    /// Stops one agent, in the way of its effect.
    using Stop = std::function<void(const QString &agent, OnDown how)>;

    /// `supervisor` and `graph` must outlive the object.
    OrderedStops(AgentSupervisor &supervisor, const DependencyGraph &graph, Stop stop);

    /// Stops these agents, which are in the order of starts, in reverse order. Those that do not
    /// run are stopped at once. With OnDown::Keep, an agent only has a place in the order.
    void add(const QList<DependencyGraph::Effect> &stops);

    /// The process of the agent has exited, or is stuck.
    void exited(const QString &agent);

    /// An operator has started the agent: it is not stopped anymore.
    void forget(const QString &agent);

    /// Checks all agents again, because agents or dependencies have changed.
    void update();

    /// Stops all agents that still wait, without an order.
    void finish();

    void clear();

    /// Whether the agent has a process that may exit.
    [[nodiscard]] bool isAlive(const QString &agent) const;

private:
    void stopFree(QStringList agents);
    [[nodiscard]] bool isBlocked(const QString &agent) const;
    [[nodiscard]] QStringList dependenciesOf(const QString &agent) const;

    AgentSupervisor &m_supervisor;
    const DependencyGraph &m_graph;
    Stop m_stop;
    QHash<QString, OnDown> m_waiting; // for others to exit; Keep: without an effect anymore
    QSet<QString> m_stopping;         // and alive
};

} // namespace Rekindle
