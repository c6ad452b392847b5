// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/mcp/mcpclient.h>

#include <QFutureWatcher>
#include <QPointer>

namespace Rekindle {

/// `mcp-ping` (spec 6): finds an MCP server that hangs. It asks for something that every server
/// answers at once: ping, in the modern era server/discover. An error is an answer too. A miss is
/// no answer in time, or no session.
///
/// A server that answers nothing while it works on a call looks like one that hangs: give such one
/// a schedule that outlasts its longest call.
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

    QPointer<McpClient> m_client; ///< the agent goes before its probes
    QFutureWatcher<McpAnswer> m_watcher;
};

} // namespace Rekindle
