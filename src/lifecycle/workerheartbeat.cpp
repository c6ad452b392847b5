// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "workerheartbeat_p.h"

#include <algorithm>

namespace Rekindle {

WorkerHeartbeat::WorkerHeartbeat(Scheduler &scheduler, const WorkerOptions &options, Calls calls)
    : m_scheduler(scheduler)
    , m_options(options)
    , m_calls(std::move(calls))
    , m_deadline(scheduler, [this] { onDue(); })
{
}

void WorkerHeartbeat::begin()
{
    if (m_options.heartbeatInterval <= Duration::zero())
        return;
    m_misses = 0;
    rest(m_scheduler.now() + m_options.heartbeatInterval);
}

void WorkerHeartbeat::rest(Instant until)
{
    m_phase = Phase::Resting;
    m_deadline.arm(until);
}

void WorkerHeartbeat::wait(Phase phase)
{
    m_phase = phase;
    m_due = m_scheduler.now()
        + (phase == Phase::LastChance ? m_options.lastChance : m_options.heartbeatTimeout);
    m_deadline.arm(m_due);
}

void WorkerHeartbeat::onDue()
{
    const Instant now = m_scheduler.now();
    if (m_calls.isAnswered() && m_phase != Phase::Resting) {
        m_misses = 0;
        rest(std::max(now, m_nextPing));
        return;
    }
    switch (m_phase) {
    case Phase::Resting:
        m_nextPing = now + m_options.heartbeatInterval;
        // One that is still on its way needs no second.
        if (m_calls.isAnswered()) {
            m_misses = 0;
            m_calls.ping();
        }
        wait(Phase::Waiting);
        return;
    case Phase::Waiting:
    case Phase::LastChance:
        break;
    }
    if (now - m_due > m_options.heartbeatTimeout / 2)
        wait(m_phase);
    else if (m_phase == Phase::LastChance)
        m_calls.hung();
    else if (++m_misses >= m_options.misses)
        wait(Phase::LastChance);
    else
        rest(std::max(now, m_nextPing));
}

} // namespace Rekindle
