// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/session/controlconnection_p.h"
#include "control/session/controlmethod_p.h"
#include "json/jsonplace.h"

#include <rekindle/lifecycle/commandresult.h>
#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/lifecycleevent.h>

namespace Rekindle {

/// The event of a request of this client, without a reason.
[[nodiscard]] OperatorAction operatorAction(ControlMethod method, const ControlPeer &peer);

/// The result of a request for a circuit breaker, whose state is now `info`.
[[nodiscard]] ControlResponse breakerResult(const CommandResult &result,
                                            const CircuitBreakerInfo &info);

/// Reads the reason of a request. Each agent of the request has an event with it.
[[nodiscard]] QString readReason(const JsonPlace &place);

} // namespace Rekindle
