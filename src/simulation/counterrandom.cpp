// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "counterrandom_p.h"

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
    // At most 36 times the mean, because next() has 53 bits.
    const double factor = -std::log1p(-next());
    return std::chrono::round<Duration>(
        std::chrono::duration<double, std::nano>(static_cast<double>(mean.count()) * factor));
}

} // namespace Rekindle
