// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/agentcalls_p.h"
#include "control/calls/eventfeed_p.h"

namespace Rekindle {

/// Carries out the request events.subscribe.
class EventCalls
{
public:
    /// The arguments must outlive it.
    EventCalls(const AgentSupervisor &supervisor, const AgentCalls &agents, EventRing &ring,
               EventFeed &feed)
        : m_supervisor(supervisor)
        , m_agents(agents)
        , m_ring(ring)
        , m_feed(feed)
    {
    }

    [[nodiscard]] AgentCalls::Response subscribe(ControlSession &session, const QByteArray &params);

private:
    /// The number of the first event after `from`, which is "now", "oldest" or a cursor.
    [[nodiscard]] std::variant<quint64, ControlError> positionOf(const QString &from) const;

    const AgentSupervisor &m_supervisor;
    const AgentCalls &m_agents;
    EventRing &m_ring;
    EventFeed &m_feed;
};

} // namespace Rekindle
