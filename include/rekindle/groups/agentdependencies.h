// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/groups/export.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/policy/dependencygraph.h>

#include <QObject>

#include <memory>

namespace Rekindle {

/// Applies the dependencies between the agents of a supervisor:
/// - A start waits until all dependencies of the agent have the required level. Meanwhile it has
///   the hold Hold::Dependency, with the cause in AgentSnapshot::holdCauses. An agent that runs is
///   not touched.
/// - A start by an operator first starts the dependencies that do not run. A start by the host does
///   not.
/// - If a dependency loses the level for longer than Dependency::downGrace, Dependency::onDown
///   applies. The agents that depend on the stopped agent stop first.
/// - AgentSupervisor::stopAll() stops an agent after the agents that depend on it or follow it in
///   setOrders().
///
/// A dependency that was given up or that an operator has stopped also delays the starts of its
/// dependents until it is ready again.
///
/// Use the object from the supervisor's thread, and destroy it before the supervisor. The
/// destructor releases all starts and stops that wait for other agents. Any function may be called
/// from any slot.
class REKINDLE_GROUPS_EXPORT AgentDependencies : public QObject
{
    Q_OBJECT

public:
    explicit AgentDependencies(AgentSupervisor &supervisor, QObject *parent = nullptr);
    ~AgentDependencies() override;

    /// Replaces the dependencies of the agent with this name. The agent may be added later. No
    /// process is started or stopped, except for a start that was only waiting for a dependency. If
    /// they would make a cycle, nothing changes, and the cycle is returned, such as a, b, a.
    QStringList setDependencies(const QString &agent, const QList<Dependency> &dependencies);

    /// Replaces all dependencies: the agents that `graph` does not contain have none. Cycles as
    /// with setDependencies().
    QStringList setGraph(const DependencyGraph &graph);
    [[nodiscard]] const DependencyGraph &graph() const;

    /// Sets lists of agents, by name. stopAll() stops the agents of a list in reverse order, each
    /// after the exit of the next one. Cycles as with setDependencies(), made of both.
    QStringList setOrders(const QList<QStringList> &orders);

    [[nodiscard]] AgentSupervisor &supervisor() const;

    /// Returns the dependencies of an agent that do not have the required level now.
    [[nodiscard]] QList<Dependency> unmet(const QString &agent) const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
