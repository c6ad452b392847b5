// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/usage/usagesampler_p.h"

namespace Rekindle {

/// Detects when process groups without a leader are empty. Zombies do not count, because in some
/// containers no process reaps orphans. All groups share one pass over /proc, every 20 ms while
/// there is a group.
class GroupCensus : public UsageSampler
{
public:
    static constexpr Duration betweenPasses = std::chrono::milliseconds(20);

    /// Use perScheduler().
    explicit GroupCensus(Scheduler &scheduler)
        : UsageSampler(scheduler, betweenPasses)
    {
    }
};

} // namespace Rekindle
