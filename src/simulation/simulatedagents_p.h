// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "config/internal/agentfactory.h"
#include "counterrandom_p.h"
#include "simulatedagent_p.h"
#include "simulationwork_p.h"

#include <rekindle/config/configuredagents.h>
#include <rekindle/simulation/simulation.h>

#include <QHash>

#include <functional>

namespace Rekindle {

/// A supervisor with the agents of a configuration, which are simulated instead of started.
class SimulatedAgents final : private AgentFactory
{
public:
    /// Agents with another `stream` have other random values. `startedTwice` is called if an agent
    /// is started while it runs, which must not happen. The other arguments must outlive the
    /// object.
    SimulatedAgents(SimulationWork &work, const SimulationOptions &options,
                    const Outages &endpoints, QString stream,
                    std::function<void(const QUuid &)> startedTwice);

    [[nodiscard]] AgentSupervisor &supervisor() { return m_supervisor; }
    [[nodiscard]] RestartPolicyEvaluator &evaluator() { return m_supervisor.policyEvaluator(); }
    [[nodiscard]] const Governor &governor() const { return m_configured.startGate().governor(); }

    [[nodiscard]] ConfiguredAgents &configured() { return m_configured; }

    /// The same in each run of a seed, and on each host.
    [[nodiscard]] static QUuid idOf(const SimulationOptions &options, const QString &name);
    [[nodiscard]] QUuid idOf(const QString &name) const override { return idOf(m_options, name); }
    /// Null if there is no such agent.
    [[nodiscard]] SimulatedAgent *agent(const QUuid &id) const;

    /// Adds the agents of a configuration with everything except their dependencies. Returns the
    /// faults of agents that the supervisor rejects.
    [[nodiscard]] QList<Fault> addAll(Configuration configuration);
    /// Call it when the agents have their first states.
    void setDependencies(const Configuration &configuration);

    /// Applies another configuration, as a host does. Returns the faults because of which nothing
    /// has changed.
    [[nodiscard]] QList<Fault> reload(const Configuration &configuration);

    /// Adds the probes of an agent, if it runs, or removes them.
    void setProbed(const QUuid &id, bool probed);

    /// An endpoint has gone down: the agents that require it fail.
    void loseEndpoint(const QString &endpoint);

private:
    [[nodiscard]] std::unique_ptr<Agent> make(const AgentDefinition &definition,
                                              Scheduler &scheduler) override;
    [[nodiscard]] AgentDefinition definitionOf(const Agent &agent) const override;
    void setDefinition(Agent &agent, const AgentDefinition &definition) const override;
    [[nodiscard]] HealthCheck makeSharedCheck(const QString &breaker,
                                              const SharedBreakerProbe &probe,
                                              Scheduler &scheduler) const override;
    [[nodiscard]] double draw(const QUuid &id);

    SimulationWork &m_work;
    const SimulationOptions &m_options;
    const Outages &m_endpoints;
    const QString m_stream;
    const std::function<void(const QUuid &)> m_startedTwice;
    QHash<QUuid, CounterRandom> m_random; ///< for jitter; looked up only, never in order
    AgentSupervisor m_supervisor;
    ConfiguredAgents m_configured{m_supervisor, *this};
};

} // namespace Rekindle
