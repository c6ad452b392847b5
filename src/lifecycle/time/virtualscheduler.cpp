// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/virtualscheduler.h>

#include <algorithm>

namespace Rekindle {

VirtualClock::VirtualClock(UtcTime utc)
    : m_utc(utc)
{
}

void VirtualClock::advance(Duration duration)
{
    m_now += duration;
    m_remainder += duration;
    const auto whole = std::chrono::floor<std::chrono::milliseconds>(m_remainder);
    m_utc += whole;
    m_remainder -= whole;
}

VirtualScheduler::VirtualScheduler(VirtualClock &clock)
    : Scheduler(clock)
    , m_clock(clock)
{
}

VirtualScheduler::~VirtualScheduler() = default;

int VirtualScheduler::advance(Duration duration)
{
    const Instant end = duration < Instant::max() - now() ? now() + duration : Instant::max();
    int ran = 0;
    while (nextDue() <= end && nextDue() != Instant::max()) {
        advanceToNext();
        ++ran;
    }
    // A callback may have advanced the time further.
    m_clock.advance(std::max(Duration{0}, end - now()));
    return ran;
}

bool VirtualScheduler::advanceToNext()
{
    if (nextDue() == Instant::max())
        return false;
    m_clock.advance(std::max(Duration{0}, nextDue() - now()));
    fireDue(now(), 1);
    return true;
}

} // namespace Rekindle
