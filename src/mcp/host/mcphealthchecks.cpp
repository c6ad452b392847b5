// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/mcphealthchecks.h>
#include <rekindle/mcp/mcppingprobe.h>

namespace Rekindle {

std::vector<HealthCheck> makeMcpHealthChecks(const QList<HealthProbeDefinition> &probes,
                                             McpAgent &agent, const ProcessDefinition &surroundings,
                                             Scheduler &scheduler)
{
    std::vector<HealthCheck> checks = makeHealthChecks(probes, agent, surroundings, scheduler);
    for (qsizetype i = 0; i < probes.size(); ++i) {
        if (probes[i].kind == HealthProbeDefinition::Kind::McpPing)
            checks[static_cast<std::size_t>(i)].probe =
                std::make_unique<McpPingProbe>(agent.client());
    }
    return checks;
}

} // namespace Rekindle
