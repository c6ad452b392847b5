// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "forwardedrequests_p.h"

#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/mcpmembers_p.h"
#include "wire/messagewriter_p.h"

#include <algorithm>

namespace Rekindle {

ForwardedRequests::ForwardedRequests(GatewayContext &context)
    : m_context(context)
{
}

void ForwardedRequests::forward(int server, const QByteArray &line, const MessagePeek &peek)
{
    const MessageId id = m_context.newId();
    const MessageId token = progressTokenOf(line, peek);
    m_requests.insert(id, {server, peek.id, token});
    if (!token.isPresent()) {
        m_context.toClient(withId(line, peek, id.json()));
        return;
    }
    const QByteArray renamed =
        withMember(line, jsonMember(line, peek.params, "_meta"), "progressToken", id.json());
    m_context.toClient(withId(renamed, MessagePeek::at(renamed), id.json()));
}

void ForwardedRequests::cancel(int server, const QByteArray &line, const MessagePeek &peek)
{
    const MessageId id = requestIdOf(line, peek);
    const auto request =
        std::find_if(m_requests.begin(), m_requests.end(),
                     [&](const Request &open) { return open.server == server && open.id == id; });
    if (request == m_requests.end())
        return;
    m_context.toClient(withMember(line, peek.params, "requestId", request.key().json()));
    m_requests.erase(request);
}

void ForwardedRequests::answer(const QByteArray &line, const MessagePeek &peek)
{
    if (const Request request = m_requests.take(peek.id); request.id.isPresent())
        m_context.toServer(request.server, withId(line, peek, request.id.json()));
}

void ForwardedRequests::answerError(const MessageId &id, int code, const QString &why)
{
    if (const Request request = m_requests.take(id); request.id.isPresent())
        m_context.toServer(request.server, makeError(request.id.json(), code, why));
}

void ForwardedRequests::progress(const QByteArray &line, const MessagePeek &peek)
{
    const Request request = m_requests.value(progressTokenOf(line, peek));
    if (request.progressToken.isPresent())
        m_context.toServer(
            request.server,
            withMember(line, peek.params, "progressToken", request.progressToken.json()));
}

} // namespace Rekindle
