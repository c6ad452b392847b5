// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/toolcaller.h>

#include "mcp/client/handshake_p.h"
#include "toolbreakers_p.h"

#include <QPointer>

namespace Rekindle {

/// What the calls of one ToolCaller share.
struct ToolCallContext
{
    /// Returns nothing if the backend can be in its destructor.
    [[nodiscard]] ToolBackend *backend() const { return isBackendLost ? nullptr : pointer.data(); }

    /// Emits breakerStateChanged() if the state is no longer `before`.
    void reportBreaker(const QString &tool, CircuitBreakerState before);

    ToolCaller &caller; ///< whose signals the calls emit
    Scheduler &scheduler;
    ToolBreakers breakers;
    ToolCallerOptions options;
    QPointer<ToolBackend> pointer;
    ToolHandler handler; ///< instead of a backend
    bool isBackendLost = false;
};

/// One call of a tool, or one listing, from its first attempt to its end.
///
/// A slot or continuation can end the call or delete the ToolCaller, which ends the call too. A
/// function that has emitted a signal therefore continues only if the call has not ended.
class ToolCall : public std::enable_shared_from_this<ToolCall>
{
public:
    struct Request
    {
        quint64 id = 0;
        QString tool{}; ///< empty for a listing
        QJsonObject arguments{};
        ToolCallOptions options{};
        std::function<bool()> isCanceled{};

        /// Called once at the end, unless the call is discarded.
        std::function<void(ToolCall &)> ended{};
    };

    /// The longest duration. Added to an instant, it does not overflow.
    static constexpr Duration longest = std::chrono::days(10'000);

    /// The deadline starts here. `context` must exist until the call has ended.
    ToolCall(ToolCallContext &context, Request request);

    /// Makes the first attempt, or ends the call if its breaker is open.
    void begin();

    /// Does nothing if the call has ended.
    void cancel();
    void loseBackend();

    /// Ends the call without an outcome.
    void discard();

    [[nodiscard]] quint64 id() const { return m_request.id; }
    [[nodiscard]] const QString &tool() const { return m_request.tool; }
    [[nodiscard]] bool isListing() const { return m_request.tool.isEmpty(); }
    [[nodiscard]] const QJsonObject &meta() const { return m_request.options.meta; }

    /// Returns 0 if the breaker did not admit the call.
    [[nodiscard]] CircuitBreaker::Generation generation() const { return m_generation; }

    /// Returns what the last attempt means for the breaker.
    [[nodiscard]] ToolCallVerdict::Evidence evidence() const { return m_evidence; }
    [[nodiscard]] const ToolListOutcome &outcome() const { return m_outcome; }

private:
    enum class Phase { None, Starting, Requested };

    /// Returns the call if `step` is still its current step.
    [[nodiscard]] static std::shared_ptr<ToolCall> current(const std::weak_ptr<ToolCall> &call,
                                                           quint64 step);

    void attempt();
    void reject();
    void started(const QFuture<ToolBackend::Start> &start);
    void sendRequest();
    void request(const QString &method, const QJsonObject &params,
                 const OutgoingRequests::Answered &answered);
    [[nodiscard]] QFuture<McpAnswer> callHandler();
    void responseCanceled();
    void answered(const ToolResult &result);
    void retryLater();
    void deadlineReached();

    void failAttempt(const ToolResult &result);
    void closeAttempt(const ToolResult &result);
    void cancelPending();
    void finish(ToolCallEnd end);

    [[nodiscard]] Instant deadline() const { return m_deadline.due(); }
    [[nodiscard]] CallOptions callOptions() const;
    [[nodiscard]] bool isRepeatable() const;
    [[nodiscard]] int attemptCount() const { return static_cast<int>(m_outcome.attempts.size()); }
    [[nodiscard]] QString lateStartText(Duration waited) const;

    ToolCallContext &m_context;
    const Request m_request;
    const Instant m_started;
    Deadline m_deadline;
    Deadline m_nextAttempt;
    CircuitBreaker::Generation m_generation = 0;
    ToolListOutcome m_outcome;
    ToolCallVerdict::Evidence m_evidence = ToolCallVerdict::Evidence::None;
    Duration m_delay{0}; // before the next attempt
    int m_retries = 0;   // of the policy, without the one after a respawn
    bool m_hasRespawned = false;
    bool m_respawnNext = false;
    bool m_isServerHung = false;
    bool m_hasEnded = false;

    // The current attempt
    Phase m_phase = Phase::None;
    quint64 m_step = 0; // identifies late results of earlier steps
    QFuture<ToolBackend::Start> m_start;
    QFuture<McpAnswer> m_response;
    std::optional<ToolListing> m_listing;
};

} // namespace Rekindle
