// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/callretry.h>
#include <rekindle/mcp/export.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/timepoint.h>

#include <QObject>
#include <QString>
#include <QUuid>

#include <memory>
#include <optional>

namespace Rekindle {

class AgentSupervisor;
class ProcessAgent;

/// How a gateway goes about its session (spec 9).
struct McpGatewayOptions
{
    /// Offer restart_server and verify_server_restarted beside the servers' tools.
    bool inject = true;

    /// For so long after the client's first message its lists wait for servers that have neither
    /// answered nor failed yet; those that come later are told with list_changed. 0 or more.
    Duration listTime = std::chrono::seconds(2);

    /// The client's ends. They stay open, and are not made non-blocking for others that have them.
    int input = 0;
    int output = 1;
};

/// How the gateway treats one of its servers.
struct McpGatewayServer
{
    QString name{}; ///< in what people read, and before "__" where tools of one name meet

    /// What happens to a call that was under way when the server died.
    CallRetry retry = CallRetry::Safe;

    /// For each request, from its arrival to its answer; more than 0. Nothing: as long as it takes.
    std::optional<Duration> callTimeout{};

    /// S0's restart_on_exit: the first request that may need the server starts it, with this policy
    /// for its starts, and nothing is restarted in the background. A call that finds it gone starts
    /// it anew; one that loses it is made again once where `retry` has it so. The policy's tries
    /// count until the server has answered a call. Nothing: it is started at once, and its agent's
    /// policy keeps it up.
    std::optional<RestartPolicy> onDemand{};
};

/// The gateway (spec 9): stands between one MCP client, on two descriptors, and many MCP servers,
/// processes under one supervisor, and is one server to the client. It greets the client itself;
/// a server that is slow, dead or never there delays nobody. Tools that have one name get others
/// by the rule of ToolCatalog. A server that dies is restarted as its policy says, and taken
/// through the client's own handshake; its tools stay listed, and calls of them are answered at
/// once with the reason until it is back.
///
/// The host ignores SIGPIPE, or else ends when its client does not read any more. Use it from the
/// thread of the supervisor, which needs a Qt event loop.
class REKINDLE_MCP_EXPORT McpGateway : public QObject
{
    Q_OBJECT

public:
    explicit McpGateway(AgentSupervisor &supervisor, McpGatewayOptions options = {},
                        QObject *parent = nullptr);
    ~McpGateway() override;

    /// Before begin(), in the order that decides about names. `agent` is the supervisor's under
    /// that id, made of WatchdogProxy::serverDefinition() and not started yet; it and the
    /// supervisor must outlive the gateway.
    void add(const McpGatewayServer &server, const QUuid &agentId, ProcessAgent &agent);

    /// Starts the session, and the servers but those on demand.
    void begin();

    /// As if the client had closed its end: the servers are ended in order and ended() follows.
    /// What they have not read is not waited for.
    void end();

Q_SIGNALS:
    /// For the log; `server` is empty where it is about none or all of them.
    void noted(const QString &server, const QString &text);

    /// A line that a server wrote to stderr.
    void errorLine(const QString &server, const QByteArray &line);

    /// Nothing can be written to the client any more, and not because it has gone; ended()
    /// follows. `reason` is the system's.
    void outputFailed(const QString &reason);

    /// The client is gone and nothing runs any more.
    void ended();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
