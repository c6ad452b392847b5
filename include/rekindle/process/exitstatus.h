// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

namespace Rekindle {

/// How a process exited.
struct ExitStatus
{
    enum class Kind {
        Exited,  ///< `number` is its exit code
        Killed,  ///< `number` is the signal
        Unknown, ///< reaped elsewhere, and the kernel no longer has the status
    };

    Kind kind = Kind::Unknown;
    int number = 0;

    bool operator==(const ExitStatus &) const = default;
};

} // namespace Rekindle
