// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/failure.h>
#include <rekindle/process/exitcodetable.h>
#include <rekindle/process/exitstatus.h>
#include <rekindle/process/export.h>

namespace Rekindle {

/// What the exit of a process means for its agent (spec 6).
struct REKINDLE_PROCESS_EXPORT ExitVerdict
{
    enum class Kind {
        Stopped,          ///< without a failure
        RestartRequested, ///< by exit code 42
        Failed,
    };

    Kind kind = Kind::Stopped;
    Failure failure; ///< of Failed, without process id and stderr

    /// A process that was requested to stop has stopped, whatever its exit status.
    [[nodiscard]] static ExitVerdict of(ExitStatus status, bool stopRequested,
                                        const ExitCodeTable &table);
};

} // namespace Rekindle
