// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/clock.h>
#include <rekindle/lifecycle/scheduler.h>

namespace Rekindle {

/// A clock that stands still until somebody sets it: for tests and simulations. Not thread-safe.
class REKINDLE_LIFECYCLE_EXPORT VirtualClock final : public Clock
{
public:
    /// Starts at monotonic zero and 2026-01-01T00:00:00Z unless told otherwise.
    explicit VirtualClock(UtcTime utc = UtcTime{std::chrono::seconds{1767225600}});

    [[nodiscard]] Instant now() const override { return m_now; }
    [[nodiscard]] UtcTime utcNow() const override { return m_utc; }

    /// Moves both clocks on.
    void advance(Duration duration);
    /// Moves the wall clock alone, as an administrator or NTP does.
    void setUtc(UtcTime utc) { m_utc = utc; }

private:
    Instant m_now{};
    UtcTime m_utc;
    Duration m_remainder{0};
};

/// A scheduler that is advanced by hand: a test of five minutes takes microseconds.
/// Use it from one thread; it needs no event loop.
class REKINDLE_LIFECYCLE_EXPORT VirtualScheduler final : public Scheduler
{
public:
    explicit VirtualScheduler(VirtualClock &clock);
    ~VirtualScheduler() override;

    /// Moves time on, from deadline to deadline, running each at its own moment. Returns how many
    /// ran. What they arm within the span runs too.
    int advance(Duration duration);

    /// Moves time to the next deadline and runs it; false if nothing is armed.
    bool advanceToNext();

private:
    void nextDueChanged() override {}

    VirtualClock &m_clock;
};

} // namespace Rekindle
