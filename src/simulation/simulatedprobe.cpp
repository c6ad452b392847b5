// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "simulatedprobe_p.h"

#include "simulatedagent_p.h"

namespace Rekindle {

SimulatedProbe::SimulatedProbe(const SimulatedAgent &agent)
    : m_agent(agent)
{
}

void SimulatedProbe::start(Duration)
{
    if (!m_agent.isHanging())
        Q_EMIT finished(m_agent.isHealthy(), QStringLiteral("simulated"));
}

} // namespace Rekindle
