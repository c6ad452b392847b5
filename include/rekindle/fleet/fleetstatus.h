// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QString>

// What a node knows about its fleet. All times are on its own boot clock.

namespace Rekindle {

/// Why a placed agent runs on this node, or does not.
struct FleetAgentStatus
{
    enum class State {
        Unknown,   ///< the store was not read yet, or the agent was not added
        Malformed, ///< its record is malformed; no node acquires it
        Running,   ///< this node owns it; the host runs it, or an operator has stopped it
        Stopping,  ///< until it is reaped
        Writing,   ///< a write of this node is in flight or has an unknown result
        NoLease,   ///< this node has no session, or its lease has expired
        Withdrawn, ///< after FleetNode::withdraw(), until FleetNode::contend()
        Draining,  ///< this node hands over its agents
        Elsewhere, ///< another node owns it, and the session of that node exists
        Waiting,   ///< it is free; a better node contends first
    };

    State state = State::Unknown;
    QString holder{}; ///< the node that owns it; empty if it is free
    qint64 token = 0; ///< of the owner
    Instant since{};  ///< when this owner, or that it is free, was first observed
    /// Elsewhere and Waiting: when this node acquires it, if no change is observed before.
    Instant due = Instant::max();

    bool operator==(const FleetAgentStatus &) const = default;
};

/// The session of a node, or its absence.
struct FleetSessionStatus
{
    QString node;
    bool exists = false;
    QString run{}; ///< the run id of its host; empty if the record is absent or malformed
    bool draining = false;
    Instant since{}; ///< when its last renewal, or its absence, was first observed
    /// When other nodes take over its agents if no further renewal is observed; only valid if the
    /// session exists.
    Instant due{};

    bool operator==(const FleetSessionStatus &) const = default;
};

} // namespace Rekindle
