// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/agenthealthstatus.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/timepoint.h>

#include <QUuid>

namespace Rekindle {

/// The facts that a restart decision is based on.
struct RestartContext
{
    QUuid instanceId{};
    RestartPolicy policy{};
    int currentAttempt = 0; ///< restarts made in this sequence; 0 at the first failure
    UtcTime firstFailureAt{};
    UtcTime lastFailureAt{};
    FailureReason reason = FailureReason::Unknown;
    FailureDetail detail{};
    AgentHealthStatus healthStatus{};
    bool circuitBreakerOpen = false;
    bool onceReady = false; ///< it has been ready before, so that no failure is permanent

    bool operator==(const RestartContext &) const = default;
};

} // namespace Rekindle
