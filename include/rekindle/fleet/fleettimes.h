// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/export.h>
#include <rekindle/json/fault.h>
#include <rekindle/policy/timepoint.h>

namespace Rekindle {

/// The times of a lease (fleet design 4.2), all on the boot clock of the node.
struct REKINDLE_FLEET_EXPORT FleetTimes
{
    /// D: another node may take over if it has observed no renewal for this long.
    Duration duration = std::chrono::seconds(20);
    /// The time between an acknowledged renewal and the next one, and between two reads of the
    /// renewals of all nodes.
    Duration renewal = std::chrono::seconds(3);
    /// The time after which a renewal that is not acknowledged yet is sent again.
    Duration retry = std::chrono::milliseconds(500);
    /// R: the holder gives up this long after it sent the last acknowledged renewal.
    Duration giveUp = std::chrono::seconds(9);
    /// The longest stop sequence of a placed agent.
    Duration stopSequence = std::chrono::seconds(7);

    /// H: after this time, all placed processes of the node are dead.
    [[nodiscard]] Duration kill() const { return giveUp + stopSequence; }

    /// The longest outage of the store that never stops an agent. Negative if there is none.
    [[nodiscard]] Duration toleratedOutage() const { return giveUp - renewal - retry; }

    /// Contradictions: H must be at most 0.8 D, so that clock rates may differ by 1.25, and an
    /// outage must be tolerated.
    [[nodiscard]] QList<Fault> faults() const;

    bool operator==(const FleetTimes &) const = default;
};

} // namespace Rekindle
