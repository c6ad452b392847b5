// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/restartpolicyevaluator.h>

namespace Rekindle {

/// Returns whether a new definition of the agent's process leads to a restart. An agent that has
/// failed is to run, and the new definition may be the correction. One that was stopped or isolated
/// is not to run.
[[nodiscard]] inline bool isToRun(const RestartPolicyEvaluator &evaluator, const QUuid &id)
{
    switch (evaluator.state(id).value_or(InstanceState::Stopped)) {
    case InstanceState::Starting:
    case InstanceState::Running:
        return true;
    case InstanceState::Waiting:
    case InstanceState::Evaluating:
    case InstanceState::CircuitOpen:
    case InstanceState::Exhausted:
    case InstanceState::Failed:
        return !evaluator.circuitBreakerState(id).isolated;
    default:
        return false;
    }
}

} // namespace Rekindle
