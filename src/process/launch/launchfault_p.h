// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/failure.h>
#include <rekindle/process/exitcodetable.h>

namespace Rekindle {

/// Why a process was not started.
struct LaunchFault
{
    enum class Step {
        Definition,   ///< the definition is invalid; `subject` is the reason
        Program,      ///< not found or not executable; `subject` is the program
        Setting,      ///< `subject` is the key and the value, for example `nice -5`
        Directory,    ///< the working directory
        File,         ///< an output file
        KillDeadline, ///< `subject` is the reason
        Resources,    ///< pipes, sockets, memory
    };

    Step step = Step::Resources;
    int error = 0;
    QString subject;

    /// As in a shell: 127 if the program is not found, 126 if it cannot be executed.
    [[nodiscard]] std::optional<int> exitCode() const;

    [[nodiscard]] Failure toFailure(const ExitCodeTable &table) const;
};

} // namespace Rekindle
