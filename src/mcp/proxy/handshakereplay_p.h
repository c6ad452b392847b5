// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "clientrequest_p.h"
#include "mcp/jsonrpc/mcplist_p.h"
#include "proxycontext_p.h"

#include <QMap>
#include <QSet>

namespace Rekindle {

/// Records the handshake of the client and replays it to every new server: initialize, the
/// initialized notification, the log level and the subscriptions.
class HandshakeReplay
{
public:
    enum class Step {
        Waiting, ///< for responses of the server
        Done,    ///< the server may get the client's messages
        Refused, ///< the server rejected the handshake; see refusedWhy()
    };

    explicit HandshakeReplay(ProxyContext &context);

    // The client's initialize is pending until it has a response. The session holds and sends it
    // like any other request.
    void setPending(const ClientRequest &initialize);
    [[nodiscard]] bool isPending() const { return m_pendingId.isPresent(); }
    [[nodiscard]] const MessageId &pendingId() const { return m_pendingId; }
    /// A server got it.
    void pendingSent();
    /// The server accepted it: records it.
    void accept(const QByteArray &line, const MessagePeek &peek);
    /// It was refused, or the server rejected it.
    void dropPending();

    // What the client sets during the session.
    void setInitialized(const QByteArray &line);
    void setState(const ClientRequest &answered);
    /// An initialize of the client was accepted.
    [[nodiscard]] bool isRecorded() const { return m_recorded.has_value(); }
    /// An initialize of the client was accepted, and no other one is pending.
    [[nodiscard]] bool isAccepted() const { return isRecorded() && !isPending(); }

    // The server.
    void serverStarted();
    /// The server has written something during its start. Extends the time for a handshake in
    /// progress.
    void serverProgressed();
    /// Sends the recorded handshake.
    [[nodiscard]] Step replay();
    /// After the server accepted initialize.
    [[nodiscard]] Step replayState();
    [[nodiscard]] bool awaits(const MessageId &id) const;
    [[nodiscard]] bool isIdle() const { return !m_replayId.isPresent() && m_stateIds.isEmpty(); }
    /// A response to a request of this class.
    [[nodiscard]] Step answered(const QByteArray &line, const MessagePeek &peek);
    /// The server gets the client's messages from here on.
    void finish();
    /// The server exits or is terminated.
    void cancel();
    /// Whether the server has declared the capability; also if its capabilities are unknown.
    [[nodiscard]] bool offers(ListKind kind) const;
    [[nodiscard]] bool isInitializedSent() const { return m_isInitializedSent; }
    [[nodiscard]] const QString &refusedWhy() const { return m_refusedWhy; }

    /// For the responses of the server.
    [[nodiscard]] std::optional<Instant> deadline() const { return m_deadline; }

private:
    struct Recording
    {
        QByteArray line{};
        QByteArray protocolVersion{};
        QByteArray initialized{}; ///< empty if the client has not sent it
        QByteArray logLevel{};    ///< the last logging/setLevel that was answered
        QMap<QByteArray, QByteArray> subscriptions{}; ///< resources/subscribe by URI
    };

    [[nodiscard]] Recording &current();
    [[nodiscard]] JsonSpan declared(QByteArrayView capability) const;
    [[nodiscard]] Step refuse(const QString &why);
    void sendOwn(const QByteArray &line, const MessageId &id);

    ProxyContext &m_context;
    std::optional<Recording> m_recorded;
    MessageId m_pendingId;
    Recording m_pending;
    bool m_isInitializedSent = false;
    QByteArray m_capabilities; ///< of the server; empty if unknown
    bool m_isReplayed = false; ///< the server has accepted the recorded handshake
    MessageId m_replayId;
    QSet<MessageId> m_stateIds;
    Instant m_startedAt{}; ///< of the server
    std::optional<Instant> m_deadline;
    QString m_refusedWhy;
};

} // namespace Rekindle
