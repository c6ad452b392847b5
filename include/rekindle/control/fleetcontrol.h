// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/controlmessages.h>

#include <QString>

#include <optional>

namespace Rekindle {

/// The fleet of a host, which clients of a ControlServer can see and operate: the requests
/// fleet.status, fleet.drain and fleet.move. ControlServer::setFleet() connects it.
class FleetControl
{
public:
    FleetControl() = default;
    Q_DISABLE_COPY_MOVE(FleetControl)
    virtual ~FleetControl() = default;

    [[nodiscard]] virtual FleetStatus status() const = 0;

    /// Where a placed agent runs; nothing for an agent without a placement.
    [[nodiscard]] virtual std::optional<AgentStatus::Placement>
    placement(const QString &agent) const = 0;

    /// Hands over all agents of this node one by one, or contends for agents again.
    virtual void setDraining(bool draining) = 0;

    /// Hands over an agent of this node to another one. Returns why that is impossible; empty if it
    /// has begun.
    [[nodiscard]] virtual QString move(const QString &agent, const QString &node) = 0;
};

} // namespace Rekindle
