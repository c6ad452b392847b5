// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <algorithm>

namespace Rekindle {

/// The deadline of a start after progress: the whole time begins again. As with
/// RestartPolicyEvaluator::extendStart(), a start takes at most ten times this time.
[[nodiscard]] inline Instant afterProgress(Instant deadline, Instant startedAt, Duration time,
                                           Instant now)
{
    constexpr int most = 10;
    return std::max(deadline, std::min(now + time, startedAt + most * time));
}

} // namespace Rekindle
