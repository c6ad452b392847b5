// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/callretry.h>
#include <rekindle/mcp/toolbackend.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/toolcallfinished.h>

#include <QFuture>
#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>

namespace Rekindle {

/// The preset `tool-call` (S3): 3 retries after 100 ms x2 to 1 s and up to half of it more, a
/// breaker that opens on 5 failed calls in a row, for 60 s.
[[nodiscard]] REKINDLE_MCP_EXPORT RestartPolicy toolCallPolicy();

/// How a ToolCaller calls.
struct ToolCallerOptions
{
    /// `type`, `maxRetries`, the delays, their jitter and `circuitBreaker` are used; the rest of a
    /// policy means nothing here. Without an end to the retries the deadline is one.
    RestartPolicy policy = toolCallPolicy();

    CallRetry retry = CallRetry::Safe;

    /// Of a whole call, over all attempts, waits and starts of the server; more than 0. As of all
    /// durations here, more than 10000 days are 10000 days.
    Duration deadline = std::chrono::minutes(5);

    /// Of one attempt, from its request, or its last progress, to the answer; more than 0.
    Duration attemptTimeout = std::chrono::seconds(60);

    /// Nothing is waited for that would leave less than this for an attempt; 0 and more.
    Duration shortestAttempt = std::chrono::milliseconds(10);

    /// What errors say about calls that are wrong in themselves (S3): they are not made again and
    /// do not count in the breaker, like errors -32600, -32601 and -32602. Compared with a part of
    /// the text of an error, or of a result that says that the tool has failed.
    QStringList inputErrors = {QStringLiteral("Unknown tool"), QStringLiteral("No test_path"),
                               QStringLiteral("Input validation error"),
                               QStringLiteral("MCP error -32602")};

    /// Uniform in [0, 1), for jitter. Without one the system's randomness seeds one.
    std::function<double()> random{};
};

/// What is different for one call.
struct ToolCallOptions
{
    std::optional<Duration> deadline{};
    std::optional<Duration> attemptTimeout{};
    std::optional<CallRetry> retry{};

    /// Of all attempts: it may begin anew with each. Called from the thread of the caller.
    std::function<void(const McpProgress &)> onProgress{};
};

/// What became of a call, or of a question for the tools.
struct ToolCallOutcome
{
    /// The last answer or error. Where the breaker refused, an error of kind NotReady.
    ToolResult result{};
    ToolCallEnd end = ToolCallEnd::Answered;
    QList<ToolCallAttempt> attempts{}; ///< none where it was refused before its first attempt
    Duration duration{0};

    /// Of BreakerOpen: after this it may be worth asking again.
    std::optional<Duration> retryAfter{};
    bool breakerOpened = false; ///< by this call

    /// How often it was tried again.
    [[nodiscard]] int retries() const { return qMax(0, static_cast<int>(attempts.size()) - 1); }

    /// The tool has answered, and not that it has failed.
    [[nodiscard]] bool succeeded() const
    {
        return end == ToolCallEnd::Answered && !result.error && !result.isError();
    }
};

/// What became of listTools(): where it ended with Answered, `tools` is the list.
struct ToolListOutcome : ToolCallOutcome
{
    QList<McpTool> tools{};
};

/// Calls tools of one server, again where that is safe and may help:
/// deadline(breaker(retry(call))) (spec 9, S3, S0).
///
/// A call waits for its server (ToolBackend::ensureStarted()), within its deadline. It is made
/// again as the policy says after an error that may pass, if that is safe: no server has read it,
/// or the tool is annotated read-only or idempotent, or CallRetry::Always says so. Who starts the
/// server has tried as often as its own policy allows, so that a start that fails ends the call.
///
/// Each tool has a circuit breaker. A call whose last attempt ended with an error of the server,
/// with nonsense or with no answer in time is a failure; with CallRetry::Always so is a result with
/// isError, which elsewhere is an answer, and a success. Wrong input, a server that died or was not
/// there, and a call that was cancelled are no evidence, and a half-open breaker gives its place
/// to the next call. A call that is between two attempts when others open the breaker ends there.
///
/// With ToolBackend::restartsOnExit() a call or listTools() whose server is gone has it started
/// anew, once, and is made again once, at once and beside the policy's retries (S0), but only where
/// that is safe: a call that was read by a server that died may have been carried out. What is
/// not made again leaves the start to the next call. A call without an answer in time has no
/// server started anew: others may be using it. A second loss ends the call as AttemptsExhausted,
/// however many retries the policy has left.
///
/// Use it from the thread it lives in. Any method may be called from any slot or continuation,
/// deletion included. What is pending at its deletion is cancelled.
class REKINDLE_MCP_EXPORT ToolCaller : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive it. Calls whose backend goes all the same end as NotRetryable.
    ToolCaller(ToolBackend &backend, Scheduler &scheduler, ToolCallerOptions options = {},
               QObject *parent = nullptr);
    ~ToolCaller() override;

    /// Never blocks, never throws. The future has an outcome, or is cancelled: QFuture::cancel(),
    /// from any thread, ends waits and tells the server. It may have its outcome on return, where
    /// the breaker refuses for example: a continuation that makes the next call does so from within
    /// then(), so who makes many queues them.
    QFuture<ToolCallOutcome> call(const QString &tool, const QJsonObject &arguments = {},
                                  const ToolCallOptions &options = {});

    /// Asks the server for its tools. As call(), without a breaker.
    QFuture<ToolListOutcome> listTools(const ToolCallOptions &options = {});

    /// How many have not come to an end.
    [[nodiscard]] int pendingCount() const;

    /// Of a tool; a closed one where it was never called.
    [[nodiscard]] CircuitBreakerInfo breaker(const QString &tool) const;

    /// Closed again by hand, its failures forgotten.
    void resetBreaker(const QString &tool);

Q_SIGNALS:
    // `call` numbers the calls of this object from 1; `tool` is empty for listTools(); attempts
    // count from 1. The first signals of a call come before call() returns.

    void attemptStarted(quint64 call, const QString &tool, int attempt);
    void attemptFailed(quint64 call, const QString &tool, int attempt,
                       const Rekindle::ToolCallAttempt &how);
    /// The next attempt comes after `delay`.
    void retryScheduled(quint64 call, const QString &tool, int attempt, Rekindle::Duration delay);
    /// The server is started anew for the next attempt (S0).
    void respawning(quint64 call, const QString &tool);

    /// `retryAfter`: where it opened, until it lets a call pass.
    void breakerStateChanged(const QString &tool, Rekindle::CircuitBreakerState oldState,
                             Rekindle::CircuitBreakerState newState, Rekindle::Duration retryAfter);

    /// Of call(), before its future has the outcome; not for what is pending at the deletion.
    void callFinished(const Rekindle::ToolCallFinished &call);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::ToolCallOutcome)
Q_DECLARE_METATYPE(Rekindle::ToolListOutcome)
