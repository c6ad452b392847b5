// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/configuration.h>
#include <rekindle/config/export.h>
#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/agentgroups.h>
#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/groups/startgate.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/policy/configurationchanges.h>

#include <QHash>
#include <QObject>
#include <QSet>

#include <memory>

namespace Rekindle {

class AgentFactory;
class HoldSet;

/// The agents of a supervisor that a configuration defines. Another configuration can take its
/// place while they run. Agents that were added to the supervisor directly are never touched.
/// Files of AgentDefinition::watch are not watched: AgentHost::watchFiles() does that.
///
/// ```
/// Rekindle::ConfiguredAgents agents(supervisor, Rekindle::programFactory());
/// const QList<Rekindle::Fault> faults = agents.addAll(*configuration.value);
/// supervisor.startAll();
/// ```
///
/// Use it from the thread of the supervisor.
class REKINDLE_CONFIG_EXPORT ConfiguredAgents : public QObject
{
    Q_OBJECT

public:
    /// `factory` makes the agents, for example programFactory() of the component `host`.
    /// `supervisor` and `factory` must outlive this object.
    ConfiguredAgents(AgentSupervisor &supervisor, AgentFactory &factory, QObject *parent = nullptr);
    ~ConfiguredAgents() override;

    /// Adds all agents and MCP servers of a configuration, with everything that concerns several of
    /// them. Call it before they are started. Returns the faults of all entries, with their
    /// positions; an entry with an error is not added.
    [[nodiscard]] QList<Fault> addAll(const Configuration &configuration);

    /// Adds one entry of a configuration. Call setRelations() when all are added.
    [[nodiscard]] AgentSupervisor::Added add(const AgentDefinition &definition);

    /// Applies what concerns several agents: the governor, dependencies, groups and shared
    /// breakers. Call it before the agents are started. addAll() and apply() do so themselves.
    void setRelations(const Configuration &configuration) { setRelations(configuration, {}); }

    struct Result
    {
        QList<Fault> faults; ///< with an error, nothing is changed
        ConfigurationChanges changes;
        explicit operator bool() const { return !hasErrors(faults); }
    };

    /// Returns what apply() would do now.
    [[nodiscard]] Result changesTo(const Configuration &configuration) const;

    /// Makes the agents equal to `configuration`:
    ///
    /// - A policy, probes and options are replaced; the process is not touched.
    /// - An agent that runs is restarted if its process has changed. An agent that does not run
    ///   uses the new definition at its next start.
    /// - A removed agent is stopped, and removed when its process has exited: see
    ///   AgentSupervisor::retire().
    /// - An added agent is started, unless its start is manual. The start waits, with the hold
    ///   Hold::Removal, until the processes of all removed agents have exited or do not exit even
    ///   though they were killed.
    ///
    /// Changed groups and shared breakers apply without an effect on processes, and keep their
    /// states: see AgentGroups::setGroups() and SharedBreakers::setBreakers(). The governor's
    /// limits and priorities apply at once. Queued starts remain queued.
    ///
    /// The supervisor has the order of `configuration` afterwards. A change of it is not reported,
    /// because no agent changes.
    ///
    /// It is a fault if the kind of an agent changes, or if an added agent has the name of another
    /// agent of the supervisor, for example of a removed one that has not stopped yet.
    [[nodiscard]] Result apply(const Configuration &configuration);

    /// The governor of the starts, with its limits and priorities.
    [[nodiscard]] StartGate &startGate() { return m_gate; }
    [[nodiscard]] const StartGate &startGate() const { return m_gate; }

    /// The dependencies between the agents of the supervisor.
    [[nodiscard]] AgentDependencies &dependencies() { return m_dependencies; }

    /// The groups of the supervisor's agents.
    [[nodiscard]] AgentGroups &groups() { return m_groups; }

    /// The circuit breakers that the supervisor's agents share.
    [[nodiscard]] SharedBreakers &sharedBreakers() { return m_breakers; }

Q_SIGNALS:
    /// The agent has this placement from now on. Emitted when it is added, before it can start, and
    /// when its placement changes.
    void placed(const QUuid &instanceId, const Rekindle::FleetPlacement &placement);

private:
    using Definitions = QHash<QString, const AgentDefinition *>; ///< by name

    [[nodiscard]] AgentDefinition definitionOf(const QUuid &id) const;
    [[nodiscard]] QStringList changedSections(const Configuration &configuration) const;
    void setOptions(const QUuid &id, const AgentDefinition &definition);
    void setRelations(const Configuration &configuration, const QStringList &removed);
    void setSharedBreakers(const Configuration &configuration);
    [[nodiscard]] QList<Fault> addNew(const Definitions &wanted,
                                      const ConfigurationChanges &changes);
    [[nodiscard]] QList<Fault> setPolicies(const Definitions &wanted,
                                           const ConfigurationChanges &changes);
    void setOrder(const Configuration &configuration);
    void announce(const QUuid &id, ConfigurationApplied::Change change,
                  const QStringList &parts = {});
    void update(const AgentDefinition &definition, const ChangedAgent &change);
    void retire(const QUuid &id);
    void startAdded(const QUuid &id);
    void releaseAdded(const QUuid &removed);

    AgentSupervisor &m_supervisor;
    AgentFactory &m_factory;
    StartGate m_gate;
    AgentDependencies m_dependencies;
    AgentGroups m_groups{m_dependencies};
    SharedBreakers m_breakers;
    QMap<QString, SharedBreakerProbe> m_breakerProbes;
    QSet<QUuid> m_ids;
    QHash<QUuid, QStringList> m_watch;         ///< AgentDefinition::watch, unless it is empty
    QHash<QUuid, FleetPlacement> m_placements; ///< of the placed agents
    QSet<QUuid> m_leaving;                     ///< removed, and their processes have not exited
    QString m_exits;                  ///< m_leaving as the cause of a hold; empty: not built yet
    std::unique_ptr<HoldSet> m_added; ///< wait until m_leaving is empty
};

} // namespace Rekindle
