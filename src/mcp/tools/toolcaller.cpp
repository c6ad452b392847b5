// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/toolcaller.h>

#include "base/randomsource_p.h"
#include "toolcall_p.h"

#include <QFutureWatcher>
#include <QPromise>

#include <map>
#include <utility>

namespace Rekindle {

/// The breakers and the pending calls.
class ToolCaller::Private
{
public:
    Private(ToolCaller &caller, ToolBackend *backend, QString name, ToolHandler handler,
            Scheduler &scheduler, ToolCallerOptions options);
    ~Private();

    template<typename Outcome>
    QFuture<Outcome> begin(const QString &tool, const QJsonObject &arguments,
                           const ToolCallOptions &options);
    void backendDestroyed();

    ToolCaller &q;
    ToolCallContext context;
    QString backendName; // outlives the backend
    quint64 lastId = 0;
    quint64 finishedCount = 0;
    std::map<quint64, std::shared_ptr<ToolCall>> calls;

private:
    [[nodiscard]] ToolListOutcome end(const ToolCall &call);
};

ToolCaller::Private::Private(ToolCaller &caller, ToolBackend *backend, QString name,
                             ToolHandler handler, Scheduler &scheduler, ToolCallerOptions options)
    : q(caller)
    , context{caller,
              scheduler,
              ToolBreakers(options.policy.circuitBreaker),
              std::move(options),
              backend,
              std::move(handler)}
    , backendName(std::move(name))
{
    if (!context.options.random)
        context.options.random = systemRandom();
}

// The futures are canceled with the promises of the calls.
ToolCaller::Private::~Private()
{
    const auto pending = std::exchange(calls, {});
    for (const auto &[id, call] : pending)
        call->discard();
}

template<typename Outcome>
QFuture<Outcome> ToolCaller::Private::begin(const QString &tool, const QJsonObject &arguments,
                                            const ToolCallOptions &options)
{
    const auto promise = std::make_shared<QPromise<Outcome>>();
    promise->start();
    QFuture<Outcome> future = promise->future();

    const quint64 id = ++lastId;
    const auto call = std::make_shared<ToolCall>(
        context,
        ToolCall::Request{id, tool, arguments, options, [promise] { return promise->isCanceled(); },
                          [this, promise](const ToolCall &ended) {
                              // NOLINTNEXTLINE(cppcoreguidelines-slicing): a call has no list
                              promise->addResult(Outcome(end(ended)));
                              promise->finish();
                          }});
    calls.emplace(id, call);

    auto *watcher = new QFutureWatcher<Outcome>(&q);
    QObject::connect(watcher, &QFutureWatcherBase::canceled, &q, [weak = std::weak_ptr(call)] {
        if (const auto canceled = weak.lock())
            canceled->cancel();
    });
    QObject::connect(watcher, &QFutureWatcherBase::finished, watcher, &QObject::deleteLater);
    watcher->setFuture(future);

    call->begin();
    return future;
}

void ToolCaller::Private::backendDestroyed()
{
    context.isBackendLost = true;
    const QPointer<ToolCaller> alive(&q);
    while (alive && !calls.empty()) {
        const std::shared_ptr<ToolCall> call = calls.begin()->second;
        call->loseBackend();
    }
}

ToolListOutcome ToolCaller::Private::end(const ToolCall &call)
{
    calls.erase(call.id());
    ToolListOutcome outcome = call.outcome();
    if (call.isListing())
        return outcome;

    const Instant now = context.scheduler.now();
    const CircuitBreakerState before = context.breakers.of(call.tool()).state();
    // A rejected call has no generation and does not count.
    if (call.generation() != 0)
        context.breakers.record(call.tool(), call.generation(), call.evidence(), now);
    const CircuitBreakerState after = context.breakers.of(call.tool()).state();
    outcome.breakerOpened = before != after && after == CircuitBreakerState::Open
        && call.evidence() == ToolCallVerdict::Evidence::Failure;

    if (const ToolBackend *const backend = context.backend())
        backendName = backend->name();
    ToolCallFinished finished;
    finished.agent = backendName;
    finished.sequence = ++finishedCount;
    finished.monotonicTime = now;
    finished.time = context.scheduler.clock().utcNow();
    finished.call = call.id();
    finished.tool = call.tool();
    finished.end = outcome.end;
    finished.duration = outcome.duration;
    finished.attempts = outcome.attempts;
    const ToolCallFailure failure = failureOf(outcome.result);
    finished.failure = failure.name;
    finished.message = failure.message;
    finished.traceParent = call.meta().value(QLatin1String("traceparent")).toString();
    finished.breaker = after;
    finished.breakerOpened = outcome.breakerOpened;

    const QPointer<ToolCaller> alive(&q);
    context.reportBreaker(call.tool(), before);
    if (alive)
        Q_EMIT q.callFinished(finished);
    if (alive)
        context.breakers.removeUnused(call.tool());
    return outcome;
}

ToolCaller::ToolCaller(ToolBackend &backend, Scheduler &scheduler, ToolCallerOptions options,
                       QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(*this, &backend, backend.name(), ToolHandler(), scheduler,
                                  std::move(options)))
{
    connect(&backend, &QObject::destroyed, this, [this] { d->backendDestroyed(); });
}

ToolCaller::ToolCaller(const QString &name, ToolHandler handler, Scheduler &scheduler,
                       ToolCallerOptions options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(*this, nullptr, name, std::move(handler), scheduler,
                                  std::move(options)))
{
}

ToolCaller::~ToolCaller() = default;

QFuture<ToolCallOutcome> ToolCaller::call(const QString &tool, const QJsonObject &arguments,
                                          const ToolCallOptions &options)
{
    return d->begin<ToolCallOutcome>(tool, arguments, options);
}

QFuture<ToolListOutcome> ToolCaller::listTools(const ToolCallOptions &options)
{
    return d->begin<ToolListOutcome>(QString(), {}, options);
}

CircuitBreakerInfo ToolCaller::breaker(const QString &tool) const
{
    const Scheduler &scheduler = d->context.scheduler;
    return d->context.breakers.of(tool).info(scheduler.now(), scheduler.clock().utcNow());
}

} // namespace Rekindle
