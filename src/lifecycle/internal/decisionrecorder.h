// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policy/internal/decisionrecord.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <functional>

namespace Rekindle {

/// Calls `record` with each decision of the evaluator, with what was known about the agent when it
/// was made. Ends when the receiver is deleted.
REKINDLE_LIFECYCLE_EXPORT void recordDecisions(RestartPolicyEvaluator &evaluator, QObject *receiver,
                                               std::function<void(DecisionRecord)> record);

} // namespace Rekindle
