// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "serverrequests_p.h"

#include <utility>

namespace Rekindle {

MessageId ServerRequests::admit(const MessageId &serverId)
{
    const auto isUsed = [this](const MessageId &id) {
        return m_open.contains(id) || m_lateIds.contains(id);
    };
    MessageId clientId = serverId;
    while (isUsed(clientId))
        clientId = m_context.newId();
    m_open.insert(clientId, serverId);
    return clientId;
}

std::optional<MessageId> ServerRequests::answered(const MessageId &clientId)
{
    if (m_lateIds.removeOne(clientId))
        return std::nullopt;
    const MessageId serverId = m_open.take(clientId);
    return serverId.isPresent() ? std::optional(serverId) : std::nullopt;
}

std::optional<MessageId> ServerRequests::cancelled(const MessageId &serverId)
{
    MessageId clientId = m_open.key(serverId);
    if (!m_open.remove(clientId))
        return std::nullopt;
    expectLateResponse(clientId); // the response may already be on its way
    return clientId;
}

QList<MessageId> ServerRequests::serverExited()
{
    QList<MessageId> open = m_open.keys();
    m_open.clear();
    for (const MessageId &id : std::as_const(open))
        expectLateResponse(id);
    return open;
}

void ServerRequests::expectLateResponse(const MessageId &clientId)
{
    m_lateIds.append(clientId);
    if (m_lateIds.size() > maximumLate)
        m_lateIds.removeFirst();
}

} // namespace Rekindle
