// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "inflightrequests_p.h"

#include "mcp/jsonrpc/mcpmembers_p.h"

#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype maximumRecorded = 1024; // ids and tokens

void insertBounded(QSet<MessageId> &ids, const MessageId &id)
{
    if (ids.size() >= maximumRecorded)
        ids.clear();
    ids.insert(id);
}

} // namespace

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
    if (request->wasSent && request->lastProgress && progress <= *request->lastProgress)
        return true;
    request->lastProgress = progress;
    return false;
}

bool InFlightRequests::skipsAcknowledgment(QByteArrayView line, const MessagePeek &peek)
{
    const JsonSpan meta = jsonMember(line, peek.params, "_meta");
    const MessageId id = MessageId::ofJson(
        jsonMember(line, meta, "io.modelcontextprotocol/subscriptionId").of(line));
    ClientRequest *const request = find(id);
    return request != nullptr && request->role == ClientRequest::Role::Listen
        && std::exchange(request->isAcknowledged, true) && request->wasSent;
}

void InFlightRequests::serverStarted()
{
    m_cancelled.clear();
    m_finishedTokens.clear();
}

} // namespace Rekindle
