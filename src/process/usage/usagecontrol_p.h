// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "usagesampler_p.h"
#include "usagewatch_p.h"

#include <functional>
#include <memory>

namespace Rekindle {

/// Enforces the limits of one started process group and requests its recycling.
class UsageControl
{
public:
    struct Callbacks
    {
        std::function<void(const QString &text)> exceeded;  ///< at most once
        std::function<void(const QString &reason)> recycle; ///< again each minute while it runs
    };

    /// `draw`, 0 to 1, selects the time of a recycling by age within the spread. The callbacks may
    /// destroy this object.
    UsageControl(const UsageLimits &limits, const Recycling &recycling, pid_t group,
                 Instant startedAt, double draw, Scheduler &scheduler, Callbacks callbacks);
    ~UsageControl();
    Q_DISABLE_COPY_MOVE(UsageControl)

    /// The agent is ready. It is not recycled before.
    void ready();

    /// When it is recycled because of its age; empty: never.
    [[nodiscard]] std::optional<Instant> recyclingAt() const;

private:
    /// Returns the time until the next sample.
    Duration sampled(const GroupUsage &usage);
    void aged();
    void recycle(const QString &reason);

    Scheduler &m_scheduler;
    const Callbacks m_callbacks;
    const pid_t m_group;
    const Duration m_age; // at which it is recycled; 0: never
    UsageWatch m_watch;
    std::shared_ptr<UsageSampler> m_sampler;
    Deadline m_ageReached;
    Instant m_nextRequest = Instant::min();
    bool m_isReady = false;
};

} // namespace Rekindle
