// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agentsupervisor.h>

#include <QUuid>

namespace Rekindle {

/// Starts an agent when it is needed (S0). A start has the attempts of a policy; the policy of a
/// ready agent restarts nothing, so that only the next need starts it again.
class OnDemandStarter
{
public:
    /// `spawn` is the policy of one start with all its attempts.
    OnDemandStarter(AgentSupervisor &supervisor, const RestartPolicy &spawn);

    /// Returns the policy to add the agent with.
    [[nodiscard]] const RestartPolicy &startPolicy() const { return m_startPolicy; }

    /// Returns whether a start is in progress; also between its attempts, and while a running agent
    /// is restarted.
    [[nodiscard]] bool isStarting() const { return m_isStarting; }

    void restart(const QUuid &id, const QString &reason);

    /// The agent is ready: the start has succeeded.
    void finish(const QUuid &id);

    /// Returns true, once, if all attempts of the start have failed or it was stopped.
    [[nodiscard]] bool takeFailure(const QUuid &id);

    /// Starts an idle agent if it is needed. Otherwise, cancels its next attempt.
    void update(const QUuid &id, bool isNeeded);

private:
    [[nodiscard]] InstanceState state(const QUuid &id) const;

    AgentSupervisor &m_supervisor;
    RestartPolicy m_startPolicy; ///< an exit before the agent is ready is a failure, even with 0
    RestartPolicy m_readyPolicy;
    bool m_isStarting = false;
};

} // namespace Rekindle
