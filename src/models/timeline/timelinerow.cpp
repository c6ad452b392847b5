// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/eventstate.h"

#include <rekindle/models/timelinerow.h>
#include <rekindle/policy/backoff.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr std::size_t changesPerSum = 16;
constexpr UtcTime::duration tick{1};

UtcTime plus(UtcTime time, Duration duration)
{
    return time + std::chrono::duration_cast<UtcTime::duration>(duration);
}

// A start is planned.
bool isPlanned(InstanceState state)
{
    return state == InstanceState::Waiting || state == InstanceState::CircuitOpen;
}

// The first entry at or after this time.
template<typename Entries>
auto firstFrom(Entries &entries, UtcTime time)
{
    const auto isEarlier = [time](const auto &entry) { return entry.time() < time; };
    if (entries.empty() || isEarlier(entries.back())) // usual
        return entries.end();
    return std::partition_point(entries.begin(), entries.end(), isEarlier);
}

// Grows by a quarter: doubling would exceed the limit of memory.
template<typename Entries>
void makeRoom(Entries &entries)
{
    if (entries.size() == entries.capacity())
        entries.reserve(entries.size() + std::max<std::size_t>(entries.size() / 4, 4));
}

template<typename Entries>
void dropFirst(Entries &entries, std::size_t count)
{
    entries.erase(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(count));
    if (entries.capacity() > entries.size() + entries.size() / 4 + 4)
        entries.shrink_to_fit();
}

std::optional<TimelineRow::MarkKind> markOf(const LifecycleEvent &event)
{
    using Kind = TimelineRow::MarkKind;
    if (std::holds_alternative<AgentFailed>(event))
        return Kind::Failure;
    if (std::holds_alternative<RestartExhausted>(event))
        return Kind::Exhausted;
    const auto isOpened = [](const auto *breaker) {
        return breaker != nullptr && breaker->newState == CircuitBreakerState::Open
            && !breaker->restored;
    };
    if (isOpened(std::get_if<CircuitBreakerStateChanged>(&event))
        || isOpened(std::get_if<SharedBreakerStateChanged>(&event)))
        return Kind::BreakerOpened;
    return {};
}

} // namespace

TimelineRow::TimelineRow(const QUuid &instanceId, QString name)
    : m_instanceId(instanceId)
    , m_name(std::move(name))
{
}

void TimelineRow::add(const LifecycleEvent &event)
{
    const EventHeader &common = header(event);
    const Mark mark{common.time, common.sequence};
    advance(mark.at);
    if (const auto state = stateAfter(event, stateAt(mark.at)))
        addState(*state, mark.at);
    if (const auto kind = markOf(event))
        addMark(*kind, mark);
    if (!isLatest(mark.at))
        return;
    if (const auto *scheduled = std::get_if<RestartScheduled>(&event)) {
        plan(*scheduled);
    } else if (const auto *breaker = std::get_if<CircuitBreakerStateChanged>(&event)) {
        Future future = m_future;
        future.breakerReset.reset();
        if (breaker->newState == CircuitBreakerState::Open && breaker->resetDelay)
            future.breakerReset = plus(mark.at, *breaker->resetDelay);
        setFuture(future);
    } else if (std::holds_alternative<StartHeld>(event) && !m_hold) {
        m_hold = mark;
        m_holdIsMarked = false;
    }
}

void TimelineRow::plan(const RestartScheduled &event)
{
    endHold(event.time); // until it is due
    Future future{.start = event.scheduledAt, .breakerReset = m_future.breakerReset};
    if (m_policy && !event.trial && event.attemptNumber > 0) {
        const Backoff::Band band = Backoff::band(*m_policy, event.attemptNumber);
        const UtcTime failedAt = plus(event.scheduledAt, -event.delay);
        future.earliestStart = plus(failedAt, std::max(band.least, m_policy->minInterval));
        future.latestStart = plus(failedAt, std::max(band.greatest, m_policy->minInterval));
    }
    setFuture(future);
}

void TimelineRow::addState(InstanceState state, UtcTime since)
{
    if (!isPlanned(state)) {
        endHold(since);
        if (isLatest(since))
            setFuture({.breakerReset = m_future.breakerReset});
    }
    const auto at = firstFrom(m_changes, since);
    // The change before it may have been dropped.
    if (m_droppedBefore && at == m_changes.begin() && !m_changes.empty() && since < at->time())
        return;
    const auto index = static_cast<std::size_t>(at - m_changes.begin());
    if (at != m_changes.end() && at->time() == since) {
        *at = Change(state, since);
    } else {
        makeRoom(m_changes);
        m_changes.insert(m_changes.begin() + static_cast<std::ptrdiff_t>(index),
                         Change(state, since));
    }
    updateSums(index);
    ++m_revision;
}

void TimelineRow::addMark(MarkKind kind, const Mark &mark)
{
    if (m_droppedBefore && mark.at < *m_droppedBefore)
        return;
    std::vector<Mark> &marks = m_marks[static_cast<std::size_t>(kind)];
    makeRoom(marks);
    marks.insert(firstFrom(marks, mark.at + tick), mark);
    ++m_revision;
}

void TimelineRow::endHold(UtcTime time)
{
    if (!m_hold || time < m_hold->at)
        return;
    advance(time);
    m_hold.reset();
}

void TimelineRow::advance(UtcTime now)
{
    if (!m_hold || m_holdIsMarked || now <= m_hold->at + longHold)
        return;
    m_holdIsMarked = true;
    addMark(MarkKind::LongHold, {m_hold->at + longHold, m_hold->event});
}

void TimelineRow::setFuture(const Future &future)
{
    if (m_future == future)
        return;
    m_future = future;
    ++m_revision;
}

InstanceState TimelineRow::stateAt(UtcTime time) const
{
    const auto after = firstFrom(m_changes, time + tick);
    return after == m_changes.begin() ? InstanceState::Stopped : std::prev(after)->state();
}

bool TimelineRow::isLatest(UtcTime time) const
{
    return m_changes.empty() || m_changes.back().time() <= time;
}

void TimelineRow::addEachTime(std::size_t first, std::size_t last, Times &times) const
{
    for (std::size_t i = first; i < last; ++i)
        times[m_changes[i].index()] += (m_changes[i + 1].time() - m_changes[i].time()).count();
}

void TimelineRow::addTimes(std::size_t first, std::size_t last, Times &times) const
{
    const std::size_t firstSum = (first + changesPerSum - 1) / changesPerSum;
    const std::size_t lastSum = last / changesPerSum;
    if (firstSum >= lastSum) {
        addEachTime(first, last, times);
        return;
    }
    addEachTime(first, firstSum * changesPerSum, times);
    for (std::size_t state = 0; state < times.size(); ++state)
        times[state] += m_sums[lastSum][state] - m_sums[firstSum][state];
    addEachTime(lastSum * changesPerSum, last, times);
}

std::size_t TimelineRow::size() const
{
    std::size_t count = m_changes.size();
    for (const std::vector<Mark> &marks : m_marks)
        count += marks.size();
    return count;
}

std::size_t TimelineRow::bytes() const
{
    std::size_t count = m_changes.capacity() * sizeof(Change) + m_sums.capacity() * sizeof(Times);
    for (const std::vector<Mark> &marks : m_marks)
        count += marks.capacity() * sizeof(Mark);
    return count;
}

std::size_t TimelineRow::changesBefore(UtcTime time) const
{
    const auto after = firstFrom(m_changes, time + tick) - m_changes.begin();
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - 1, 0));
}

std::size_t TimelineRow::sizeBefore(UtcTime time) const
{
    std::size_t count = changesBefore(time);
    for (const std::vector<Mark> &marks : m_marks)
        count += static_cast<std::size_t>(firstFrom(marks, time) - marks.begin());
    return count;
}

void TimelineRow::dropBefore(UtcTime time)
{
    if (sizeBefore(time) == 0)
        return;
    m_droppedBefore = time;
    dropFirst(m_changes, changesBefore(time));
    updateSums(0);
    dropFirst(m_sums, 0);
    for (std::vector<Mark> &marks : m_marks)
        dropFirst(marks, static_cast<std::size_t>(firstFrom(marks, time) - marks.begin()));
    ++m_revision;
}

void TimelineRow::updateSums(std::size_t firstChanged)
{
    const std::size_t valid = (firstChanged + changesPerSum - 1) / changesPerSum;
    m_sums.resize(std::min(m_sums.size(), valid));
    while (m_sums.size() * changesPerSum < m_changes.size()) {
        Times times{};
        if (!m_sums.empty()) {
            times = m_sums.back();
            const std::size_t end = m_sums.size() * changesPerSum;
            addEachTime(end - changesPerSum, end, times);
        }
        makeRoom(m_sums);
        m_sums.push_back(times);
    }
}

} // namespace Rekindle
