// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "proxycontext_p.h"

#include <QHash>
#include <QList>

#include <optional>

namespace Rekindle {

/// The requests of the server that the client has not answered. Every server numbers its requests
/// from the beginning. If the client may still answer an earlier request with the same id, the new
/// request gets another id, so that no response reaches the wrong request.
class ServerRequests
{
public:
    static constexpr qsizetype maximumOpen = 1000;

    explicit ServerRequests(ProxyContext &context)
        : m_context(context)
    {
    }

    /// Returns whether no further request is admitted.
    [[nodiscard]] bool isFull() const { return m_open.size() >= maximumOpen; }

    /// Returns the id for the client: the server's own id if that is free.
    [[nodiscard]] MessageId admit(const MessageId &serverId);

    [[nodiscard]] bool isOpen(const MessageId &clientId) const { return m_open.contains(clientId); }

    /// The client answered. Returns the server's id; no value if no server waits for the response.
    [[nodiscard]] std::optional<MessageId> answered(const MessageId &clientId);

    /// The server cancelled the request. Returns the id for the client.
    [[nodiscard]] std::optional<MessageId> cancelled(const MessageId &serverId);

    /// The server exited. Returns the ids of the requests that need no response anymore.
    [[nodiscard]] QList<MessageId> serverExited();

private:
    void expectLateResponse(const MessageId &clientId);

    static constexpr qsizetype maximumLate = 1024;

    ProxyContext &m_context;
    QHash<MessageId, MessageId> m_open; // by the client's id
    QList<MessageId> m_lateIds;         // no server waits for their responses; oldest first
};

} // namespace Rekindle
