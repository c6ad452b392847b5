// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "workerheartbeat_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

WorkerHeartbeat::WorkerHeartbeat(Scheduler &scheduler, const WorkerOptions &options, Calls calls)
    : m_scheduler(scheduler)
    , m_options(options)
    , m_calls(std::move(calls))
    , m_stalls(scheduler)
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

void WorkerHeartbeat::end()
{
    m_deadline.disarm();
    if (std::exchange(m_phase, Phase::Resting) != Phase::Resting)
        m_stalls.end();
}

void WorkerHeartbeat::rest(Instant until)
{
    end();
    m_due = until;
    m_deadline.arm(m_due);
}

void WorkerHeartbeat::wait(Phase phase)
{
    end();
    m_phase = phase;
    m_stallMark = m_stalls.begin();
    m_waitEnd = m_scheduler.now()
        + (phase == Phase::LastChance ? m_options.lastChance : m_options.heartbeatTimeout);
    step();
}

// Most answers are there after the first one.
void WorkerHeartbeat::step()
{
    m_due = std::min(m_scheduler.now() + StallWatch::tick, m_waitEnd);
    m_deadline.arm(m_due);
}

void WorkerHeartbeat::onDue()
{
    const Instant now = m_scheduler.now();
    if (m_phase == Phase::Resting) {
        m_nextPing = now + m_options.heartbeatInterval;
        // One that is still on its way needs no second.
        if (m_calls.isAnswered()) {
            m_misses = 0;
            m_pingedAt = now;
            m_calls.ping();
        }
        wait(Phase::Waiting);
        return;
    }
    if (m_calls.isAnswered()) {
        m_misses = 0;
        rest(std::max(now, m_nextPing));
        m_calls.found({.ok = true, .took = now - m_pingedAt});
        return;
    }
    m_stalls.noteLateness(m_due, std::min(StallWatch::lateBound, m_options.heartbeatTimeout / 2));
    if (m_stalls.hasStalledSince(m_stallMark))
        wait(m_phase);
    else if (now < m_waitEnd)
        step();
    else
        missed(now);
}

void WorkerHeartbeat::missed(Instant now)
{
    const bool isHung = m_phase == Phase::LastChance;
    ++m_misses;
    if (isHung)
        end();
    else if (m_misses >= m_options.misses)
        wait(Phase::LastChance);
    else
        rest(std::max(now, m_nextPing));
    m_calls.found({.took = now - m_pingedAt, .misses = m_misses, .isHung = isHung});
}

} // namespace Rekindle
