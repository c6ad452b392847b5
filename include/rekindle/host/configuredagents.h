// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/configuration.h>
#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/agentgroups.h>
#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/host/export.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/policy/configurationchanges.h>

#include <QHash>
#include <QObject>
#include <QSet>

namespace Rekindle {

/// Adds an entry of a configuration: a ProcessAgent or, for an MCP server, an McpAgent, with its
/// policy, its probes and its options. Faults have the position of the entry. `dependsOn`
/// and `requires` are faults, because they need ConfiguredAgents.
[[nodiscard]] REKINDLE_HOST_EXPORT AgentSupervisor::Added
addAgent(AgentSupervisor &supervisor, const AgentDefinition &definition);

/// Adds all entries of a configuration, MCP servers included. Returns the faults of all entries;
/// an entry with an error is not added.
[[nodiscard]] REKINDLE_HOST_EXPORT QList<Fault> addAll(AgentSupervisor &supervisor,
                                                       const Configuration &configuration);

class StartGate;

/// The agents of a supervisor that a configuration defines. Another configuration can take its
/// place while they run. Agents that were added to the supervisor directly are never touched.
/// Files of AgentDefinition::watch are not watched; this is the task of the host.
///
/// Use it from the thread of the supervisor.
class REKINDLE_HOST_EXPORT ConfiguredAgents : public QObject
{
    Q_OBJECT

public:
    /// `gate` gets the governor and the priorities of the configuration; null: there is no
    /// governor. `supervisor` and `gate` must outlive this object.
    explicit ConfiguredAgents(AgentSupervisor &supervisor, StartGate *gate = nullptr,
                              QObject *parent = nullptr);
    ~ConfiguredAgents() override;

    /// Adds an entry of the configuration: see addAgent(). `dependsOn` is applied.
    [[nodiscard]] AgentSupervisor::Added add(const AgentDefinition &definition);

    /// Applies the groups of a configuration. Call it when its agents are added, and before they
    /// are started. apply() does so itself.
    void setGroups(const QList<GroupDefinition> &groups);

    /// Applies the shared breakers of a configuration, in the same way.
    void setSharedBreakers(const Configuration &configuration);

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

    /// The dependencies between the agents of the supervisor.
    [[nodiscard]] AgentDependencies &dependencies() { return m_dependencies; }

    /// The groups of the supervisor's agents.
    [[nodiscard]] AgentGroups &groups() { return m_groups; }

    /// The circuit breakers that the supervisor's agents share.
    [[nodiscard]] SharedBreakers &sharedBreakers() { return m_breakers; }

private:
    [[nodiscard]] AgentDefinition definitionOf(const QUuid &id) const;
    [[nodiscard]] QStringList changedSections(const Configuration &configuration) const;
    void setGate(const QUuid &id, const AgentDefinition &definition);
    void setWatch(const QUuid &id, const AgentDefinition &definition);
    [[nodiscard]] QList<Fault> addNew(const Configuration &configuration,
                                      const ConfigurationChanges &changes);
    [[nodiscard]] QList<Fault> setPolicies(const Configuration &configuration,
                                           const ConfigurationChanges &changes);
    void setOrder(const Configuration &configuration);
    void setDependencies(const Configuration &configuration, const ConfigurationChanges &changes);
    void announce(const QUuid &id, ConfigurationApplied::Change change, const QStringList &parts);
    void update(const AgentDefinition &definition, const ChangedAgent &change);
    void retire(const QUuid &id);
    void startAdded(const QUuid &id);
    void releaseAdded(const QUuid &removed);

    AgentSupervisor &m_supervisor;
    AgentDependencies m_dependencies;
    AgentGroups m_groups{m_dependencies};
    StartGate *const m_gate; ///< null: no governor
    SharedBreakers m_breakers;
    QMap<QString, SharedBreakerProbe> m_breakerProbes;
    QSet<QUuid> m_ids;
    QHash<QUuid, QStringList> m_watch; ///< AgentDefinition::watch, unless it is empty
    QSet<QUuid> m_leaving;             ///< removed, and their processes have not exited
    QList<QUuid> m_added;              ///< wait until m_leaving is empty
};

} // namespace Rekindle
