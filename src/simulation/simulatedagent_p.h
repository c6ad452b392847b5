// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "counterrandom_p.h"

#include <rekindle/config/agentdefinition.h>
#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/simulation/failuremodel.h>

namespace Rekindle {

/// An agent that becomes ready, lives and exits by a FailureModel instead of running a program. The
/// exit is interpreted as that of a process.
class SimulatedAgent final : public Agent
{
    Q_OBJECT

public:
    /// `definition` and `scheduler` must outlive the agent.
    SimulatedAgent(const AgentDefinition &definition, FailureModel model, quint64 seed,
                   Scheduler &scheduler);

    void start() override;
    void stop() override;
    void kill() override { stop(); }
    [[nodiscard]] bool isAlive() const override { return m_isAlive; }

    // The steps of a trace. exit() returns false if the process does not run.
    [[nodiscard]] bool exit(std::optional<int> code, std::optional<int> signal);
    void hang();
    void setUnhealthyUntil(Instant time) { m_unhealthyUntil = time; }
    void delayNextStart(Duration time) { m_startDelay = time; }

    /// Whether its process answers no probes.
    [[nodiscard]] bool isHanging() const { return m_isHanging; }
    [[nodiscard]] bool isHealthy() const;

    /// Probes with the schedules of the definition that test this agent.
    [[nodiscard]] std::vector<HealthCheck> healthChecks();

    /// How often it was started while it was alive, which must not happen.
    [[nodiscard]] int doubleStarts() const { return m_doubleStarts; }

private:
    [[nodiscard]] Duration timeToReady();
    void becomeReady();
    void exitByModel();
    void end();

    const AgentDefinition &m_definition;
    const FailureModel m_model;
    Scheduler &m_scheduler;
    CounterRandom m_random;
    Deadline m_ready;
    Deadline m_exit;
    Duration m_startDelay{0};
    Instant m_unhealthyUntil{};
    bool m_isAlive = false;
    bool m_isHanging = false;
    int m_doubleStarts = 0;
};

} // namespace Rekindle
