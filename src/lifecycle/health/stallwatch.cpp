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
    if (m_users++ == 0)
        beginFirst(m_scheduler.now());
    return m_stalls;
}

Duration StallWatch::beginAt(Instant now)
{
    if (m_users++ == 0)
        beginFirst(now);
    else
        check(now);
    return m_lost;
}

void StallWatch::beginFirst(Instant now)
{
    m_offset = offset(now);
    m_due = now + tick;
    if (!m_tick.isArmed())
        m_tick.arm(m_due);
}

bool StallWatch::hasStalledSince(quint64 mark)
{
    // The answer may be handled before the tick.
    check(m_scheduler.now());
    return m_stalls != mark;
}

Duration StallWatch::lost()
{
    check(m_scheduler.now());
    return m_lost;
}

bool StallWatch::noteLateness(Instant due, Duration bound)
{
    return noteLateness(m_scheduler.now(), due, bound);
}

bool StallWatch::noteLateness(Instant now, Instant due, Duration bound)
{
    const bool late = now - due > bound;
    if (late)
        ++m_stalls;
    return late;
}

Duration StallWatch::offset(Instant now) const
{
    return m_scheduler.clock().utcNow().time_since_epoch() - now.time_since_epoch();
}

void StallWatch::check(Instant now)
{
    if (noteLateness(now, m_due, lateBound)) {
        m_lost += now - m_due + lateBound;
        m_due = now; // count each stall once
    }
    const Duration current = offset(now);
    if (std::chrono::abs(current - m_offset) > jumpBound)
        ++m_stalls;
    m_offset = current;
}

void StallWatch::onTick()
{
    // end() does not disarm the timer, because most spans are short.
    if (m_users == 0)
        return;
    const Instant now = m_scheduler.now();
    check(now);
    m_due = now + tick;
    m_tick.arm(m_due);
}

} // namespace Rekindle
