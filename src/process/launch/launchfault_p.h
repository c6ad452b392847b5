// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/failure.h>
#include <rekindle/process/exitcodetable.h>

namespace Rekindle {

/// Why a process could not be started.
struct LaunchFault
{
    enum class Step {
        Definition, ///< what is asked for cannot be done, ever; `subject` says why
        Program,    ///< not found or not executable; `subject` names it
        Directory,  ///< the working directory
        File,       ///< a file for its output
        Resources,  ///< pipes, sockets, memory
    };

    Step step = Step::Resources;
    int error = 0;
    QString subject;

    /// 127 where the program is not there and 126 where it cannot be executed, as a shell has it.
    [[nodiscard]] std::optional<int> exitCode() const;

    [[nodiscard]] Failure toFailure(const ExitCodeTable &table) const;
};

} // namespace Rekindle
