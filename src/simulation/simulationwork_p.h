// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/virtualscheduler.h>

namespace Rekindle {

/// Advances the virtual time of a simulation until its work exceeds a limit. The work is counted,
/// not timed, so that a run ends at the same place on each machine.
class SimulationWork
{
public:
    /// The scheduler must outlive this object.
    SimulationWork(VirtualScheduler &scheduler, qint64 limit)
        : m_scheduler(scheduler)
        , m_left(limit)
    {
    }

    [[nodiscard]] VirtualScheduler &scheduler() const { return m_scheduler; }
    [[nodiscard]] bool isExceeded() const { return m_left < 0; }

    void add(qint64 work) { m_left -= work; }

    /// Like VirtualScheduler::advance(). If the limit is exceeded, the time does not change
    /// anymore.
    void advance(Duration duration)
    {
        const Instant now = m_scheduler.now();
        const Instant end = duration < Instant::max() - now ? now + duration : Instant::max();
        while (!isExceeded() && m_scheduler.nextDue() <= end && m_scheduler.advanceToNext())
            add(1);
        // A callback may have advanced the time further.
        if (!isExceeded() && end > m_scheduler.now())
            m_scheduler.advance(end - m_scheduler.now());
    }

private:
    VirtualScheduler &m_scheduler;
    qint64 m_left;
};

} // namespace Rekindle
