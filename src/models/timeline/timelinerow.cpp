// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/eventstate.h"

#include <rekindle/models/timelinerow.h>
#include <rekindle/policy/backoff.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

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

// The change to the state at this time is not before it.
std::size_t changesBefore(const std::vector<TimelineRow::Change> &changes, UtcTime time)
{
    const auto after = firstFrom(changes, time + tick) - changes.begin();
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - 1, 0));
}

// Grows by a quarter: doubling would exceed the limit of memory.
template<typename Entries>
void insert(Entries &entries, typename Entries::const_iterator at,
            const typename Entries::value_type &entry)
{
    const auto index = at - entries.cbegin();
    if (entries.size() == entries.capacity())
        entries.reserve(entries.size() + std::max<std::size_t>(entries.size() / 4, 4));
    entries.insert(entries.cbegin() + index, entry);
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

void TimelineRow::add(const LifecycleEvent &event, const std::optional<RestartPolicy> &policy)
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
        plan(*scheduled, policy);
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

void TimelineRow::plan(const RestartScheduled &event, const std::optional<RestartPolicy> &policy)
{
    endHold(event.time); // until it is due
    Future future{.start = event.scheduledAt, .breakerReset = m_future.breakerReset};
    if (policy && !event.trial && event.attemptNumber > 0) {
        const Backoff::Band band = Backoff::band(*policy, event.attemptNumber);
        const UtcTime failedAt = plus(event.scheduledAt, -event.delay);
        future.earliestStart = plus(failedAt, std::max(band.least, policy->minInterval));
        future.latestStart = plus(failedAt, std::max(band.greatest, policy->minInterval));
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
    if (at != m_changes.end() && at->time() == since)
        *at = Change(state, since);
    else
        insert(m_changes, at, Change(state, since));
    ++m_revision;
}

void TimelineRow::addMark(MarkKind kind, const Mark &mark)
{
    if (m_droppedBefore && mark.at < *m_droppedBefore)
        return;
    std::vector<Mark> &marks = m_marks[static_cast<std::size_t>(kind)];
    insert(marks, firstFrom(marks, mark.at + tick), mark);
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

std::size_t TimelineRow::size() const
{
    std::size_t count = m_changes.size();
    for (const std::vector<Mark> &marks : m_marks)
        count += marks.size();
    return count;
}

std::size_t TimelineRow::sizeBefore(UtcTime time) const
{
    std::size_t count = changesBefore(m_changes, time);
    for (const std::vector<Mark> &marks : m_marks)
        count += static_cast<std::size_t>(firstFrom(marks, time) - marks.begin());
    return count;
}

void TimelineRow::dropBefore(UtcTime time)
{
    if (sizeBefore(time) == 0)
        return;
    m_droppedBefore = time;
    dropFirst(m_changes, changesBefore(m_changes, time));
    for (std::vector<Mark> &marks : m_marks)
        dropFirst(marks, static_cast<std::size_t>(firstFrom(marks, time) - marks.begin()));
    ++m_revision;
}

} // namespace Rekindle
