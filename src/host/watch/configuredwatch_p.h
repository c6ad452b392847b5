// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "host/internal/watchedagents.h"

#include <rekindle/config/configuration.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/policy/slidingwindow.h>

namespace Rekindle {

/// Restarts the agents of a configuration when the files of their key `watch` change. A stopped
/// agent is not started, nor one whose circuit breaker is isolated.
class ConfiguredWatch : public QObject
{
    Q_OBJECT

public:
    explicit ConfiguredWatch(AgentSupervisor &supervisor);

    /// Watches the files of this configuration, instead of those of an earlier one. Changes of
    /// `ignored` files never count.
    void apply(const Configuration &configuration, const QStringList &ignored);

    /// Whether the agent was given up and a change starts it again.
    [[nodiscard]] bool canStart(const QUuid &agent) const;

Q_SIGNALS:
    /// A folder cannot be watched, or an agent is not restarted or only later.
    void noted(const QString &text);

private:
    [[nodiscard]] bool restart(const QString &agent, const QString &reason);

    AgentSupervisor &m_supervisor;
    WatchedAgents m_agents;
    /// Also limits the starts of an agent that changes its own files and crashes.
    QHash<QString, SlidingWindow> m_restarts;
};

} // namespace Rekindle
