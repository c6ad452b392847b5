// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stallwatch_p.h"

namespace Rekindle {

StallWatch::StallWatch(Scheduler &scheduler)
    : m_scheduler(scheduler)
    , m_tick(scheduler, [this] { onTick(); })
{
}

quint64 StallWatch::begin()
{
    if (m_users++ == 0) {
        m_offset = offset();
        m_due = m_scheduler.now() + tick;
        m_tick.arm(m_due);
    }
    return m_stalls;
}

void StallWatch::end()
{
    if (--m_users == 0)
        m_tick.disarm();
}

bool StallWatch::hasStalledSince(quint64 mark)
{
    // The answer may be handled before the tick.
    check();
    return m_stalls != mark;
}

Duration StallWatch::lost()
{
    check();
    return m_lost;
}

bool StallWatch::noteLateness(Instant due, Duration bound)
{
    const bool late = m_scheduler.now() - due > bound;
    if (late)
        ++m_stalls;
    return late;
}

Duration StallWatch::offset() const
{
    const Scheduler &scheduler = m_scheduler;
    return scheduler.clock().utcNow().time_since_epoch() - scheduler.now().time_since_epoch();
}

void StallWatch::check()
{
    const Instant now = m_scheduler.now();
    if (noteLateness(m_due)) {
        m_lost += now - m_due + lateBound;
        m_due = now; // count each stall once
    }
    const Duration current = offset();
    if (std::chrono::abs(current - m_offset) > jumpBound)
        ++m_stalls;
    m_offset = current;
}

void StallWatch::onTick()
{
    check();
    m_due = m_scheduler.now() + tick;
    m_tick.arm(m_due);
}

} // namespace Rekindle
