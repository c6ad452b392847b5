// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agentsnapshot.h>
#include <rekindle/lifecycle/commandresult.h>

#include <QJsonObject>
#include <QObject>
#include <QVariant>

namespace Rekindle {

class AgentSource;
class AgentSupervisor;

/// The QML type Supervisor. An agent is given by its name or its id.
class SupervisorElement : public QObject
{
    Q_OBJECT
    /// The number of agents in state Running.
    Q_PROPERTY(int running READ running NOTIFY changed)
    Q_PROPERTY(int total READ total NOTIFY changed)
    Q_PROPERTY(bool stopping READ isStopping NOTIFY changed)
    Q_PROPERTY(Rekindle::LicenseTier tier READ tier NOTIFY changed)

public:
    /// The supervisor is the parent.
    explicit SupervisorElement(AgentSupervisor &supervisor);

    [[nodiscard]] AgentSupervisor &supervisor() const { return m_supervisor; }
    [[nodiscard]] AgentSource *source() const { return &m_agents; }

    [[nodiscard]] int running() const;
    [[nodiscard]] int total() const;
    [[nodiscard]] bool isStopping() const;
    [[nodiscard]] LicenseTier tier() const;

    Q_INVOKABLE Rekindle::CommandResult start(const QVariant &agent);
    Q_INVOKABLE Rekindle::CommandResult stop(const QVariant &agent);
    Q_INVOKABLE Rekindle::CommandResult restart(const QVariant &agent,
                                                const QString &reason = QStringLiteral("operator"));
    Q_INVOKABLE Rekindle::CommandResult retry(const QVariant &agent);
    /// Closes the circuit breaker.
    Q_INVOKABLE Rekindle::CommandResult reset(const QVariant &agent);
    Q_INVOKABLE void startAll();
    Q_INVOKABLE void stopAll();

    /// The AgentSnapshot; undefined if there is no such agent.
    [[nodiscard]] Q_INVOKABLE QVariant snapshot(const QVariant &agent) const;
    /// Explains the newest decisions, as `rekindle explain` does.
    [[nodiscard]] Q_INVOKABLE QString why(const QVariant &agent) const;
    /// The schedule of the restarts, as the JSON of `rekindle plan`.
    [[nodiscard]] Q_INVOKABLE QJsonObject plan(const QVariant &agent) const;

Q_SIGNALS:
    void changed();

private:
    [[nodiscard]] QUuid idOf(const QVariant &agent) const;

    AgentSupervisor &m_supervisor;
    AgentSource &m_agents;
    bool m_isQueued = false;
};

} // namespace Rekindle
