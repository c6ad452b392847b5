// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "requestqueue_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {
qsizetype bytesOf(const ClientRequest &request)
{
    return request.line.size() + request.response.size();
}
} // namespace

RequestQueue::RequestQueue(qsizetype maximumCount, qsizetype maximumBytes)
    : m_maximumCount(maximumCount)
    , m_maximumBytes(maximumBytes)
{
}

bool RequestQueue::hasRoomFor(const ClientRequest &request) const
{
    return size() < m_maximumCount && m_bytes + bytesOf(request) <= m_maximumBytes;
}

void RequestQueue::add(ClientRequest request)
{
    const quint64 order = request.order;
    if (request.id.isPresent())
        m_byId.insert(request.id, order);
    if (request.progressToken.isPresent())
        m_byToken.insert(request.progressToken, order);
    if (request.deadline)
        m_deadlines.insert(*request.deadline);
    m_bytes += bytesOf(request);
    m_requests.emplace(order, std::move(request));
}

std::optional<quint64> RequestQueue::orderOf(const MessageId &id) const
{
    std::optional<quint64> oldest;
    for (auto entry = m_byId.constFind(id); entry != m_byId.cend() && entry.key() == id; ++entry)
        oldest = std::min(oldest.value_or(*entry), *entry);
    return oldest;
}

ClientRequest *RequestQueue::find(const MessageId &id)
{
    const auto order = orderOf(id);
    return order ? &m_requests.at(*order) : nullptr;
}

ClientRequest *RequestQueue::findByToken(const MessageId &progressToken)
{
    const auto order = m_byToken.constFind(progressToken);
    return order != m_byToken.cend() ? &m_requests.at(*order) : nullptr;
}

ClientRequest RequestQueue::take(quint64 order)
{
    auto node = m_requests.extract(order);
    const ClientRequest &request = node.mapped();
    m_byId.remove(request.id, order);
    m_byToken.remove(request.progressToken, order);
    if (request.deadline)
        m_deadlines.erase(m_deadlines.find(*request.deadline));
    m_bytes -= bytesOf(request);
    return std::move(node.mapped());
}

std::optional<ClientRequest> RequestQueue::take(const MessageId &id)
{
    const auto order = orderOf(id);
    return order ? std::optional(take(*order)) : std::nullopt;
}

std::vector<ClientRequest>
RequestQueue::takeIf(const std::function<bool(const ClientRequest &)> &matches)
{
    std::vector<ClientRequest> taken;
    for (auto entry = m_requests.begin(); entry != m_requests.end();) {
        const auto next = std::next(entry);
        if (matches(entry->second))
            taken.push_back(take(entry->first));
        entry = next;
    }
    return taken;
}

std::vector<ClientRequest> RequestQueue::takeAll()
{
    return takeIf([](const ClientRequest &) { return true; });
}

std::optional<Instant> RequestQueue::nextHeldUntil() const
{
    std::optional<Instant> next = nextDeadline();
    for (const auto &[order, request] : m_requests)
        next = earlier(next, request.heldUntil);
    return next;
}

qsizetype RequestQueue::requestCount() const
{
    return std::count_if(m_requests.begin(), m_requests.end(),
                         [](const auto &entry) { return entry.second.id.isPresent(); });
}

} // namespace Rekindle
