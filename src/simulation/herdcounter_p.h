// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/simulation/simulationresult.h>

#include <deque>

namespace Rekindle {

/// Finds the span of a given length with the most restarts.
class HerdCounter
{
public:
    explicit HerdCounter(Duration span)
        : m_span(span)
    {
    }

    /// Call it in the order of time.
    void add(Duration at)
    {
        m_recent.push_back(at);
        while (at - m_recent.front() >= m_span)
            m_recent.pop_front();
        if (const auto count = static_cast<qint64>(m_recent.size()); count > m_worst.restarts)
            m_worst = {count, m_recent.front()};
    }

    [[nodiscard]] const SimulationResult::Herd &worst() const { return m_worst; }

private:
    const Duration m_span;
    std::deque<Duration> m_recent;
    SimulationResult::Herd m_worst;
};

} // namespace Rekindle
