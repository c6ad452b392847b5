// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/eventqueue.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QMutex>

#include <algorithm>
#include <deque>

namespace Rekindle {

class EventQueue::Private
{
public:
    mutable QMutex mutex;
    std::deque<Item> items;
    std::size_t capacity = 0;
    quint64 dropped = 0;
};

EventQueue::EventQueue(RestartPolicyEvaluator &evaluator, std::size_t capacity, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->capacity = std::max<std::size_t>(capacity, 1);
    connect(&evaluator, &RestartPolicyEvaluator::lifecycleEvent, this, &EventQueue::push,
            Qt::DirectConnection);
}

EventQueue::~EventQueue() = default;

void EventQueue::push(const LifecycleEvent &event)
{
    bool wasEmpty = false;
    {
        const QMutexLocker lock(&d->mutex);
        wasEmpty = d->items.empty();
        if (d->items.size() < d->capacity) {
            d->items.emplace_back(event);
        } else {
            ++d->dropped;
            if (auto *gap = std::get_if<Gap>(&d->items.back()))
                ++gap->count;
            else
                d->items.emplace_back(Gap{header(event).sequence, 1});
        }
    }
    if (wasEmpty)
        Q_EMIT available();
}

QList<EventQueue::Item> EventQueue::take(qsizetype limit)
{
    const QMutexLocker lock(&d->mutex);
    const auto count = std::min<std::size_t>(d->items.size(), static_cast<std::size_t>(limit));
    const auto end = d->items.begin() + static_cast<std::ptrdiff_t>(count);
    QList<Item> taken(std::make_move_iterator(d->items.begin()), std::make_move_iterator(end));
    d->items.erase(d->items.begin(), end);
    return taken;
}

quint64 EventQueue::dropped() const
{
    const QMutexLocker lock(&d->mutex);
    return d->dropped;
}

} // namespace Rekindle
