// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/mcppingprobe.h>

namespace Rekindle {

McpPingProbe::McpPingProbe(McpClient &client, QObject *parent)
    : HealthProbe(parent)
    , m_client(&client)
{
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &McpPingProbe::answered);
}

McpPingProbe::~McpPingProbe() { cancel(); }

void McpPingProbe::start(Duration timeout)
{
    if (!m_client || !m_client->isReady()) {
        Q_EMIT finished(false, QStringLiteral("there is no session with the server"));
        return;
    }
    m_watcher.setFuture(m_client->probe(timeout));
}

// Also drops a response that the watcher has not reported yet.
void McpPingProbe::cancel()
{
    QFuture<McpAnswer> request = m_watcher.future();
    m_watcher.setFuture(QFuture<McpAnswer>());
    request.cancel();
}

void McpPingProbe::answered()
{
    if (m_watcher.isCanceled() || m_watcher.future().resultCount() == 0)
        return;
    const McpAnswer answer = m_watcher.result();
    if (!answer.error)
        Q_EMIT finished(true, QStringLiteral("pong"));
    else
        Q_EMIT finished(answer.error->kind == McpError::Kind::Refused, answer.error->message);
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
