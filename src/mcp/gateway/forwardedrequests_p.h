// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "gatewaycontext_p.h"

#include <QHash>

namespace Rekindle {

/// The requests of servers that the client processes. Each gets an id and a progress token of the
/// gateway, because two servers may have chosen the same. The proxy session of each server limits
/// their number.
class ForwardedRequests
{
public:
    explicit ForwardedRequests(GatewayContext &context);

    void forward(int server, const QByteArray &line, const MessagePeek &peek);
    /// The server cancelled a request.
    void cancel(int server, const QByteArray &line, const MessagePeek &peek);

    // The client. Unknown ids are ignored.
    [[nodiscard]] bool isOpen(const MessageId &id) const { return m_requests.contains(id); }
    void answer(const QByteArray &line, const MessagePeek &peek);
    void answerError(const MessageId &id, int code, const QString &why);
    void progress(const QByteArray &line, const MessagePeek &peek);

private:
    struct Request
    {
        int server = -1;
        MessageId id{};
        MessageId progressToken{};
    };

    GatewayContext &m_context;
    QHash<MessageId, Request> m_requests; // by the client's id
};

} // namespace Rekindle
