// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/process/killdeadline.h>

#include "processguard_p.h"

#include <algorithm>

namespace Rekindle {

bool KillDeadline::set(Instant bootTime)
{
    const std::int64_t time = bootTime.time_since_epoch().count();
    // The lower values have a meaning of their own.
    return ProcessGuard::instance().setKillTime(std::max(time, GuardTable::killTimePassed + 1));
}

void KillDeadline::clear() { ProcessGuard::instance().setKillTime(GuardTable::noKillTime); }

} // namespace Rekindle
