// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "clientrequest_p.h"

#include <functional>
#include <map>
#include <vector>

namespace Rekindle {

/// The requests and notifications that are held until a server is ready, in the order of arrival.
class HeldRequests
{
public:
    HeldRequests(qsizetype maximumCount, qsizetype maximumBytes);

    [[nodiscard]] bool hasRoomFor(const ClientRequest &request) const;
    /// A retry keeps its order, so that it is sent before later requests.
    void add(ClientRequest request);

    [[nodiscard]] std::vector<ClientRequest> takeAll()
    {
        return takeIf([](const ClientRequest &) { return true; });
    }
    [[nodiscard]] std::vector<ClientRequest>
    takeIf(const std::function<bool(const ClientRequest &)> &matches);
    /// The client cancelled a request. Returns whether it was held.
    bool cancel(const MessageId &id);

    [[nodiscard]] std::optional<Instant> nextDeadline() const;
    /// Requests without notifications; those of the gateway itself only if `withGateway`.
    [[nodiscard]] qsizetype requestCount(bool withGateway) const;

private:
    const qsizetype m_maximumCount;
    const qsizetype m_maximumBytes;
    std::map<quint64, ClientRequest> m_requests; ///< by order
    qsizetype m_bytes = 0;
};

} // namespace Rekindle
