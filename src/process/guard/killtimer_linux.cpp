// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "killtimer_p.h"

#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <thread>

namespace Rekindle {

namespace {

constexpr std::int64_t perSecond = 1'000'000'000;

std::int64_t bootTime()
{
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return std::int64_t{time.tv_sec} * perSecond + time.tv_nsec;
}

bool readCounter(int fd)
{
    std::uint64_t count = 0;
    return ::read(fd, &count, sizeof count) == static_cast<ssize_t>(sizeof count);
}

void writeCounter(int fd)
{
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(fd, &one, sizeof one);
}

} // namespace

void KillTimer::update()
{
    const bool isFirst = m_timer < 0;
    const std::int64_t time = m_table.killTime;
    if (time == GuardTable::noKillTime || (time == GuardTable::killTimePassed && !isFirst))
        return;
    if (isFirst)
        start();
    arm();
}

void KillTimer::start()
{
    m_timer = ::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
    m_killed = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (m_timer < 0 || m_killed < 0)
        ::_exit(EXIT_FAILURE);
    std::thread([this] { watch(); }).detach();
}

// Repeated until no other time is set, because the other thread may have armed the timer for that
// time before this one did for an older one. A time that has passed is due at once.
void KillTimer::arm()
{
    std::int64_t time = m_table.killTime;
    for (std::int64_t armed = 0; time != armed && time != GuardTable::noKillTime;
         time = m_table.killTime) {
        armed = time;
        itimerspec at{};
        at.it_value.tv_sec = static_cast<time_t>(time / perSecond);
        at.it_value.tv_nsec = static_cast<long>(time % perSecond);
        if (::timerfd_settime(m_timer, TFD_TIMER_ABSTIME, &at, nullptr) != 0)
            ::_exit(EXIT_FAILURE);
    }
}

void KillTimer::watch()
{
    while (true) {
        if (!readCounter(m_timer)) // interrupted
            continue;
        std::int64_t time = m_table.killTime;
        if (time == GuardTable::noKillTime)
            continue;
        if (bootTime() < time) { // it was moved
            arm();
            continue;
        }
        killGroups();
        if (m_table.killTime.compare_exchange_strong(time, GuardTable::killTimePassed))
            writeCounter(m_killed);
        else // it was moved in the meantime
            arm();
    }
}

void KillTimer::killGroups() const
{
    for (std::uint32_t i = 0; i < m_table.used && i < GuardTable::capacity; ++i) {
        const GuardTable::Slot &slot = m_table.slots[i];
        const std::int32_t group = slot.group;
        if (group > 1 && slot.bound != 0)
            ::kill(-group, SIGKILL);
    }
}

void KillTimer::acceptKilled() const { readCounter(m_killed); }

} // namespace Rekindle
