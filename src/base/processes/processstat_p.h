// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string_view>

namespace Rekindle {

/// What the system reports about a process, without the processes that it has started.
struct ProcessStat
{
    char state = '?'; ///< 'Z': exited, but not waited for
    pid_t group = 0;
    std::chrono::milliseconds cpuTime{0}; ///< used since the start, in steps of 10 ms
    /// Used by the children that have exited and that it has waited for.
    std::chrono::milliseconds childrenCpuTime{0};
    qint64 startTicks = 0; ///< start time since the boot, in clock ticks
    qint64 residentBytes = 0;

    [[nodiscard]] bool hasExited() const { return state == 'Z' || state == 'X'; }

    /// Parses the contents of /proc/PID/stat. Returns nothing if they are incomplete.
    [[nodiscard]] static std::optional<ProcessStat> parse(std::string_view text);

    /// Returns nothing if there is no such process, or if /proc hides it.
    [[nodiscard]] static std::optional<ProcessStat> of(pid_t process);
};

} // namespace Rekindle
