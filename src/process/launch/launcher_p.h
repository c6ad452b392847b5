// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/io/uniquefd_p.h"

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstdint>

namespace Rekindle {

/// All that one launch needs, prepared beforehand: the child shares the host's memory until it
/// executes the program and must not allocate. Nothing is owned.
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

    /// What becomes 0, 1 and 2, each above 2; -1 where the host's own is inherited.
    std::array<int, 3> standardFds{-1, -1, -1};

    /// Whether the child has, besides 0, 1 and 2, what the host has that is not close-on-exec.
    /// Without, nothing of the host's table is copied beyond the highest of `standardFds`: a host
    /// with thousands of descriptors launches as fast as one with few.
    bool inheritsDescriptors = false;

    Group group = Group::OwnSession;
    int terminal = -1; ///< of Foreground

    /// SIGKILL when the thread that launches it ends.
    bool endsWithThread = true;

    /// Where the child writes its process id before it executes the program; may be null.
    std::atomic<std::int32_t> *groupSlot = nullptr;
};

/// A started process, or the step that failed and its errno.
struct LaunchResult
{
    enum class Step { None, Clone, Redirect, Directory, Execute };

    pid_t pid = 0;
    UniqueFd pidFd;
    Step failedStep = Step::None;
    int error = 0;
};

/// Starts a program without copying the host's page tables: its cost does not grow with the
/// host. Returns when the program is executed. All signals but the real-time ones have their
/// default effect in it, and none is blocked; its limit of descriptors is the one from before
/// DescriptorLimit::raise(). Thread-safe.
LaunchResult launch(const LaunchRequest &request);

} // namespace Rekindle
