// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/controlrequest_p.h"

#include <rekindle/control/reloadableconfiguration.h>
#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <utility>

namespace Rekindle {

/// Carries out the requests of control clients that operate agents and circuit breakers or reload
/// the configuration. A slot of the host may destroy the supervisor and this object.
class OperateCalls
{
public:
    /// `supervisor` must outlive it. `file` is the configuration, the place of faults without one.
    OperateCalls(AgentSupervisor &supervisor, QString file)
        : m_supervisor(supervisor)
        , m_file(std::move(file))
    {
    }

    /// Null: there are none.
    void setSharedBreakers(SharedBreakers *breakers) { m_breakers = breakers; }
    /// Null: the host has no configuration. It must outlive this object.
    void setConfiguration(ReloadableConfiguration *configuration)
    {
        m_configuration = configuration;
    }

    /// Of agents.start, agents.stop, agents.restart and agents.retry.
    [[nodiscard]] ControlResponse operate(ControlRequest &request);
    /// Of breaker.reset, breaker.isolate and breaker.release.
    [[nodiscard]] ControlResponse operateBreaker(ControlRequest &request);
    [[nodiscard]] ControlResponse checkConfiguration(ControlRequest &request) const;
    /// Announces the agents that change, before that takes effect, and those that were added.
    [[nodiscard]] ControlResponse reloadConfiguration(ControlRequest &request) const;

    /// Emits the event of a request that concerns these agents; unknown names are skipped. Returns
    /// false if a slot of the host has deleted the server.
    [[nodiscard]] bool announce(const ControlRequest &request, const QStringList &agents) const;

private:
    [[nodiscard]] ControlResponse operateShared(const ControlRequest &request,
                                                ControlOperation operation, const QString &breaker);
    /// The shared breakers that prevent a restart of the agent.
    [[nodiscard]] QStringList breakersAgainstRestart(const QUuid &id) const;

    AgentSupervisor &m_supervisor;
    const QString m_file;
    QPointer<SharedBreakers> m_breakers;
    ReloadableConfiguration *m_configuration = nullptr;
};

} // namespace Rekindle
