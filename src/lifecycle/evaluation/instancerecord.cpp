// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instancerecord_p.h"

#include "policy/internal/instanceevents.h"

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
    LifecycleEvent result = Rekindle::toEvent(event, instance, header);
    if (auto *started = std::get_if<AgentStarted>(&result))
        started->processId = processId;
    else if (auto *failed = std::get_if<AgentFailed>(&result); failed && lastFailure)
        failed->detail = lastFailure->detail;
    else if (auto *stopped = std::get_if<AgentStopped>(&result))
        stopped->reason = currentStopReason();
    else if (auto *requested = std::get_if<RestartRequested>(&result))
        requested->reason = restartReason;
    return result;
}

} // namespace Rekindle
