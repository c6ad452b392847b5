// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/clock.h>

#include <ctime>

namespace Rekindle {

Clock::~Clock() = default;

UtcTime Clock::toUtc(Instant instant) const
{
    return utcNow() + std::chrono::round<std::chrono::milliseconds>(instant - now());
}

Instant SystemClock::now() const
{
    return std::chrono::time_point_cast<Duration>(std::chrono::steady_clock::now());
}

Instant SystemClock::bootNow() const
{
#ifdef CLOCK_BOOTTIME
    timespec time{};
    if (::clock_gettime(CLOCK_BOOTTIME, &time) == 0)
        return Instant{std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec}};
#endif
    return now();
}

UtcTime SystemClock::utcNow() const
{
    return std::chrono::time_point_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now());
}

} // namespace Rekindle
