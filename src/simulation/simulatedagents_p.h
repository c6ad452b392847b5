// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "counterrandom_p.h"
#include "simulatedagent_p.h"
#include "simulationwork_p.h"

#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/agentgroups.h>
#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/groups/startgate.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/policy/configurationchanges.h>
#include <rekindle/simulation/simulation.h>

#include <QHash>

#include <functional>

namespace Rekindle {

/// A supervisor with the simulated agents of a configuration, and with its dependencies, groups,
/// shared breakers and governor.
class SimulatedAgents
{
public:
    /// `startedTwice` is called if an agent is started while it runs, which must not happen. The
    /// other arguments must outlive the object.
    SimulatedAgents(SimulationWork &work, const SimulationOptions &options,
                    const SharedEndpoints &endpoints,
                    std::function<void(const QUuid &)> startedTwice);
    Q_DISABLE_COPY_MOVE(SimulatedAgents)

    [[nodiscard]] AgentSupervisor &supervisor() { return m_supervisor; }
    [[nodiscard]] RestartPolicyEvaluator &evaluator() { return m_supervisor.policyEvaluator(); }
    [[nodiscard]] const Governor &governor() const { return m_gate.governor(); }

    /// The same in each run of a seed.
    [[nodiscard]] QUuid idOf(const QString &name) const;
    /// Null if there is no such agent.
    [[nodiscard]] SimulatedAgent *agent(const QUuid &id) const;

    /// Adds the agents of a configuration, which must outlive this object, with everything except
    /// their dependencies. Returns the names of agents that the supervisor rejects.
    [[nodiscard]] QStringList addAll(const Configuration &configuration);
    /// Call it when the agents have their first states.
    void setDependencies();

    /// Applies another configuration, which must outlive this object, as a reload of a host does.
    /// Returns the names of agents that the supervisor rejects.
    [[nodiscard]] QStringList reload(const Configuration &configuration);

    /// Simulates the probes of an agent until its next start.
    void attachProbes(const QUuid &id);
    void detachProbes(const QUuid &id);

    /// An endpoint has gone down: the agents that require it fail.
    void loseEndpoint(const QString &endpoint);

private:
    struct Member
    {
        SimulatedAgent *agent = nullptr; ///< owned by the supervisor
        CounterRandom random;
        bool hasProbes = false;
    };

    [[nodiscard]] bool add(const AgentDefinition &definition);
    void setBreakers(const Configuration &configuration);
    void setOptions(const QUuid &id, const AgentDefinition &definition);
    void replaceDependencies(const Configuration &configuration);
    void update(const AgentDefinition &definition, const ChangedAgent &change);
    void removeAll(const QStringList &names);
    [[nodiscard]] double draw(const QUuid &id);

    SimulationWork &m_work;
    const SimulationOptions &m_options;
    const SharedEndpoints &m_endpoints;
    const std::function<void(const QUuid &)> m_startedTwice;
    const Configuration *m_configuration = nullptr;
    QHash<QUuid, std::shared_ptr<Member>> m_members; ///< looked up only, never in order
    AgentSupervisor m_supervisor;
    AgentDependencies m_dependencies;
    AgentGroups m_groups{m_dependencies};
    StartGate m_gate{m_supervisor};
    SharedBreakers m_breakers{m_supervisor, &m_gate};
};

} // namespace Rekindle
