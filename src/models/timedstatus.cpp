// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "timedstatus_p.h"

namespace Rekindle {

void TimedStatus::moveTo(Instant now)
{
    const Duration elapsed = now - at;
    at = now;
    if (status.uptime)
        *status.uptime += elapsed;
    if (status.nextStartIn)
        *status.nextStartIn -= elapsed;
    if (status.breaker && status.breaker->resetIn)
        *status.breaker->resetIn -= elapsed;
}

} // namespace Rekindle
