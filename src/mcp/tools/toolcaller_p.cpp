// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "toolcaller_p.h"

#include <rekindle/policy/backoff.h>

#include <QFutureWatcher>
#include <QRandomGenerator>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

namespace Rekindle {

namespace {

using Evidence = ToolCallVerdict::Evidence;

std::function<double()> systemRandom()
{
    std::mt19937_64 engine(QRandomGenerator::system()->generate64());
    return [engine]() mutable {
        constexpr double step = 1.0 / (1ULL << 53U);
        return static_cast<double>(engine() >> 11U) * step;
    };
}

ToolResult makeFault(McpError::Kind kind, const QString &message, bool wasWritten)
{
    McpError error;
    error.kind = kind;
    error.message = message;
    error.wasWritten = wasWritten;
    ToolResult result;
    result.error = std::move(error);
    return result;
}

// As people count; what is short stays exact to the millisecond.
Duration inTenths(Duration time)
{
    using Tenths = std::chrono::duration<std::int64_t, std::deci>;
    if (time < std::chrono::seconds(1))
        return std::chrono::round<std::chrono::milliseconds>(time);
    return std::chrono::round<Tenths>(time);
}

int mostRetries(const RestartPolicy &policy)
{
    if (policy.effectiveType() == RestartPolicyType::None)
        return 0;
    return policy.maxRetries.value_or(std::numeric_limits<int>::max());
}

// Only what is pending: the Qt of Debian 12 follows a pointer to a continuation that is freed with
// the promise.
template<typename Answer>
void cancelPending(QFuture<Answer> &future)
{
    if (!future.isFinished())
        future.cancel();
    future = QFuture<Answer>();
}

} // namespace

ToolCaller::Private::Private(ToolCaller &caller, ToolBackend &backend, Scheduler &scheduler,
                             ToolCallerOptions options)
    : q(caller)
    , m_backend(&backend)
    , m_scheduler(scheduler)
    , m_options(std::move(options))
    , m_name(backend.name())
{
    if (!m_options.random)
        m_options.random = systemRandom();
    m_options.deadline = std::min(m_options.deadline, longest);
    m_options.attemptTimeout = std::min(m_options.attemptTimeout, longest);
    m_options.shortestAttempt = std::min(m_options.shortestAttempt, longest);
}

// Nobody hears of it but those who wait: their futures are cancelled with the promises.
ToolCaller::Private::~Private()
{
    const auto runs = std::exchange(m_runs, {});
    for (const auto &[id, run] : runs) {
        run->isOver = true;
        abandon(*run);
    }
}

ToolCaller::Private::RunPtr ToolCaller::Private::find(quint64 id) const
{
    const auto found = m_runs.find(id);
    return found == m_runs.end() ? nullptr : found->second;
}

void ToolCaller::Private::admit(const RunPtr &run)
{
    if (!run->tool.isEmpty()) {
        Guard &guard = guardOf(run->tool);
        const CircuitBreakerState before = guard.breaker.state();
        const CircuitBreaker::Admission admission = guard.breaker.admit(m_scheduler.now());
        if (!admission.admitted) {
            refuse(run);
            return;
        }
        run->generation = admission.generation;
        if (guard.breaker.state() == CircuitBreakerState::HalfOpen)
            guard.probeEnds = run->end.due();
        tellBreaker(run->tool, before);
        if (run->isOver)
            return;
    }
    attempt(run);
}

void ToolCaller::Private::attempt(const RunPtr &run)
{
    if (run->isCancelled()) { // and its event is under way
        finish(run, ToolCallEnd::Cancelled);
        return;
    }
    if (!run->tool.isEmpty()) {
        const CircuitBreaker &breaker = guardOf(run->tool).breaker;
        if (breaker.generation() != run->generation
            && breaker.state() != CircuitBreakerState::Closed) {
            refuse(run);
            return;
        }
    }
    const Instant begun = m_scheduler.now();
    const quint64 step = ++run->step;
    run->phase = Run::Phase::Starting;
    ToolCallAttempt next;
    next.delay = run->delay;
    next.begun = begun - run->started;
    run->attempts.push_back(next);
    Q_EMIT q.attemptStarted(run->id, run->tool, static_cast<int>(run->attempts.size()));
    if (run->isOver)
        return;
    if (!m_backend || m_backendGone) {
        backendLost(run);
        return;
    }
    // Another call may have had it started anew meanwhile.
    const bool respawn =
        std::exchange(run->respawnNext, false) && (run->isHung || !m_backend->client().isReady());
    const Duration left = std::max(Duration{0}, run->end.due() - m_scheduler.now());
    if (respawn) {
        Q_EMIT q.respawning(run->id, run->tool);
        if (run->isOver)
            return;
    }
    const QFuture<ToolBackend::Start> start =
        respawn ? m_backend->respawn(left) : m_backend->ensureStarted(left);
    if (run->isOver)
        return;
    run->start = start;
    if (start.isFinished()) {
        started(run, start);
        return;
    }
    // Not then(): nothing is to be called from within the backend's own code.
    auto *watcher = new QFutureWatcher<ToolBackend::Start>(&q);
    QObject::connect(watcher, &QFutureWatcherBase::finished, &q,
                     [this, watcher, step, weak = std::weak_ptr(run)] {
                         watcher->deleteLater();
                         const RunPtr waiting = weak.lock();
                         if (isCurrent(waiting, step))
                             started(waiting, watcher->future());
                     });
    watcher->setFuture(start);
}

bool ToolCaller::Private::isCurrent(const RunPtr &run, quint64 step) const
{
    return run && !run->isOver && run->step == step;
}

void ToolCaller::Private::started(const RunPtr &run, const QFuture<ToolBackend::Start> &start)
{
    if (start.isCanceled() || start.resultCount() == 0 || !m_backend || m_backendGone) {
        backendLost(run);
        return;
    }
    ToolCallAttempt &now = run->attempts.last();
    now.waitedForServer = m_scheduler.now() - run->started - now.begun;
    const ToolBackend::Start fault = start.result();
    if (!fault) {
        ask(run);
        return;
    }
    ToolResult result;
    result.error = *fault;
    run->evidence = Evidence::None;
    if (endAttempt(run, result))
        finish(run, ToolCallEnd::NotRetryable);
}

bool ToolCaller::Private::isRepeatable(const Run &run) const
{
    if (run.tool.isEmpty())
        return true;
    if (!m_backend || m_backendGone)
        return false;
    const QList<McpTool> tools = m_backend->client().tools();
    const auto found = std::find_if(tools.begin(), tools.end(),
                                    [&run](const McpTool &tool) { return tool.name == run.tool; });
    return found != tools.end() && (found->isReadOnly() || found->isIdempotent());
}

void ToolCaller::Private::answered(const RunPtr &run, const ToolResult &result)
{
    const ToolCallVerdict verdict =
        judge(result, run->retry, isRepeatable(*run), m_options.inputErrors);
    run->evidence = verdict.evidence;
    if (!verdict.hasFailed) {
        closeAttempt(*run, result);
        finish(run, ToolCallEnd::Answered);
        return;
    }
    if (!endAttempt(run, result))
        return;
    // A listing costs a server nothing: what does not answer that is not there either.
    run->isHung =
        run->tool.isEmpty() && result.error && result.error->kind == McpError::Kind::Timeout;
    if (!verdict.mayRepeat) {
        finish(run, ToolCallEnd::NotRetryable);
    } else if ((verdict.serverGone || run->isHung) && m_backend && m_backend->restartsOnExit()) {
        if (run->respawned) {
            finish(run, ToolCallEnd::AttemptsExhausted);
            return;
        }
        run->respawned = true;
        run->respawnNext = true;
        run->delay = Duration{0};
        // Not from in here: the backend may not have heard of the loss yet.
        run->wait.arm(m_scheduler.now());
    } else {
        retryLater(run);
    }
}

void ToolCaller::Private::retryLater(const RunPtr &run)
{
    const RestartPolicy &policy = m_options.policy;
    if (run->retries >= mostRetries(policy)) {
        finish(run, ToolCallEnd::AttemptsExhausted);
        return;
    }
    ++run->retries;
    run->delay =
        std::min(longest, Backoff::delay(policy, run->retries, {m_options.random(), run->delay}));
    const Instant due = m_scheduler.now() + run->delay;
    if (due + m_options.shortestAttempt > run->end.due()) {
        finish(run, ToolCallEnd::DeadlineExceeded);
        return;
    }
    run->wait.arm(due);
    Q_EMIT q.retryScheduled(run->id, run->tool, static_cast<int>(run->attempts.size()) + 1,
                            run->delay);
}

void ToolCaller::Private::deadlineReached(quint64 id)
{
    const RunPtr run = find(id);
    if (!run)
        return;
    const Run::Phase phase = run->phase;
    abandon(*run); // tells the server
    if (phase == Run::Phase::Asking) {
        run->evidence = Evidence::Failure;
        if (!endAttempt(run,
                        makeFault(McpError::Kind::Timeout,
                                  QStringLiteral("The server has not answered in time"), true)))
            return;
    } else if (phase == Run::Phase::Starting) {
        run->evidence = Evidence::None;
        const QString why =
            lateStartText(m_scheduler.now() - run->started - run->attempts.last().begun);
        if (!endAttempt(run, makeFault(McpError::Kind::NotReady, why, false)))
            return;
    }
    finish(run, ToolCallEnd::DeadlineExceeded);
}

QString ToolCaller::Private::lateStartText(Duration waited) const
{
    const bool isThere = m_backend && !m_backendGone;
    if (const auto time = isThere ? m_backend->client().handshakeTime() : std::nullopt)
        return QStringLiteral("%1 was started and has not answered the handshake within %2")
            .arg(m_backend->name(), durationToString(inTenths(*time)));
    return QStringLiteral("There was no server within %1").arg(durationToString(inTenths(waited)));
}

void ToolCaller::Private::cancelled(quint64 id)
{
    const RunPtr run = find(id);
    if (!run)
        return;
    if (run->phase != Run::Phase::None)
        closeAttempt(*run,
                     makeFault(McpError::Kind::Cancelled,
                               QStringLiteral("The caller has cancelled it"), true));
    finish(run, ToolCallEnd::Cancelled);
}

void ToolCaller::Private::backendGone()
{
    m_backendGone = true;
    while (!m_runs.empty()) {
        const QPointer<ToolCaller> alive(&q);
        const RunPtr run = m_runs.begin()->second;
        backendLost(run);
        if (!alive)
            return;
    }
}

// From here on the backend is never touched again: it may be in its destructor.
void ToolCaller::Private::backendLost(const RunPtr &run)
{
    m_backendGone = true;
    run->evidence = Evidence::None;
    const ToolResult result =
        makeFault(McpError::Kind::Lost, QStringLiteral("The server's backend is gone"),
                  run->phase == Run::Phase::Asking);
    if (run->phase == Run::Phase::None)
        run->last = result;
    else if (!endAttempt(run, result))
        return;
    finish(run, ToolCallEnd::NotRetryable);
}

bool ToolCaller::Private::endAttempt(const RunPtr &run, const ToolResult &result)
{
    closeAttempt(*run, result);
    const ToolCallAttempt attempt = run->attempts.last();
    Q_EMIT q.attemptFailed(run->id, run->tool, static_cast<int>(run->attempts.size()), attempt);
    return !run->isOver;
}

void ToolCaller::Private::closeAttempt(Run &run, const ToolResult &result)
{
    run.phase = Run::Phase::None;
    run.last = result;
    ToolCallAttempt &attempt = run.attempts.last();
    attempt.duration = m_scheduler.now() - run.started - attempt.begun;
    const ToolCallFailure failure = failureOf(result);
    attempt.failure = failure.name;
    attempt.message = failure.message;
    attempt.code = result.error ? result.error->code : 0;
}

// What comes of it is of no interest any more.
void ToolCaller::Private::abandon(Run &run)
{
    ++run.step;
    run.end.disarm();
    run.wait.disarm();
    cancelPending(run.start);
    cancelPending(run.asked);
    cancelPending(run.page);
}

} // namespace Rekindle
