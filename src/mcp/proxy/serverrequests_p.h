// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/messageid_p.h"

#include <QHash>
#include <QList>
#include <QSet>

#include <optional>

namespace Rekindle {

/// The requests of the server that the client has not answered. Every server numbers its requests
/// from the beginning. If the client still owes a response to an earlier server under the same id,
/// the new request gets another id, so that no response reaches the wrong request.
class ServerRequests
{
public:
    /// Returns the id for the client; `spare` is used if the server's own id is not free.
    [[nodiscard]] MessageId admit(const MessageId &serverId, const MessageId &spare);

    /// Whether admit() needs the spare id.
    [[nodiscard]] bool isOwed(const MessageId &serverId) const { return m_owed.contains(serverId); }

    [[nodiscard]] bool isOpen(const MessageId &clientId) const { return m_open.contains(clientId); }

    /// The client answered. Returns the server's id; no value if no server waits for the response.
    [[nodiscard]] std::optional<MessageId> answered(const MessageId &clientId);

    /// The server cancelled the request. Returns the id for the client.
    [[nodiscard]] std::optional<MessageId> cancelled(const MessageId &serverId);

    /// The server ended. Returns the ids of the requests that need no response anymore.
    [[nodiscard]] QList<MessageId> serverEnded();

private:
    void owe(const MessageId &clientId);

    static constexpr qsizetype maximumOwed = 1024;

    QHash<MessageId, MessageId> m_open; // by the client's id
    QSet<MessageId> m_owed;
    QList<MessageId> m_owedInOrder;
};

} // namespace Rekindle
