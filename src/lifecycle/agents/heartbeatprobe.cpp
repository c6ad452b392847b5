// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/heartbeatprobe.h>

#include <utility>

namespace Rekindle {

HeartbeatProbe::HeartbeatProbe(const Agent &agent, QObject *parent)
    : HealthProbe(parent)
    , m_agent(agent)
{
    connect(&agent, &Agent::heartbeat, this, &HeartbeatProbe::onHeartbeat);
    connect(&agent, &Agent::reportedUnhealthy, this, &HeartbeatProbe::reportedUnhealthy);
}

void HeartbeatProbe::start(Duration)
{
    const bool isFirst = std::exchange(m_isFirst, false);
    const bool isRequested = !m_hasBeat && m_agent.requestHeartbeat();
    if (isFirst && !isRequested) {
        Q_EMIT finished(true, QStringLiteral("no heartbeat is due yet"));
        return;
    }
    m_running = true;
    if (m_hasBeat)
        onHeartbeat();
}

void HeartbeatProbe::cancel() { m_running = false; }

void HeartbeatProbe::reset()
{
    m_isFirst = true;
    m_hasBeat = false;
    m_running = false;
}

void HeartbeatProbe::onHeartbeat()
{
    if (!std::exchange(m_running, false)) {
        m_hasBeat = true;
        return;
    }
    m_hasBeat = false;
    Q_EMIT finished(true, QStringLiteral("heartbeat"));
}

} // namespace Rekindle
