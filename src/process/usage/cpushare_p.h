// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <deque>
#include <optional>

namespace Rekindle {

/// The average share of one core that was used in the last time.
class CpuShare
{
public:
    /// `period` is the time of the average. `begin` is when the use began.
    CpuShare(Duration period, Instant begin);

    /// `used` is the CPU time since the begin. Less than before counts as no use.
    void add(Instant now, std::chrono::milliseconds used);

    /// The average over the period; nothing before the period has passed.
    [[nodiscard]] std::optional<double> average() const;

private:
    struct Point
    {
        Instant at;
        std::chrono::milliseconds used; // without losses
    };

    Duration m_period;
    std::chrono::milliseconds m_last{0};
    Point m_newest;
    std::deque<Point> m_points; // the oldest one is the newest that is as old as the period
};

} // namespace Rekindle
