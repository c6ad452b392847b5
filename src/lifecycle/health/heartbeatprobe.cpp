// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/heartbeatprobe.h>

#include <utility>

namespace Rekindle {

HeartbeatProbe::HeartbeatProbe(const Agent &agent, QObject *parent)
    : HealthProbe(parent)
{
    connect(&agent, &Agent::heartbeat, this, &HeartbeatProbe::beat);
    connect(&agent, &Agent::gaveUp, this, &HeartbeatProbe::condemned);
}

void HeartbeatProbe::start(Duration)
{
    if (std::exchange(m_isFirst, false)) {
        Q_EMIT finished(true, QStringLiteral("no heartbeat is due yet"));
        return;
    }
    m_running = true;
    if (m_beaten)
        beat();
}

void HeartbeatProbe::cancel() { m_running = false; }

void HeartbeatProbe::reset()
{
    m_isFirst = true;
    m_beaten = false;
    m_running = false;
}

void HeartbeatProbe::beat()
{
    if (!std::exchange(m_running, false)) {
        m_beaten = true;
        return;
    }
    m_beaten = false;
    Q_EMIT finished(true, QStringLiteral("heartbeat"));
}

} // namespace Rekindle
