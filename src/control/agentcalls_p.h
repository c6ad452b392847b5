// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "controlerror_p.h"
#include "controlmethod_p.h"
#include "json/jsontext.h"

#include <rekindle/json/parsed.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <QStringList>

#include <variant>

namespace Rekindle {

/// Carries out the requests of control clients that concern agents.
class AgentCalls
{
public:
    /// The result as JSON on one line, or the error.
    using Response = std::variant<QByteArray, ControlError>;

    /// `supervisor` must outlive it.
    explicit AgentCalls(AgentSupervisor &supervisor)
        : m_supervisor(supervisor)
    {
    }

    /// Returns nothing if the method does not concern agents.
    [[nodiscard]] std::optional<Response> respond(ControlMethod method, const QByteArray &params);

private:
    [[nodiscard]] Response list(const QByteArray &params) const;
    [[nodiscard]] Response get(const QByteArray &params) const;
    template<typename Command>
    [[nodiscard]] Response operate(const QByteArray &params, bool hasReason, Command command);
    template<typename Command>
    [[nodiscard]] Response operateBreaker(const QByteArray &params, Command command);

    /// The ids of agents in the given order; an error if one is unknown.
    [[nodiscard]] std::variant<QList<QUuid>, ControlError> idsOf(const QStringList &names) const;
    [[nodiscard]] Json snapshotOf(const QUuid &id) const;

    AgentSupervisor &m_supervisor;
};

} // namespace Rekindle
