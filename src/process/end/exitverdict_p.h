// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/launch/childprocess_p.h"

#include <rekindle/policy/failure.h>
#include <rekindle/process/exitcodetable.h>

namespace Rekindle {

/// What the end of a process means (spec 6, the exit-code protocol).
struct ExitVerdict
{
    enum class Kind { Stopped, RestartRequested, Failed };

    Kind kind = Kind::Stopped;
    Failure failure; ///< of Failed; process id and stderr are left to the caller

    /// A process that was asked to end has stopped, however it ended.
    [[nodiscard]] static ExitVerdict of(ExitStatus status, bool wasAskedToEnd,
                                        const ExitCodeTable &table);
};

} // namespace Rekindle
