// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/io/uniquefd_p.h"

#include <sys/types.h>

#include <optional>

namespace Rekindle {

/// How a process ended.
struct ExitStatus
{
    enum class Kind {
        Exited,  ///< `number` is its exit code
        Killed,  ///< `number` is the signal
        Unknown, ///< somebody else has taken the answer, and the kernel does not keep it
    };

    Kind kind = Kind::Unknown;
    int number = 0;

    bool operator==(const ExitStatus &) const = default;
};

/// One child that leads a process group, held by a descriptor: no signal ever reaches another
/// process that was given its number. Does not wait for it when it is destroyed.
class ChildProcess
{
public:
    ChildProcess() = default;
    ChildProcess(pid_t pid, UniqueFd pidFd);

    [[nodiscard]] pid_t pid() const { return m_pid; }

    /// Readable when the process has ended.
    [[nodiscard]] int pidFd() const { return m_pidFd.get(); }
    [[nodiscard]] UniqueFd takePidFd();

    /// To all that is left of the group, which may outlive its leader; false if there is nothing.
    bool signalGroup(int number) const;

    /// Whether the group has a member, be it a zombie.
    [[nodiscard]] bool hasGroup() const;

    /// Takes the answer of an ended process; nothing while it has not ended.
    [[nodiscard]] std::optional<ExitStatus> reap() const;

    /// Whether it was stopped since the last time it was asked, by Ctrl-Z for example.
    [[nodiscard]] bool takeStopped() const;

private:
    pid_t m_pid = 0;
    UniqueFd m_pidFd;
};

} // namespace Rekindle
