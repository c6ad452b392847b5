// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "recordedstate_p.h"
#include "runfigures_p.h"
#include "simulatedagent_p.h"

#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/agentgroups.h>
#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/groups/startgate.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/inputjournal.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/simulation/simulation.h>

#include <QHash>

namespace Rekindle {

/// One run of a simulation: an AgentSupervisor with simulated agents, and its measurements.
class SimulationRun final : public QObject, private InputJournal
{
    Q_OBJECT

public:
    /// The arguments must outlive it. `figures` has the agents of the configuration, in its order.
    SimulationRun(const Configuration &configuration, const SimulationOptions &options,
                  RunFigures &figures);
    ~SimulationRun() override;

    // Call one of these once.
    [[nodiscard]] SimulationResult execute();
    /// Continues a recorded run until its end. `state` must outlive the run.
    [[nodiscard]] SimulationResult continueFrom(const RecordedState &state);

private:
    struct Member
    {
        SimulatedAgent *agent = nullptr; ///< owned by the supervisor
        std::size_t position = 0;        ///< in the figures
        CounterRandom random;
        bool hasProbes = false;
    };

    void record(JournalEntry &&) override { m_figures.onInput(); }

    void add(const AgentDefinition &definition, std::size_t position);
    void setDependencies();
    void connectEvents();
    void execute(const SimulationStep &step);
    void restore(const QString &name, const RecordedState::Agent &agent);
    void execute(const JournalEntry &command);
    void operate(const QUuid &id, OperatorCommand command);
    void attachProbes(const QUuid &id, Member &member);
    void onEndpointDown(const QString &endpoint);
    void onStarted(const AgentStarted &event);
    void onRestart(const RestartStarted &event);
    [[nodiscard]] SimulationResult finish();
    void violation(const QUuid &id, const QString &text);
    [[nodiscard]] Duration now() const { return m_scheduler.now() - m_begin; }
    [[nodiscard]] double draw(const QUuid &id);

    const Configuration &m_configuration;
    const SimulationOptions &m_options;
    RunFigures &m_figures;
    Instant m_begin{};
    VirtualClock m_clock;
    VirtualScheduler m_scheduler;
    SharedEndpoints m_endpoints;
    FixedLicenseProvider m_license;
    QHash<QUuid, std::shared_ptr<Member>> m_members; ///< looked up only, never in order
    AgentSupervisor m_supervisor;
    AgentDependencies m_dependencies;
    AgentGroups m_groups{m_dependencies};
    StartGate m_gate{m_supervisor};
    SharedBreakers m_breakers{m_supervisor, &m_gate};
};

} // namespace Rekindle
