// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/export.h>
#include <rekindle/json/parsed.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/timepoint.h>

#include <QByteArray>
#include <QString>

// The records of a fleet in its store (fleet design 4.1), as JSON.

namespace Rekindle {

/// The value of `state/nodes/NODE`: the session of a node.
struct FleetSession
{
    QString run;          ///< the run id of the host
    Duration duration{0}; ///< D
    /// Its node hands over its agents and acquires none.
    bool draining = false;

    bool operator==(const FleetSession &) const = default;
};

/// The value of `state/agents/AGENT`: which node runs an agent. Its modRevision is the fencing
/// token.
struct FleetOwnership
{
    QString node;
    QString run;           ///< the run id of the host of `node`
    bool released = false; ///< the process was reaped; any node may acquire the agent
    QString next{};        ///< if released: this node contends first

    bool operator==(const FleetOwnership &) const = default;
};

/// The value of `state/breakers/NAME`: the state of a shared breaker, for all nodes (fleet design
/// 9). While it is half-open, only this run of this node may have a trial.
struct FleetBreaker
{
    CircuitBreakerState state = CircuitBreakerState::Closed;
    int reopened = 0; ///< failed trials since it was last closed
    QString node{};   ///< the node that has written it
    QString run{};    ///< the run id of the host of `node`

    bool operator==(const FleetBreaker &) const = default;
};

[[nodiscard]] REKINDLE_FLEET_EXPORT QByteArray toJson(const FleetSession &session);
[[nodiscard]] REKINDLE_FLEET_EXPORT QByteArray toJson(const FleetBreaker &breaker);
[[nodiscard]] REKINDLE_FLEET_EXPORT QByteArray toJson(const FleetOwnership &ownership);

/// Reads the JSON of a record. Unknown members are faults.
[[nodiscard]] REKINDLE_FLEET_EXPORT Parsed<FleetSession>
fleetSessionFromJson(const QByteArray &json);
[[nodiscard]] REKINDLE_FLEET_EXPORT Parsed<FleetOwnership>
fleetOwnershipFromJson(const QByteArray &json);
[[nodiscard]] REKINDLE_FLEET_EXPORT Parsed<FleetBreaker>
fleetBreakerFromJson(const QByteArray &json);

/// The keys of the records. Nodes watch the keys that begin with `state/`. They read the keys of
/// renewals at the interval of renewals, because a watch would send N * N messages. Only the
/// revision of a renewal has a meaning.
[[nodiscard]] REKINDLE_FLEET_EXPORT QByteArray fleetNodeKey(const QString &node);
[[nodiscard]] REKINDLE_FLEET_EXPORT QByteArray fleetAgentKey(const QString &agent);
[[nodiscard]] REKINDLE_FLEET_EXPORT QByteArray fleetBreakerKey(const QString &breaker);
[[nodiscard]] REKINDLE_FLEET_EXPORT QByteArray fleetRenewalKey(const QString &node);

} // namespace Rekindle
