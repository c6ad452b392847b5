// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/timerscheduler.h>

namespace Rekindle {

/// Clock::bootNow() of another clock as now().
class BootClock final : public Clock
{
public:
    /// `clock` must outlive this object.
    explicit BootClock(const Clock &clock)
        : m_clock(clock)
    {
    }

    [[nodiscard]] Instant now() const override { return m_clock.bootNow(); }
    [[nodiscard]] Instant bootNow() const override { return m_clock.bootNow(); }
    [[nodiscard]] UtcTime utcNow() const override { return m_clock.utcNow(); }

private:
    const Clock &m_clock;
};

/// A scheduler for times of the boot clock. After a suspension of the machine, its deadlines may be
/// late by the time of the suspension.
struct BootScheduler
{
    explicit BootScheduler(const Clock &of)
        : clock(of)
    {
    }

    BootClock clock;
    TimerScheduler scheduler{clock};
};

} // namespace Rekindle
