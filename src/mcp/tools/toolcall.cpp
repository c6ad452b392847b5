// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/readyfuture_p.h"
#include "toolcall_p.h"

#include <QFutureWatcher>

#include <algorithm>
#include <functional>
#include <utility>

namespace Rekindle {

namespace {

using Evidence = ToolCallVerdict::Evidence;

ToolResult makeFault(McpError::Kind kind, const QString &message, bool wasWritten)
{
    return ToolResult{{McpError{.kind = kind, .message = message, .wasWritten = wasWritten}, {}}};
}

// Rounds for people: to tenths of a second, short times to milliseconds.
Duration rounded(Duration time)
{
    using Tenths = std::chrono::duration<std::int64_t, std::deci>;
    if (time < std::chrono::seconds(1))
        return std::chrono::round<std::chrono::milliseconds>(time);
    return std::chrono::round<Tenths>(time);
}

// Cancels only what is pending: Qt 6.4 follows a pointer to a continuation that is freed with the
// promise.
template<typename Answer>
void cancelUnfinished(QFuture<Answer> &future)
{
    if (!future.isFinished())
        future.cancel();
    future = QFuture<Answer>();
}

} // namespace

void ToolCallContext::reportBreaker(const QString &tool, CircuitBreakerState before)
{
    const CircuitBreakerState after = breakers.of(tool).state();
    if (after == before)
        return;
    const Duration open = after == CircuitBreakerState::Open
        ? breakers.retryAfter(tool, scheduler.now())
        : Duration{0};
    Q_EMIT caller.breakerStateChanged(tool, before, after, open);
}

ToolCall::ToolCall(ToolCallContext &context, Request request)
    : m_context(context)
    , m_request(std::move(request))
    , m_started(context.scheduler.now())
    , m_deadline(context.scheduler, [this] { deadlineReached(); })
    , m_nextAttempt(context.scheduler, [this] { attempt(); })
{
    m_deadline.armIn(
        std::min(longest, m_request.options.deadline.value_or(context.options.deadline)));
}

std::shared_ptr<ToolCall> ToolCall::current(const std::weak_ptr<ToolCall> &call, quint64 step)
{
    const std::shared_ptr<ToolCall> locked = call.lock();
    return locked && !locked->m_hasEnded && locked->m_step == step ? locked : nullptr;
}

void ToolCall::begin()
{
    if (!isListing()) {
        const CircuitBreakerState before = m_context.breakers.of(tool()).state();
        const CircuitBreaker::Admission admission =
            m_context.breakers.admit(tool(), m_context.scheduler.now(), deadline());
        if (!admission.admitted) {
            reject();
            return;
        }
        m_generation = admission.generation;
        m_context.reportBreaker(tool(), before);
    }
    if (!m_hasEnded)
        attempt();
}

void ToolCall::attempt()
{
    const auto self = shared_from_this();
    if (m_request.isCanceled()) { // and the event of its watcher is pending
        cancel();
        return;
    }
    if (!isListing() && !m_context.breakers.isAdmitted(tool(), m_generation)) {
        reject();
        return;
    }
    const quint64 step = ++m_step;
    m_phase = Phase::Starting;
    m_outcome.attempts.push_back(
        {.delay = m_delay, .begun = m_context.scheduler.now() - m_started});
    Q_EMIT m_context.caller.attemptStarted(id(), tool(), attemptCount());
    if (m_hasEnded)
        return;
    if (m_context.handler && !isListing()) {
        sendRequest();
        return;
    }
    ToolBackend *const backend = m_context.backend();
    if (!backend) {
        loseBackend();
        return;
    }
    // Another call may have restarted the server in the meantime.
    const bool respawn =
        std::exchange(m_respawnNext, false) && (m_isServerHung || !backend->client().isReady());
    const Duration left = std::max(Duration{0}, deadline() - m_context.scheduler.now());
    if (respawn) {
        Q_EMIT m_context.caller.respawning(id(), tool());
        if (m_hasEnded)
            return;
    }
    const QFuture<ToolBackend::Start> start =
        respawn ? backend->respawn(left) : backend->ensureStarted(left);
    if (m_hasEnded)
        return;
    m_start = start;
    if (start.isFinished()) {
        started(start);
        return;
    }
    // Not then(), which would run this code inside the code of the backend.
    auto *watcher = new QFutureWatcher<ToolBackend::Start>(&m_context.caller);
    QObject::connect(watcher, &QFutureWatcherBase::finished, &m_context.caller,
                     [watcher, step, weak = weak_from_this()] {
                         watcher->deleteLater();
                         if (const auto call = current(weak, step))
                             call->started(watcher->future());
                     });
    watcher->setFuture(start);
}

void ToolCall::started(const QFuture<ToolBackend::Start> &start)
{
    if (start.isCanceled() || start.resultCount() == 0 || !m_context.backend()) {
        loseBackend();
        return;
    }
    ToolCallAttempt &attempt = m_outcome.attempts.last();
    attempt.waitedForServer = m_context.scheduler.now() - m_started - attempt.begun;
    const ToolBackend::Start fault = start.result();
    if (!fault) {
        sendRequest();
        return;
    }
    m_evidence = Evidence::None;
    failAttempt(ToolResult{{fault, {}}});
    finish(ToolCallEnd::NotRetryable);
}

CallOptions ToolCall::callOptions() const
{
    CallOptions options;
    options.longest = std::max(Duration{1}, deadline() - m_context.scheduler.now());
    options.timeout =
        std::min({longest, options.longest,
                  m_request.options.attemptTimeout.value_or(m_context.options.attemptTimeout)});
    options.onProgress = m_request.options.onProgress;
    return options;
}

void ToolCall::sendRequest()
{
    ++m_step;
    m_phase = Phase::Requested;
    if (!isListing()) {
        request(
            QStringLiteral("tools/call"),
            {{QLatin1String("name"), tool()}, {QLatin1String("arguments"), m_request.arguments}},
            [this](const McpAnswer &answer) { answered(ToolResult{answer}); });
        return;
    }
    m_listing.emplace(std::bind_front(&ToolCall::request, this));
    m_listing->start([this](const std::optional<McpError> &error, const QList<McpTool> &tools) {
        m_outcome.tools = tools;
        answered(ToolResult{{error, {}}});
    });
}

// `answered` is called only while this call exists and waits for the response.
void ToolCall::request(const QString &method, const QJsonObject &params,
                       const OutgoingRequests::Answered &answered)
{
    ToolBackend *const backend = m_context.backend();
    if (!backend && !m_context.handler) {
        loseBackend();
        return;
    }
    QJsonObject sent = params;
    if (!meta().isEmpty())
        sent.insert(QLatin1String("_meta"), meta());
    const QFuture<McpAnswer> response =
        m_context.handler ? callHandler() : backend->client().request(method, sent, callOptions());
    if (m_hasEnded)
        return;
    m_response = response;
    auto after = m_response.then(
        [answered, weak = weak_from_this(), step = m_step](const McpAnswer &answer) {
            if (const auto call = current(weak, step))
                answered(answer);
        });
    if (response.isFinished() && !response.isCanceled())
        return;
    // The continuation of a canceled future never runs.
    auto *watcher = new QFutureWatcher<McpAnswer>(&m_context.caller);
    QObject::connect(watcher, &QFutureWatcherBase::canceled, &m_context.caller,
                     [step = m_step, weak = weak_from_this()] {
                         if (const auto call = current(weak, step))
                             call->responseCanceled();
                     });
    QObject::connect(watcher, &QFutureWatcherBase::finished, watcher, &QObject::deleteLater);
    watcher->setFuture(response);
}

QFuture<McpAnswer> ToolCall::callHandler()
{
    const auto failed = [](const QString &message) {
        return readyFuture(McpAnswer{
            McpError{.kind = McpError::Kind::Refused, .message = message, .wasWritten = true}, {}});
    };
    try {
        return m_context.handler(tool(), m_request.arguments);
    } catch (const std::exception &exception) {
        return failed(QString::fromUtf8(exception.what()));
    } catch (...) {
        return failed(QStringLiteral("The handler threw an unknown exception"));
    }
}

// By a handler. Or the backend is in its destructor, or has replaced its client and continues.
void ToolCall::responseCanceled()
{
    if (m_context.handler) {
        answered(
            makeFault(McpError::Kind::Lost, QStringLiteral("The handler canceled the call"), true));
        return;
    }
    QMetaObject::invokeMethod(
        &m_context.caller,
        [&context = m_context] { context.isBackendLost = context.pointer.isNull(); },
        Qt::QueuedConnection);
    loseBackend();
}

bool ToolCall::isRepeatable() const
{
    if (isListing())
        return true;
    ToolBackend *const backend = m_context.backend();
    if (!backend)
        return false;
    const QList<McpTool> tools = backend->client().tools();
    const auto found = std::find_if(tools.begin(), tools.end(),
                                    [this](const McpTool &one) { return one.name == tool(); });
    return found != tools.end() && (found->isReadOnly() || found->isIdempotent());
}

void ToolCall::answered(const ToolResult &result)
{
    const ToolCallVerdict verdict =
        judge(result, m_request.options.retry.value_or(m_context.options.retry), isRepeatable(),
              m_context.options.inputErrors);
    m_evidence = verdict.evidence;
    if (!verdict.hasFailed) {
        closeAttempt(result);
        finish(ToolCallEnd::Answered);
        return;
    }
    failAttempt(result);
    if (m_hasEnded)
        return;
    // Listing is cheap: a server that does not answer it is hung.
    m_isServerHung = isListing() && result.error && result.error->kind == McpError::Kind::Timeout;
    const bool needsServer = verdict.serverGone || m_isServerHung;
    if (!verdict.mayRepeat) {
        finish(ToolCallEnd::NotRetryable);
    } else if (!needsServer || !m_context.backend() || !m_context.backend()->restartsOnExit()) {
        retryLater();
    } else if (std::exchange(m_hasRespawned, true)) {
        finish(ToolCallEnd::AttemptsExhausted);
    } else {
        m_respawnNext = true;
        m_delay = Duration{0};
        // Deferred, because the backend may not have processed the loss yet.
        m_nextAttempt.arm(m_context.scheduler.now());
    }
}

void ToolCall::retryLater()
{
    const ToolCallerOptions &options = m_context.options;
    const std::optional<Duration> delay =
        retryDelay(options.policy, m_retries, options.random, m_delay);
    if (!delay) {
        finish(ToolCallEnd::AttemptsExhausted);
        return;
    }
    ++m_retries;
    m_delay = std::min(longest, *delay);
    const Instant due = m_context.scheduler.now() + m_delay;
    if (due + std::min(longest, options.shortestAttempt) > deadline()) {
        finish(ToolCallEnd::DeadlineExceeded);
        return;
    }
    m_nextAttempt.arm(due);
    Q_EMIT m_context.caller.retryScheduled(id(), tool(), attemptCount() + 1, m_delay);
}

void ToolCall::deadlineReached()
{
    const auto self = shared_from_this();
    const Phase phase = m_phase;
    cancelPending(); // sends a cancellation to the server
    if (phase == Phase::Requested) {
        m_evidence = Evidence::Failure;
        failAttempt(makeFault(McpError::Kind::Timeout,
                              QStringLiteral("The server did not answer in time"), true));
    } else if (phase == Phase::Starting) {
        m_evidence = Evidence::None;
        const Duration waited =
            m_context.scheduler.now() - m_started - m_outcome.attempts.last().begun;
        failAttempt(makeFault(McpError::Kind::NotReady, lateStartText(waited), false));
    }
    finish(ToolCallEnd::DeadlineExceeded);
}

QString ToolCall::lateStartText(Duration waited) const
{
    ToolBackend *const backend = m_context.backend();
    if (const auto time = backend ? backend->client().handshakeTime() : std::nullopt)
        return QStringLiteral("%1 was started but did not answer the handshake within %2")
            .arg(backend->name(), durationToString(rounded(*time)));
    return QStringLiteral("No server was available within %1")
        .arg(durationToString(rounded(waited)));
}

// Between two attempts the last failure remains the result.
void ToolCall::reject()
{
    const Duration retryAfter = m_context.breakers.retryAfter(tool(), m_context.scheduler.now());
    m_outcome.retryAfter = retryAfter;
    if (m_outcome.attempts.isEmpty())
        m_outcome.result = makeFault(McpError::Kind::NotReady,
                                     QStringLiteral("The circuit breaker of %1 is open for another "
                                                    "%2: too many consecutive calls failed")
                                         .arg(tool(), durationToString(retryAfter)),
                                     false);
    m_evidence = Evidence::None;
    finish(ToolCallEnd::BreakerOpen);
}

void ToolCall::cancel()
{
    if (m_hasEnded)
        return;
    if (m_phase != Phase::None)
        closeAttempt(makeFault(McpError::Kind::Cancelled,
                               QStringLiteral("The caller canceled the call"), true));
    m_evidence = Evidence::None;
    finish(ToolCallEnd::Cancelled);
}

void ToolCall::loseBackend()
{
    m_context.isBackendLost = true;
    m_evidence = Evidence::None;
    const ToolResult result =
        makeFault(McpError::Kind::Lost,
                  m_context.handler ? QStringLiteral("There is no server")
                                    : QStringLiteral("The backend of the server was deleted"),
                  m_phase == Phase::Requested);
    if (m_phase == Phase::None)
        m_outcome.result = result;
    else
        failAttempt(result);
    finish(ToolCallEnd::NotRetryable);
}

void ToolCall::failAttempt(const ToolResult &result)
{
    closeAttempt(result);
    const ToolCallAttempt attempt = m_outcome.attempts.last();
    Q_EMIT m_context.caller.attemptFailed(id(), tool(), attemptCount(), attempt);
}

void ToolCall::closeAttempt(const ToolResult &result)
{
    m_phase = Phase::None;
    m_outcome.result = result;
    ToolCallAttempt &attempt = m_outcome.attempts.last();
    attempt.duration = m_context.scheduler.now() - m_started - attempt.begun;
    const ToolCallFailure failure = failureOf(result);
    attempt.failure = failure.name;
    attempt.message = failure.message;
    attempt.code = failure.code;
}

void ToolCall::cancelPending()
{
    ++m_step;
    m_deadline.disarm();
    m_nextAttempt.disarm();
    cancelUnfinished(m_start);
    cancelUnfinished(m_response);
}

void ToolCall::discard()
{
    m_hasEnded = true;
    cancelPending();
}

void ToolCall::finish(ToolCallEnd end)
{
    if (m_hasEnded)
        return;
    discard();
    m_outcome.end = end;
    m_outcome.duration = m_context.scheduler.now() - m_started;
    m_request.ended(*this);
}

} // namespace Rekindle
