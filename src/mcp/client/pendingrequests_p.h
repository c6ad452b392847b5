// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/messagepeek_p.h"

#include <rekindle/policy/timepoint.h>

#include <QHash>

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace Rekindle {

/// A request of the client (or, while it waits for a server, a notification: then without an id).
struct ClientRequest
{
    /// What the proxy has to know of its answer.
    enum class Role {
        Plain,
        Initialize,
        Discover,
        Listen, ///< subscriptions/listen: stays open over restarts
        Ping,
        List,
        ToolCall,
        SetLevel,
        Subscribe,
        Unsubscribe,
    };

    quint64 order = 0; ///< of arrival
    MessageId id{};
    QByteArray method{};
    QByteArray line{}; ///< empty once it is of no use any more
    Role role = Role::Plain;
    QByteArray subject{};    ///< the tool's name, or the resource's URI
    bool isFirstPage = true; ///< of List

    MessageId progressToken{};
    std::optional<double> lastProgress{}; ///< that was passed on

    int retries = 0;
    bool isAgain = false;      ///< a server that has ended had been sent it
    bool mayBeDone = false;    ///< a server may have read it
    quint64 endsAt = 0;        ///< where it ends in what the server was sent, without its newline
    bool acknowledged = false; ///< of Listen: the client has seen the acknowledgement
    bool swallowAcknowledgement = false;

    Instant heldUntil{};               ///< it has waited, or waits, for a server until then
    std::optional<Instant> deadline{}; ///< for its answer
};

/// The requests that a server works on, by their order and their ids. An id may be there several
/// times, though it must not: answers then belong to the oldest.
class PendingRequests
{
public:
    void add(ClientRequest request);
    [[nodiscard]] ClientRequest *find(const MessageId &id);
    [[nodiscard]] ClientRequest *findByToken(const MessageId &token);
    [[nodiscard]] std::optional<ClientRequest> take(const MessageId &id);
    [[nodiscard]] std::vector<ClientRequest> takeAll(); ///< in their order
    /// Of those that say yes nothing is kept that only another server would need.
    void dropLines(const std::function<bool(const ClientRequest &)> &mayDrop);
    [[nodiscard]] bool isEmpty() const { return m_requests.empty(); }
    [[nodiscard]] qsizetype size() const { return static_cast<qsizetype>(m_requests.size()); }
    [[nodiscard]] qsizetype bytes() const { return m_bytes; } ///< of their lines
    [[nodiscard]] bool contains(const MessageId &id) const { return m_byId.contains(id); }

    /// In their order.
    [[nodiscard]] std::map<quint64, ClientRequest> &all() { return m_requests; }
    [[nodiscard]] const std::map<quint64, ClientRequest> &all() const { return m_requests; }

private:
    [[nodiscard]] std::optional<quint64> orderOf(const MessageId &id) const;

    std::map<quint64, ClientRequest> m_requests;
    QMultiHash<MessageId, quint64> m_byId;
    QMultiHash<MessageId, quint64> m_byToken;
    qsizetype m_bytes = 0;
};

/// The requests of servers that the client works on. A new server counts its ids from the start
/// again: where the client still owes an old one an answer under the same id, the request gets
/// another, so that no answer reaches the wrong request.
class ServerRequests
{
public:
    /// The id that the client is to see; `spare` is used if the server's own cannot be.
    [[nodiscard]] MessageId admit(const MessageId &serverId, const MessageId &spare);

    /// Whether admit() will need the spare one.
    [[nodiscard]] bool isOwed(const MessageId &serverId) const { return m_owed.contains(serverId); }

    [[nodiscard]] bool isOpen(const MessageId &clientId) const { return m_open.contains(clientId); }

    /// The client has answered: what the server calls it. Nothing if no server waits for it.
    [[nodiscard]] std::optional<MessageId> answered(const MessageId &clientId);

    /// The server has cancelled it: what the client calls it.
    [[nodiscard]] std::optional<MessageId> cancelled(const MessageId &serverId);

    /// The server is gone: what the client need not answer any more.
    [[nodiscard]] QList<MessageId> serverGone();

private:
    void owe(const MessageId &clientId);

    static constexpr qsizetype mostOwed = 1024;

    QHash<MessageId, MessageId> m_open; // by the client's id
    QHash<MessageId, bool> m_owed;
    QList<MessageId> m_owedInOrder;
};

} // namespace Rekindle
