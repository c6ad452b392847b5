// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "execprobe_p.h"

#include <rekindle/lifecycle/heartbeatprobe.h>
#include <rekindle/process/healthprobedefinition.h>
#include <rekindle/process/probekind.h>

namespace Rekindle {

namespace {

constexpr QLatin1String commandKey("command");

const ProbeKind &execKind()
{
    static const ProbeKind kind{
        .name = QStringLiteral("exec"),
        .uses = ProbeKind::Use::Readiness | ProbeKind::Use::ProcessHealth
            | ProbeKind::Use::ServerHealth,
        .fields = {{.key = commandKey, .type = ProbeField::Type::Command}},
        .make = [](const HealthProbeDefinition &definition,
                   const ProbeContext &context) -> std::unique_ptr<HealthProbe> {
            return std::make_unique<ExecProbe>(definition.value(commandKey).toStringList(),
                                               context.surroundings, context.scheduler);
        },
    };
    return kind;
}

const ProbeKind &heartbeatKind()
{
    static const ProbeKind kind{
        .name = QStringLiteral("heartbeat"),
        .uses = ProbeKind::Use::ProcessHealth | ProbeKind::Use::ServerHealth,
        .fields = {},
        .make = [](const HealthProbeDefinition &,
                   const ProbeContext &context) -> std::unique_ptr<HealthProbe> {
            return std::make_unique<HeartbeatProbe>(*context.agent);
        },
        .usesWatchdog = true,
    };
    return kind;
}

} // namespace

ProbeKinds processProbeKinds() { return {&execKind(), &heartbeatKind()}; }

HealthProbeDefinition execProbe(const QStringList &command, const HealthSchedule &schedule)
{
    return {&execKind(), {{commandKey, command}}, schedule};
}

HealthProbeDefinition heartbeatProbe(const HealthSchedule &schedule)
{
    return {&heartbeatKind(), {}, schedule};
}

} // namespace Rekindle
