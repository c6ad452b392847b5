// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "requestqueue_p.h"

#include <QSet>

namespace Rekindle {

/// The requests that were sent to the server and have no response yet.
class InFlightRequests : public RequestQueue
{
public:
    /// The client cancelled a request; its response may still arrive and is then forwarded.
    void cancel(const MessageId &id);
    [[nodiscard]] bool isCancelled(const MessageId &id) const { return m_cancelled.contains(id); }
    [[nodiscard]] bool takeCancelled(const MessageId &id) { return m_cancelled.remove(id); }

    /// The client got a response from the proxy: no progress may follow it.
    void dropProgressOf(const ClientRequest &request);
    /// Returns whether the client must not see this progress notification, and records its value
    /// otherwise: values must grow, and another server starts from the beginning.
    [[nodiscard]] bool skipsProgress(QByteArrayView line, const MessagePeek &peek);
    /// Returns whether the client has seen this acknowledgment of a subscription from another
    /// server, and records it.
    [[nodiscard]] bool skipsAcknowledgment(QByteArrayView line, const MessagePeek &peek);

    void serverStarted();

private:
    QSet<MessageId> m_cancelled;
    QSet<MessageId> m_finishedTokens;
};

} // namespace Rekindle
