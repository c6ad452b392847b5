// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "statecontents_p.h"

#include <algorithm>

namespace Rekindle {

void recordOrderlyExit(InstanceMemory &memory)
{
    memory.state = InstanceState::Stopped;
    memory.planned = PlannedStart::None;
    memory.startAt.reset();
    memory.attempt = 0;
    memory.inSequence = false;
    memory.stoppedByOperator = false;
    memory.givenUpByGroup = false;
    recordOrderlyExit(memory.breaker);
}

// As after a start by an operator.
void recordOrderlyExit(CircuitBreakerSnapshot &breaker) { breaker.isolated = false; }

// A closed breaker only has statistics of the past.
bool isBlank(const CircuitBreakerSnapshot &breaker)
{
    return breaker.state == CircuitBreakerState::Closed && !breaker.isolated;
}

bool continuesAfterKill(const InstanceMemory &memory)
{
    if (memory.state == InstanceState::Stopping && memory.planned != PlannedStart::Requested)
        return false;
    return memory.state != InstanceState::Exhausted && continuesManualStart(memory);
}

bool continuesManualStart(const InstanceMemory &memory)
{
    if (memory.stoppedByOperator)
        return false;
    switch (memory.state) {
    case InstanceState::Stopped:
    case InstanceState::Failed:
    case InstanceState::Gated:
        return false;
    case InstanceState::Stopping:
        return memory.planned != PlannedStart::None;
    default:
        return true;
    }
}

Duration elapsed(const SavedTime &saved, const SavedTime &now)
{
    const bool sameBoot = !saved.boot.isEmpty() && saved.boot == now.boot && saved.mono <= now.mono;
    if (sameBoot)
        return std::min<Duration>(now.mono - saved.mono, maxRecordTime);
    // In milliseconds, because the difference of wall-clock times may exceed the range of
    // nanoseconds.
    using std::chrono::milliseconds;
    return std::clamp<milliseconds>(now.utc - saved.utc, milliseconds{0}, maxRecordTime);
}

StateContents StateContents::movedTo(const SavedTime &now) const
{
    const Duration shift = now.mono - (saved.mono + elapsed(saved, now));
    StateContents moved = *this;
    moved.saved = now;
    for (StoredAgent &agent : moved.agents) {
        agent.memory = agent.memory.shiftedBy(shift);
        // The age of the file is not used: a host may have had the agent without writing the file.
        agent.absentSince = agent.absentSince ? *agent.absentSince + shift : now.mono;
    }
    for (CircuitBreakerSnapshot &breaker : moved.sharedBreakers)
        breaker = breaker.shiftedBy(shift);
    for (GroupSnapshot &group : moved.groups)
        group = group.shiftedBy(shift);
    return moved;
}

} // namespace Rekindle
