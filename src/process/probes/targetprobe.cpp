// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "targetprobe_p.h"

#include "execprobe_p.h"
#include "httpprobe_p.h"
#include "tcpprobe_p.h"

namespace Rekindle {

std::unique_ptr<HealthProbe> makeTargetProbe(const HealthProbeDefinition &definition,
                                             const ProcessDefinition &surroundings,
                                             Scheduler &scheduler)
{
    switch (definition.kind) {
    case HealthProbeDefinition::Kind::Exec:
        return std::make_unique<ExecProbe>(definition.command, surroundings, scheduler);
    case HealthProbeDefinition::Kind::Tcp:
        return std::make_unique<TcpProbe>(definition.host, static_cast<quint16>(definition.port));
    case HealthProbeDefinition::Kind::Http:
        return std::make_unique<HttpProbe>(definition.url);
    case HealthProbeDefinition::Kind::Heartbeat:
    case HealthProbeDefinition::Kind::McpPing:
        break;
    }
    return nullptr;
}

} // namespace Rekindle
