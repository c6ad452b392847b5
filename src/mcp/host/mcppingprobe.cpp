// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/mcppingprobe.h>

#include <QPointer>

namespace Rekindle {

McpPingProbe::McpPingProbe(McpClient &client, QObject *parent)
    : RequestProbe(
          [server = QPointer(&client)](Duration timeout) {
              return server && server->isReady() ? std::optional(server->probe(timeout))
                                                 : std::nullopt;
          },
          parent)
{
}

const ProbeKind &mcpPingProbeKind()
{
    static const ProbeKind kind{
        .name = QStringLiteral("mcp-ping"),
        .uses = ProbeKind::Use::ServerHealth | ProbeKind::Use::ServerDefault,
        .fields = {},
        .make = [](const HealthProbeDefinition &,
                   const ProbeContext &context) -> std::unique_ptr<HealthProbe> {
            auto *const server = qobject_cast<McpAgent *>(context.agent);
            return server ? std::make_unique<McpPingProbe>(server->client()) : nullptr;
        },
    };
    return kind;
}

HealthProbeDefinition mcpPingProbe(const HealthSchedule &schedule)
{
    return {&mcpPingProbeKind(), {}, schedule};
}

} // namespace Rekindle
