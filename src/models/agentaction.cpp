// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/internal/agentwords.h"

#include <rekindle/models/agentaction.h>

#include <QCoreApplication>

namespace Rekindle {

namespace {

class Actions
{
    Q_DECLARE_TR_FUNCTIONS(Rekindle::AgentAction)

public:
    explicit Actions(const AgentStatus &agent)
        : m_agent(agent)
        , m_state(knownState(agent))
        , m_runs(m_state == InstanceState::Running || m_state == InstanceState::Starting)
    {
    }

    [[nodiscard]] AgentAction start() const
    {
        return enabled(ControlOperation::Start, tr("Start"), m_runs ? cleared() : started());
    }

    [[nodiscard]] AgentAction stop() const
    {
        const QString label = tr("Stop");
        if (m_state == InstanceState::Stopped)
            return disabled(ControlOperation::Stop, label, tr("%1 is already stopped"));
        if (m_state == InstanceState::Stopping)
            return enabled(ControlOperation::Stop, label,
                           tr("%1 stays stopped, even if a start was planned"));
        if (m_runs)
            return enabled(ControlOperation::Stop, label,
                           tr("%1 is stopped, and stays stopped until it is started"));
        const bool isGivenUp =
            m_state == InstanceState::Failed || m_state == InstanceState::Exhausted;
        if (isGivenUp && !m_agent.nextStartIn)
            return enabled(ControlOperation::Stop, label,
                           tr("%1 stays stopped until it is started"));
        return enabled(ControlOperation::Stop, label,
                       tr("%1 stays stopped until it is started; a planned start is canceled"));
    }

    [[nodiscard]] AgentAction restart() const
    {
        return enabled(ControlOperation::Restart, tr("Restart"),
                       m_runs ? tr("%1 stops and starts again") : started());
    }

    [[nodiscard]] AgentAction retry() const
    {
        const QString label = tr("Retry now");
        // As in the engine, failures without a circuit breaker are those of the sequence.
        const int failures = m_agent.breaker ? m_agent.breaker->failures : 0;
        if (m_runs && m_agent.attempt == 0 && failures == 0 && !isIsolated(m_agent))
            return disabled(ControlOperation::Retry, label, tr("%1 is running without failures"));
        return enabled(ControlOperation::Retry, label, m_runs ? cleared() : started());
    }

    [[nodiscard]] AgentAction resetBreaker() const
    {
        const QString label = tr("Reset circuit breaker");
        if (!m_agent.breaker)
            return withoutBreaker(ControlOperation::ResetBreaker, label);
        const AgentStatus::Breaker &breaker = *m_agent.breaker;
        if (!breaker.isolated && breaker.failures == 0
            && breaker.state == toText(CircuitBreakerState::Closed))
            return disabled(ControlOperation::ResetBreaker, label,
                            tr("the circuit breaker of %1 is closed"));
        return enabled(ControlOperation::ResetBreaker, label,
                       m_state == InstanceState::CircuitOpen
                           ? tr("the circuit breaker of %1 closes; the delayed start begins now")
                           : tr("the circuit breaker of %1 closes, and its failures are counted "
                                "from 0"));
    }

    [[nodiscard]] AgentAction isolateBreaker() const
    {
        const QString label = tr("Isolate");
        if (!m_agent.breaker)
            return withoutBreaker(ControlOperation::IsolateBreaker, label);
        if (isIsolated(m_agent))
            return disabled(ControlOperation::IsolateBreaker, label, tr("%1 is already isolated"));
        return enabled(ControlOperation::IsolateBreaker, label,
                       m_runs ? tr("%1 keeps running, and is not restarted automatically")
                              : tr("%1 is not started automatically"));
    }

    [[nodiscard]] AgentAction releaseBreaker() const
    {
        const QString label = tr("Release");
        if (!m_agent.breaker)
            return withoutBreaker(ControlOperation::ReleaseBreaker, label);
        if (!isIsolated(m_agent))
            return disabled(ControlOperation::ReleaseBreaker, label, tr("%1 is not isolated"));
        return enabled(ControlOperation::ReleaseBreaker, label,
                       tr("%1 can be restarted automatically again"));
    }

private:
    [[nodiscard]] AgentAction enabled(ControlOperation operation, const QString &label,
                                      const QString &effect) const
    {
        return {.operation = operation,
                .isEnabled = true,
                .text = label,
                .effect = effect.arg(m_agent.agent)};
    }
    [[nodiscard]] AgentAction disabled(ControlOperation operation, const QString &label,
                                       const QString &why) const
    {
        return {.operation = operation, .text = label, .effect = why.arg(m_agent.agent)};
    }
    [[nodiscard]] AgentAction withoutBreaker(ControlOperation operation, const QString &label) const
    {
        return disabled(operation, label, tr("%1 has no circuit breaker"));
    }

    [[nodiscard]] QString cleared() const
    {
        return isIsolated(m_agent)
            ? tr("%1 keeps running; the isolation ends, and its restarts are counted from 0")
            : tr("%1 keeps running; its restarts are counted from 0");
    }
    [[nodiscard]] QString started() const
    {
        if (m_state == InstanceState::Stopping)
            return tr("%1 starts as soon as it has stopped");
        return m_agent.holds.isEmpty() ? tr("%1 starts now")
                                       : tr("%1 starts as soon as nothing holds the start back");
    }

    const AgentStatus &m_agent;
    const std::optional<InstanceState> m_state;
    const bool m_runs;
};

} // namespace

QList<AgentAction> actionsFor(const AgentStatus &agent)
{
    const Actions actions(agent);
    return {actions.start(),         actions.stop(),         actions.restart(),
            actions.retry(),         actions.resetBreaker(), actions.isolateBreaker(),
            actions.releaseBreaker()};
}

} // namespace Rekindle
