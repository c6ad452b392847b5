// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "phasedistributor_p.h"
#include "stallwatch_p.h"

#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/policy/agenthealthstatus.h>

namespace Rekindle {

/// Runs one probe of one agent by its schedule and counts consecutive probe failures.
class ProbeCycle
{
public:
    struct Answer
    {
        ProbeResult result;
        bool isVerdict = false; ///< the last run failed: the agent is unhealthy
    };

    class Listener
    {
    public:
        virtual ~Listener();
        // Both may destroy the cycle.
        virtual void answered(const ProbeCycle &cycle, const Answer &answer) = 0;
        virtual void reportedUnhealthy(const ProbeCycle &cycle, const QString &text) = 0;
    };

    /// What all cycles of a monitor share. It must outlive them.
    struct Shared
    {
        Scheduler &scheduler;
        StallWatch stalls;
        PhaseDistributor phases;
        QObject &owner; ///< of probes that are deleted later
    };

    ProbeCycle(HealthCheck check, Shared &shared, Listener &listener);
    ~ProbeCycle();
    Q_DISABLE_COPY_MOVE(ProbeCycle)

    /// The agent became ready. Does not start a run within this call.
    void begin();

    /// The agent stopped. The failure count is kept.
    void end();

    /// The next start begins: resets the failure count.
    void reset();

    /// Returns at most 200 characters without control characters, safe for a terminal.
    [[nodiscard]] static QString oneLine(const QString &text);

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
    Listener &m_listener;
    Deadline m_deadline;
    Step m_step = Step::Idle;
    Instant m_due{};   // of the deadline
    Instant m_slot{};  // planned time of the current run
    Instant m_began{}; // of the current run
    quint64 m_stallMark = 0;
    int m_misses = 0;
    bool m_isLastChance = false;
    bool m_hasAnswered = false;
};

} // namespace Rekindle
