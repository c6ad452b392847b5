// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/launch/childprocess_p.h"

#include <rekindle/policy/failure.h>
#include <rekindle/process/exitcodetable.h>

namespace Rekindle {

/// What the exit of a process means.
struct ExitVerdict
{
    enum class Kind { Stopped, RestartRequested, Failed };

    Kind kind = Kind::Stopped;
    Failure failure; ///< of Failed; the caller adds process id and stderr

    /// A process that was requested to stop has stopped, whatever its exit status.
    [[nodiscard]] static ExitVerdict of(ExitStatus status, bool stopRequested,
                                        const ExitCodeTable &table);
};

} // namespace Rekindle
