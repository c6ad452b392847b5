// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

namespace Rekindle {

/// When a ready agent is replaced before it fails, for example because it leaks memory slowly. This
/// is a requested restart, which costs no attempt.
struct Recycling
{
    Duration maxAge{0};  ///< since its start; 0: no limit, otherwise 1 s to 366 d
    double spread = 0.1; ///< 0 to 0.5: random share by which maxAge is shorter or longer
    qint64 memory = 0;   ///< resident bytes, counted as by UsageLimits; 0: no limit
    /// Answered tool calls of an MCP server behind a WatchdogProxy or an McpGateway; 0: no limit.
    int calls = 0;

    /// Whether a process alone is never recycled.
    [[nodiscard]] bool isEmpty() const { return maxAge == Duration{0} && memory == 0; }

    bool operator==(const Recycling &) const = default;
};

} // namespace Rekindle
