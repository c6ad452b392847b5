// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "usagewatch_p.h"

namespace Rekindle {

namespace {

QString sizeText(qint64 bytes)
{
    constexpr double megabyte = 1e6;
    const double size = static_cast<double>(bytes) / megabyte;
    // Without a fraction if there is none.
    const bool isWhole = bytes % qint64{1'000'000} == 0;
    return QString::number(size, 'f', isWhole ? 0 : 1) + QLatin1String(" MB");
}

QString percent(double share)
{
    constexpr double hundred = 100;
    return QString::number(share * hundred, 'f', 0) + QLatin1String(" %");
}

} // namespace

UsageWatch::UsageWatch(const UsageLimits &limits, const Recycling &recycling, Instant startedAt)
    : m_limits(limits)
    , m_recycling(recycling)
    , m_cpu(limits.cpuFor, startedAt)
{
}

void UsageWatch::add(Instant now, const GroupUsage &usage)
{
    m_usage = usage;
    m_cpu.add(now, usage.cpuTime);
}

std::optional<QString> UsageWatch::excess() const
{
    if (m_limits.memory > 0 && m_usage.residentBytes > m_limits.memory) {
        return QStringLiteral("uses %1 of memory; the limit is %2")
            .arg(sizeText(m_usage.residentBytes), sizeText(m_limits.memory));
    }
    if (m_limits.processes > 0 && m_usage.processes > m_limits.processes) {
        return QStringLiteral("has %1 processes; the limit is %2")
            .arg(m_usage.processes)
            .arg(m_limits.processes);
    }
    const std::optional<double> cpu = m_cpu.average();
    if (m_limits.cpu > 0 && cpu && *cpu > m_limits.cpu) {
        return QStringLiteral("used %1 of a CPU core for %2; the limit is %3")
            .arg(percent(*cpu), durationToString(m_limits.cpuFor), percent(m_limits.cpu));
    }
    return {};
}

std::optional<QString> UsageWatch::recyclingReason() const
{
    if (m_recycling.memory == 0 || m_usage.residentBytes <= m_recycling.memory)
        return {};
    return QStringLiteral("recycling: it uses %1 of memory; the threshold is %2")
        .arg(sizeText(m_usage.residentBytes), sizeText(m_recycling.memory));
}

} // namespace Rekindle
