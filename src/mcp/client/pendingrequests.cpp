// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "pendingrequests_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

void PendingRequests::add(ClientRequest request)
{
    const quint64 order = request.order;
    m_byId.insert(request.id, order);
    if (request.progressToken.isPresent())
        m_byToken.insert(request.progressToken, order);
    m_bytes += request.line.size();
    m_requests.emplace(order, std::move(request));
}

std::optional<quint64> PendingRequests::orderOf(const MessageId &id) const
{
    std::optional<quint64> oldest;
    for (auto entry = m_byId.constFind(id); entry != m_byId.cend() && entry.key() == id; ++entry)
        oldest = std::min(oldest.value_or(*entry), *entry);
    return oldest;
}

ClientRequest *PendingRequests::find(const MessageId &id)
{
    const auto order = orderOf(id);
    return order ? &m_requests.at(*order) : nullptr;
}

ClientRequest *PendingRequests::findByToken(const MessageId &token)
{
    const auto order = m_byToken.constFind(token);
    return order != m_byToken.cend() ? &m_requests.at(*order) : nullptr;
}

std::optional<ClientRequest> PendingRequests::take(const MessageId &id)
{
    const auto order = orderOf(id);
    if (!order)
        return std::nullopt;
    auto node = m_requests.extract(*order);
    m_byId.remove(id, *order);
    if (node.mapped().progressToken.isPresent())
        m_byToken.remove(node.mapped().progressToken, *order);
    m_bytes -= node.mapped().line.size();
    return std::move(node.mapped());
}

std::vector<ClientRequest> PendingRequests::takeAll()
{
    std::vector<ClientRequest> all;
    all.reserve(m_requests.size());
    for (auto &[order, request] : m_requests)
        all.push_back(std::move(request));
    m_requests.clear();
    m_byId.clear();
    m_byToken.clear();
    m_bytes = 0;
    return all;
}

void PendingRequests::dropLines(const std::function<bool(const ClientRequest &)> &mayDrop)
{
    for (auto &[order, request] : m_requests) {
        if (request.line.isEmpty() || !mayDrop(request))
            continue;
        m_bytes -= request.line.size();
        request.line = {};
    }
}

MessageId ServerRequests::admit(const MessageId &serverId, const MessageId &spare)
{
    const MessageId clientId = isOwed(serverId) ? spare : serverId;
    m_open.insert(clientId, serverId);
    return clientId;
}

std::optional<MessageId> ServerRequests::answered(const MessageId &clientId)
{
    if (m_owed.remove(clientId)) {
        m_owedInOrder.removeOne(clientId);
        return std::nullopt;
    }
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
            owe(clientId); // it may answer nevertheless
            return clientId;
        }
    }
    return std::nullopt;
}

QList<MessageId> ServerRequests::serverGone()
{
    const QList<MessageId> open = m_open.keys();
    m_open.clear();
    for (const MessageId &id : open)
        owe(id);
    return open;
}

void ServerRequests::owe(const MessageId &clientId)
{
    m_owed.insert(clientId, true);
    m_owedInOrder.append(clientId);
    if (m_owedInOrder.size() > mostOwed)
        m_owed.remove(m_owedInOrder.takeFirst());
}

} // namespace Rekindle
