// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/export.h>

#include <QObject>
#include <QString>

#include <memory>

namespace Rekindle {

class AgentGroups;
class AgentSupervisor;
class EventArchive;
class FleetControl;
class ReloadableConfiguration;
class SharedBreakers;
class StartGate;

/// The names and the folder of a ControlServer.
struct ControlServerOptions
{
    /// The name in the response to hello. `rekindle hosts` and `--host` use `socketName`. Default:
    /// the name of the application.
    QString name{};
    /// The name of the socket in the folder, without its extension ".sock". If the path exceeds 107
    /// bytes, a hash of this name is used instead. Default: "APPLICATION-PID".
    QString socketName{};
    /// The file of the host's configuration, if it has one.
    QString configuration{};
    /// The folder of the sockets. Default: /run/rekindle for root; otherwise the folder `rekindle`
    /// in $XDG_RUNTIME_DIR or /run/user/UID; otherwise `rekindle/run` in $XDG_STATE_HOME, which
    /// defaults to ~/.local/state.
    QString folder{};
};

/// Serves the control protocol: clients such as `rekindle status` and `rekindle restart` list and
/// operate the agents of a supervisor while the host runs:
///
/// ```
/// Rekindle::ControlServer control(supervisor);
/// const QString fault = control.listen();
/// ```
///
/// The socket is a Unix socket with mode 0600. Only the user of the host and root can connect.
/// There is no TCP listener. A client that floods the host, reads nothing or sends invalid messages
/// uses a bounded amount of memory and does not delay the agents: at most 36 clients, 64 requests
/// or 5 ms in a pass of the event loop, and 1 MiB for a message. While a client has 4 MiB of unread
/// output, it receives no notifications, and its requests are not read.
///
/// At most 32 clients can wait for agents, subscribe to events or follow output. If all connections
/// are in use, a new client replaces an idle one.
///
/// Use it from the thread of the supervisor.
class REKINDLE_CONTROL_EXPORT ControlServer : public QObject
{
    Q_OBJECT

public:
    /// Creates a server that does not listen yet. `supervisor` must outlive it.
    explicit ControlServer(AgentSupervisor &supervisor, const ControlServerOptions &options = {},
                           QObject *parent = nullptr);
    /// Disconnects all clients and removes the socket.
    ~ControlServer() override;

    /// Starts to listen. Returns an empty text, or the fault: another host uses the socket, or the
    /// folder or socket cannot be created. Call it once.
    [[nodiscard]] QString listen();

    /// Sets what config.check and config.reload use. Without it, they are refused. It must outlive
    /// the server.
    void setConfiguration(ReloadableConfiguration *configuration);

    /// Sets the archive from which events.subscribe reads events of earlier runs, and events that
    /// are not in memory anymore. Null: there is none. It must outlive the server.
    void setArchive(EventArchive *archive);

    /// Sets the groups that clients see. Null: there are none.
    void setGroups(const AgentGroups *groups);

    /// Sets the governor whose queue clients see. Null: there is none.
    void setStartGate(const StartGate *gate);

    /// Sets the breakers that clients see and operate. Null: there are none.
    void setSharedBreakers(SharedBreakers *breakers);

    /// Sets the fleet that clients see and operate. Null: there is none. It must outlive the
    /// server.
    void setFleet(FleetControl *fleet);

    /// Returns the path of the socket; empty if there is no folder for it.
    [[nodiscard]] QString socketPath() const;
    [[nodiscard]] int clientCount() const;

Q_SIGNALS:
    /// A client requests that the host exits. Stop the agents, or kill them, and quit. If nothing
    /// is connected to this signal, the request is refused.
    void stopRequested(bool kill);

    /// A client has operated agents or reloaded the configuration, and the response is sent next.
    /// A slot can store the change first.
    void operated();

    /// Another program has removed or replaced the socket, or another host has taken its name.
    /// `message` names the path, what was found, and whether the server listens again. The same
    /// message is repeated at most once a minute.
    void socketChanged(const QString &message);

    /// One or more clients have disconnected.
    void clientsDisconnected();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
