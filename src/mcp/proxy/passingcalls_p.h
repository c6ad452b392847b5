// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "listwatch_p.h"
#include "mcp/tools/toolbreakers_p.h"

#include <rekindle/policy/toolcallfinished.h>

namespace Rekindle {

/// The state of a tools/call request of the client, from its arrival to its response.
struct PassingCall
{
    quint64 number = 0; ///< counts the calls of the session
    Instant begun{};
    CircuitBreaker::Generation generation = 0;
    MessageId clientId{}; ///< a retry has an id of its own, because MCP forbids to reuse one
    int retries = 0;      ///< after a response that reports a failure
    Duration delay{0};    ///< before the current or next attempt
    bool isAttemptOpen = false;
    QList<ToolCallAttempt> attempts{};
};

/// Tool calls that pass through a proxy session (S3): failed ones are retried if that is safe, each
/// tool has a circuit breaker, and each call is recorded. Only calls of the client count; their
/// requests have a PassingCall.
///
/// A call fails if the response is an error; with CallRetry::Always also if it is a result with
/// isError. What it means is judged as for a ToolCaller.
class PassingCalls
{
public:
    PassingCalls(ProxyContext &context, const ListWatch &lists);

    /// A request has arrived. If the breaker of its tool rejects it, answers it and returns false.
    [[nodiscard]] bool admit(ClientRequest &request);
    /// It is sent to a server: an attempt begins.
    void sent(const ClientRequest &request) const;
    /// Its server has exited: the attempt has failed.
    void lost(const ClientRequest &request) const;
    /// Its server has responded. Takes the request and returns true if it is retried later.
    [[nodiscard]] bool retryLater(ClientRequest &request, const QByteArray &line,
                                  const MessagePeek &peek);
    /// It is sent again after the exit of its server: it must end at the deadline of all attempts.
    void limit(ClientRequest &request) const;
    /// The server is replaced on request, for example because its code has changed: what its tools
    /// did before does not count.
    void serverReplaced() { m_breakers.reset(); }
    /// The client gets an error of the proxy instead of a response. Answers the request and returns
    /// true if its deadline has passed and an earlier attempt has a response.
    [[nodiscard]] bool refused(const ClientRequest &request, const ProxyRefusal &refusal);
    void cancelled(const ClientRequest &request);

    /// The request that waits for its next attempt, if the client cancels it.
    [[nodiscard]] std::optional<ClientRequest> take(const MessageId &id)
    {
        return m_waiting.take(id);
    }
    /// The requests whose next attempt is due. Answers those that get no other attempt.
    [[nodiscard]] std::vector<ClientRequest> takeDue();
    /// Answers the requests that wait, with their last responses.
    void clientClosed();

    [[nodiscard]] std::optional<Instant> deadline() const { return m_waiting.nextHeldUntil(); }
    [[nodiscard]] qsizetype waitingCount() const { return m_waiting.size(); }

    /// The id of a request that the client knows by another one.
    [[nodiscard]] MessageId currentId(const MessageId &clientId) const
    {
        return m_currentIds.value(clientId, clientId);
    }

private:
    [[nodiscard]] std::optional<ToolCallEnd>
    scheduleRetry(ClientRequest &request, const QByteArray &line, const MessagePeek &peek);
    void closeAttempt(PassingCall &call, const ToolCallFailure &failure) const;
    void end(const ClientRequest &request, ToolCallEnd how, ToolCallVerdict::Evidence evidence,
             const ToolCallFailure &failure);
    void answer(const ClientRequest &request, ToolCallEnd how);

    ProxyContext &m_context;
    const ListWatch &m_lists;
    ToolBreakers m_breakers;
    RequestQueue m_waiting;                   ///< for the next attempt, each until its heldUntil
    QHash<MessageId, MessageId> m_currentIds; ///< of retried requests, by the client's id
    quint64 m_count = 0;                      ///< of calls
    quint64 m_endedCount = 0;
};

/// The id by which the client knows the request.
[[nodiscard]] const MessageId &clientIdOf(const ClientRequest &request);

/// The response, with the client's id.
[[nodiscard]] QByteArray responseFor(const ClientRequest &request, const QByteArray &line,
                                     const MessagePeek &peek);

} // namespace Rekindle
