// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/clock.h>
#include <rekindle/lifecycle/scheduler.h>

namespace Rekindle {

/// A clock for tests and simulations. It changes only by advance() and setUtc(). Not thread-safe.
class REKINDLE_LIFECYCLE_EXPORT VirtualClock final : public Clock
{
public:
    /// The monotonic time starts at zero, the wall-clock time by default at 2026-01-01T00:00:00Z.
    explicit VirtualClock(UtcTime utc = UtcTime{std::chrono::seconds{1767225600}});

    [[nodiscard]] Instant now() const override { return m_now; }
    [[nodiscard]] UtcTime utcNow() const override { return m_utc; }

    /// Advances both times.
    void advance(Duration duration);
    /// Sets only the wall-clock time, as an administrator or NTP does.
    void setUtc(UtcTime utc) { m_utc = utc; }

private:
    Instant m_now{};
    UtcTime m_utc;
    Duration m_remainder{0};
};

/// A scheduler that is advanced manually: a test of five minutes takes microseconds. Use it from
/// one thread; it needs no event loop.
class REKINDLE_LIFECYCLE_EXPORT VirtualScheduler final : public Scheduler
{
public:
    explicit VirtualScheduler(VirtualClock &clock);
    ~VirtualScheduler() override;

    /// Advances the time from deadline to deadline and calls each callback at its time, including
    /// those that callbacks arm within the span. Returns the number of calls.
    int advance(Duration duration);

    /// Advances the time to the next deadline and calls its callback. Returns false if none is
    /// armed.
    bool advanceToNext();

private:
    void nextDueChanged() override {}

    VirtualClock &m_clock;
};

} // namespace Rekindle
