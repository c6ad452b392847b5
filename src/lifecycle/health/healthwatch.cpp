// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "healthwatch_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

HealthWatch::HealthWatch(std::vector<HealthCheck> checks, AgentHealthStatus previous,
                         ProbeCycle::Shared &shared, std::function<void(const Change &)> onChange)
    : m_onChange(std::move(onChange))
    , m_scheduler(shared.scheduler)
    , m_status(std::move(previous))
{
    for (HealthCheck &check : checks)
        m_cycles.push_back(std::make_unique<ProbeCycle>(std::move(check), shared, *this));
}

void HealthWatch::started()
{
    m_isAlive = true;
    renew();
}

void HealthWatch::renew()
{
    for (const auto &cycle : m_cycles)
        cycle->reset();
    const AgentHealthStatus before = m_status;
    m_status = {};
    m_status.history = before.history;
    m_status.lastMissAt = before.lastMissAt;
    notify({before, m_status, {}});
}

void HealthWatch::ready()
{
    if (!m_isAlive)
        return;
    for (const auto &cycle : m_cycles)
        cycle->begin();
}

void HealthWatch::ended()
{
    m_isAlive = false;
    for (const auto &cycle : m_cycles)
        cycle->end();
}

void HealthWatch::answered(const ProbeCycle &cycle, const ProbeCycle::Answer &answer)
{
    const AgentHealthStatus before = m_status;
    record(answer.result);
    if (!answer.isVerdict) {
        notify({before, m_status, {}});
        return;
    }
    const int misses = cycle.schedule().misses;
    const QString times =
        misses == 1 ? QStringLiteral("1 time") : QStringLiteral("%1 times").arg(misses);
    fail(before,
         QStringLiteral("health probe %1 failed %2 in a row and with a timeout of %3: %4")
             .arg(answer.result.probe, times,
                  durationToString(cycle.schedule().lastChanceTimeout()), answer.result.text));
}

void HealthWatch::reportedUnhealthy(const ProbeCycle &cycle, const QString &text)
{
    if (!m_isAlive)
        return;
    const AgentHealthStatus before = m_status;
    record({m_scheduler.clock().utcNow(), false, Duration::zero(), text, cycle.name()});
    m_status.state = AgentHealthStatus::State::Unhealthy;
    fail(before, QStringLiteral("health probe %1: %2").arg(cycle.name(), text));
}

void HealthWatch::fail(const AgentHealthStatus &before, const QString &reason)
{
    ended();
    notify({before, m_status, reason});
}

void HealthWatch::record(const ProbeResult &result)
{
    if (m_status.history.size() == AgentHealthStatus::longestHistory)
        m_status.history.removeFirst();
    m_status.history.append(result);
    if (!result.ok)
        m_status.lastMissAt = m_scheduler.now();
    m_status.detail = result.text;
    m_status.consecutiveMisses = 0;
    m_status.state = AgentHealthStatus::State::Unknown;
    for (const auto &cycle : m_cycles) {
        m_status.consecutiveMisses = std::max(m_status.consecutiveMisses, cycle->misses());
        if (cycle->hasAnswered() && m_status.state == AgentHealthStatus::State::Unknown)
            m_status.state = AgentHealthStatus::State::Healthy;
    }
    if (m_status.consecutiveMisses > 0)
        m_status.state = AgentHealthStatus::State::Unhealthy;
}

void HealthWatch::notify(const Change &change) const
{
    const auto copy = m_onChange; // the callback may destroy this object
    copy(change);
}

} // namespace Rekindle
