// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>

#include <vector>

namespace Rekindle {

/// Remembers the last `capacity` moments and tells whether all of them fall into a period.
/// Room is taken with the first moment; after that nothing is allocated.
class REKINDLE_POLICY_EXPORT SlidingWindow
{
public:
    /// `capacity` 0 is a window that is never full.
    explicit SlidingWindow(int capacity = 0, Duration period = {});

    /// Whether `capacity` moments lie within one period before `now`, its first moment included
    /// (OTP's rule).
    [[nodiscard]] bool isFull(Instant now) const;

    /// The first moment from which isFull() is false, if nothing is added.
    [[nodiscard]] Instant freeFrom() const;

    void add(Instant moment);
    void clear();

    /// Another limit; the newest moments are kept.
    void resize(int capacity, Duration period);

    /// The moments that count at `now`, oldest first.
    [[nodiscard]] std::vector<Instant> recent(Instant now) const;

    [[nodiscard]] int capacity() const { return m_capacity; }
    [[nodiscard]] Duration period() const { return m_period; }

private:
    std::vector<Instant> m_moments; // a ring: m_next is the oldest once it is full
    std::size_t m_next = 0;
    int m_capacity = 0;
    Duration m_period{0};
};

} // namespace Rekindle
