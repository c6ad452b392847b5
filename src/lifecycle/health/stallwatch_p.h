// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>

namespace Rekindle {

/// Detects that this process was stalled, stopped (SIGSTOP) or suspended, so that missing answers
/// are not blamed on an agent.
///
/// The signs are a deadline that fires more than `lateBound` late, and a wall clock that moved by
/// more than `jumpBound` against the monotonic clock, which does not include suspension. A clock
/// that was set has the same effect; the cost is one repeated probe.
class StallWatch
{
public:
    static constexpr Duration tick = std::chrono::milliseconds(250);
    static constexpr Duration lateBound = std::chrono::milliseconds(500);
    static constexpr Duration jumpBound = std::chrono::seconds(2);

    explicit StallWatch(Scheduler &scheduler);

    /// Begins a span; end() ends it. A timer ticks while there are spans, and once after the last
    /// one. Returns the argument of hasStalledSince().
    [[nodiscard]] quint64 begin();
    /// Begins a span at `now`, the current time. Returns lost().
    [[nodiscard]] Duration beginAt(Instant now);
    void end() { --m_users; }

    /// Whether a stall was detected since begin() returned `mark`. Call it before end().
    [[nodiscard]] bool hasStalledSince(quint64 mark);

    /// Returns the total stalled time within spans, rounded up so that queued events can be handled
    /// first.
    [[nodiscard]] Duration lost();

    /// Uses the deadline of a caller as a sign too. Returns whether it is more than `bound` late.
    bool noteLateness(Instant due, Duration bound = lateBound);

private:
    bool noteLateness(Instant now, Instant due, Duration bound);
    [[nodiscard]] Duration offset(Instant now) const;
    void beginFirst(Instant now);
    void check(Instant now);
    void onTick();

    Scheduler &m_scheduler;
    Deadline m_tick;
    Instant m_due{};
    Duration m_offset{0};
    int m_users = 0;
    quint64 m_stalls = 0;
    Duration m_lost{0};
};

} // namespace Rekindle
