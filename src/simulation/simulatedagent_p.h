// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "counterrandom_p.h"
#include "outages_p.h"
#include "recordedlives_p.h"

#include <rekindle/config/agentdefinition.h>
#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/simulation/failuremodel.h>

namespace Rekindle {

/// An agent that becomes ready, lives and exits by a FailureModel instead of running a program. The
/// exit is interpreted like the exit of a process.
class SimulatedAgent final : public Agent
{
    Q_OBJECT

public:
    /// `scheduler` must outlive the agent.
    SimulatedAgent(AgentDefinition definition, FailureModel model, CounterRandom random,
                   Scheduler &scheduler);

    [[nodiscard]] const AgentDefinition &definition() const { return m_definition; }
    /// Replaces the definition, from now on.
    void setDefinition(const AgentDefinition &definition) { m_definition = definition; }

    /// Without this, all endpoints that it requires are up. `endpoints` must outlive the agent.
    void setEndpoints(const Outages &endpoints) { m_endpoints = &endpoints; }
    /// One of them has gone down. The agent fails within a second, if it is still down then.
    void loseEndpoint();

    /// Repeats recorded processes instead of the model, from this position on. `lives` must outlive
    /// the agent.
    void repeat(const RecordedLives &lives, std::size_t position);
    /// Continues the process before that position, whose first reports were already emitted.
    void resume(std::size_t reports);

    void start() override;
    void stop() override;
    void kill() override { stop(); }
    [[nodiscard]] bool isAlive() const override { return m_isAlive; }
    [[nodiscard]] bool setKillDeadlineBound(bool /*bound*/) override { return true; }

    // The steps of a trace. exit() returns false if the process does not run.
    [[nodiscard]] bool exit(std::optional<int> code, std::optional<int> signal);
    void hang();
    void setUnhealthyUntil(Instant time) { m_unhealthyUntil = time; }
    void delayNextStart(Duration time) { m_startDelay = time; }
    /// Becomes ready if it waits for a line that matches.
    void writeLine(const QString &text);

    /// Determines whether it has probes; an agent that does not run gets none. Returns whether that
    /// has changed.
    [[nodiscard]] bool setProbed(bool probed);
    /// Probes with the schedules of the definition, if it has any. They get no answer while the
    /// agent hangs.
    [[nodiscard]] std::vector<HealthCheck> ownHealthChecks() override;

    /// The random number of the recorded report that is being emitted.
    [[nodiscard]] std::optional<double> recordedDraw() const { return m_recordedDraw; }

Q_SIGNALS:
    /// It was started while it was alive, which must not happen.
    void startedTwice();

    /// A recorded process was unhealthy.
    void unhealthy(const Rekindle::Failure &failure);

private:
    [[nodiscard]] Duration timeToReady();
    void becomeReady();
    void exitByModel();
    bool failWithoutEndpoint();
    void end();
    void armReport();
    void report();
    void emitReport(const JournalEntry &entry);

    AgentDefinition m_definition;
    const FailureModel m_model;
    Scheduler &m_scheduler;
    CounterRandom m_random;
    Deadline m_ready;
    Deadline m_exit;
    Deadline m_loss;   ///< it notices that an endpoint is down
    Deadline m_report; ///< the next one of a recorded process
    const Outages *m_endpoints = nullptr;
    const RecordedLives *m_lives = nullptr;
    std::size_t m_nextLife = 0;
    const RecordedLife *m_life = nullptr; ///< of the current process
    std::size_t m_nextReport = 0;
    Instant m_launchedAt{};
    std::optional<double> m_recordedDraw;
    Duration m_startDelay{0};
    Instant m_unhealthyUntil{};
    bool m_isAlive = false;
    bool m_isHanging = false;
    bool m_isProbed = false;
};

} // namespace Rekindle
