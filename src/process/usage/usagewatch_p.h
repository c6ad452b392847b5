// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cpushare_p.h"
#include "groupusage_p.h"

#include <rekindle/process/recycling.h>
#include <rekindle/process/usagelimits.h>

#include <QString>

#include <optional>

namespace Rekindle {

/// Compares the samples of one start with the limits.
class UsageWatch
{
public:
    UsageWatch(const UsageLimits &limits, const Recycling &recycling, Instant startedAt);

    void add(Instant now, const GroupUsage &usage);

    /// Returns the time until the next sample, at most UsageLimits::interval. With a limit of
    /// memory or processes, it is shorter at the start, near the limit, and while the group grows.
    [[nodiscard]] Duration untilNext() const;

    /// Returns which limit the last sample exceeds, with the measured value.
    [[nodiscard]] std::optional<QString> excess() const;

    /// Returns why the agent should be recycled according to the last sample.
    [[nodiscard]] std::optional<QString> recyclingReason() const;

private:
    UsageLimits m_limits;
    Recycling m_recycling;
    Instant m_sampledAt;
    GroupUsage m_usage;
    double m_bytesPerSecond = 0;     // since the previous sample
    double m_processesPerSecond = 0; // since the previous sample
    bool m_isFirst = true;
    CpuShare m_cpu;
};

} // namespace Rekindle
