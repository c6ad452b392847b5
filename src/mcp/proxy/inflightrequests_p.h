// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "clientrequest_p.h"

#include <QHash>
#include <QSet>

#include <functional>
#include <map>
#include <vector>

namespace Rekindle {

/// The requests that were sent to the server and have no response yet, in the order of arrival. An
/// id may occur several times, although it must not: a response then belongs to the oldest.
class InFlightRequests
{
public:
    void add(ClientRequest request);
    [[nodiscard]] ClientRequest *find(const MessageId &id);
    [[nodiscard]] std::optional<ClientRequest> take(const MessageId &id);
    [[nodiscard]] std::vector<ClientRequest> takeAll()
    {
        return takeIf([](const ClientRequest &) { return true; });
    }
    [[nodiscard]] std::vector<ClientRequest>
    takeIf(const std::function<bool(const ClientRequest &)> &matches);

    /// The client cancelled a request; its response may still arrive and is then forwarded.
    void cancel(const MessageId &id);
    [[nodiscard]] bool isCancelled(const MessageId &id) const { return m_cancelled.contains(id); }
    [[nodiscard]] bool takeCancelled(const MessageId &id) { return m_cancelled.remove(id); }

    /// The client got a response from the proxy: no progress may follow it.
    void dropProgressOf(const ClientRequest &request);
    /// Whether the client must not see this progress notification: values must grow, and another
    /// server starts from the beginning.
    [[nodiscard]] bool skipsProgress(QByteArrayView line, const MessagePeek &peek);
    /// Whether the client has seen this acknowledgment of a subscription from another server.
    [[nodiscard]] bool skipsAcknowledgment(QByteArrayView line, const MessagePeek &peek);

    void serverStarted();

    [[nodiscard]] std::optional<Instant> nextDeadline() const;
    [[nodiscard]] bool isEmpty() const { return m_requests.empty(); }
    [[nodiscard]] qsizetype size() const { return static_cast<qsizetype>(m_requests.size()); }
    [[nodiscard]] qsizetype bytes() const { return m_bytes; } ///< of their lines
    [[nodiscard]] bool contains(const MessageId &id) const { return m_byId.contains(id); }
    [[nodiscard]] const std::map<quint64, ClientRequest> &all() const { return m_requests; }

private:
    using Requests = std::map<quint64, ClientRequest>;

    [[nodiscard]] std::optional<quint64> orderOf(const MessageId &id) const;
    [[nodiscard]] ClientRequest *findByToken(const MessageId &token);
    ClientRequest take(quint64 order);

    Requests m_requests; // by order
    QMultiHash<MessageId, quint64> m_byId;
    QMultiHash<MessageId, quint64> m_byToken;
    qsizetype m_bytes = 0;
    QSet<MessageId> m_cancelled;
    QSet<MessageId> m_finishedTokens;
};

} // namespace Rekindle
