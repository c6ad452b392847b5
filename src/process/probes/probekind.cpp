// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/process/probekind.h>

#include "execprobe_p.h"

#include <rekindle/lifecycle/heartbeatprobe.h>
#include <rekindle/process/healthprobedefinition.h>

#include <QUrl>

namespace Rekindle {

namespace {

bool isHttpUrl(const QUrl &url)
{
    return url.isValid() && !url.host().isEmpty()
        && (url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https"));
}

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

std::optional<QString> ProbeField::expectedInsteadOf(const QVariant &value) const
{
    switch (type) {
    case Type::Text:
        if (value.toString().isEmpty())
            return QStringLiteral("a non-empty string");
        break;
    case Type::Integer:
        if (const int number = value.toInt(); number < least || number > greatest)
            return QStringLiteral("%1 to %2").arg(least).arg(greatest);
        break;
    case Type::Command:
        if (value.toStringList().value(0).isEmpty())
            return QStringLiteral("[PROGRAM, ARGUMENT...]");
        break;
    case Type::HttpUrl:
        if (!isHttpUrl(value.toUrl()))
            return QStringLiteral("http://HOST... or https://HOST...");
        break;
    }
    return std::nullopt;
}

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
