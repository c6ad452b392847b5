// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "hostsession_p.h"

#include <rekindle/config/mcpservers.h>
#include <rekindle/mcp/watchdogproxy.h>

#include <QCoreApplication>

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

/// Connects an MCP client, on stdin and stdout of this process, with its servers.
class McpSession : public HostSession
{
    Q_OBJECT

public:
    /// Runs the event loop; returns the exit code.
    int run();

protected:
    McpSession(McpRequest request, const QString &usualStore, Messages &messages);

    /// The files in use, except events, store and license.
    [[nodiscard]] virtual QList<UsedFile> otherFiles() const = 0;

    /// Adds the servers and connects them. Returns an exit code other than 0 after an error was
    /// reported.
    [[nodiscard]] virtual int prepare() = 0;

    virtual void begin() = 0;

    /// Stops the servers; the event loop ends afterwards.
    virtual void end() = 0;

    /// Connects what the proxy and the gateway have in common.
    template<typename Host>
    void connectHost(const Host &host)
    {
        connect(&host, &Host::ended, this, [] { QCoreApplication::exit(); });
        connect(&host, &Host::outputFailed, this, &McpSession::reportFailedOutput);
        connect(&host, &Host::callFinished, this, &McpSession::recordCall);
    }

    /// Forwards a line of stderr of a server.
    void forward(const QByteArray &line);

    McpRequest m_request;

private:
    void stop(int number) override;
    void onSignal(int number) override;
    void reportFailedOutput(const QString &reason);
    void recordCall(const ToolCallFinished &call);

    bool m_hasOutputFailed = false;
    Deadline m_heapRelease; ///< armed by a call
};

} // namespace Rekindle
