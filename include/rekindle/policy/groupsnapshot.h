// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <optional>
#include <vector>

namespace Rekindle {

/// What must survive an exit of the host, for a group of agents.
struct GroupSnapshot
{
    std::vector<Instant> incidents{}; ///< failures within the period, oldest first
    bool exhausted = false;           ///< it has given up
    std::optional<Instant> rearmAt{}; ///< of a group that has given up; nothing: never

    [[nodiscard]] GroupSnapshot shiftedBy(Duration shift) const
    {
        GroupSnapshot moved = *this;
        for (Instant &each : moved.incidents)
            each += shift;
        if (moved.rearmAt)
            *moved.rearmAt += shift;
        return moved;
    }

    bool operator==(const GroupSnapshot &) const = default;
};

} // namespace Rekindle
