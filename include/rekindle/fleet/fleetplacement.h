// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/export.h>

#include <QStringList>

namespace Rekindle {

/// Where an agent runs (fleet design 8): on one of the nodes that have it in their configuration.
struct FleetPlacement
{
    QStringList prefer; ///< nodes, the best one first
    bool keep = false;  ///< `onStoreLoss: keep`: runs on without the store; two copies are possible

    bool operator==(const FleetPlacement &) const = default;
};

/// Returns how many of these nodes contend before `node`: first those in `prefer`, then the others
/// in the order of a hash of node and agent, which is the same on all nodes.
[[nodiscard]] REKINDLE_FLEET_EXPORT int fleetRank(const QString &node, const QString &agent,
                                                  const QStringList &prefer,
                                                  const QStringList &nodes);

} // namespace Rekindle
