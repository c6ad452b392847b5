// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "stallwatch_p.h"

#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/policy/agenthealthstatus.h>

namespace Rekindle {

class HealthWatch;

/// Assigns each probe a phase within its interval, so that the runs of many probes are spread
/// evenly. Multiples of the golden ratio are distributed more evenly than random numbers, for any
/// count.
class PhaseDistributor
{
public:
    /// Returns the next phase, from 0 to less than `interval`. The first one is 0.
    [[nodiscard]] Duration next(Duration interval)
    {
        constexpr double goldenRatio = 0.6180339887498949;
        const double phase = m_phase;
        m_phase += goldenRatio;
        if (m_phase >= 1)
            m_phase -= 1;
        return std::chrono::duration_cast<Duration>(interval * phase);
    }

private:
    double m_phase = 0;
};

/// Runs one probe of one agent by its schedule and counts consecutive probe failures.
class ProbeCycle
{
public:
    struct Answer
    {
        ProbeResult result;
        bool isVerdict = false; ///< the last run failed: the agent is unhealthy
    };

    /// What all cycles of a monitor share. It must outlive them.
    struct Shared
    {
        Scheduler &scheduler;
        StallWatch stalls;
        PhaseDistributor phases;
        QObject &owner; ///< of probes that are deleted later
    };

    ProbeCycle(HealthCheck check, Shared &shared, HealthWatch &watch);
    ~ProbeCycle();
    Q_DISABLE_COPY_MOVE(ProbeCycle)

    /// The agent became ready. Does not start a run within this call.
    void begin();

    /// The agent stopped. The failure count is kept.
    void end();

    /// The next start begins: resets the failure count.
    void reset();

    [[nodiscard]] const QString &name() const { return m_check.name; }
    [[nodiscard]] const HealthSchedule &schedule() const { return m_check.schedule; }
    [[nodiscard]] int misses() const { return m_misses; }
    [[nodiscard]] bool hasAnswered() const { return m_hasAnswered; }

private:
    enum class Step {
        Idle,
        Waiting,  ///< for the next run
        Running,  ///< until the timeout
        TimedOut, ///< one more pass of the event loop, for an answer that is already queued
    };

    void wait(Instant due);
    void waitForNext();
    void waitWithNewPhase();
    void onDeadline();
    void run();
    void onPostponed();
    void onFinished(bool ok, const QString &text);
    [[nodiscard]] Duration timeout() const;

    HealthCheck m_check;
    Shared &m_shared;
    HealthWatch &m_watch; ///< gets the answers, and may then destroy the cycle
    Deadline m_deadline;
    Step m_step = Step::Idle;
    Instant m_due{};     // of the deadline
    Instant m_planned{}; // of the next or current run, a multiple of the interval apart
    Instant m_began{};   // of the current run
    quint64 m_stallMark = 0;
    int m_misses = 0;
    bool m_isLastChance = false;
    bool m_hasAnswered = false;
};

} // namespace Rekindle
