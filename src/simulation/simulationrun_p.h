// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "recordedstate_p.h"
#include "runfigures_p.h"
#include "simulatedagents_p.h"

#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/simulation/simulation.h>

#include <QHash>

namespace Rekindle {

/// One run of a simulation: an AgentSupervisor with simulated agents, and its measurements.
class SimulationRun final : public QObject
{
    Q_OBJECT

public:
    /// The arguments must outlive it. `figures` has all agents of the run.
    SimulationRun(const Configuration &configuration, const SimulationOptions &options,
                  RunFigures &figures);

    // Call one of these once.
    [[nodiscard]] SimulationResult execute();
    /// Continues a recorded run until its end. `state` must outlive the run.
    [[nodiscard]] SimulationResult continueFrom(const RecordedState &state);

private:
    void connectEvents();
    void execute(const SimulationStep &step);
    void executeForAgent(const SimulationStep &step);
    void reload(const SimulationStep &step);
    void reportRejected(const QList<Fault> &faults);
    void restore(const QString &name, const RecordedState::Agent &agent);
    void execute(const JournalEntry &command);
    void operate(const QUuid &id, OperatorCommand command);
    void onStarted(const AgentStarted &event);
    void onRestart(const RestartStarted &event);
    [[nodiscard]] SimulationResult finish();
    void violation(const QUuid &id, const QString &text);
    [[nodiscard]] Duration now() const { return m_scheduler.now() - m_begin; }
    [[nodiscard]] std::size_t position(const QUuid &id) const { return m_positions.value(id); }

    const Configuration &m_configuration;
    const SimulationOptions &m_options;
    RunFigures &m_figures;
    Instant m_begin{};
    VirtualClock m_clock;
    VirtualScheduler m_scheduler;
    SimulationWork m_work;
    SharedEndpoints m_endpoints;
    FixedLicenseProvider m_license;
    QHash<QUuid, std::size_t> m_positions; ///< in the figures
    SimulatedAgents m_agents;
};

} // namespace Rekindle
