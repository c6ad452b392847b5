// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "wire/messagepeek_p.h"

#include <rekindle/policy/timepoint.h>

#include <memory>
#include <optional>

namespace Rekindle {

/// Who sent a request to a proxy session.
enum class RequestOrigin {
    Client,
    Gateway, ///< the gateway in front of the session, for itself
};

struct PassingCall;

/// A request of the client, or a notification, which has no id.
struct ClientRequest
{
    /// What the session does with the response.
    enum class Role {
        Plain,
        Initialize,
        Discover,
        Listen, ///< subscriptions/listen: stays open across restarts
        Ping,
        List,
        ToolCall,
        Task, ///< about a task of the server
        SetLevel,
        Subscribe,
        Unsubscribe,
    };

    /// Reads a request or notification.
    static ClientRequest of(const QByteArray &line, const MessagePeek &peek);

    /// Whether it waits for a server that is not ready, and may be repeated. A gateway requests the
    /// lists of each new process itself.
    [[nodiscard]] bool isHoldable() const
    {
        return origin == RequestOrigin::Client || role == Role::Initialize;
    }

    [[nodiscard]] bool isOverdue(Instant now) const { return deadline && *deadline <= now; }

    quint64 order = 0; ///< of arrival
    RequestOrigin origin = RequestOrigin::Client;
    MessageId id{};
    QByteArray method{};
    QByteArray line{};
    Role role = Role::Plain;
    bool isRepeatable = false; ///< the method only reads, or sets what may be set twice
    QByteArray subject{};      ///< the tool's name, the resource's URI or the task's id
    bool isFirstPage = true;   ///< of List

    QByteArray traceParent{}; ///< of ToolCall: `_meta.traceparent`

    MessageId progressToken{};
    std::optional<double> lastProgress{}; ///< the last value that the client received

    int retries = 0;
    bool wasSent = false;       ///< before: the next attempt is a retry
    bool mayBeExecuted = false; ///< a server may have read it
    quint64 endOffset = 0;      ///< of its end in the bytes sent to the server, without the newline
    bool isAcknowledged = false; ///< of Listen: the client received the acknowledgment

    Instant arrived{};                 ///< set by a gateway that holds it
    Instant heldUntil{};               ///< set when it is held for the first time
    std::optional<Instant> deadline{}; ///< for its response

    std::shared_ptr<PassingCall> call{}; ///< of a tools/call of the client
    QByteArray response{};               ///< to the last attempt of a call that is sent again
};

/// The earlier of two instants that may be absent. Instant::max() counts as absent.
[[nodiscard]] std::optional<Instant> earlier(std::optional<Instant> one,
                                             std::optional<Instant> other);

} // namespace Rekindle
