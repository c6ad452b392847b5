// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/probes/networkprobes.h>

#include "httpprobe_p.h"
#include "tcpprobe_p.h"

namespace Rekindle {

namespace {

constexpr ProbeKind::Uses everywhere =
    ProbeKind::Use::Readiness | ProbeKind::Use::ProcessHealth | ProbeKind::Use::ServerHealth;

constexpr QLatin1String hostKey("host");
constexpr QLatin1String portKey("port");
constexpr QLatin1String urlKey("url");

const ProbeKind &tcpKind()
{
    static const ProbeKind kind{
        .name = QStringLiteral("tcp"),
        .uses = everywhere,
        .fields =
            {{.key = hostKey, .standard = QStringLiteral("127.0.0.1")},
             {.key = portKey, .type = ProbeField::Type::Integer, .least = 1, .greatest = 65535}},
        .make = [](const HealthProbeDefinition &definition,
                   const ProbeContext &) -> std::unique_ptr<HealthProbe> {
            return std::make_unique<TcpProbe>(
                definition.value(hostKey).toString(),
                static_cast<quint16>(definition.value(portKey).toInt()));
        },
    };
    return kind;
}

const ProbeKind &httpKind()
{
    static const ProbeKind kind{
        .name = QStringLiteral("http"),
        .uses = everywhere,
        .fields = {{.key = urlKey, .type = ProbeField::Type::HttpUrl}},
        .make = [](const HealthProbeDefinition &definition,
                   const ProbeContext &) -> std::unique_ptr<HealthProbe> {
            return std::make_unique<HttpProbe>(definition.value(urlKey).toUrl());
        },
    };
    return kind;
}

} // namespace

HealthProbeDefinition tcpProbe(const QString &host, int port, const HealthSchedule &schedule)
{
    return {&tcpKind(), {{hostKey, host}, {portKey, port}}, schedule};
}

HealthProbeDefinition httpProbe(const QUrl &url, const HealthSchedule &schedule)
{
    return {&httpKind(), {{urlKey, url}}, schedule};
}

ProbeKinds networkProbeKinds() { return {&tcpKind(), &httpKind()}; }

} // namespace Rekindle
