// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

namespace Rekindle {

/// Limits that the kernel enforces for all processes of an agent together. The agent gets a control
/// group (cgroup v2) of its own, also without a limit.
struct CgroupLimits
{
    /// memory.max, in bytes: the kernel kills a process of the agent before this is exceeded;
    /// 4096 to 2^40, 0: no limit.
    qint64 memoryMax = 0;
    /// pids.max: threads and processes; 1 to 1,000,000, 0: no limit.
    int tasksMax = 0;

    bool operator==(const CgroupLimits &) const = default;
};

} // namespace Rekindle
