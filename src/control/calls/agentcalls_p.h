// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/rings/eventring_p.h"
#include "control/session/controlconnection_p.h"
#include "control/session/controlerror_p.h"
#include "control/session/controlmethod_p.h"
#include "json/jsontext.h"

#include <rekindle/control/eventarchive.h>
#include <rekindle/groups/startgate.h>
#include <rekindle/json/parsed.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <QPointer>
#include <QStringList>

#include <variant>

namespace Rekindle {

class GroupCalls;
class JsonWriter;
class SharedBreakerCalls;

/// Carries out the requests of control clients that concern agents.
class AgentCalls
{
public:
    using Response = ControlResponse;

    /// The arguments must outlive it. `events` has the cursor of the responses.
    AgentCalls(AgentSupervisor &supervisor, const EventRing &events, const GroupCalls &groups,
               const SharedBreakerCalls &breakers)
        : m_supervisor(supervisor)
        , m_events(events)
        , m_groups(groups)
        , m_breakers(breakers)
    {
    }

    /// Null: there is no governor.
    void setStartGate(const StartGate *gate) { m_gate = gate; }

    /// Null: there is none. It must outlive this object.
    void setArchive(const EventArchive *archive) { m_archive = archive; }

    /// Returns nothing if the method does not concern agents.
    [[nodiscard]] std::optional<Response> respond(ControlMethod method, const QByteArray &params,
                                                  const ControlPeer &peer);

    /// Emits the event of a request that concerns these agents; unknown names are skipped. A slot
    /// of the host may destroy this object.
    void announce(ControlMethod method, const QStringList &agents, const ControlPeer &peer);

    /// The names of all agents.
    [[nodiscard]] QStringList names() const;

    /// The ids of agents in the given order; an error if one is unknown.
    [[nodiscard]] std::variant<QList<QUuid>, ControlError> idsOf(const QStringList &asked) const;
    /// Writes an array with the snapshot of each agent, in the given order.
    void writeSnapshots(JsonWriter &json, const QList<QUuid> &ids) const;
    /// The result of agents.get.
    [[nodiscard]] QByteArray detailsOf(const QUuid &id) const;

private:
    [[nodiscard]] ControlError unknownAgent(const QString &name) const;
    [[nodiscard]] Response list(const QByteArray &params) const;
    [[nodiscard]] Response get(const QByteArray &params) const;
    template<typename Command>
    [[nodiscard]] Response operate(ControlMethod method, const QByteArray &params,
                                   const ControlPeer &peer, Command command);
    [[nodiscard]] Response
    operateBreaker(ControlMethod method, const QByteArray &params, const ControlPeer &peer,
                   CommandResult (RestartPolicyEvaluator::*command)(const QUuid &));

    [[nodiscard]] bool hasAnyTag(const QUuid &id, const QStringList &tags) const;
    enum class StderrTail { Omitted, Included };
    void writeSnapshot(JsonWriter &json, const QUuid &id, StderrTail stderrTail) const;
    void writeGovernor(JsonWriter &json) const;
    void writeStore(JsonWriter &json) const;
    static void writeFailure(JsonWriter &json, const std::optional<Failure> &failure,
                             StderrTail stderrTail);

    AgentSupervisor &m_supervisor;
    const EventRing &m_events;
    QPointer<const StartGate> m_gate;
    const EventArchive *m_archive = nullptr;
    const GroupCalls &m_groups;
    const SharedBreakerCalls &m_breakers;
};

} // namespace Rekindle
