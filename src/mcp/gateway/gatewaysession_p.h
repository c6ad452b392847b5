// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "forwardedrequests_p.h"
#include "gatewaycatalog_p.h"
#include "gatewayhandshake_p.h"
#include "gatewayrouter_p.h"
#include "gatewaytasks_p.h"
#include "gatewaytools_p.h"
#include "mcp/jsonrpc/clientlinereader_p.h"
#include "mergedlists_p.h"

namespace Rekindle {

/// Many MCP servers as one, without pipes: the session of one client. Each server is behind a
/// ProxySession, which restores the session after a restart and answers every request exactly once.
/// Pure: lines and instants go in, actions come out.
///
/// A request of the client is sent to one server, and its response to the client. Ids are not
/// changed; the name of a tool or prompt, or the id of a task, may be replaced by the server's own.
///
/// The session dispatches messages to the classes that own each concern: ForwardedRequests,
/// GatewayHandshake, GatewayRouter, GatewayTasks, GatewayTools and MergedLists.
class GatewaySession final : private ClientLineReader::Handler
{
public:
    explicit GatewaySession(GatewayOptions options);
    ~GatewaySession() = default;
    Q_DISABLE_COPY_MOVE(GatewaySession)

    // Events. Blank lines are ignored.
    void clientLine(const FramedLine &line, Instant now);
    void clientClosed(Instant now);
    /// Called after the proxy session was notified, so that its replay of the handshake comes
    /// first.
    void serverStarted(int server, Instant now);
    void serverProgressed(int server, Instant now);
    /// The proxy session has replayed the handshake to another process. `capabilities` is a JSON
    /// object.
    void handshakeReplayed(int server, const QByteArray &capabilities, Instant now);
    /// Called before the proxy session is notified, which may refuse requests of the gateway: they
    /// must not count as rejected by a running server.
    void serverExited(int server, Instant now);
    /// A line of the proxy session to its client.
    void serverLine(int server, const QByteArray &line, Instant now);
    void serverRefused(int server, const ProxyRefusal &refusal, Instant now);
    void timePassed(Instant now);

    // Results of actions.
    void restartDecided(int server, bool accepted, Instant now, const QString &whyGivenUp = {});
    void serverDescribed(int server, const RestartRecord &record);

    /// Whether a request of the client waits in the session, and not in a server.
    [[nodiscard]] bool isWaiting() const { return m_router.isWaiting(); }

    /// When timePassed() is due.
    [[nodiscard]] std::optional<Instant> nextDeadline() const;
    [[nodiscard]] std::vector<GatewayAction> takeActions() { return m_context.takeActions(); }

private:
    // ClientLineReader::Handler
    void clientRequest(const QByteArray &line, const MessagePeek &peek) override;
    void clientNotification(const QByteArray &line, const MessagePeek &peek) override;
    void clientResponse(const QByteArray &line, const MessagePeek &peek) override;
    void clientResponseFailed(const MessageId &id, const QString &why) override;
    void clientLineRejected(const MessageId &id, int code, const QString &why) override;
    [[nodiscard]] bool isServerRequestOpen(const MessageId &id) const override;

    [[nodiscard]] bool isRejected(const QByteArray &line, const MessagePeek &peek);
    void setLogLevel(const QByteArray &line, const MessagePeek &peek);
    void lowerLogLevel(QByteArrayView level);
    void serverRequest(int server, const QByteArray &line, const MessagePeek &peek);
    void serverNotification(int server, const QByteArray &line, const MessagePeek &peek);
    void serverResponse(int server, const QByteArray &line, const MessagePeek &peek);

    GatewayContext m_context;
    GatewayCatalog m_catalog;
    MergedLists m_lists;
    GatewayHandshake m_handshake;
    GatewayTools m_tools;
    GatewayTasks m_tasks;
    GatewayRouter m_router;
    ForwardedRequests m_forwarded;
    ClientLineReader m_clientReader;
};

} // namespace Rekindle
