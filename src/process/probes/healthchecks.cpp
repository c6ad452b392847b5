// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/heartbeatprobe.h>
#include <rekindle/process/healthchecks.h>

#include "targetprobe_p.h"

#include <QHash>

namespace Rekindle {

std::vector<HealthCheck> makeHealthChecks(const QList<HealthProbeDefinition> &probes,
                                          const Agent &agent, const ProcessDefinition &surroundings,
                                          Scheduler &scheduler)
{
    std::vector<HealthCheck> checks;
    QHash<HealthProbeDefinition::Kind, int> count;
    for (const HealthProbeDefinition &definition : probes) {
        HealthCheck check{toText(definition.kind), definition.schedule, nullptr};
        if (const int number = ++count[definition.kind]; number > 1)
            check.name += QStringLiteral("-%1").arg(number);
        if (definition.kind == HealthProbeDefinition::Kind::Heartbeat)
            check.probe = std::make_unique<HeartbeatProbe>(agent);
        else
            check.probe = makeTargetProbe(definition, surroundings, scheduler);
        checks.push_back(std::move(check));
    }
    return checks;
}

} // namespace Rekindle
