// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/controlerror.h>
#include <rekindle/control/controlmessages.h>
#include <rekindle/control/export.h>
#include <rekindle/policy/agentexplanation.h>

#include <QFuture>
#include <QJsonObject>
#include <QJsonValue>
#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>

namespace Rekindle {

/// A connection to the ControlServer of a host. Asynchronous; use it from a thread with an event
/// loop:
///
/// ```
/// client.listAgents().then([](const ControlResult<HostStatus> &host) { ... host.value ... });
/// ```
///
/// A future is finished from the event loop, in the order of the responses and the signals. Before
/// opened() and after failed(), it is finished at once, with the error NotConnected. If the client
/// is destroyed first, it is canceled. Continuations run in the thread of the client. Pass them no
/// context: Qt 6.4 fails if it is destroyed before the future is finished.
class REKINDLE_CONTROL_EXPORT ControlClient : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    /// Why a connection failed or ended.
    enum class Cause {
        NoHost,              ///< nothing listens on the socket
        NoPermission,        ///< the socket cannot be opened, or the host refuses this user
        Busy,                ///< the host has too many clients
        UnsupportedProtocol, ///< the host supports other versions of the protocol
        ConnectionLost,      ///< the host has exited or disconnected this client
    };
    Q_ENUM(Cause)

    explicit ControlClient(QObject *parent = nullptr);
    ~ControlClient() override;

    /// Returns the sockets in the folder on which a host listens, sorted by name. The default is
    /// the folder of this user's hosts (see ControlServerOptions::folder). Also removes the sockets
    /// and lock files of hosts that were killed.
    [[nodiscard]] static QStringList runningHosts(const QString &folder = {});

    /// Returns the folder of this user's hosts; empty if there is none.
    [[nodiscard]] static QString defaultFolder();

    /// Returns the socket of a host with this ControlServerOptions::socketName; empty if there is
    /// no folder.
    [[nodiscard]] static QString socketPath(const QString &socketName, const QString &folder = {});

    /// The result of connectedSocket().
    struct Connection
    {
        int socket = -1;             ///< non-blocking; the caller owns it. -1 on failure
        Cause cause = Cause::NoHost; ///< of the failure
        QString fault{};             ///< a message; empty on success
    };

    /// Connects to a socket without a message to the host, for a program that copies bytes. Does
    /// not block.
    [[nodiscard]] static Connection connectedSocket(const QString &socketPath);

    /// Connects and sends hello; opened() or failed() follows from the event loop. Call it once.
    void open(const QString &socketPath);

    /// Does the same with a stream socket that is connected already, for example through a tunnel
    /// to another machine. The client closes it. `name` is the name of the host in messages.
    void open(int socket, const QString &name);

    /// Returns what the host has reported about itself; empty before opened().
    [[nodiscard]] const HostInfo &host() const;

    /// Requests these agents, with their groups and shared breakers. Empty: all agents; with
    /// `tags`, only those with one of them.
    QFuture<ControlResult<HostStatus>> listAgents(const QStringList &agents = {},
                                                  const QStringList &tags = {});
    /// Requests an agent, with the last lines on stderr before its last failure.
    QFuture<ControlResult<AgentStatus>> agent(const QString &name);

    /// Requests the newest decisions about an agent, at most this number (1 to 5), with the last
    /// actions and what happens next.
    QFuture<ControlResult<AgentExplanation>> explain(const QString &agent, int decisions = 5);

    /// Starts, stops or restarts an agent, or operates its circuit breaker. The reason is for the
    /// event operator.action and the audit trail, at most 1,000 characters. The error is Refused if
    /// the agent has no circuit breaker.
    QFuture<ControlResult<OperationResult>>
    operate(ControlOperation operation, const QString &agent, const QString &reason = {});

    /// Requests events and returns the cursor before the first one; eventReceived() and
    /// eventsMissed() follow. Replaces an earlier selection. With HostStatus::cursor, no event
    /// since listAgents() is lost. The error is CursorGone if the events are not stored anymore.
    QFuture<ControlResult<QString>> subscribe(const EventSelection &events);

    /// Requests the newest lines of an agent, at most 1,000. With `follow`, these lines and each
    /// new one follow as lineReceived(), and the result has only those of files, which are not
    /// followed.
    QFuture<ControlResult<QList<OutputLine>>> readLines(const QString &agent, int most = 100,
                                                        bool follow = false);

    /// Sends any request of docs/control.md, and returns its result as JSON.
    QFuture<ControlResult<QJsonValue>> request(const QString &method, const QJsonObject &params);

Q_SIGNALS:
    void opened();

    /// The connection could not be opened, or has ended. `message` describes the cause.
    void failed(Rekindle::ControlClient::Cause cause, const QString &message);

    void eventReceived(const Rekindle::ControlEvent &event);
    /// `count` events are missing, from and to these cursors.
    void eventsMissed(qint64 count, const QString &from, const QString &to);
    /// After EventSelection::untilNow: the last event was sent.
    void eventsEnded(const QString &cursor);

    void lineReceived(const Rekindle::OutputLine &line);
    /// Lines of an agent were removed before this client has read the ones before.
    void linesMissed(const QString &agent, qint64 count);

    /// The host closes the connection in an orderly way; failed() follows.
    void closing();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
