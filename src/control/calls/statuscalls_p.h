// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/controlrequest_p.h"
#include "control/rings/eventring_p.h"

#include <rekindle/control/controlmessages.h>
#include <rekindle/control/eventarchive.h>
#include <rekindle/groups/agentgroups.h>
#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/groups/startgate.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <QPointer>
#include <QStringList>

namespace Rekindle {

/// Carries out the requests agents.list and agents.get, and describes agents for other requests.
class StatusCalls
{
public:
    /// The arguments must outlive it. `events` has the cursor of the responses.
    StatusCalls(const AgentSupervisor &supervisor, const EventRing &events)
        : m_supervisor(supervisor)
        , m_events(events)
    {
    }

    // Null: there is none. The archive must outlive this object.
    void setArchive(const EventArchive *archive) { m_archive = archive; }
    void setGroups(const AgentGroups *groups) { m_groups = groups; }
    void setSharedBreakers(const SharedBreakers *breakers) { m_breakers = breakers; }
    void setStartGate(const StartGate *gate) { m_gate = gate; }

    [[nodiscard]] ControlResponse list(ControlRequest &request) const;
    [[nodiscard]] ControlResponse get(ControlRequest &request) const;

    /// The names of all agents.
    [[nodiscard]] QStringList names() const;
    /// The error for a name that is unknown or repeated; nothing if there is none.
    [[nodiscard]] std::optional<ControlError> faultIn(const QStringList &names) const;
    /// The ids of these agents.
    [[nodiscard]] QList<QUuid> idsOf(const QStringList &names) const;

    [[nodiscard]] QList<AgentStatus> statusOf(const QList<QUuid> &ids) const;
    /// Also has the last lines on stderr before the last failure.
    [[nodiscard]] AgentStatus detailsOf(const QUuid &id) const;
    /// The cursor of the responses.
    [[nodiscard]] QString cursor() const { return m_events.cursor(); }

private:
    [[nodiscard]] GroupStatus statusOf(const GroupDefinition &group) const;
    [[nodiscard]] SharedBreakerStatus statusOf(const SharedBreakerPolicy &policy,
                                               const QList<QUuid> &agents) const;

    const AgentSupervisor &m_supervisor;
    const EventRing &m_events;
    const EventArchive *m_archive = nullptr;
    QPointer<const AgentGroups> m_groups;
    QPointer<const SharedBreakers> m_breakers;
    QPointer<const StartGate> m_gate;
};

} // namespace Rekindle
