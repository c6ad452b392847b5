// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>
#include <rekindle/policy/timepoint.h>

#include <QString>

namespace Rekindle {

/// Jitter of a restart policy.
struct Jitter
{
    JitterKind kind = JitterKind::Symmetric;

    /// Width of the band; 0 to 1. Only symmetric and additive use it.
    double ratio = 0.25;

    /// A result above maxDelay is reflected below it (2 * maxDelay - d), so that agents at the
    /// maximum are not restarted together. If false, a delay can exceed maxDelay.
    bool withinMax = true;

    bool operator==(const Jitter &) const = default;
};

} // namespace Rekindle
