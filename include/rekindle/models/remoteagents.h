// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentsource.h>

#include <functional>
#include <memory>

namespace Rekindle {

class Scheduler;

/// The agents of another process, over its control socket. Connects from the event loop. While the
/// host is not available, there are no agents, and it connects again: once a second to a socket of
/// this machine; otherwise after 1, 2, 4, 8 and 16 s, then every 30 s, because ssh may ask for a
/// password. A host that does not respond for 15 s is not available.
///
/// The status of an agent is read again after each event about it. All agents are read again every
/// five seconds, or less often if there are thousands, because hosts send no event if an agent was
/// added, removed or has a new status text.
class REKINDLE_MODELS_EXPORT RemoteAgents : public AgentSource
{
    Q_OBJECT

public:
    /// Connects to the host with this HostAddress: a name, the path of a socket, or
    /// ssh://[USER@]MACHINE[:PORT]/[NAME]. The default folder contains the sockets of this user's
    /// hosts.
    explicit RemoteAgents(const QString &host, const QString &folder = {},
                          QObject *parent = nullptr);
    /// The same, with the times of this scheduler, which must outlive the object.
    RemoteAgents(Scheduler &scheduler, const QString &host, const QString &folder = {},
                 QObject *parent = nullptr);

    /// Returns a socket that is connected to a host, for example through a tunnel to another
    /// machine, or a fault. Called for each connection. It must not block.
    using Connector = std::function<ControlClient::Connection()>;
    /// `name` is the name of the host.
    RemoteAgents(const QString &name, Connector connector, QObject *parent = nullptr);
    ~RemoteAgents() override;

    /// Returns what the host has reported about itself; empty while it is unavailable.
    [[nodiscard]] HostInfo host() const;

    [[nodiscard]] QString name() const override;
    [[nodiscard]] QString fault() const override;
    [[nodiscard]] QList<QUuid> ids() const override;
    [[nodiscard]] std::optional<AgentStatus> agent(const QUuid &id) const override;
    [[nodiscard]] Instant now() const override;
    [[nodiscard]] UtcTime utcNow() const override;

    /// The error is NotConnected while the host is unavailable.
    QFuture<ControlResult<OperationResult>> operate(ControlOperation operation, const QUuid &id,
                                                    const QString &reason = {}) override;
    /// If the agent writes to a file, only its newest lines are read; later ones are not followed.
    QList<OutputLine> followOutput(const QUuid &id) override;
    /// The error is NotConnected while the host is unavailable.
    QFuture<ControlResult<AgentExplanation>> explain(const QUuid &id) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
