// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/export.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/policy/toolcallfinished.h>
#include <rekindle/policy/toolselection.h>

#include <QObject>
#include <QString>
#include <QUuid>

#include <memory>
#include <optional>

namespace Rekindle {

class AgentSupervisor;
class ProcessAgent;

/// Options of the session of a gateway (spec 9).
struct McpGatewayOptions
{
    /// Whether restart_server and verify_server_restarted are offered in addition to the tools of
    /// the servers.
    bool inject = true;

    /// How long lists wait, after the client's first message, for servers that have neither
    /// answered nor failed. The client gets list_changed for servers that become ready later. 0 or
    /// more.
    Duration listTime = std::chrono::seconds(2);

    /// Descriptors of the client. The gateway neither closes them nor makes them non-blocking for
    /// other processes that share them.
    int input = 0;
    int output = 1;
};

/// Options of the gateway for one server.
struct McpGatewayServer
{
    QString name{}; ///< used in messages, and before "__" if tools of several servers have the same
                    ///< name

    /// Which calls in flight are retried if the server exits.
    CallRetry retry = CallRetry::Safe;

    /// Which tool calls are retried after a response that reports a failure, as in WatchdogOptions.
    CallRetry toolRetry = CallRetry::Safe;
    bool toolBreaker = true; ///< as in WatchdogOptions

    /// The tools that the client gets. The others are unknown to it.
    ToolSelection tools{};

    /// Time for each request from its arrival to its response; more than 0. Nothing: no limit.
    std::optional<Duration> callTimeout{};

    /// Policy for the starts of a server on demand. The first request that may need the server
    /// starts it, and nothing is restarted in the background. If a call finds that the server has
    /// exited, the server is started again. A call in flight is retried once if `retry` permits it.
    /// The attempts count until the server has answered a call. Nothing: the server is started at
    /// once, and its agent's policy applies.
    std::optional<RestartPolicy> onDemand{};
};

/// The gateway (spec 9): serves many MCP servers, which are processes under one supervisor, to one
/// MCP client as a single server. The gateway answers the client's handshake itself. A server that
/// is slow or exits does not delay the others. If several servers have a tool of the same name, the
/// first one keeps it; the others become SERVER__TOOL.
///
/// A server that exits is restarted by its policy, and the client's handshake is replayed. Its
/// tools stay listed. Calls of them are held if the restart is due soon; otherwise, they are
/// answered at once with the reason.
///
/// The host must ignore SIGPIPE. Otherwise, it is killed when its client stops reading. Use it from
/// the thread of the supervisor, which needs a Qt event loop. While a slot of its signals runs a
/// nested event loop, the session waits; agents are restarted as usual.
class REKINDLE_MCP_EXPORT McpGateway : public QObject
{
    Q_OBJECT

public:
    explicit McpGateway(AgentSupervisor &supervisor, McpGatewayOptions options = {},
                        QObject *parent = nullptr);
    ~McpGateway() override;

    /// Adds a server. Call it before begin(), in the order that decides about names. `agent`
    /// belongs to the supervisor under `agentId`, was created from
    /// ProcessDefinition::stdioServer() and is not started yet. The agent and the supervisor must
    /// outlive the gateway.
    void add(const McpGatewayServer &server, const QUuid &agentId, ProcessAgent &agent);

    /// Starts the session and all servers that are not on demand.
    void begin();

    /// Ends the session as if the client had closed its end. The servers are stopped in order, and
    /// ended() is emitted. Requests that they have not read are dropped.
    void end();

Q_SIGNALS:
    /// A message for the log. `server` is empty if it concerns no server or all of them.
    void noted(const QString &server, const QString &text);

    /// A line that a server wrote to stderr.
    void errorLine(const QString &server, const QByteArray &line);

    /// A tool call of the client has ended. `agent` is the name of the server's agent, and `tool`
    /// the server's own name of the tool.
    void callFinished(const Rekindle::ToolCallFinished &call);

    /// Writing to the client failed, although the client still exists. ended() follows. `reason` is
    /// the text of the system error.
    void outputFailed(const QString &reason);

    /// The client has closed its end, and no server runs.
    void ended();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
