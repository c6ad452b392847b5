// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/callretry.h>
#include <rekindle/mcp/export.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/process/processdefinition.h>

#include <QObject>
#include <QString>
#include <QUuid>

#include <memory>
#include <optional>

namespace Rekindle {

class AgentSupervisor;
class ProcessAgent;

/// How a watchdog proxy goes about its session (spec 9).
struct WatchdogOptions
{
    /// Offer restart_server and verify_server_restarted beside the server's tools.
    bool inject = true;

    /// What happens to a call that was under way when its server died.
    CallRetry retry = CallRetry::Safe;

    /// For each request, from its arrival to its answer; more than 0. Nothing: as long as it takes.
    std::optional<Duration> callTimeout{};

    /// Where each restart is recorded; relative paths count from the working directory.
    QString markerFile = QStringLiteral(".mcp_restart_marker");

    /// The client's ends. They stay open, and are not made non-blocking for others that have them.
    int input = 0;
    int output = 1;
};

/// The watchdog proxy (spec 9, S4): stands between an MCP client, on two descriptors, and an MCP
/// server, a process under a supervisor. When the server dies the client's session stays up: a new
/// one is taken through the client's own handshake, calls that arrive meanwhile wait, and each
/// request gets exactly one answer. Everything else passes through byte for byte; what either side
/// does not read makes the other one wait.
///
/// The host ignores SIGPIPE, or else ends when its client does not read any more. Use it from the
/// thread of the supervisor, which needs a Qt event loop.
class REKINDLE_MCP_EXPORT WatchdogProxy : public QObject
{
    Q_OBJECT

public:
    /// What a server's process must be like: stdin and stdout are pipes, stderr is read, and it
    /// gets 2 s to end by itself (400 ms where a restart was asked for) and 2 s after SIGTERM.
    [[nodiscard]] static ProcessDefinition serverDefinition(const QString &program,
                                                            const QStringList &arguments);

    /// `agent` is the supervisor's under that id, made of serverDefinition() and not started yet.
    /// Both must outlive the proxy.
    WatchdogProxy(AgentSupervisor &supervisor, const QUuid &agentId, ProcessAgent &agent,
                  const WatchdogOptions &options, QObject *parent = nullptr);
    ~WatchdogProxy() override;

    /// Starts the server and the session.
    void begin();

    /// Wants a new server, as restart_server does: calls wait for it, no attempt is spent, one that
    /// was given up is revived. `reason` and `method` go into the marker. False if it was refused,
    /// for there were more than ten in a minute. Not from inside of a signal of the proxy.
    bool restart(const QString &reason, const QString &method);

    /// As if the client had closed its end: the server is ended in order, ended() follows. What
    /// the server has not read is not waited for.
    void end();

Q_SIGNALS:
    /// For the log: noise of the server, answers that nobody waits for, a file that cannot be
    /// written.
    void noted(const QString &text);

    /// A line that the server wrote to stderr.
    void errorLine(const QByteArray &line);

    /// The client cannot be answered: its end cannot be written, for another reason than that
    /// nobody reads it any more (a full disk). ended() follows.
    void outputFailed(const QString &reason);

    /// The client is gone, or the server has ended cleanly under a policy that lets it; nothing
    /// runs any more.
    void ended();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
