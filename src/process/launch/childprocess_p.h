// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"

#include <rekindle/process/exitstatus.h>

#include <sys/types.h>

#include <optional>
#include <utility>

namespace Rekindle {

/// A child that leads a process group, identified by a pidfd, so that no signal reaches another
/// process with the same id. The destructor does not wait for the child.
class ChildProcess
{
public:
    ChildProcess() = default;
    ChildProcess(pid_t pid, UniqueFd pidFd);

    [[nodiscard]] pid_t pid() const { return m_pid; }

    /// Readable when the process has exited.
    [[nodiscard]] int pidFd() const { return m_pidFd.get(); }
    [[nodiscard]] UniqueFd takePidFd() { return std::move(m_pidFd); }

    /// Signals the group, which may outlive its leader. Returns false if it has no member.
    bool signalGroup(int number);

    /// Whether the group has a member; zombies count.
    [[nodiscard]] bool hasGroup() { return signalGroup(0); }

    /// Reaps the process if it has exited.
    [[nodiscard]] std::optional<ExitStatus> reap() const;

    /// Whether the process was stopped since the last call, for example by Ctrl-Z.
    [[nodiscard]] bool takeStopped() const;

private:
    pid_t m_pid = 0;
    UniqueFd m_pidFd;
};

/// Logs a warning, once, if this program makes the kernel discard the exit status of its children.
void warnIfSigchldIgnored();

} // namespace Rekindle
