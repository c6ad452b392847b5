// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "counterrandom_p.h"

#include <algorithm>
#include <cmath>

namespace Rekindle {

namespace {

constexpr quint64 increment = 0x9E3779B97F4A7C15; // of SplitMix64: 2^64 divided by the golden ratio

constexpr quint64 mixed(quint64 value)
{
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EB;
    return value ^ (value >> 31U);
}

} // namespace

// qHash() has another seed in each process.
CounterRandom::CounterRandom(quint64 seed, QStringView name)
    : m_state(mixed(seed + increment))
{
    for (const QChar character : name)
        m_state = mixed(m_state ^ character.unicode()) + increment;
}

double CounterRandom::next()
{
    m_state += increment;
    constexpr double step = 1.0 / (1ULL << 53U);
    return static_cast<double>(mixed(m_state) >> 11U) * step;
}

Duration CounterRandom::exponential(Duration mean)
{
    // Up to 36 times the mean, which a Duration may not hold.
    constexpr std::chrono::duration<double, std::nano> most = std::chrono::days(10'000);
    const double factor = -std::log1p(-next());
    const std::chrono::duration<double, std::nano> drawn(static_cast<double>(mean.count())
                                                         * factor);
    return std::chrono::round<Duration>(std::min(drawn, most));
}

} // namespace Rekindle
