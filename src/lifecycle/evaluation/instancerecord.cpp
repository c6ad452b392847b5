// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancerecord_p.h"

namespace Rekindle {

Failure InstanceRecord::detectedFailure(InputKind input) const
{
    Failure failure{instance.lastReason, {.processId = processId}};
    FailureDetail &detail = failure.detail;
    if (input == InputKind::Exited) {
        detail.exitCode = 0;
        detail.message = QStringLiteral("exited with code 0, which its policy treats as a failure");
    } else if (input == InputKind::ExitedForRestart) {
        const RequestLimit &limit = instance.policy->requestLimit;
        detail.exitCode = instance.lastExitCode;
        detail.message = QStringLiteral("requested more than %1 restarts within %2")
                             .arg(limit.count)
                             .arg(durationToString(limit.period));
    } else {
        detail.message = QStringLiteral("not ready within %1")
                             .arg(durationToString(instance.policy->startTimeout));
    }
    return failure;
}

LifecycleEvent InstanceRecord::toEvent(const InstanceEvent &event, const EventHeader &header) const
{
    using Kind = InstanceEvent::Kind;
    switch (event.kind) {
    case Kind::AgentStarted:
        return AgentStarted{header, instance.generation, processId};
    case Kind::AgentReady:
        return AgentReady{header, instance.generation, event.duration};
    case Kind::AgentStable:
        return AgentStable{header, instance.generation};
    case Kind::AgentStopped:
        return AgentStopped{header, instance.generation};
    case Kind::AgentFailed:
        return AgentFailed{header, instance.generation, instance.lastReason,
                           lastFailure ? lastFailure->detail : FailureDetail{}};
    case Kind::RestartRequested:
        return RestartRequested{header, restartReason};
    case Kind::RestartScheduled:
        return RestartScheduled{header,
                                event.attempt,
                                instance.policy->maxRetries,
                                *event.delay,
                                event.calculatedDelay,
                                header.time
                                    + std::chrono::round<std::chrono::milliseconds>(*event.delay),
                                instance.lastReason};
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
    }
    Q_UNREACHABLE();
}

} // namespace Rekindle
