// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// How an attempt asks the server that it has waited for.

#include "toolcaller_p.h"

#include <QFutureWatcher>

#include <algorithm>

namespace Rekindle {

CallOptions ToolCaller::Private::callOptions(const Run &run) const
{
    CallOptions options;
    options.longest = std::max(Duration{1}, run.end.due() - m_scheduler.now());
    options.timeout = std::min(run.attemptTimeout, options.longest);
    options.onProgress = run.onProgress;
    return options;
}

void ToolCaller::Private::ask(const RunPtr &run)
{
    const quint64 step = ++run->step;
    run->phase = Run::Phase::Asking;
    const std::weak_ptr<Run> weak(run);
    if (run->tool.isEmpty()) {
        run->link.request = [this, weak, step](QLatin1String method, const QJsonObject &params,
                                               const McpLink::Answered &answered) {
            const RunPtr asking = weak.lock();
            if (isCurrent(asking, step))
                askPage(asking, method, params, answered);
        };
        run->listing.emplace(run->link);
        run->listing->start(
            [this, weak, step](const std::optional<McpError> &error, const QList<McpTool> &tools) {
                const RunPtr asking = weak.lock();
                if (!isCurrent(asking, step))
                    return;
                asking->tools = tools;
                ToolResult result;
                result.error = error;
                answered(asking, result);
            });
        return;
    }
    const QFuture<ToolResult> asked =
        m_backend->client().call(run->tool, run->arguments, callOptions(*run));
    run->asked = asked;
    auto after = run->asked.then([this, weak, step](const ToolResult &result) {
        if (const RunPtr asking = weak.lock(); isCurrent(asking, step))
            answered(asking, result);
    });
    watchClient(asked, run);
}

void ToolCaller::Private::askPage(const RunPtr &run, const QString &method,
                                  const QJsonObject &params, const McpLink::Answered &answered)
{
    if (!m_backend || m_backendGone) {
        backendLost(run);
        return;
    }
    const QFuture<McpAnswer> page = m_backend->client().request(method, params, callOptions(*run));
    run->page = page;
    const std::weak_ptr<Run> weak(run);
    const quint64 step = run->step;
    auto after = run->page.then([this, answered, weak, step](const McpAnswer &answer) {
        if (isCurrent(weak.lock(), step))
            answered(answer);
    });
    watchClient(page, run);
}

// A continuation of what is cancelled is never run.
template<typename Answer>
void ToolCaller::Private::watchClient(const QFuture<Answer> &future, const RunPtr &run)
{
    if (future.isFinished() && !future.isCanceled())
        return;
    auto *watcher = new QFutureWatcher<Answer>(&q);
    QObject::connect(
        watcher, &QFutureWatcherBase::canceled, &q,
        [this, step = run->step, weak = std::weak_ptr(run)] { clientDeleted(weak.lock(), step); });
    QObject::connect(watcher, &QFutureWatcherBase::finished, watcher, &QObject::deleteLater);
    watcher->setFuture(future);
}

// Nobody else cancels what is current. Its backend may be in its destructor, or be there still,
// with another client, where its server was taken away from it.
void ToolCaller::Private::clientDeleted(const RunPtr &run, quint64 step)
{
    if (!isCurrent(run, step))
        return;
    QMetaObject::invokeMethod(
        &q, [this] { m_backendGone = m_backend.isNull(); }, Qt::QueuedConnection);
    backendLost(run);
}

} // namespace Rekindle
