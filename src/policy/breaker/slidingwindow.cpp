// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/slidingwindow.h>

#include <algorithm>

namespace Rekindle {

SlidingWindow::SlidingWindow(int capacity, Duration period) { resize(capacity, period); }

bool SlidingWindow::isFull(Instant now) const
{
    return m_capacity > 0 && m_moments.size() == m_capacity && now - m_moments[m_next] <= m_period;
}

Instant SlidingWindow::freeFrom() const
{
    if (m_capacity == 0 || m_moments.size() < m_capacity)
        return Instant::min();
    return m_moments[m_next] + m_period + Duration{1};
}

void SlidingWindow::add(Instant moment)
{
    if (m_capacity == 0)
        return;
    if (m_moments.size() < m_capacity) {
        m_moments.reserve(m_capacity);
        m_moments.push_back(moment);
        return;
    }
    m_moments[m_next] = moment;
    m_next = (m_next + 1) % m_capacity;
}

void SlidingWindow::removeNewest()
{
    if (m_moments.empty())
        return;
    std::rotate(m_moments.begin(), m_moments.begin() + static_cast<std::ptrdiff_t>(m_next),
                m_moments.end());
    m_moments.pop_back();
    m_next = 0;
}

std::vector<Instant> SlidingWindow::recent(Instant now) const
{
    std::vector<Instant> moments;
    for (std::size_t i = 0; i < m_moments.size(); ++i) {
        const Instant moment = m_moments[(m_next + i) % m_moments.size()];
        if (now - moment <= m_period)
            moments.push_back(moment);
    }
    return moments;
}

void SlidingWindow::resize(int capacity, Duration period)
{
    m_period = period;
    const auto size = static_cast<std::size_t>(std::max(capacity, 0));
    if (size == m_capacity)
        return;
    std::rotate(m_moments.begin(), m_moments.begin() + static_cast<std::ptrdiff_t>(m_next),
                m_moments.end());
    const auto kept = std::min(m_moments.size(), size);
    m_moments.erase(m_moments.begin(), m_moments.end() - static_cast<std::ptrdiff_t>(kept));
    m_next = 0;
    m_capacity = size;
}

} // namespace Rekindle
