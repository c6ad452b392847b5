// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>

#include <functional>

namespace Rekindle {

/// Makes one call of many triggers: once there was none for a while. Where they do not stop it
/// comes all the same, some time after the first.
class Debounce
{
public:
    /// `quiet` is the time without a trigger, `longest` that after the first one.
    Debounce(Scheduler &scheduler, Duration quiet, Duration longest,
             std::function<void()> callback);

    void trigger();

private:
    const Duration m_quiet;
    const Duration m_longest;
    Scheduler &m_scheduler;
    Deadline m_deadline;
    Instant m_latest{}; ///< that it may wait until, while it is armed
};

} // namespace Rekindle
