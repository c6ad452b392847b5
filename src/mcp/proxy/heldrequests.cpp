// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "heldrequests_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

HeldRequests::HeldRequests(qsizetype maximumCount, qsizetype maximumBytes)
    : m_maximumCount(maximumCount)
    , m_maximumBytes(maximumBytes)
{
}

bool HeldRequests::hasRoomFor(const ClientRequest &request) const
{
    return static_cast<qsizetype>(m_requests.size()) < m_maximumCount
        && m_bytes + request.line.size() <= m_maximumBytes;
}

void HeldRequests::add(ClientRequest request)
{
    m_bytes += request.line.size();
    m_requests.emplace(request.order, std::move(request));
}

std::vector<ClientRequest>
HeldRequests::takeIf(const std::function<bool(const ClientRequest &)> &matches)
{
    std::vector<ClientRequest> taken;
    std::erase_if(m_requests, [&](auto &entry) {
        if (!matches(entry.second))
            return false;
        m_bytes -= entry.second.line.size();
        taken.push_back(std::move(entry.second));
        return true;
    });
    return taken;
}

bool HeldRequests::cancel(const MessageId &id)
{
    const auto held = std::find_if(m_requests.begin(), m_requests.end(), [&id](const auto &entry) {
        return entry.second.id.isPresent() && entry.second.id == id;
    });
    if (held == m_requests.end())
        return false;
    m_bytes -= held->second.line.size();
    m_requests.erase(held);
    return true;
}

std::optional<Instant> HeldRequests::nextDeadline() const
{
    std::optional<Instant> next;
    for (const auto &[order, request] : m_requests)
        next = earlier(next, earlier(request.heldUntil, request.deadline));
    return next;
}

qsizetype HeldRequests::requestCount(bool withGateway) const
{
    return std::count_if(m_requests.begin(), m_requests.end(), [&](const auto &entry) {
        return entry.second.id.isPresent()
            && (withGateway || entry.second.origin == RequestOrigin::Client);
    });
}

} // namespace Rekindle
