// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "simulatedhost_p.h"

#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/simulation/simulation.h>

#include <optional>
#include <vector>

namespace Rekindle {

/// The nodes of the fleet of a configuration, that of the configuration first. Only one without a
/// name if there is no fleet.
[[nodiscard]] QStringList fleetNodes(const Configuration &configuration,
                                     const FailureModels &models);

/// One run of a simulation: a host, or several that are a fleet, in one virtual time.
class SimulationRun final
{
public:
    /// The arguments must outlive it. `figures` has all agents of the run.
    SimulationRun(const Configuration &configuration, const SimulationOptions &options,
                  RunFigures &figures);

    // Call one of these once.
    [[nodiscard]] SimulationResult execute();
    /// Continues a recorded run until its end. `state` must outlive the run.
    [[nodiscard]] SimulationResult continueFrom(const RecordedState &state);

private:
    struct Node
    {
        QString name{};
        int boots = 0;
        std::unique_ptr<SimulatedHost> host{}; ///< null while the machine is down
    };

    void addPlaced(const Configuration &configuration);
    void boot(std::size_t index);
    void setDown(const QString &name, bool isDown);
    void setReachable(Node &node) const;
    void forEachHost(const std::function<void(SimulatedHost &)> &action) const;
    void execute(const SimulationStep &step);
    void reload(const SimulationStep &step);
    [[nodiscard]] SimulatedHost *hostOf(const QString &agent) const;
    void followPlaced(const QUuid &id);
    [[nodiscard]] SimulationResult finish();
    [[nodiscard]] Duration now() const { return m_world.now(); }

    const Configuration *m_configuration; ///< the current one
    const std::optional<FleetDefinition> &m_fleet;
    const SimulationOptions &m_options;
    RunFigures &m_figures;
    VirtualClock m_clock;
    VirtualScheduler m_scheduler;
    SimulationWork m_work;
    Outages m_endpoints;
    SimulationWorld m_world;
    VirtualStoreServer m_server;
    Outages m_partitions;
    Outages m_storeOutages;
    Outages m_crashes;
    std::vector<Node> m_nodes; ///< the first is that of the configuration
};

} // namespace Rekindle
