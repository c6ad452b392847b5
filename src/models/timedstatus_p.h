// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/controlmessages.h>

namespace Rekindle {

/// The status of an agent, with times relative to an instant.
struct TimedStatus
{
    AgentStatus status{};
    Instant at{};

    /// Makes the times relative to `now`.
    void moveTo(Instant now);
};

} // namespace Rekindle
