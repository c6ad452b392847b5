// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "usagewatch_p.h"

#include <algorithm>
#include <cmath>

namespace Rekindle {

namespace {

constexpr Duration shortestWait = std::chrono::milliseconds(100);
// For a group that does not grow, because it may start to grow at any time.
constexpr Duration calmWait = std::chrono::seconds(1);
constexpr double suddenGrowth = 50e6; // bytes per second

// What was used is rounded up, and the limit down, so that the text never contradicts itself.
enum class Round { Up, Down };

QString sizeText(qint64 bytes, Round round)
{
    constexpr qint64 tenth = 100'000; // of a megabyte
    const qint64 tenths = bytes / tenth + (round == Round::Up && bytes % tenth != 0 ? 1 : 0);
    // Without a fraction if there is none.
    const bool isWhole = bytes % (10 * tenth) == 0;
    return QString::number(static_cast<double>(tenths) / 10, 'f', isWhole ? 0 : 1)
        + QLatin1String(" MB");
}

QString percent(double share, Round round)
{
    constexpr double hundred = 100;
    constexpr double inexact = 1e-6; // 0.29 * 100 is less than 29
    const double rounded =
        round == Round::Up ? std::ceil(share * hundred) : std::floor(share * hundred + inexact);
    return QString::number(rounded, 'f', 0) + QLatin1String(" %");
}

// Half of the time until the growth reaches the limit.
Duration halfWay(double left, double perSecond)
{
    constexpr double longest = 3600;
    if (perSecond <= 0)
        return std::chrono::hours(1);
    return std::chrono::round<Duration>(
        std::chrono::duration<double>(std::min(left / perSecond / 2, longest)));
}

} // namespace

UsageWatch::UsageWatch(const UsageLimits &limits, const Recycling &recycling, Instant startedAt)
    : m_limits(limits)
    , m_recycling(recycling)
    , m_sampledAt(startedAt)
    , m_cpu(limits.cpuFor, startedAt)
{
}

void UsageWatch::add(Instant now, const GroupUsage &usage)
{
    const double seconds = std::chrono::duration<double>(now - m_sampledAt).count();
    if (seconds > 0) {
        const auto grown = static_cast<double>(usage.residentBytes - m_usage.residentBytes);
        m_bytesPerSecond = grown / seconds;
        m_processesPerSecond = (usage.processes - m_usage.processes) / seconds;
    }
    m_sampledAt = now;
    m_usage = usage;
    m_isFirst = false;
    m_cpu.add(now, usage.cpuTime);
}

Duration UsageWatch::untilNext() const
{
    if (m_limits.memory == 0 && m_limits.processes == 0)
        return m_limits.interval;
    if (m_isFirst)
        return std::min(m_limits.interval, shortestWait);
    const auto bytesLeft = static_cast<double>(m_limits.memory - m_usage.residentBytes);
    Duration wait = m_limits.interval;
    Duration growing = m_limits.interval;
    if (m_limits.memory > 0) {
        growing = std::min(growing, halfWay(bytesLeft, m_bytesPerSecond));
        wait = std::min(wait, std::max(calmWait, halfWay(bytesLeft, suddenGrowth)));
    }
    if (m_limits.processes > 0)
        growing = std::min(
            growing, halfWay(m_limits.processes - m_usage.processes + 1, m_processesPerSecond));
    return std::min(wait, std::max(growing, std::min(m_limits.interval, shortestWait)));
}

std::optional<QString> UsageWatch::excess() const
{
    if (m_limits.memory > 0 && m_usage.residentBytes > m_limits.memory) {
        return QStringLiteral("uses %1 of memory; the limit is %2")
            .arg(sizeText(m_usage.residentBytes, Round::Up),
                 sizeText(m_limits.memory, Round::Down));
    }
    if (m_limits.processes > 0 && m_usage.processes > m_limits.processes) {
        return QStringLiteral("has %1 processes; the limit is %2")
            .arg(m_usage.processes)
            .arg(m_limits.processes);
    }
    const std::optional<double> cpu = m_cpu.average();
    if (m_limits.cpu > 0 && cpu && *cpu > m_limits.cpu) {
        return QStringLiteral("used %1 of a CPU core for %2; the limit is %3")
            .arg(percent(*cpu, Round::Up), durationToString(m_limits.cpuFor),
                 percent(m_limits.cpu, Round::Down));
    }
    return {};
}

std::optional<QString> UsageWatch::recyclingReason() const
{
    if (m_recycling.memory == 0 || m_usage.residentBytes <= m_recycling.memory)
        return {};
    return QStringLiteral("recycling: it uses %1 of memory; the threshold is %2")
        .arg(sizeText(m_usage.residentBytes, Round::Up), sizeText(m_recycling.memory, Round::Down));
}

} // namespace Rekindle
