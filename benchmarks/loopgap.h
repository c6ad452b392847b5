// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace Rekindle {

/// The longest time for which the event loop was away, measured by a deadline every millisecond.
class LoopGap
{
public:
    explicit LoopGap(Scheduler &scheduler)
        : m_scheduler(scheduler)
        , m_tick(scheduler, [this] { tick(); })
    {
        begin();
    }

    void begin()
    {
        m_longest = m_mostCpu = Duration{0};
        m_last = m_scheduler.now();
        m_lastCpu = cpuTime();
        m_tick.armIn(std::chrono::milliseconds(1));
    }
    void end() { m_tick.disarm(); }

    [[nodiscard]] Duration longest() const { return m_longest; }
    /// The most CPU time of this thread between two ticks: without other processes, the loop would
    /// be away for this time.
    [[nodiscard]] Duration mostCpu() const { return m_mostCpu; }

private:
    [[nodiscard]] static Duration cpuTime()
    {
        std::timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    }

    void tick()
    {
        const Instant now = m_scheduler.now();
        const Duration cpu = cpuTime();
        m_longest = std::max(m_longest, now - m_last);
        m_mostCpu = std::max(m_mostCpu, cpu - m_lastCpu);
        m_last = now;
        m_lastCpu = cpu;
        m_tick.armIn(std::chrono::milliseconds(1));
    }

    Scheduler &m_scheduler;
    Deadline m_tick;
    Instant m_last;
    Duration m_lastCpu{0};
    Duration m_longest{0};
    Duration m_mostCpu{0};
};

} // namespace Rekindle
