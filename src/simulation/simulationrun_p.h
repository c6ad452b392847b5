// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "herdcounter_p.h"
#include "phasetracker_p.h"
#include "simulatedagent_p.h"

#include <rekindle/groups/agentdependencies.h>
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
    /// The arguments must outlive it.
    SimulationRun(const Configuration &configuration, const SimulationOptions &options);
    ~SimulationRun() override;

    /// Call it once.
    [[nodiscard]] SimulationResult execute();

private:
    struct Member
    {
        SimulatedAgent *agent = nullptr; ///< owned by the supervisor
        SimulationResult::Agent *result = nullptr;
        PhaseTracker phases;
        CounterRandom random;
        bool hasProbes = false;
    };

    void record(JournalEntry &&) override { ++m_result.inputs; }

    void add(const AgentDefinition &definition, SimulationResult::Agent &result);
    void connectEvents();
    void execute(const SimulationStep &step);
    void operate(const QUuid &id, OperatorCommand command);
    void attachProbes(const QUuid &id, Member &member);
    void onStarted(const AgentStarted &event);
    void onRestart(const RestartStarted &event);
    void finish();
    void violation(const QUuid &id, const QString &text);
    [[nodiscard]] Duration now() const { return m_scheduler.now().time_since_epoch(); }
    [[nodiscard]] double draw(const QUuid &id);

    const Configuration &m_configuration;
    const SimulationOptions &m_options;
    SimulationResult m_result;
    VirtualClock m_clock;
    VirtualScheduler m_scheduler;
    FixedLicenseProvider m_license;
    QHash<QUuid, std::shared_ptr<Member>> m_members; ///< looked up only, never in order
    HerdCounter m_inSecond{std::chrono::seconds(1)};
    HerdCounter m_inTenth{std::chrono::milliseconds(100)};
    AgentSupervisor m_supervisor;
    AgentDependencies m_dependencies;
    StartGate m_gate{m_supervisor};
};

} // namespace Rekindle
