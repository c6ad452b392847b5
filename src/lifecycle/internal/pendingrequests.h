// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>

#include <QFuture>
#include <QFutureWatcher>
#include <QObject>
#include <QPromise>

#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace Rekindle {

/// Nothing in addition to what PendingRequests stores of a request.
struct NoDetails
{
};

/// The requests of a client that have no response yet, by id. Ids are integers and are never
/// reused.
template<typename Answer, typename Details = NoDetails>
class PendingRequests
{
public:
    /// Called at most once. May delete the object that owns the requests.
    using Answered = std::function<void(const Answer &)>;

    struct Request : Details
    {
        Request(Scheduler &scheduler, Details details, Answered callback, Deadline::Callback late)
            : Details(std::move(details))
            , answered(std::move(callback))
            , deadline(scheduler, std::move(late))
        {
        }

        Answered answered;
        Deadline deadline; ///< calls `late`
    };

    /// `scheduler` must outlive the object.
    explicit PendingRequests(Scheduler &scheduler)
        : m_scheduler(scheduler)
    {
    }

    [[nodiscard]] qint64 nextId() { return ++m_lastId; }

    /// Adds a request that was sent with this id of nextId().
    Request &add(qint64 id, Answered answered, Deadline::Callback late, Details details = {})
    {
        auto &place = m_requests[id];
        place = std::make_unique<Request>(m_scheduler, std::move(details), std::move(answered),
                                          std::move(late));
        return *place;
    }

    [[nodiscard]] bool contains(qint64 id) const { return m_requests.contains(id); }
    [[nodiscard]] bool isEmpty() const { return m_requests.empty(); }

    /// Returns the request; null if it is not pending.
    [[nodiscard]] Request *find(qint64 id) const
    {
        const auto found = m_requests.find(id);
        return found == m_requests.end() ? nullptr : found->second.get();
    }

    /// Removes and returns the request; null if it is not pending.
    [[nodiscard]] std::unique_ptr<Request> take(qint64 id)
    {
        auto node = m_requests.extract(id);
        if (!node)
            return nullptr;
        node.mapped()->deadline.disarm();
        return std::move(node.mapped());
    }

    /// The same with the request that was sent first. There must be one.
    [[nodiscard]] std::unique_ptr<Request> takeOldest() { return take(m_requests.begin()->first); }

private:
    Scheduler &m_scheduler;
    qint64 m_lastId = 0;
    std::map<qint64, std::unique_ptr<Request>> m_requests;
};

/// Sends a request and returns the future of its answer. `send` gets the callback for the answer
/// and returns the id of the request; 0: it was answered at once. If the future is canceled, calls
/// `cancel` with the id in the thread of `owner`.
template<typename Result, typename Answer>
[[nodiscard]] QFuture<Result>
futureAnswer(QObject &owner, const std::function<qint64(std::function<void(const Answer &)>)> &send,
             std::function<void(qint64 id)> cancel)
{
    const auto promise = std::make_shared<QPromise<Result>>();
    promise->start();
    QFuture<Result> future = promise->future();
    const qint64 id = send([promise](const Answer &answer) {
        promise->addResult(Result{answer});
        promise->finish();
    });
    if (id == 0)
        return future;
    auto *watcher = new QFutureWatcher<Result>(&owner);
    QObject::connect(watcher, &QFutureWatcherBase::canceled, &owner,
                     [id, cancel = std::move(cancel)] { cancel(id); });
    QObject::connect(watcher, &QFutureWatcherBase::finished, watcher, &QObject::deleteLater);
    watcher->setFuture(future);
    return future;
}

} // namespace Rekindle
