// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/controlrequest_p.h"

// Carry out requests that operate agents and circuit breakers or reload the configuration. A slot
// of the host may destroy the supervisor and the server.

namespace Rekindle {

/// Of agents.start, agents.stop, agents.restart and agents.retry.
[[nodiscard]] ControlReply operateAgents(ControlRequest &request);
/// Of breaker.reset, breaker.isolate and breaker.release.
[[nodiscard]] ControlReply operateBreaker(ControlRequest &request);
[[nodiscard]] ControlReply checkConfiguration(ControlRequest &request);
/// Announces the agents that change, before that takes effect, and those that were added.
[[nodiscard]] ControlReply reloadConfiguration(ControlRequest &request);

/// Emits the event of a request that concerns these agents; unknown names are skipped. Returns
/// false if a slot of the host has deleted the server.
[[nodiscard]] bool announce(const ControlRequest &request, const QStringList &agents);

} // namespace Rekindle
