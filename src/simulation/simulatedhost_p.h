// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "recordedstate_p.h"
#include "runfigures_p.h"
#include "simulatedagents_p.h"

#include "config/internal/placedagents.h"

#include <rekindle/fleet/virtualstore.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>

#include <QHash>
#include <QSet>

namespace Rekindle {

/// What the hosts of a run have in common.
struct SimulationWorld
{
    const SimulationOptions &options;
    RunFigures &figures;
    SimulationWork &work;
    const Outages &endpoints;
    /// A placed agent may have changed on one of the hosts.
    std::function<void(const QUuid &)> placedChanged;
    QHash<QUuid, std::size_t> positions{}; ///< in the figures
    QSet<QUuid> placed{};                  ///< agents with a placement
    Instant begin{};

    [[nodiscard]] Duration now() const { return work.scheduler().now() - begin; }
};

/// A host of a run: an AgentSupervisor with simulated agents, and their measurements. In a fleet,
/// it is a node. Local agents are measured only on the first node.
class SimulatedHost final : public QObject
{
    Q_OBJECT

public:
    /// `node` is its position in the fleet, 0 without a fleet. Hosts with another `stream` have
    /// other random values. The world must outlive the host.
    SimulatedHost(const SimulationWorld &world, int node, const QString &stream);
    ~SimulatedHost() override { m_isLost = true; }
    Q_DISABLE_COPY_MOVE(SimulatedHost)

    /// Makes it a node. Call it before addAll().
    void joinFleet(VirtualStoreServer &server, const FleetDefinition &fleet, const QString &run);
    [[nodiscard]] VirtualStore &store() { return *m_store; }

    void addAll(const Configuration &configuration);
    void startAll(const Configuration &configuration);
    void reload(const Configuration &configuration);
    /// Call it at the end of the run.
    void finish();
    /// The machine loses power: call the destructor afterwards.
    void loseAgents();

    [[nodiscard]] SimulatedAgents &agents() { return m_agents; }
    /// Whether this node is the owner of a placed agent.
    [[nodiscard]] bool owns(const QUuid &id);

    // The steps of a trace. execute() returns false if the agent does not run.
    [[nodiscard]] bool execute(const SimulationStep &step);
    void operate(const QUuid &id, OperatorCommand command);

    /// Continues a recorded agent.
    void restore(const QString &name, const RecordedState::Agent &agent);
    void execute(const JournalEntry &command);

private:
    void connectEvents();
    void reportRejected(const QList<Fault> &faults);
    void onState(const QUuid &id, InstanceState state);
    void onStarted(const AgentStarted &event);
    void onRestart(const RestartStarted &event);
    void violation(const QUuid &id, const QString &text);
    [[nodiscard]] bool isPlaced(const QUuid &id) const { return m_world.placed.contains(id); }
    [[nodiscard]] bool isMeasured(const QUuid &id) const
    {
        return !m_isLost && (m_node == 0 || isPlaced(id));
    }
    [[nodiscard]] Duration now() const { return m_world.now(); }
    [[nodiscard]] std::size_t position(const QUuid &id) const
    {
        return m_world.positions.value(id);
    }

    const SimulationWorld &m_world;
    const int m_node;
    bool m_isLost = false; ///< its agents change while they are destroyed
    FixedLicenseProvider m_license;
    SimulatedAgents m_agents;
    std::unique_ptr<VirtualStore> m_store;
    std::unique_ptr<PlacedAgents> m_placed;
};

} // namespace Rekindle
