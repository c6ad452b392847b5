// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/process/healthchecks.h>

#include <QHash>

namespace Rekindle {

std::vector<HealthCheck> makeHealthChecks(const QList<HealthProbeDefinition> &probes, Agent &agent,
                                          const ProcessDefinition &surroundings,
                                          Scheduler &scheduler)
{
    std::vector<HealthCheck> checks;
    QHash<const ProbeKind *, int> count;
    for (const HealthProbeDefinition &definition : probes) {
        const ProbeKind *const kind = definition.kind;
        HealthCheck check{kind ? kind->name : QString(), definition.schedule, nullptr};
        if (const int number = ++count[kind]; number > 1)
            check.name += QStringLiteral("-%1").arg(number);
        if (kind)
            check.probe = kind->make(definition, {&agent, surroundings, scheduler});
        checks.push_back(std::move(check));
    }
    return checks;
}

HealthCheck makeSharedCheck(const HealthProbeDefinition &probe, const QString &folder,
                            Scheduler &scheduler)
{
    if (!probe.kind || !probe.kind->uses.testFlag(ProbeKind::Use::Readiness))
        return {};
    ProcessDefinition surroundings; // commands copy what they need
    surroundings.workingDirectory = folder;
    return {probe.kind->name, probe.schedule,
            probe.kind->make(probe, {nullptr, surroundings, scheduler})};
}

} // namespace Rekindle
