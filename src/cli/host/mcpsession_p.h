// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/watch/watchedagents_p.h"
#include "hostsession_p.h"

#include <rekindle/config/mcpservers.h>
#include <rekindle/mcp/mcpgateway.h>
#include <rekindle/mcp/watchdogproxy.h>

namespace Rekindle {

/// The options of `rekindle mcp`.
struct McpRequest
{
    HostOptions host;
    RestartPolicy policy; ///< of servers without their own
    WatchdogOptions watchdog;

    QString program{};
    QStringList arguments{};
    QStringList globs{}; ///< files whose change restarts the server

    QString configuration{}; ///< the file with the servers; null: `program` is the only one
    QList<McpServerDefinition> servers{};
    std::optional<Duration> listTime{}; ///< instead of that of McpGatewayOptions
};

/// Connects an MCP client, on stdin and stdout of this process, with one server behind the watchdog
/// proxy, or with several servers through the gateway.
class McpSession : public HostSession
{
    Q_OBJECT

public:
    McpSession(McpRequest request, Messages &messages);

    /// Runs the event loop; returns the exit code.
    int run();

private:
    [[nodiscard]] QList<UsedFile> ownFiles() const;
    // Both return an exit code other than 0 after an error was reported.
    [[nodiscard]] int addServer();
    [[nodiscard]] int addServers();
    [[nodiscard]] bool watchFiles();
    /// Connects what the proxy and the gateway have in common.
    template<typename Host>
    void connectHost(const Host &host);
    void stop(int number) override;
    void onSignal(int number) override;
    void recordCall(const ToolCallFinished &call);

    McpRequest m_request;
    const QString m_name; ///< of the only server
    bool m_hasOutputFailed = false;
    Deadline m_heapRelease; ///< armed by a call
    std::unique_ptr<WatchdogProxy> m_proxy;
    std::unique_ptr<McpGateway> m_gateway; ///< instead of the proxy
    std::unique_ptr<WatchedAgents> m_watched;
};

} // namespace Rekindle
