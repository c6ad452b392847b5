// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/instancememory.h>

namespace Rekindle {

namespace {

bool isClosed(const CircuitBreakerSnapshot &breaker)
{
    return breaker.state == CircuitBreakerState::Closed && !breaker.isolated
        && breaker.reopened == 0;
}

} // namespace

bool InstanceMemory::isBlank() const
{
    // A start from Stopped clears the sequence and the failures of a closed breaker anyway.
    const bool nothingCounted = state == InstanceState::Stopped
        || (attempt == 0 && !inSequence && breaker.failureCount == 0);
    const bool nothingPlanned =
        planned != PlannedStart::Attempt && planned != PlannedStart::Requested;
    return !stoppedByOperator && !givenUpByGroup && nothingCounted && nothingPlanned
        && isClosed(breaker) && restarts.empty() && requests.empty();
}

InstanceMemory InstanceMemory::shiftedBy(Duration shift) const
{
    InstanceMemory moved = *this;
    moved.breaker = breaker.shiftedBy(shift);
    for (Instant *moment : {&moved.firstFailureAt, &moved.lastFailureAt})
        *moment += shift;
    for (std::optional<Instant> *moment : {&moved.startAt, &moved.lastStartAt}) {
        if (*moment)
            **moment += shift;
    }
    for (std::vector<Instant> *moments : {&moved.restarts, &moved.requests}) {
        for (Instant &moment : *moments)
            moment += shift;
    }
    return moved;
}

InstanceMemory remember(const Instance &instance, Instant now)
{
    InstanceMemory memory{static_cast<const InstanceProgress &>(instance)};
    memory.state = instance.state;
    memory.planned = instance.planned;
    memory.breaker = instance.breaker.snapshot();
    // An agent that was given up because of the window stays so: its restarts count as at that
    // time.
    const bool givenUp = instance.state == InstanceState::Exhausted;
    memory.restarts = instance.restarts.recent(givenUp ? instance.lastFailureAt : now);
    memory.requests = instance.requests.recent(now);
    if (instance.startDue)
        memory.startAt = instance.dueAt;
    else if (instance.planned != PlannedStart::None)
        memory.startAt = instance.deadline;
    return memory;
}

} // namespace Rekindle
