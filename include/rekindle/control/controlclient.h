// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/export.h>

#include <QJsonObject>
#include <QJsonValue>
#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>

namespace Rekindle {

/// A connection to the ControlServer of a host. Asynchronous; use it from a thread with an event
/// loop.
class REKINDLE_CONTROL_EXPORT ControlClient : public QObject
{
    Q_OBJECT

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

    /// An error response of the host; docs/control.md lists the codes.
    struct Error
    {
        /// The code if there is no connection, or if it ended before the response.
        static constexpr int notConnected = 0;

        int code = 0;
        QString message{};
        QJsonObject data{};
    };

    /// Receives the result of a request, or the error.
    using Reply = std::function<void(const QJsonValue &result, const std::optional<Error> &error)>;

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

    /// Returns the result of hello: "host", "features", "access" and "limits". Empty before
    /// opened().
    [[nodiscard]] QJsonObject hello() const;

    /// Sends a request. `reply` is called once, from the event loop; with Error::notConnected
    /// before opened() and after failed().
    void request(const QString &method, const QJsonObject &params, Reply reply);

Q_SIGNALS:
    void opened();

    /// The connection could not be opened, or has ended. `message` describes the cause.
    void failed(Rekindle::ControlClient::Cause cause, const QString &message);

    /// A notification of the host. `line` is the whole message as the host has sent it.
    void notified(const QString &method, const QJsonObject &params, const QByteArray &line);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
