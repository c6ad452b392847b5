// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mergedlists_p.h"

namespace Rekindle {

/// Answers the handshake of the client and performs the handshakes of the servers. Servers get the
/// client's initialize; for a modern client, an initialize that the gateway builds. Their proxy
/// sessions replay it after a restart. A server that rejects it gets server/discover, because it
/// may support only a modern revision. After a restart, a modern server gets only server/discover.
class GatewayHandshake
{
public:
    GatewayHandshake(GatewayContext &context, MergedLists &lists);

    // The client.
    void initialize(const QByteArray &line, const MessagePeek &peek);
    void discover(const MessageId &id);
    void openModern(const QByteArray &line, const MessagePeek &peek);
    /// The client has sent notifications/initialized, or a request that must follow it.
    void clientIsReady();
    /// Connects servers on demand. One that failed before is connected again if `isRetry`.
    void connectOnDemand(bool isRetry);
    /// Sets the log level of all servers, also of servers that start later. `level` is JSON text.
    void setLogLevel(const QByteArray &level);

    // The servers.
    void serverStarted(int server);
    /// The server has written something during its start. Extends the time for its handshake.
    void serverProgressed(int server);
    /// The proxy session has replayed the handshake to another process.
    void replayed(int server, const QByteArray &capabilities);
    void serverExited(int server);
    void timePassed();

private:
    void open();
    void connect(int server);
    [[nodiscard]] Instant handshakeDeadline(int server) const;
    void discoverServer(int server, const QString &refusal);
    void accept(int server, const QByteArray &line, const MessagePeek &peek);
    void acceptModern(int server, const QByteArray &line, const MessagePeek &peek);
    void opened(int server, const QByteArray &line, const MessagePeek &peek);
    void listen(int server);
    void reject(int server, const QString &why);
    void setCapabilities(int server, const QByteArray &capabilities);
    void sendInitialized(int server);
    void sendLogLevel(int server);
    void setClientInfo(QByteArrayView info);
    [[nodiscard]] QByteArray gatewayFacts() const;

    GatewayContext &m_context;
    MergedLists &m_lists;
    QByteArray m_initialize; ///< for servers
    QByteArray m_logLevel;   ///< the last logging/setLevel for servers
    bool m_isClientReady = false;
};

} // namespace Rekindle
