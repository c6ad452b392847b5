// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/instanceevents.h"

namespace Rekindle {

LifecycleEvent toEvent(const InstanceEvent &event, const Instance &instance,
                       const EventHeader &header)
{
    using Kind = InstanceEvent::Kind;
    switch (event.kind) {
    case Kind::AgentStarted:
        return AgentStarted{header, instance.generation};
    case Kind::AgentReady:
        return AgentReady{header, instance.generation, event.duration};
    case Kind::AgentStable:
        return AgentStable{header, instance.generation};
    case Kind::AgentStopped:
        return AgentStopped{header, instance.generation};
    case Kind::AgentFailed:
        return AgentFailed{header, instance.generation, instance.lastReason, {}, event.collateral};
    case Kind::RestartRequested:
        return RestartRequested{header};
    case Kind::RestartScheduled:
        return RestartScheduled{header,
                                event.attempt,
                                instance.policy->maxRetries,
                                *event.delay,
                                event.calculatedDelay,
                                header.time
                                    + std::chrono::round<std::chrono::milliseconds>(*event.delay),
                                instance.lastReason,
                                event.trial};
    case Kind::RestartStarted:
        return RestartStarted{header, event.attempt, header.time, event.duration};
    case Kind::RestartSucceeded:
        return RestartSucceeded{header, event.attempt, event.duration, header.time};
    case Kind::RestartFailed:
        return RestartFailed{header, event.attempt, instance.lastReason, event.willRetry,
                             event.delay};
    case Kind::RestartExhausted:
        return RestartExhausted{header, event.attempt, event.duration, header.time};
    case Kind::RestartCancelled:
        return RestartCancelled{header, event.attempt};
    case Kind::CircuitBreakerStateChanged:
        return CircuitBreakerStateChanged{header,      event.oldState, event.newState,
                                          header.time, event.delay,    event.restored};
    case Kind::StartHeld:
        return StartHeld{header, event.holds};
    case Kind::RestartDeclined:
        return RestartDeclined{header, event.cause, instance.lastReason};
    }
    Q_UNREACHABLE();
}

} // namespace Rekindle
