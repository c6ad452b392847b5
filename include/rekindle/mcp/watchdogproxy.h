// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/export.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/policy/toolcallfinished.h>
#include <rekindle/process/processdefinition.h>

#include <QObject>
#include <QString>
#include <QUuid>

#include <memory>
#include <optional>

namespace Rekindle {

class AgentSupervisor;
class ProcessAgent;

/// Options of a watchdog proxy (spec 9).
struct WatchdogOptions
{
    /// Whether restart_server and verify_server_restarted are offered in addition to the tools of
    /// the server.
    bool inject = true;

    /// Which calls in flight are retried if the server exits.
    CallRetry retry = CallRetry::Safe;

    /// Which tool calls are retried after a response that reports a failure (S3): by the preset
    /// `tool-call`, as long as no 50 s have passed. With Always, a result with isError is a failure
    /// too.
    CallRetry toolRetry = CallRetry::Safe;

    /// Each tool has a circuit breaker, which rejects calls with a tool error while it is open. It
    /// is closed when the server is replaced on request.
    bool toolBreaker = true;

    /// Time for each request from its arrival to its response; more than 0. Nothing: no limit.
    std::optional<Duration> callTimeout{};

    /// Marker file that records each restart. Relative paths are relative to the working directory.
    QString markerFile = QStringLiteral(".mcp_restart_marker");

    /// Descriptors of the client. The proxy neither closes them nor makes them non-blocking for
    /// other processes that share them.
    int input = 0;
    int output = 1;
};

/// The watchdog proxy (spec 9, S4): keeps the session of an MCP client open while its server, a
/// process under a supervisor, is restarted. The client's handshake is replayed to a new server,
/// requests that arrive in the meantime are held, and each request gets exactly one response.
/// Everything else passes through byte for byte. If one side does not read, the other side is not
/// read either.
///
/// The host must ignore SIGPIPE. Otherwise, it is killed when its client stops reading. Use it from
/// the thread of the supervisor, which needs a Qt event loop. While a slot of its signals runs a
/// nested event loop, the session waits; agents are restarted as usual.
class REKINDLE_MCP_EXPORT WatchdogProxy : public QObject
{
    Q_OBJECT

public:
    /// Creates the proxy. `agent` belongs to the supervisor under `agentId`, was created from
    /// ProcessDefinition::stdioServer() and is not started yet. The agent and the supervisor must
    /// outlive the proxy.
    WatchdogProxy(AgentSupervisor &supervisor, const QUuid &agentId, ProcessAgent &agent,
                  const WatchdogOptions &options, QObject *parent = nullptr);
    ~WatchdogProxy() override;

    /// Starts the server and the session.
    void begin();

    /// Requests a restart, as restart_server does. Calls are held, no attempt is used, and a server
    /// that was given up is started again. `reason` and `method` are written to the marker file.
    /// Returns false if the request was rejected because there were ten in the last minute. Must
    /// not be called from a slot that is connected to the proxy.
    bool restart(const QString &reason, const QString &method);

    /// Ends the session as if the client had closed its end. The server is stopped in order, and
    /// ended() is emitted. Requests that it has not read are dropped.
    void end();

Q_SIGNALS:
    /// A message for the log: invalid output of the server, unexpected responses, or a file that
    /// cannot be written.
    void noted(const QString &text);

    /// A line that the server wrote to stderr.
    void errorLine(const QByteArray &line);

    /// A tool call of the client has ended. `agent` is the name of the server's agent.
    void callFinished(const Rekindle::ToolCallFinished &call);

    /// Writing to the client failed, although the client still exists, for example because the disk
    /// is full. ended() follows.
    void outputFailed(const QString &reason);

    /// The client has closed its end, or the server has exited with 0 and its policy does not
    /// restart it. Nothing runs.
    void ended();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
