// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

namespace Rekindle {

/// Limits for what the processes in the group of an agent use together. An agent that exceeds one
/// of them fails with ResourceExhaustion and is killed. A process that has left the group (setsid,
/// setpgid) does not count.
struct UsageLimits
{
    /// Resident bytes; 0: no limit. A page that several processes share counts in each of them.
    qint64 memory = 0;

    /// Of one core: 1.5 is one and a half cores; 0: no limit.
    double cpu = 0;
    Duration cpuFor = std::chrono::seconds(30); ///< the average over this time, 1 s to 1 h

    int processes = 0; ///< without zombies; 0: no limit

    /// The longest time between two samples, 100 ms to 1 h. With a limit of memory or processes,
    /// samples are more frequent after the start and near the limit. All agents share a pass over
    /// /proc, which takes about 10 microseconds for each process of the machine. The passes use at
    /// most 1 % of a core.
    Duration interval = std::chrono::seconds(5);

    [[nodiscard]] bool isEmpty() const { return memory == 0 && cpu == 0 && processes == 0; }

    bool operator==(const UsageLimits &) const = default;
};

} // namespace Rekindle
