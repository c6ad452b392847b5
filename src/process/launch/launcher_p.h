// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"
#include "process/definition/childidentity_p.h"

#include <rekindle/process/resourcelimit.h>

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace Rekindle {

/// A resource limit of a child.
struct ChildLimit
{
    int resource = 0;       ///< RLIMIT_...
    ResourceLimit values{}; ///< has the layout of prlimit64
};

/// The arguments of a launch, prepared before it, because the child shares the memory of the host
/// until it executes the program and must not allocate. Owns nothing.
struct LaunchRequest
{
    enum class Group {
        OwnSession, ///< leads a session of its own
        Foreground, ///< leads a group that is given the terminal
        Background, ///< leads a group of the caller's session
    };

    const char *program = nullptr; ///< absolute
    char *const *arguments = nullptr;
    char *const *environment = nullptr;
    const char *workingDirectory = nullptr; ///< null: the host's own

    /// The descriptors that become 0, 1 and 2, each above 2; -1: inherited.
    std::array<int, 3> standardFds{-1, -1, -1};

    /// Whether the child inherits descriptors above 2 that are not close-on-exec. Otherwise the
    /// descriptor table is copied only up to the highest of `standardFds`. These have low numbers
    /// if the host keeps its many descriptors elsewhere (longLived()), so the cost of a launch does
    /// not grow with the number of agents.
    bool inheritsDescriptors = false;

    Group group = Group::OwnSession;
    int terminal = -1; ///< of Foreground

    /// The file cgroup.procs of a control group that the child joins; -1: inherited.
    int cgroup = -1;

    /// The child gets SIGKILL when the thread that launches it exits.
    bool endsWithThread = true;

    const ChildIdentity *identity = nullptr; ///< null: inherited
    int umask = -1;                          ///< -1: inherited
    const int *nice = nullptr;               ///< null: inherited
    const ChildLimit *limits = nullptr;
    std::size_t limitCount = 0;

    /// Descriptors that become 3 and above of the child. Their numbers must be at least 3 +
    /// passedCount.
    const int *passedFds = nullptr;
    std::size_t passedCount = 0;
    /// Where the child writes its process id as text, with room for ten digits and a NUL; may be
    /// null.
    char *processIdText = nullptr;

    /// Where the child writes its process id before it executes the program; may be null.
    std::atomic<std::int32_t> *groupSlot = nullptr;

    /// The child reads it after it has written `groupSlot`. If it is not 0 and this time has
    /// passed, in nanoseconds of CLOCK_BOOTTIME, the program is not executed. May be null.
    const std::atomic<std::int64_t> *killTime = nullptr;
};

/// A started process, or the step that failed and its errno.
struct LaunchResult
{
    enum class Step {
        None,
        Resources,
        KillTime,
        Cgroup,
        Limit,
        Nice,
        Identity,
        Directory,
        Execute
    };

    pid_t pid = 0;
    UniqueFd pidFd;
    Step failedStep = Step::None;
    std::size_t failedLimit = 0; ///< of Limit: the index
    int error = 0;
};

/// Starts a program without copying the page tables of the host, so that the cost does not grow
/// with the host. Returns when the program is executed. All signals except the real-time signals
/// have their default action, and none is blocked. Unless the request contains it, the limit of
/// descriptors is the one from before DescriptorLimit::raise(). Thread-safe.
LaunchResult launch(const LaunchRequest &request);

} // namespace Rekindle
