// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "phasespread_p.h"
#include "stallwatch_p.h"

#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/policy/agenthealthstatus.h>

namespace Rekindle {

/// One probe of one agent: runs it by its schedule, counts misses in a row, gives it a last chance.
class ProbeCycle
{
public:
    struct Answer
    {
        ProbeResult result;
        bool isVerdict = false; ///< the last chance is gone
    };

    class Listener
    {
    public:
        virtual ~Listener();
        /// Each may destroy the cycle.
        virtual void answered(const ProbeCycle &cycle, const Answer &answer) = 0;
        virtual void condemned(const ProbeCycle &cycle, const QString &text) = 0;
    };

    /// What all cycles of a monitor share, which outlives them.
    struct Surroundings
    {
        Scheduler &scheduler;
        StallWatch stalls;
        PhaseSpread phases;
        QObject &owner; ///< of probes that cannot be deleted this moment
    };

    ProbeCycle(HealthCheck check, Surroundings &surroundings, Listener &listener);
    ~ProbeCycle();
    Q_DISABLE_COPY_MOVE(ProbeCycle)

    /// The agent has become ready; nothing is asked from inside this call.
    void begin();

    /// It has ended. The misses stay to be seen.
    void end();

    /// Forgets the misses: another start begins.
    void reset();

    /// An answer is for people: one line of it is enough, and it does not steer their terminal.
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
        LastLook, ///< the time is up; an answer that is there already has its turn
    };

    void wait(Instant due);
    void waitForNext();
    void waitAnew();
    void onDeadline();
    void run();
    void onPostponed();
    void onFinished(bool ok, const QString &text);
    [[nodiscard]] Duration timeout() const;

    HealthCheck m_check;
    Surroundings &m_around;
    Listener &m_listener;
    Deadline m_deadline;
    Step m_step = Step::Idle;
    Instant m_due{};   // of the deadline
    Instant m_slot{};  // of the current run in the rhythm of the interval
    Instant m_began{}; // the current run
    quint64 m_stallMark = 0;
    int m_misses = 0;
    bool m_isLastChance = false;
    bool m_hasAnswered = false;
};

} // namespace Rekindle
