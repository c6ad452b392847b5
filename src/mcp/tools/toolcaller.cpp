// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/toolcaller.h>

#include "toolcaller_p.h"

#include <rekindle/policy/presets.h>

#include <QFutureWatcher>
#include <QPromise>

#include <algorithm>
#include <utility>

namespace Rekindle {

RestartPolicy toolCallPolicy() { return preset(u"tool-call").value_or(RestartPolicy{}); }

template<typename Outcome>
QFuture<Outcome> ToolCaller::Private::begin(const QString &tool, const QJsonObject &arguments,
                                            const ToolCallOptions &options)
{
    const auto promise = std::make_shared<QPromise<Outcome>>();
    promise->start();
    const QFuture<Outcome> future = promise->future();

    const quint64 id = ++m_lastId;
    const auto run = std::make_shared<Run>(
        m_scheduler, [this, id] { deadlineReached(id); },
        [this, id] {
            if (const RunPtr waiting = find(id))
                attempt(waiting);
        });
    run->id = id;
    run->tool = tool;
    run->arguments = arguments;
    run->retry = options.retry.value_or(m_options.retry);
    run->attemptTimeout =
        std::min(longest, options.attemptTimeout.value_or(m_options.attemptTimeout));
    run->onProgress = options.onProgress;
    run->isCancelled = [promise] { return promise->isCanceled(); };
    run->settle = [promise](ToolListOutcome outcome) {
        promise->addResult(Outcome(std::move(outcome)));
        promise->finish();
    };
    run->started = m_scheduler.now();
    run->end.armIn(std::min(longest, options.deadline.value_or(m_options.deadline)));
    m_runs.emplace(id, run);

    auto *watcher = new QFutureWatcher<Outcome>(&q);
    QObject::connect(watcher, &QFutureWatcherBase::canceled, &q, [this, id] { cancelled(id); });
    QObject::connect(watcher, &QFutureWatcherBase::finished, watcher, &QObject::deleteLater);
    watcher->setFuture(future);

    admit(run);
    return future;
}

ToolCaller::ToolCaller(ToolBackend &backend, Scheduler &scheduler, ToolCallerOptions options,
                       QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(*this, backend, scheduler, std::move(options)))
{
    connect(&backend, &QObject::destroyed, this, [this] { d->backendGone(); });
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

int ToolCaller::pendingCount() const { return d->pendingCount(); }

CircuitBreakerInfo ToolCaller::breaker(const QString &tool) const { return d->breaker(tool); }

void ToolCaller::resetBreaker(const QString &tool) { d->resetBreaker(tool); }

} // namespace Rekindle
