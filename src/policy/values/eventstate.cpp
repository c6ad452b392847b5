// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/eventstate.h"

namespace Rekindle {

namespace {

template<typename... Events>
bool isAny(const LifecycleEvent &event)
{
    return (std::holds_alternative<Events>(event) || ...);
}

} // namespace

std::optional<InstanceState> stateAfter(const LifecycleEvent &event, InstanceState before)
{
    using State = InstanceState;
    if (isAny<AgentStarted, RestartStarted>(event))
        return State::Starting;
    if (isAny<AgentReady>(event))
        return State::Running;
    if (isAny<AgentFailed>(event))
        return State::Failed;
    if (isAny<RestartExhausted>(event))
        return State::Exhausted;
    const bool isPlanned = before == State::Waiting || before == State::CircuitOpen;
    // An agent that was not ready yet has other events.
    if (isAny<AgentStopped>(event) || (isAny<RestartCancelled>(event) && isPlanned))
        return State::Stopped;
    if (isAny<StartHeld>(event) && isTerminal(before))
        return State::Waiting;
    if (const auto *scheduled = std::get_if<RestartScheduled>(&event))
        return scheduled->trial ? State::CircuitOpen : State::Waiting;
    if (const auto *declined = std::get_if<RestartDeclined>(&event))
        return declined->cause == RestartDeclined::Cause::License ? State::Gated : State::Failed;
    const auto *breaker = std::get_if<CircuitBreakerStateChanged>(&event);
    if (breaker != nullptr && breaker->newState == CircuitBreakerState::Open
        && (before == State::Failed || before == State::Waiting))
        return State::CircuitOpen;
    return {};
}

} // namespace Rekindle
