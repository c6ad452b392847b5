// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "inflightrequests_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype maximumRemembered = 1024; // ids and tokens

void insertBounded(QSet<MessageId> &ids, const MessageId &id)
{
    if (ids.size() >= maximumRemembered)
        ids.clear();
    ids.insert(id);
}

} // namespace

void InFlightRequests::add(ClientRequest request)
{
    const quint64 order = request.order;
    m_byId.insert(request.id, order);
    if (request.progressToken.isPresent())
        m_byToken.insert(request.progressToken, order);
    m_bytes += request.line.size();
    m_requests.emplace(order, std::move(request));
}

std::optional<quint64> InFlightRequests::orderOf(const MessageId &id) const
{
    std::optional<quint64> oldest;
    for (auto entry = m_byId.constFind(id); entry != m_byId.cend() && entry.key() == id; ++entry)
        oldest = std::min(oldest.value_or(*entry), *entry);
    return oldest;
}

ClientRequest *InFlightRequests::find(const MessageId &id)
{
    const auto order = orderOf(id);
    return order ? &m_requests.at(*order) : nullptr;
}

ClientRequest *InFlightRequests::findByToken(const MessageId &token)
{
    const auto order = m_byToken.constFind(token);
    return order != m_byToken.cend() ? &m_requests.at(*order) : nullptr;
}

ClientRequest InFlightRequests::take(quint64 order)
{
    auto node = m_requests.extract(order);
    const ClientRequest &request = node.mapped();
    m_byId.remove(request.id, order);
    if (request.progressToken.isPresent())
        m_byToken.remove(request.progressToken, order);
    m_bytes -= request.line.size();
    return std::move(node.mapped());
}

std::optional<ClientRequest> InFlightRequests::take(const MessageId &id)
{
    const auto order = orderOf(id);
    return order ? std::optional(take(*order)) : std::nullopt;
}

std::vector<ClientRequest>
InFlightRequests::takeIf(const std::function<bool(const ClientRequest &)> &matches)
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

void InFlightRequests::cancel(const MessageId &id)
{
    if (take(id))
        insertBounded(m_cancelled, id);
}

void InFlightRequests::dropProgressOf(const ClientRequest &request)
{
    if (request.progressToken.isPresent())
        insertBounded(m_finishedTokens, request.progressToken);
}

bool InFlightRequests::skipsProgress(QByteArrayView line, const MessagePeek &peek)
{
    const MessageId token = progressTokenOf(line, peek);
    ClientRequest *request = token.isPresent() ? findByToken(token) : nullptr;
    if (!request)
        return m_finishedTokens.contains(token);
    const JsonSpan value = jsonMember(line, peek.params, "progress");
    bool isNumber = false;
    const double progress = value.of(line).toByteArray().toDouble(&isNumber);
    if (!isNumber)
        return false;
    if (request->retries > 0 && request->lastProgress && progress <= *request->lastProgress)
        return true;
    request->lastProgress = progress;
    return false;
}

bool InFlightRequests::skipsAcknowledgment(QByteArrayView line, const MessagePeek &peek)
{
    const JsonSpan meta = jsonMember(line, peek.params, "_meta");
    const MessageId id = MessageId::ofJson(
        jsonMember(line, meta, "io.modelcontextprotocol/subscriptionId").of(line));
    for (auto &[order, request] : m_requests) {
        if (request.role != ClientRequest::Role::Listen || (id.isPresent() && !(request.id == id)))
            continue;
        return std::exchange(request.isAcknowledged, true) && request.isAgain;
    }
    return false;
}

void InFlightRequests::serverStarted()
{
    m_cancelled.clear();
    m_finishedTokens.clear();
}

std::optional<Instant> InFlightRequests::nextDeadline() const
{
    std::optional<Instant> next;
    for (const auto &[order, request] : m_requests)
        next = earlier(next, request.deadline);
    return next;
}

} // namespace Rekindle
