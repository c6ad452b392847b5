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
    if (memory.stoppedByOperator)
        return false;
    switch (memory.state) {
    case InstanceState::Stopped:
    case InstanceState::Exhausted:
    case InstanceState::Failed:
    case InstanceState::Gated:
        return false;
    case InstanceState::Stopping:
        return memory.planned == PlannedStart::Requested;
    default:
        return true;
    }
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
    StateContents moved;
    moved.saved = now;
    for (auto it = agents.cbegin(); it != agents.cend(); ++it) {
        // The age of the file is not used: a host may have had the agent without writing the file.
        const Instant absentSince = it->absentSince ? *it->absentSince + shift : now.mono;
        moved.agents.insert(it.key(), {it->memory.shiftedBy(shift), absentSince});
    }
    for (auto it = sharedBreakers.cbegin(); it != sharedBreakers.cend(); ++it)
        moved.sharedBreakers.insert(it.key(), it->shiftedBy(shift));
    for (auto it = groups.cbegin(); it != groups.cend(); ++it)
        moved.groups.insert(it.key(), it->shiftedBy(shift));
    return moved;
}

} // namespace Rekindle
