// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "terminator_p.h"

#include <algorithm>

namespace Rekindle {

Terminator::Terminator(const StopSequence &sequence, Scheduler &scheduler, StopTarget &target)
    : m_sequence(sequence)
    , m_scheduler(scheduler)
    , m_target(target)
    , m_deadline(scheduler, [this] { nextStep(); })
{
}

void Terminator::stop()
{
    if (m_step != Step::Idle) {
        kill();
        return;
    }
    m_step = Step::CloseInput;
    if (m_target.closeInput() && m_sequence.closeStdin > Duration{0})
        beginStep(Step::CloseInput, m_sequence.closeStdin);
    else
        terminate();
}

void Terminator::nextStep()
{
    switch (m_step) {
    case Step::Idle:
        break;
    case Step::CloseInput:
        terminate();
        break;
    case Step::Terminate:
        m_target.reportUnresponsive();
        kill();
        break;
    case Step::Kill:
        m_target.reportStuck();
        break;
    }
}

void Terminator::terminate()
{
    if (m_sequence.terminate <= Duration{0}) {
        kill();
        return;
    }
    beginStep(Step::Terminate, m_sequence.terminate);
    m_target.terminateGroup();
}

void Terminator::kill()
{
    if (m_step != Step::Kill)
        beginStep(Step::Kill, m_sequence.kill);
    m_target.killGroup();
}

void Terminator::beginStep(Step step, Duration wait)
{
    m_step = step;
    m_latestEnd = m_scheduler.now() + mostExtension * wait;
    m_deadline.armIn(wait);
}

void Terminator::extend(Duration time)
{
    if (!isGraceful())
        return;
    const Instant end = std::min(m_scheduler.now() + time, m_latestEnd);
    m_deadline.arm(std::max(m_deadline.due(), end));
}

} // namespace Rekindle
