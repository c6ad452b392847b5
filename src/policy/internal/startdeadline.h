// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>

namespace Rekindle {

/// A start that shows progress gets more time.
struct StartDeadline
{
    Instant startedAt;
    Duration timeout; ///< of a start without progress

    /// Returns the wanted deadline, but not an earlier one than `current`, and at most ten times
    /// the timeout after the start. Otherwise, a hung start would never end.
    [[nodiscard]] REKINDLE_POLICY_EXPORT Instant extended(Instant current, Instant wanted) const;
};

} // namespace Rekindle
