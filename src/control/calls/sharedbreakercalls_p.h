// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/session/controlconnection_p.h"
#include "control/session/controlerror_p.h"
#include "control/session/controlmethod_p.h"

#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <QPointer>

namespace Rekindle {

class JsonWriter;

/// Carries out the requests of control clients that concern shared breakers.
class SharedBreakerCalls
{
public:
    /// `supervisor` must outlive it.
    explicit SharedBreakerCalls(AgentSupervisor &supervisor)
        : m_supervisor(supervisor)
    {
    }

    /// Null: there are none.
    void setBreakers(SharedBreakers *breakers) { m_breakers = breakers; }

    /// Returns nothing if the request does not concern a shared breaker. A slot of the host may
    /// destroy the supervisor and this object.
    [[nodiscard]] std::optional<ControlResponse>
    respond(ControlMethod method, const QByteArray &params, const ControlPeer &peer);

    /// The breakers that the agent requires and that are not closed.
    [[nodiscard]] QStringList openBreakers(const QUuid &agent) const;

    /// Writes an array with the states of the breakers that any of these agents requires.
    void writeStates(JsonWriter &json, const QList<QUuid> &agents) const;

private:
    [[nodiscard]] QStringList names() const;
    void writeState(JsonWriter &json, const SharedBreakerPolicy &policy) const;

    AgentSupervisor &m_supervisor;
    QPointer<SharedBreakers> m_breakers;
};

} // namespace Rekindle
