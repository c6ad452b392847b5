// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>
#include <rekindle/process/export.h>

namespace Rekindle {

/// The time at which the guard kills all processes of this host whose agents are bound to it
/// (Agent::setKillDeadlineBound()). There is one for the whole host. By default, there is none, and
/// bound processes run without a limit.
///
/// The guard sends SIGKILL to the process groups, and to processes that have left them, also if the
/// host is stopped (SIGSTOP), busy or swapped out. docs/process.md lists the exceptions. The host
/// gets the end of each process as usual. After the deadline, no bound process is started until the
/// deadline is moved or cleared.
///
/// Thread-safe.
class REKINDLE_PROCESS_EXPORT KillDeadline
{
public:
    /// Sets or moves the deadline, to an earlier or later time of Clock::bootNow(). A time that has
    /// passed kills at once. Costs one atomic operation, unless the new time is earlier or there
    /// was none. Returns false, and changes nothing, if there is no memory: do not start bound
    /// agents then.
    [[nodiscard]] static bool set(Instant bootTime);

    /// Removes the deadline. Bound processes that run, and those that are started, are not killed
    /// until a new one is set.
    static void clear();
};

} // namespace Rekindle
