// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>

namespace Rekindle {

/// Notices that this process itself did not run as it should: it was stalled, stopped (SIGSTOP) or
/// suspended with its machine. What was not answered in such a span is nobody else's fault.
///
/// Two signs: a deadline that fires more than `lateBound` late, and a wall clock that has moved
/// against the monotonic one, which stands still while the machine sleeps, by more than
/// `jumpBound`. A clock that was set looks like a sleep; that costs one repeated probe.
class StallWatch
{
public:
    static constexpr Duration tick = std::chrono::milliseconds(250);
    static constexpr Duration lateBound = std::chrono::milliseconds(500);
    static constexpr Duration jumpBound = std::chrono::seconds(2);

    explicit StallWatch(Scheduler &scheduler);

    /// Something begins that a stall would spoil; end() ends it. While there is any, it ticks.
    /// Returns what hasStalledSince() wants to know.
    [[nodiscard]] quint64 begin();
    void end();

    /// To be asked before end().
    [[nodiscard]] bool hasStalledSince(quint64 mark);

    /// How long it did not run, all in all, while something had begun; rather more than less, so
    /// that what has waited meanwhile has its turn.
    [[nodiscard]] Duration lost();

    /// Takes a deadline of somebody else for a sign too; true if it was more than `bound` late.
    bool noteLateness(Instant due, Duration bound = lateBound);

private:
    [[nodiscard]] Duration offset() const;
    void look();
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
