// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storequeue_p.h"

#include <utility>

namespace Rekindle {

namespace {

// What an item counts as where it is lost.
struct Count
{
    quint64 operator()(const LifecycleEvent &) const { return 1; }
    quint64 operator()(const DecisionRecord &) const { return 1; }
    quint64 operator()(const ToolCallFinished &) const { return 1; }
    quint64 operator()(const StoreGap &) const { return 0; } // was counted when it came about
};

quint64 countOf(const StoreQueue::Items &items, std::size_t front)
{
    quint64 count = 0;
    for (std::size_t i = 0; i < front; ++i)
        count += std::visit(Count{}, items[i]);
    return count;
}

} // namespace

StoreQueue::StoreQueue(std::size_t capacity, std::size_t batchRows, std::function<void()> news)
    : m_capacity(capacity)
    , m_batchRows(batchRows)
    , m_news(std::move(news))
{
}

template<typename Item>
void StoreQueue::add(Item &&item, quint64 StoreGap::*kind, quint64 sequence, Instant monotonicTime,
                     UtcTime time)
{
    bool wake = false;
    bool gapBegins = false;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_refusing && m_items.size() + m_inHand < m_capacity) {
            m_items.emplace_back(std::forward<Item>(item));
            ++m_countWaiting;
            ++m_status.accepted;
            wake = m_items.size() == 1 || m_items.size() == m_batchRows;
        } else {
            ++m_status.dropped;
            gapBegins = m_items.empty() || !std::holds_alternative<StoreGap>(m_items.back());
            if (m_refusing) {
                gapBegins = m_status.dropped == 1;
            } else {
                if (gapBegins) {
                    m_items.emplace_back(StoreGap{monotonicTime, time, 0, 0, 0, 0});
                    ++m_status.accepted;
                }
                auto &gap = std::get<StoreGap>(m_items.back());
                if (kind == &StoreGap::events && gap.events == 0)
                    gap.firstSequence = sequence;
                ++(gap.*kind);
            }
        }
    }
    if (wake)
        m_work.notify_one();
    if (gapBegins)
        tellNews();
}

void StoreQueue::push(const LifecycleEvent &event)
{
    const EventHeader &common = header(event);
    add(event, &StoreGap::events, common.sequence, common.monotonicTime, common.time);
}

void StoreQueue::push(DecisionRecord &&record)
{
    const Instant monotonicTime = record.monotonicTime;
    const UtcTime time = record.time;
    add(std::move(record), &StoreGap::decisions, 0, monotonicTime, time);
}

void StoreQueue::push(const ToolCallFinished &call)
{
    add(call, &StoreGap::calls, 0, call.monotonicTime, call.time);
}

StoreQueue::Status StoreQueue::hurry()
{
    Status now;
    {
        const std::lock_guard lock(m_mutex);
        m_hurry = true;
        now = m_status;
    }
    m_work.notify_one();
    return now;
}

void StoreQueue::close()
{
    {
        const std::lock_guard lock(m_mutex);
        m_closing = true;
    }
    m_work.notify_one();
}

bool StoreQueue::waitUntilFinished(std::chrono::milliseconds most)
{
    std::unique_lock lock(m_mutex);
    return m_end.wait_for(lock, most, [this] { return m_finished; });
}

void StoreQueue::forgetListener()
{
    const std::lock_guard lock(m_newsMutex);
    m_news = nullptr;
}

StoreQueue::Status StoreQueue::status() const
{
    const std::lock_guard lock(m_mutex);
    return m_status;
}

StoreQueue::Items StoreQueue::take(std::chrono::milliseconds age)
{
    Items taken;
    std::unique_lock lock(m_mutex);
    m_work.wait(lock, [this] { return !m_items.empty() || m_hurry || m_closing; });
    m_work.wait_for(lock, age,
                    [this] { return m_items.size() >= m_batchRows || m_hurry || m_closing; });
    m_hurry = false;
    taken.swap(m_items);
    m_inHand += taken.size();
    m_countInHand += std::exchange(m_countWaiting, 0);
    return taken;
}

void StoreQueue::pause(std::chrono::milliseconds most)
{
    std::unique_lock lock(m_mutex);
    const bool wasClosing = m_closing;
    m_work.wait_for(lock, most, [&] { return m_hurry || m_closing != wasClosing; });
    m_hurry = false;
}

bool StoreQueue::isIdle() const
{
    const std::lock_guard lock(m_mutex);
    return m_items.empty() && !m_closing;
}

bool StoreQueue::isClosing() const
{
    const std::lock_guard lock(m_mutex);
    return m_closing;
}

void StoreQueue::tellOpened()
{
    {
        const std::lock_guard lock(m_mutex);
        ++m_status.openings;
    }
    tellNews();
}

void StoreQueue::tellMovedAside(const QString &path)
{
    {
        const std::lock_guard lock(m_mutex);
        m_status.movedAside = path;
    }
    tellNews();
}

void StoreQueue::tellFailed(const QString &reason)
{
    {
        const std::lock_guard lock(m_mutex);
        m_status.failure = reason;
        ++m_status.failures;
    }
    tellNews();
}

void StoreQueue::tellWritten(const Items &items, std::size_t count)
{
    const quint64 counted = countOf(items, count);
    {
        const std::lock_guard lock(m_mutex);
        if (m_abandoned)
            return;
        m_inHand -= count;
        m_countInHand -= counted;
        m_status.settled += count;
        m_status.failure.clear();
    }
    tellNews();
}

void StoreQueue::tellLost(const Items &items)
{
    const quint64 lost = countOf(items, items.size());
    {
        const std::lock_guard lock(m_mutex);
        if (m_abandoned)
            return;
        m_inHand -= items.size();
        m_countInHand -= lost;
        m_status.settled += items.size();
        m_status.dropped += lost;
        m_status.lost += lost;
    }
    tellNews();
}

void StoreQueue::refuse()
{
    Items waiting;
    {
        const std::lock_guard lock(m_mutex);
        m_refusing = true;
        m_status.refused = true;
        waiting.swap(m_items);
        m_inHand += waiting.size();
        m_countInHand += std::exchange(m_countWaiting, 0);
    }
    tellLost(waiting);
}

void StoreQueue::abandon()
{
    const std::lock_guard lock(m_mutex);
    if (std::exchange(m_abandoned, true))
        return;
    m_refusing = true;
    const quint64 lost = m_countInHand + std::exchange(m_countWaiting, 0);
    m_status.settled = m_status.accepted;
    m_status.dropped += lost;
    m_status.lost += lost;
    m_items.clear();
}

void StoreQueue::tellFinished()
{
    {
        const std::lock_guard lock(m_mutex);
        m_finished = true;
    }
    m_end.notify_one();
}

void StoreQueue::tellNews()
{
    const std::lock_guard lock(m_newsMutex);
    if (m_news)
        m_news();
}

} // namespace Rekindle
