// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/controlrequest_p.h"

namespace Rekindle {

// Carry out agents.list and agents.get.
[[nodiscard]] ControlReply listAgents(ControlRequest &request);
[[nodiscard]] ControlReply getAgent(ControlRequest &request);

} // namespace Rekindle
