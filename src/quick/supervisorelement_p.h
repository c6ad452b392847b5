// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agentsnapshot.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/commandresult.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/models/localagents.h>

#include <QJsonObject>
#include <QVariant>

namespace Rekindle {

/// The QML type Supervisor. An agent is given by its name or its id.
class SupervisorElement : public LocalAgents
{
    Q_OBJECT
    /// The number of agents in state Running.
    Q_PROPERTY(int running READ running NOTIFY changed)
    Q_PROPERTY(int total READ total NOTIFY changed)
    Q_PROPERTY(bool stopping READ isStopping NOTIFY changed)
    Q_PROPERTY(Rekindle::LicenseTier tier READ currentTier NOTIFY changed)

public:
    /// The supervisor is the parent.
    explicit SupervisorElement(AgentSupervisor &supervisor);

    [[nodiscard]] int running() const;
    [[nodiscard]] int total() const { return static_cast<int>(ids().size()); }
    [[nodiscard]] bool isStopping() const { return m_supervisor.isStopping(); }
    [[nodiscard]] LicenseTier currentTier() const { return m_supervisor.featureGate().tier(); }

    Q_INVOKABLE Rekindle::CommandResult start(const QVariant &agent)
    {
        return m_supervisor.start(idOf(agent));
    }
    Q_INVOKABLE Rekindle::CommandResult stop(const QVariant &agent)
    {
        return m_supervisor.stop(idOf(agent));
    }
    Q_INVOKABLE Rekindle::CommandResult restart(const QVariant &agent,
                                                const QString &reason = QStringLiteral("operator"))
    {
        return m_supervisor.restart(idOf(agent), reason);
    }
    Q_INVOKABLE Rekindle::CommandResult retry(const QVariant &agent)
    {
        return m_supervisor.retryNow(idOf(agent));
    }
    /// Closes the circuit breaker.
    Q_INVOKABLE Rekindle::CommandResult reset(const QVariant &agent)
    {
        return m_supervisor.policyEvaluator().resetCircuitBreaker(idOf(agent));
    }
    Q_INVOKABLE void startAll() { m_supervisor.startAll(); }
    Q_INVOKABLE void stopAll();

    /// The AgentSnapshot; undefined if there is no such agent.
    [[nodiscard]] Q_INVOKABLE QVariant snapshot(const QVariant &agent) const
    {
        return toQml(m_supervisor.snapshot(idOf(agent)));
    }
    /// Explains the newest decisions, as `rekindle explain` does.
    [[nodiscard]] Q_INVOKABLE QString why(const QVariant &agent);
    /// Returns the planned restarts, as the JSON of `rekindle plan`.
    [[nodiscard]] Q_INVOKABLE QJsonObject plan(const QVariant &agent) const;

Q_SIGNALS:
    void changed();

private:
    [[nodiscard]] QUuid idOf(const QVariant &agent) const;

    AgentSupervisor &m_supervisor;
    bool m_isQueued = false;
};

} // namespace Rekindle
