// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/process/processdefinition.h>

namespace Rekindle {

/// What a Terminator acts on.
class StopTarget
{
public:
    virtual ~StopTarget();

    /// False if there is no input to close, so that nothing has to be waited for.
    virtual bool closeInput() = 0;
    virtual void terminateGroup() = 0;
    virtual void killGroup() = 0;
    virtual void reportStuck() = 0; ///< may destroy the terminator
};

/// The steps of a stop, one after the other, until the process has ended (spec 6).
class Terminator
{
public:
    Terminator(const StopSequence &sequence, Scheduler &scheduler, StopTarget &target);

    /// The first call goes through the steps, a second one straight to the last.
    void stop();
    void kill();
    void cancel() { m_deadline.disarm(); }

    [[nodiscard]] bool isIdle() const { return m_step == Step::Idle; }

    /// Whether the processes still have time to end in order.
    [[nodiscard]] bool isGraceful() const
    {
        return m_step == Step::CloseInput || m_step == Step::Terminate;
    }

private:
    enum class Step { Idle, CloseInput, Terminate, Kill };

    void goOn();
    void terminate();

    const StopSequence &m_sequence;
    StopTarget &m_target;
    Deadline m_deadline;
    Step m_step = Step::Idle;
};

} // namespace Rekindle
