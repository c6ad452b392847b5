// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "clientrequest_p.h"

#include <QMultiHash>

#include <functional>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace Rekindle {

/// Requests and notifications in the order of arrival, for example those that are held until a
/// server is ready. An id may occur several times, although it must not: the oldest request comes
/// first.
class RequestQueue
{
public:
    static constexpr qsizetype unlimited = std::numeric_limits<qsizetype>::max();

    explicit RequestQueue(qsizetype maximumCount = unlimited, qsizetype maximumBytes = unlimited);

    [[nodiscard]] bool hasRoomFor(const ClientRequest &request) const;
    /// A retry keeps its order, so that it is sent before later requests.
    void add(ClientRequest request);

    [[nodiscard]] ClientRequest *find(const MessageId &id);
    [[nodiscard]] bool contains(const MessageId &id) const { return m_byId.contains(id); }
    [[nodiscard]] std::optional<ClientRequest> take(const MessageId &id);
    [[nodiscard]] std::vector<ClientRequest>
    takeIf(const std::function<bool(const ClientRequest &)> &matches);
    [[nodiscard]] std::vector<ClientRequest> takeAll();

    /// The first deadline for a response.
    [[nodiscard]] std::optional<Instant> nextDeadline() const
    {
        return m_deadlines.empty() ? std::nullopt : std::optional(*m_deadlines.begin());
    }
    /// The first time until which a request is held, or deadline.
    [[nodiscard]] std::optional<Instant> nextHeldUntil() const;

    [[nodiscard]] bool isEmpty() const { return m_requests.empty(); }
    [[nodiscard]] qsizetype size() const { return static_cast<qsizetype>(m_requests.size()); }
    [[nodiscard]] qsizetype bytes() const { return m_bytes; } ///< of their lines and responses
    /// Requests without notifications.
    [[nodiscard]] qsizetype requestCount() const;
    [[nodiscard]] const std::map<quint64, ClientRequest> &all() const { return m_requests; }

protected:
    [[nodiscard]] ClientRequest *findByToken(const MessageId &progressToken);

private:
    [[nodiscard]] std::optional<quint64> orderOf(const MessageId &id) const;
    ClientRequest take(quint64 order);

    const qsizetype m_maximumCount;
    const qsizetype m_maximumBytes;
    std::map<quint64, ClientRequest> m_requests; // by order
    QMultiHash<MessageId, quint64> m_byId;
    QMultiHash<MessageId, quint64> m_byToken;
    std::multiset<Instant> m_deadlines;
    qsizetype m_bytes = 0;
};

} // namespace Rekindle
