// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "serverrequests_p.h"

namespace Rekindle {

MessageId ServerRequests::admit(const MessageId &serverId)
{
    const MessageId clientId = m_owed.contains(serverId) ? m_context.newId() : serverId;
    m_open.insert(clientId, serverId);
    return clientId;
}

std::optional<MessageId> ServerRequests::answered(const MessageId &clientId)
{
    if (m_owed.removeOne(clientId))
        return std::nullopt;
    const auto open = m_open.constFind(clientId);
    if (open == m_open.cend())
        return std::nullopt;
    MessageId serverId = *open;
    m_open.erase(open);
    return serverId;
}

std::optional<MessageId> ServerRequests::cancelled(const MessageId &serverId)
{
    for (auto open = m_open.cbegin(); open != m_open.cend(); ++open) {
        if (open.value() == serverId) {
            MessageId clientId = open.key();
            m_open.erase(open);
            owe(clientId); // the response may already be on its way
            return clientId;
        }
    }
    return std::nullopt;
}

QList<MessageId> ServerRequests::serverEnded()
{
    const QList<MessageId> open = m_open.keys();
    m_open.clear();
    for (const MessageId &id : open)
        owe(id);
    return open;
}

void ServerRequests::owe(const MessageId &clientId)
{
    m_owed.append(clientId);
    if (m_owed.size() > maximumOwed)
        m_owed.removeFirst();
}

} // namespace Rekindle
