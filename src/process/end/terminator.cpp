// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "terminator_p.h"

namespace Rekindle {

Terminator::Terminator(const StopSequence &sequence, Scheduler &scheduler, StopTarget &target)
    : m_sequence(sequence)
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
        m_deadline.armIn(m_sequence.closeStdin);
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
    m_step = Step::Terminate;
    m_deadline.armIn(m_sequence.terminate);
    m_target.terminateGroup();
}

void Terminator::kill()
{
    const bool again = m_step == Step::Kill;
    m_step = Step::Kill;
    if (!again)
        m_deadline.armIn(m_sequence.kill);
    m_target.killGroup();
}

} // namespace Rekindle
