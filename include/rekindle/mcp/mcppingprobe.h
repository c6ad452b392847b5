// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/mcp/mcpclient.h>

#include <QFutureWatcher>
#include <QPointer>

namespace Rekindle {

/// Detects an MCP server that hangs: the probe `mcp-ping` (spec 6). It sends ping, or
/// server/discover with the modern revision. An error counts as an answer. No answer in time and no
/// session are probe failures.
///
/// Some servers answer nothing while they work on a call. For such a server, use a schedule that is
/// longer than its longest call.
///
/// ```
/// HealthCheck check{QStringLiteral("mcp-ping"), schedule,
///                   std::make_unique<McpPingProbe>(agent.client())};
/// ```
class REKINDLE_MCP_EXPORT McpPingProbe final : public HealthProbe
{
    Q_OBJECT

public:
    explicit McpPingProbe(McpClient &client, QObject *parent = nullptr);
    ~McpPingProbe() override;

    void start(Duration timeout) override;
    void cancel() override;

private:
    void answered();

    QPointer<McpClient> m_client; ///< the agent is destroyed before its probes
    QFutureWatcher<McpAnswer> m_watcher;
};

} // namespace Rekindle
