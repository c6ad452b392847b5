// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cpushare_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

// Limits the memory if the interval between the samples is short.
constexpr int pointsPerPeriod = 64;

} // namespace

CpuShare::CpuShare(Duration period, Instant begin)
    : m_period(period)
    , m_newest{begin, std::chrono::milliseconds{0}}
    , m_points{m_newest}
{
}

void CpuShare::add(Instant now, std::chrono::milliseconds used)
{
    m_newest = {now, m_newest.used + std::max(used - m_last, std::chrono::milliseconds{0})};
    m_last = used;
    while (m_points.size() > 1 && now - m_points[1].at >= m_period)
        m_points.pop_front();
    if (now - m_points.back().at >= m_period / pointsPerPeriod)
        m_points.push_back(m_newest);
}

std::optional<double> CpuShare::average() const
{
    const Duration time = m_newest.at - m_points.front().at;
    if (time < m_period)
        return {};
    using Seconds = std::chrono::duration<double>;
    return Seconds(m_newest.used - m_points.front().used) / Seconds(time);
}

} // namespace Rekindle
