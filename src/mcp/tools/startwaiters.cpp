// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "startwaiters_p.h"

#include <QFutureWatcher>
#include <QPointer>

#include <algorithm>
#include <iterator>
#include <utility>

namespace Rekindle {

struct StartWaiters::Waiter
{
    Waiter(StartWaiters &owner, Duration time)
        : within(time)
        , late(owner.m_scheduler, [this, &owner] { owner.late(this); })
    {
        promise.start();
        late.armIn(std::max(within, Duration{0}));
    }

    QPromise<ToolBackend::Start> promise;
    Duration within;
    Deadline late;
};

StartWaiters::StartWaiters(Scheduler &scheduler, LateAnswer lateAnswer,
                           std::function<void()> onFewer)
    : m_scheduler(scheduler)
    , m_lateAnswer(std::move(lateAnswer))
    , m_onFewer(std::move(onFewer))
{
}

StartWaiters::~StartWaiters() = default;

QFuture<ToolBackend::Start> StartWaiters::add(Duration within)
{
    m_waiters.push_back(std::make_unique<Waiter>(*this, within));
    const QFuture<ToolBackend::Start> future = m_waiters.back()->promise.future();
    if (m_onFewer) {
        auto *watcher = new QFutureWatcher<ToolBackend::Start>(&m_watchers);
        QObject::connect(watcher, &QFutureWatcherBase::canceled, &m_watchers,
                         [this] { m_onFewer(); });
        QObject::connect(watcher, &QFutureWatcherBase::finished, watcher, &QObject::deleteLater);
        watcher->setFuture(future);
    }
    return future;
}

bool StartWaiters::isAwaited() const
{
    return std::any_of(
        m_waiters.begin(), m_waiters.end(),
        [](const std::unique_ptr<Waiter> &waiter) { return !waiter->promise.isCanceled(); });
}

void StartWaiters::late(const Waiter *waiter)
{
    const auto found = std::find_if(m_waiters.begin(), m_waiters.end(),
                                    [waiter](const auto &one) { return one.get() == waiter; });
    Waiters one;
    one.push_back(std::move(*found));
    m_waiters.erase(found);
    const QPointer<QObject> alive(&m_watchers);
    const McpError error = m_lateAnswer(one.front()->within);
    answer(std::move(one), error);
    if (alive && m_onFewer)
        m_onFewer();
}

void StartWaiters::answerAll(const ToolBackend::Start &start)
{
    answer(std::exchange(m_waiters, {}), start);
}

void StartWaiters::answerShort(Instant instant, const McpError &error)
{
    const auto split =
        std::stable_partition(m_waiters.begin(), m_waiters.end(),
                              [instant](const auto &one) { return one->late.due() >= instant; });
    Waiters expiring(std::make_move_iterator(split), std::make_move_iterator(m_waiters.end()));
    m_waiters.erase(split, m_waiters.end());
    answer(std::move(expiring), error);
}

void StartWaiters::answer(Waiters waiters, const ToolBackend::Start &start)
{
    for (const std::unique_ptr<Waiter> &waiter : waiters)
        waiter->late.disarm();
    for (const std::unique_ptr<Waiter> &waiter : waiters) {
        waiter->promise.addResult(start);
        waiter->promise.finish();
    }
}

} // namespace Rekindle
