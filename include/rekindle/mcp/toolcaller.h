// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/toolbackend.h>
#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/presets.h>
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

/// Options of a ToolCaller. A duration above 10,000 days is replaced by 10,000 days.
struct ToolCallerOptions
{
    /// Retries and breaker: `type`, `maxRetries`, the delays, their jitter and `circuitBreaker` are
    /// used. Other members have no effect. The deadline also limits unlimited retries. The preset
    /// (S3) has 3 retries with delays from 100 ms, doubling to 1 s, plus up to 50 %; its breaker
    /// opens for 60 s after 5 consecutive failed calls.
    RestartPolicy policy = *preset(u"tool-call");

    CallRetry retry = CallRetry::Safe;

    /// Time for a whole call, with all attempts, waits and server starts; more than 0.
    Duration deadline = std::chrono::minutes(5);

    /// Time for one attempt, from its request or its last progress to the response; more than 0.
    Duration attemptTimeout = std::chrono::seconds(60);

    /// A retry that would have less time than this is not made; 0 or more.
    Duration shortestAttempt = std::chrono::milliseconds(10);

    /// Texts that identify invalid input (S3), and texts of SDKs for unknown tools and canceled
    /// requests. An error, or a result with isError, that contains one of them is not retried and
    /// does not count in the breaker. The same applies to the errors -32600, -32601, -32602, -32042
    /// (URL elicitation required) and -32800 (canceled).
    QStringList inputErrors = {
        QStringLiteral("Unknown tool"),           QStringLiteral("No such tool"),
        QStringLiteral("Tool not found"),         QStringLiteral("No test_path"),
        QStringLiteral("Input validation error"), QStringLiteral("MCP error -32602"),
        QStringLiteral("Request cancelled"),      QStringLiteral("Request canceled")};

    /// Returns numbers that are uniform in [0, 1), for jitter. Empty: a generator with a seed from
    /// the system.
    std::function<double()> random{};
};

/// Options of one call, which replace the options of the ToolCaller.
struct ToolCallOptions
{
    std::optional<Duration> deadline{};
    std::optional<Duration> attemptTimeout{};
    std::optional<CallRetry> retry{};

    /// Members of `_meta` in each request of the call, for example the trace context of W3C:
    /// `traceparent`, `tracestate` and `baggage`.
    QJsonObject meta{};

    /// Called for the progress of all attempts, in the thread of the caller. The progress can start
    /// again with each attempt.
    std::function<void(const McpProgress &)> onProgress{};
};

/// The outcome of a call or of listTools().
struct ToolCallOutcome
{
    /// The last response or error. If the breaker rejected the call, an error of kind NotReady.
    ToolResult result{};
    ToolCallEnd end = ToolCallEnd::Answered;
    QList<ToolCallAttempt> attempts{}; ///< empty if the call was rejected before its first attempt
    Duration duration{0};

    /// If BreakerOpen: time until the breaker admits a call.
    std::optional<Duration> retryAfter{};
    bool breakerOpened = false; ///< by this call

    /// Returns the number of retries.
    [[nodiscard]] int retries() const { return qMax(0, static_cast<int>(attempts.size()) - 1); }

    /// Returns whether the tool answered without isError.
    [[nodiscard]] bool succeeded() const
    {
        return end == ToolCallEnd::Answered && !result.error && !result.isError();
    }
};

/// The outcome of listTools(). If it is Answered, `tools` is the list.
struct ToolListOutcome : ToolCallOutcome
{
    QList<McpTool> tools{};
};

/// Performs one attempt of a call in this process, and returns its response. An exception counts as
/// an error of the tool. If the deadline passes, the future is canceled.
using ToolHandler =
    std::function<QFuture<McpAnswer>(const QString &tool, const QJsonObject &arguments)>;

/// Calls the tools of one server with retries: deadline(breaker(retry(call))) (spec 9, S3, S0). A
/// server can do the same with its own handlers.
///
/// A call waits for its server (ToolBackend::ensureStarted()), within its deadline. After a
/// temporary error it is retried by the policy if that is safe: no server has read it, the tool is
/// annotated read-only or idempotent, or CallRetry::Always is set. If the server cannot be started,
/// the call ends, because the policy of the server has already retried the start.
///
/// Each tool has a circuit breaker. A call is a failure if its last attempt ended with an error of
/// the server, a malformed response or no response in time. With CallRetry::Always, a result with
/// isError is a failure too; otherwise it is a success. Invalid input, a server that exited or was
/// not there, and a canceled call do not count; a half-open breaker then admits the next call. If
/// the breaker opens between two attempts of a call, the call ends.
///
/// With ToolBackend::restartsOnExit(), a call whose server has exited starts the server again and
/// is retried at once, if a retry is safe. This happens once for each call, in addition to the
/// retries of the policy (S0). If the server exits again, the call ends as AttemptsExhausted. A
/// call without a response in time does not restart the server, because other calls may use it; but
/// listTools() does.
///
/// Use it from the thread it lives in. Any method may be called from any slot or continuation, and
/// the object may be deleted there. Pending calls are then canceled.
class REKINDLE_MCP_EXPORT ToolCaller : public QObject
{
    Q_OBJECT

public:
    /// Both `backend` and `scheduler` must outlive the object. If the backend is destroyed earlier,
    /// its calls end as NotRetryable.
    ToolCaller(ToolBackend &backend, Scheduler &scheduler, ToolCallerOptions options = {},
               QObject *parent = nullptr);

    /// Calls a handler instead of a server: for a server that wraps its own tools (S3). `name` is
    /// the `agent` of callFinished(). No tool is annotated, so that only CallRetry::Always retries.
    /// The attemptTimeout has no effect, and listTools() ends as NotRetryable.
    ToolCaller(const QString &name, ToolHandler handler, Scheduler &scheduler,
               ToolCallerOptions options = {}, QObject *parent = nullptr);
    ~ToolCaller() override;

    /// Calls a tool. Never blocks and never throws. The future contains an outcome or is canceled.
    /// QFuture::cancel() may be called from any thread; it ends waits and sends a cancellation to
    /// the server. The outcome can be available on return, for example if the breaker rejects the
    /// call. A continuation then runs inside then(). Queue further calls to avoid deep recursion.
    QFuture<ToolCallOutcome> call(const QString &tool, const QJsonObject &arguments = {},
                                  const ToolCallOptions &options = {});

    /// Requests the tools of the server. Works as call(), without a breaker.
    QFuture<ToolListOutcome> listTools(const ToolCallOptions &options = {});

    /// Returns the breaker of a tool. It is closed for a tool that was never called.
    [[nodiscard]] CircuitBreakerInfo breaker(const QString &tool) const;

Q_SIGNALS:
    // `call` is the number of the call, starting at 1. `tool` is empty for listTools(). Attempts
    // start at 1. The first signals of a call are emitted before call() returns.

    void attemptStarted(quint64 call, const QString &tool, int attempt);
    void attemptFailed(quint64 call, const QString &tool, int attempt,
                       const Rekindle::ToolCallAttempt &how);
    /// The next attempt starts after `delay`.
    void retryScheduled(quint64 call, const QString &tool, int attempt, Rekindle::Duration delay);
    /// The server is started again for the next attempt (S0).
    void respawning(quint64 call, const QString &tool);

    /// The state of a breaker changed. If it opened, `retryAfter` is the time until it admits a
    /// call.
    void breakerStateChanged(const QString &tool, Rekindle::CircuitBreakerState oldState,
                             Rekindle::CircuitBreakerState newState, Rekindle::Duration retryAfter);

    /// Emitted by call() before its future has the outcome. Not emitted for calls that are pending
    /// at the deletion.
    void callFinished(const Rekindle::ToolCallFinished &call);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::ToolCallOutcome)
Q_DECLARE_METATYPE(Rekindle::ToolListOutcome)
