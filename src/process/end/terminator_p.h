// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/process/processdefinition.h>

namespace Rekindle {

/// The process group that a Terminator stops.
class StopTarget
{
public:
    virtual ~StopTarget() = default;

    /// Returns false if there is no open input, so that this step needs no wait.
    virtual bool closeInput() = 0;
    virtual void terminateGroup() = 0;
    virtual void killGroup() = 0;
    virtual void reportUnresponsive() = 0; ///< the signal had no effect; killGroup() follows
    virtual void reportStuck() = 0;        ///< may destroy the terminator
};

/// Executes the steps of a stop until the process has exited.
class Terminator
{
public:
    /// A step lasts at most this many times as long as the sequence permits.
    static constexpr int mostExtension = 10;

    Terminator(const StopSequence &sequence, Scheduler &scheduler, StopTarget &target);

    /// The first call begins with the first step, a second call executes the last step.
    void stop();
    void kill();
    /// Moves the end of the current step to now + `time`, unless it is later; see mostExtension.
    /// SIGKILL is not extended.
    void extend(Duration time);
    void cancel() { m_deadline.disarm(); }

    [[nodiscard]] bool isIdle() const { return m_step == Step::Idle; }

    /// Whether the processes still have time to exit by themselves.
    [[nodiscard]] bool isGraceful() const
    {
        return m_step == Step::CloseInput || m_step == Step::Terminate;
    }

private:
    enum class Step { Idle, CloseInput, Terminate, Kill };

    void nextStep();
    void terminate();
    void beginStep(Step step, Duration wait);

    const StopSequence &m_sequence;
    Scheduler &m_scheduler;
    StopTarget &m_target;
    Instant m_latestEnd{}; // of the current step
    Deadline m_deadline;
    Step m_step = Step::Idle;
};

} // namespace Rekindle
