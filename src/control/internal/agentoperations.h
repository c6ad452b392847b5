// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/controlerror.h>
#include <rekindle/control/controlmessages.h>
#include <rekindle/control/export.h>

// What operators of this process and clients of the control socket do with an agent.

namespace Rekindle {

class AgentSupervisor;
class SharedBreakers;

/// Emits `action`, then operates the agent or its circuit breaker. The reason of a restart is that
/// of the action. `breakers`: null if the host has none. The error is Stopping if a start would
/// prevent the exit of the host, or if a slot has destroyed the supervisor, and Refused if the
/// agent has no circuit breaker.
[[nodiscard]] REKINDLE_CONTROL_EXPORT ControlResult<OperationResult>
operateAgent(AgentSupervisor &supervisor, SharedBreakers *breakers, ControlOperation operation,
             const QUuid &id, const OperatorAction &action);

/// The event of an operation by the user of this process.
[[nodiscard]] REKINDLE_CONTROL_EXPORT OperatorAction ownAction(ControlOperation operation,
                                                               const QString &reason);

} // namespace Rekindle
