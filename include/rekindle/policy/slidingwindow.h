// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>

#include <vector>

namespace Rekindle {

/// Stores the last `capacity` instants and reports whether all of them are within a period. The
/// first add() allocates; after that nothing is allocated.
class REKINDLE_POLICY_EXPORT SlidingWindow
{
public:
    /// A window with `capacity` 0 is never full.
    explicit SlidingWindow(int capacity = 0, Duration period = {});

    /// Whether `capacity` instants are within the period before `now`. An instant exactly one
    /// period before `now` counts.
    [[nodiscard]] bool isFull(Instant now) const;

    /// The first instant at which isFull() is false if nothing is added.
    [[nodiscard]] Instant freeFrom() const;

    void add(Instant moment);

    /// Removes the instant of the last add(), if there is one.
    void removeNewest();

    /// Changes the limit. The newest instants stay.
    void resize(int capacity, Duration period);

    /// The instants within the period before `now`, oldest first.
    [[nodiscard]] std::vector<Instant> recent(Instant now) const;

private:
    std::vector<Instant> m_moments; // a ring: m_next is the oldest once it is full
    std::size_t m_next = 0;
    std::size_t m_capacity = 0;
    Duration m_period{0};
};

} // namespace Rekindle
