// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "healthwatch_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {
QString times(int count)
{
    return count == 1 ? QStringLiteral("1 time") : QStringLiteral("%1 times").arg(count);
}
} // namespace

HealthWatch::HealthWatch(std::vector<HealthCheck> checks, AgentHealthStatus known,
                         ProbeCycle::Surroundings &surroundings,
                         std::function<void(const News &)> onNews)
    : m_onNews(std::move(onNews))
    , m_scheduler(surroundings.scheduler)
    , m_status(std::move(known))
{
    ProbeCycle::Listener &listener = *this;
    for (HealthCheck &check : checks)
        m_cycles.push_back(std::make_unique<ProbeCycle>(std::move(check), surroundings, listener));
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
    m_ownMisses.reset();
    const AgentHealthStatus before = m_status;
    m_status = {};
    m_status.history = before.history;
    tell({before, m_status, {}});
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
    note(answer.result);
    if (!answer.isVerdict) {
        tell({before, m_status, {}});
        return;
    }
    wedged(before,
           QStringLiteral("health probe %1 failed %2 in a row and with a timeout of %3: %4")
               .arg(answer.result.probe, times(cycle.schedule().misses),
                    durationToString(cycle.schedule().lastChanceTimeout()), answer.result.text));
}

void HealthWatch::probed(const ProbeResult &result, int misses)
{
    const AgentHealthStatus before = m_status;
    m_ownMisses = misses;
    ProbeResult shown = result;
    shown.text = ProbeCycle::oneLine(result.text);
    note(shown);
    tell({before, m_status, {}});
}

void HealthWatch::condemned(const ProbeCycle &cycle, const QString &text)
{
    if (!m_isAlive)
        return;
    const AgentHealthStatus before = m_status;
    note({m_scheduler.clock().utcNow(), false, Duration::zero(), text, cycle.name()});
    m_status.state = AgentHealthStatus::State::Unhealthy;
    wedged(before, QStringLiteral("health probe %1: %2").arg(cycle.name(), text));
}

void HealthWatch::wedged(const AgentHealthStatus &before, const QString &why)
{
    ended();
    tell({before, m_status, why});
}

void HealthWatch::note(const ProbeResult &result)
{
    if (m_status.history.size() == AgentHealthStatus::longestHistory)
        m_status.history.removeFirst();
    m_status.history.append(result);
    m_status.detail = result.text;
    m_status.consecutiveMisses = m_ownMisses.value_or(0);
    m_status.state =
        m_ownMisses ? AgentHealthStatus::State::Healthy : AgentHealthStatus::State::Unknown;
    for (const auto &cycle : m_cycles) {
        m_status.consecutiveMisses = std::max(m_status.consecutiveMisses, cycle->misses());
        if (cycle->hasAnswered() && m_status.state == AgentHealthStatus::State::Unknown)
            m_status.state = AgentHealthStatus::State::Healthy;
    }
    if (m_status.consecutiveMisses > 0)
        m_status.state = AgentHealthStatus::State::Unhealthy;
}

void HealthWatch::tell(const News &news) const
{
    const auto copy = m_onNews;
    copy(news);
}

} // namespace Rekindle
