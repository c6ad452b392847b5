// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>
#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

namespace Rekindle {

/// One agent that another agent needs.
struct Dependency
{
    QString agent{};                                ///< its name
    DependencyLevel until = DependencyLevel::Ready; ///< starts wait until it has this level
    OnDown onDown = OnDown::Keep;                   ///< when it no longer has the level
    Duration downGrace = std::chrono::seconds(2);   ///< `onDown` follows after this time; 0 to 1 h

    bool operator==(const Dependency &) const = default;
};

/// The dependencies between agents, by name. A plain value.
///
/// Lists of several agents are in the order of starts: an agent follows those that it depends on.
class REKINDLE_POLICY_EXPORT DependencyGraph
{
public:
    /// Replaces the dependencies of an agent. Names of unknown agents are permitted.
    void setDependencies(const QString &agent, const QList<Dependency> &dependencies);
    [[nodiscard]] QList<Dependency> dependencies(const QString &agent) const;

    /// The agents that have dependencies, in the order of setDependencies().
    [[nodiscard]] const QStringList &agents() const { return m_order; }

    /// The agents that depend on this agent directly, in no order.
    [[nodiscard]] QStringList dependents(const QString &agent) const;

    /// What happens to an agent if another one is down for a long time.
    struct Effect
    {
        QString agent{};
        OnDown how = OnDown::Stop;

        bool operator==(const Effect &) const = default;
    };

    /// The effects on agents that depend on this agent, directly or not: those that stop or
    /// restart.
    [[nodiscard]] QList<Effect> effects(const QString &agent) const;

    /// Returns the names in the order of starts. The order of names that do not depend on each
    /// other stays.
    [[nodiscard]] QStringList inStartOrder(const QStringList &agents) const;

    /// Returns the first cycle, such as a, b, a; empty if there is none. With a cycle, the order of
    /// its agents is arbitrary.
    [[nodiscard]] QStringList cycle() const;
    /// The same, after a change of this agent in a graph that had no cycle. Quick if no agent
    /// depends on it.
    [[nodiscard]] QStringList cycleThrough(const QString &agent) const;

private:
    struct Node
    {
        QList<Dependency> dependencies;
        QStringList dependents;
    };

    class Walk;

    [[nodiscard]] OnDown onDown(const QString &agent, const QString &dependency) const;

    QHash<QString, Node> m_nodes;
    QStringList m_order;
};

} // namespace Rekindle
