// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/controlcalls_p.h"

#include "control/internal/messagejson.h"

namespace Rekindle {

namespace {

ControlError noFleet()
{
    return refused("noFleet",
                   QStringLiteral("this host is in no fleet: its configuration has no "
                                  "\"fleet\""));
}

} // namespace

ControlReply fleetStatus(ControlRequest &request)
{
    if (const auto fault = request.fault())
        return *fault;
    const FleetControl *const fleet = request.host.fleet;
    return fleet ? ControlReply(messageJson(fleet->status())) : noFleet();
}

ControlReply drainFleetNode(ControlRequest &request)
{
    const QString node = request.text(QStringLiteral("node"));
    bool isDraining = true;
    request.params.read(QStringLiteral("draining"), isDraining);
    if (const auto fault = request.fault())
        return *fault;
    FleetControl *const fleet = request.host.fleet;
    if (!fleet)
        return noFleet();
    if (const QString own = fleet->status().node; own != node)
        return refused("otherNode",
                       QStringLiteral("this host is node %1; a node is drained by its own host; "
                                      "connect to the host of %2")
                           .arg(own, node));
    fleet->setDraining(isDraining);
    return messageJson(fleet->status());
}

ControlReply moveFleetAgent(ControlRequest &request)
{
    const QString agent = request.agent();
    const QString node = request.text(QStringLiteral("node"));
    request.readReason();
    if (const auto fault = request.fault())
        return *fault;
    FleetControl *const fleet = request.host.fleet;
    if (!fleet)
        return noFleet();
    const QUuid id = request.host.supervisor.idOf(agent);
    if (!announce(request, {id}, request.action()))
        return hostExits();
    if (const QString refusal = fleet->move(agent, node); !refusal.isEmpty())
        return refused("notMoved", refusal);
    return objectJson("agent", agent, "node", node);
}

} // namespace Rekindle
