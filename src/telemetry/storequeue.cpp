// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storequeue_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// Gaps do not count, because their items were counted when they were dropped.
quint64 countOf(const StoreQueue::Items &items, std::size_t front)
{
    const auto counts = [](const StoreItem &item) {
        return !std::holds_alternative<StoreGap>(item);
    };
    const auto end = items.begin() + static_cast<std::ptrdiff_t>(front);
    return static_cast<quint64>(std::count_if(items.begin(), end, counts));
}

} // namespace

StoreQueue::StoreQueue(std::size_t capacity, std::size_t batchRows, std::function<void()> notify)
    : m_capacity(capacity)
    , m_batchRows(batchRows)
    , m_notify(std::move(notify))
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
        if (!m_refusing && m_items.size() + m_taken < m_capacity) {
            m_items.emplace_back(std::forward<Item>(item));
            ++m_countQueued;
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
        m_notify();
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

StoreQueue::Status StoreQueue::requestWrite()
{
    Status now;
    {
        const std::lock_guard lock(m_mutex);
        m_writeRequested = true;
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

bool StoreQueue::waitUntilFinished(std::chrono::milliseconds timeout)
{
    std::unique_lock lock(m_mutex);
    return m_end.wait_for(lock, timeout, [this] { return m_finished; });
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
    m_work.wait(lock, [this] { return !m_items.empty() || m_writeRequested || m_closing; });
    m_work.wait_for(lock, age, [this] {
        return m_items.size() >= m_batchRows || m_writeRequested || m_closing;
    });
    m_writeRequested = false;
    taken.swap(m_items);
    m_taken += taken.size();
    m_countTaken += std::exchange(m_countQueued, 0);
    return taken;
}

void StoreQueue::pause(std::chrono::milliseconds time)
{
    std::unique_lock lock(m_mutex);
    const bool wasClosing = m_closing;
    m_work.wait_for(lock, time, [&] { return m_writeRequested || m_closing != wasClosing; });
    m_writeRequested = false;
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

template<typename Change>
void StoreQueue::report(Change change)
{
    {
        const std::lock_guard lock(m_mutex);
        change(m_status);
    }
    m_notify();
}

void StoreQueue::reportOpened()
{
    report([](Status &status) { ++status.openings; });
}

void StoreQueue::reportMovedAside(const QString &path)
{
    report([&path](Status &status) { status.movedAside = path; });
}

void StoreQueue::reportFailed(const QString &reason)
{
    report([&reason](Status &status) {
        status.failure = reason;
        ++status.failures;
    });
}

void StoreQueue::settle(const Items &items, std::size_t count, bool written)
{
    const quint64 counted = countOf(items, count);
    report([&](Status &status) {
        if (m_abandoned)
            return;
        m_taken -= count;
        m_countTaken -= counted;
        status.settled += count;
        if (written) {
            status.failure.clear();
        } else {
            status.dropped += counted;
            status.lost += counted;
        }
    });
}

void StoreQueue::refuse(const QString &reason)
{
    Items waiting;
    {
        const std::lock_guard lock(m_mutex);
        m_refusing = true;
        m_status.refused = true;
        m_status.failure = reason;
        ++m_status.failures;
        waiting.swap(m_items);
        m_taken += waiting.size();
        m_countTaken += std::exchange(m_countQueued, 0);
    }
    reportLost(waiting);
}

void StoreQueue::abandon()
{
    const std::lock_guard lock(m_mutex);
    if (std::exchange(m_abandoned, true))
        return;
    m_refusing = true;
    const quint64 lost = m_countTaken + std::exchange(m_countQueued, 0);
    m_status.settled = m_status.accepted;
    m_status.dropped += lost;
    m_status.lost += lost;
    m_items.clear();
}

void StoreQueue::reportFinished()
{
    {
        const std::lock_guard lock(m_mutex);
        m_finished = true;
    }
    m_end.notify_one();
}

} // namespace Rekindle
