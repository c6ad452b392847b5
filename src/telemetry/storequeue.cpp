// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storequeue_p.h"

#include <iterator>
#include <utility>

namespace Rekindle {

namespace {

const EventHeader *headerOf(const LifecycleEvent &event) { return &header(event); }
const EventHeader *headerOf(const EventHeader &record) { return &record; }

// Null for inputs and gaps.
const QString *agentOf(const StoreItem &item)
{
    return std::visit(
        [](const auto &each) -> const QString * {
            if constexpr (requires { headerOf(each); })
                return &headerOf(each)->agent;
            return nullptr;
        },
        item);
}

} // namespace

// Gaps do not count, because their items were counted when they were dropped.
StoreQueue::Counts StoreQueue::countOf(const Items &items, std::size_t front)
{
    Counts counts{.items = front};
    for (std::size_t i = 0; i < front; ++i) {
        if (const QString *agent = agentOf(items[i])) {
            ++counts.byAgent[*agent];
            ++counts.rows;
        } else if (std::holds_alternative<InputRecord>(items[i])) {
            ++counts.inputs;
        }
    }
    return counts;
}

StoreQueue::StoreQueue(std::size_t capacity, std::size_t batchRows, std::function<void()> notify)
    : m_capacity(capacity)
    , m_batchRows(batchRows)
    , m_notify(std::move(notify))
{
}

template<typename Item>
void StoreQueue::add(Item &&item, quint64 StoreGap::*kind)
{
    const EventHeader &common = *headerOf(item);
    bool wake = false;
    bool gapBegins = false;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_refusing && m_held.value(common.agent) < m_capacity - m_count) {
            ++m_held[common.agent];
            ++m_count;
            m_items.emplace_back(std::forward<Item>(item));
            ++m_status.accepted;
            wake = m_items.size() == 1 || m_items.size() == m_batchRows;
        } else {
            ++m_status.dropped;
            gapBegins = m_items.empty() || !std::holds_alternative<StoreGap>(m_items.back());
            if (m_refusing) {
                gapBegins = m_status.dropped == 1;
            } else {
                if (gapBegins) {
                    m_items.emplace_back(
                        StoreGap{.monotonicTime = common.monotonicTime, .time = common.time});
                    ++m_status.accepted;
                }
                auto &gap = std::get<StoreGap>(m_items.back());
                if (kind == &StoreGap::events && gap.events == 0)
                    gap.firstSequence = common.sequence;
                ++(gap.*kind);
            }
        }
    }
    if (wake)
        m_work.notify_one();
    if (gapBegins)
        m_notify();
}

void StoreQueue::setRun(const QString &run)
{
    const std::lock_guard lock(m_mutex);
    m_run = run;
}

QString StoreQueue::run() const
{
    const std::lock_guard lock(m_mutex);
    return m_run;
}

void StoreQueue::push(const LifecycleEvent &event) { add(event, &StoreGap::events); }

void StoreQueue::push(DecisionRecord &&record) { add(std::move(record), &StoreGap::decisions); }

void StoreQueue::push(CommandRecord &&record) { add(std::move(record), &StoreGap::commands); }

void StoreQueue::push(const ToolCallFinished &call) { add(call, &StoreGap::calls); }

void StoreQueue::push(InputRecord &&record)
{
    bool wake = false;
    bool isFirstDropped = false;
    {
        const std::lock_guard lock(m_mutex);
        if (m_refusing || m_inputs >= m_capacity) {
            isFirstDropped = ++m_status.dropped == 1;
        } else {
            ++m_inputs;
            m_items.emplace_back(std::move(record));
            ++m_status.accepted;
            wake = m_items.size() == 1 || m_items.size() == m_batchRows;
        }
    }
    if (wake)
        m_work.notify_one();
    if (isFirstDropped)
        m_notify();
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

bool StoreQueue::writeNow(std::chrono::milliseconds timeout)
{
    const Status requested = requestWrite();
    if (!requested.failure.isEmpty())
        return false;
    std::unique_lock lock(m_mutex);
    const auto isWritten = [&] { return m_status.settled >= requested.accepted; };
    m_end.wait_for(lock, timeout, [&] {
        return isWritten() || m_status.failures > requested.failures || m_finished;
    });
    return isWritten() && !m_refusing && m_status.lost == requested.lost;
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
    const auto isUrgent = [this] { return m_writeRequested || m_takeAtOnce || m_closing; };
    m_work.wait(lock, [&] { return !m_items.empty() || isUrgent(); });
    m_work.wait_for(lock, age, [&] { return m_items.size() >= m_batchRows || isUrgent(); });
    m_writeRequested = m_takeAtOnce = false;
    taken.swap(m_items);
    return taken;
}

void StoreQueue::pause(std::chrono::milliseconds time)
{
    std::unique_lock lock(m_mutex);
    const bool wasClosing = m_closing;
    m_work.wait_for(lock, time, [&] { return m_writeRequested || m_closing != wasClosing; });
    m_takeAtOnce = m_takeAtOnce || std::exchange(m_writeRequested, false);
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
    m_end.notify_all();
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
    const Counts counts = countOf(items, count);
    report([&](Status &) { settleCounted(counts, written); });
}

void StoreQueue::settleCounted(const Counts &counts, bool written)
{
    if (m_abandoned)
        return;
    m_count -= counts.rows;
    m_inputs -= counts.inputs;
    for (auto it = counts.byAgent.begin(); it != counts.byAgent.end(); ++it) {
        quint64 &held = m_held[it.key()];
        held -= it.value();
        if (held == 0)
            m_held.remove(it.key());
    }
    m_status.settled += counts.items;
    if (written) {
        m_status.failure.clear();
    } else {
        m_status.dropped += counts.rows + counts.inputs;
        m_status.lost += counts.rows + counts.inputs;
    }
}

// In one change of the status, so that a receiver of the refusal also sees all that it has lost.
void StoreQueue::refuse(const QString &reason, Items taken)
{
    report([&](Status &status) {
        m_refusing = true;
        status.refused = true;
        status.failure = reason;
        ++status.failures;
        std::move(m_items.begin(), m_items.end(), std::back_inserter(taken));
        m_items.clear();
        settleCounted(countOf(taken, taken.size()), false);
    });
}

void StoreQueue::abandon()
{
    const std::lock_guard lock(m_mutex);
    if (std::exchange(m_abandoned, true))
        return;
    m_refusing = true;
    m_status.settled = m_status.accepted;
    m_status.dropped += m_count + m_inputs;
    m_status.lost += m_count + m_inputs;
    m_items.clear();
}

void StoreQueue::reportFinished()
{
    {
        const std::lock_guard lock(m_mutex);
        m_finished = true;
    }
    m_end.notify_all();
}

} // namespace Rekindle
