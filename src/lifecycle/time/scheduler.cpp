// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/scheduler.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {
// A heap with four children per node has half the levels of a binary heap, and the children are in
// adjacent cache lines.
constexpr std::size_t fanOut = 4;
} // namespace

Scheduler::Scheduler(const Clock &clock)
    : m_clock(clock)
{
}

Scheduler::~Scheduler()
{
    for (const Entry &entry : m_heap)
        entry.deadline->m_index = Deadline::notArmed;
}

Instant Scheduler::nextDue() const { return m_heap.empty() ? Instant::max() : m_heap.front().due; }

void Scheduler::place(std::size_t index, const Entry &entry)
{
    m_heap[index] = entry;
    entry.deadline->m_index = index;
}

void Scheduler::siftUp(std::size_t index, const Entry &entry)
{
    while (index > 0) {
        const std::size_t parent = (index - 1) / fanOut;
        if (!(entry < m_heap[parent]))
            break;
        place(index, m_heap[parent]);
        index = parent;
    }
    place(index, entry);
}

void Scheduler::siftDown(std::size_t index, const Entry &entry)
{
    const std::size_t size = m_heap.size();
    for (;;) {
        const std::size_t first = index * fanOut + 1;
        if (first >= size)
            break;
        std::size_t least = first;
        for (std::size_t child = first + 1; child < std::min(first + fanOut, size); ++child) {
            if (m_heap[child] < m_heap[least])
                least = child;
        }
        if (!(m_heap[least] < entry))
            break;
        place(index, m_heap[least]);
        index = least;
    }
    place(index, entry);
}

void Scheduler::arm(Deadline &deadline, Instant due)
{
    const Instant before = nextDue();
    const Entry entry{due, m_order++, &deadline};
    if (!deadline.isArmed()) {
        m_heap.emplace_back();
        siftUp(m_heap.size() - 1, entry);
    } else if (entry < m_heap[deadline.m_index]) {
        siftUp(deadline.m_index, entry);
    } else {
        siftDown(deadline.m_index, entry);
    }
    if (nextDue() != before)
        nextDueChanged();
}

void Scheduler::disarm(Deadline &deadline)
{
    if (!deadline.isArmed())
        return;
    const Instant before = nextDue();
    const std::size_t hole = std::exchange(deadline.m_index, Deadline::notArmed);
    const Entry last = m_heap.back();
    m_heap.pop_back();
    if (hole < m_heap.size()) {
        const std::size_t parent = hole == 0 ? 0 : (hole - 1) / fanOut;
        if (hole > 0 && last < m_heap[parent])
            siftUp(hole, last);
        else
            siftDown(hole, last);
    }
    if (nextDue() != before)
        nextDueChanged();
}

void Scheduler::fireDue(Instant now, std::size_t limit)
{
    for (; limit > 0 && !m_heap.empty() && m_heap.front().due <= now; --limit) {
        Deadline &deadline = *m_heap.front().deadline;
        disarm(deadline);
        // A copy, because the callback may destroy the deadline.
        const Deadline::Callback callback = deadline.m_callback;
        callback();
    }
}

Deadline::Deadline(Scheduler &scheduler, Callback callback)
    : m_scheduler(scheduler)
    , m_callback(std::move(callback))
{
}

Deadline::~Deadline() { disarm(); }

void Deadline::armIn(Duration delay)
{
    const Instant now = m_scheduler.now();
    arm(delay < Instant::max() - now ? now + delay : Instant::max());
}

Instant Deadline::due() const
{
    return isArmed() ? m_scheduler.m_heap[m_index].due : Instant::max();
}

} // namespace Rekindle
