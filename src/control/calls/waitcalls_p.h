// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/controlrequest_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>

#include <QHash>

#include <list>
#include <memory>
#include <optional>

namespace Rekindle {

/// Carries out the request agents.wait. Its response follows when all agents are in the state that
/// the client waits for, or after the timeout.
class WaitCalls : public QObject
{
    Q_OBJECT

public:
    /// `host` must outlive it.
    explicit WaitCalls(ControlCalls &host);

    [[nodiscard]] ControlReply wait(ControlRequest &request);

    /// Ends a request without a response; without an id, all requests of the client.
    void cancel(const ControlConnection &client, const MessageId *id = nullptr);

    /// Notes an event of the evaluator. Before the first call for an agent, it is not stable.
    void note(const LifecycleEvent &event)
    {
        if (const auto *stable = std::get_if<AgentStable>(&event))
            m_stable[stable->instanceId] = stable->generation;
        if (!m_waits.empty())
            check(header(event).instanceId);
    }

Q_SIGNALS:
    /// A session has a response to be written.
    void responded();

private:
    enum class Goal { Ready, Stable, Stopped, Idle };
    struct Wait
    {
        std::weak_ptr<ControlConnection> client{};
        MessageId id{};
        QStringList names{};
        QList<QUuid> agents{};
        Goal goal = Goal::Ready;
        std::unique_ptr<Deadline> timeout{};
    };

    void check(const QUuid &changed);
    void refuseRemoved(const QUuid &removed);
    [[nodiscard]] bool hasStopped(const AgentSnapshot &agent) const;
    [[nodiscard]] bool isReached(const QUuid &agent, Goal goal) const;
    [[nodiscard]] bool isReached(const Wait &wait) const;
    /// Why one of the agents cannot reach the state without a command; empty if all can.
    [[nodiscard]] QString obstacleTo(const QList<QUuid> &agents, Goal goal) const;
    /// The names of the agents that have not reached the state.
    [[nodiscard]] QStringList unreached(const Wait &wait) const;
    [[nodiscard]] ControlResponse resultOf(const Wait &wait) const;
    /// Sends the response and removes the wait. Returns the next one.
    std::list<Wait>::iterator finish(std::list<Wait>::iterator wait,
                                     const ControlResponse &response);

    const ControlCalls &m_host;
    AgentSupervisor &m_supervisor;
    std::list<Wait> m_waits;
    QMetaObject::Connection m_watch; ///< of the states, while something waits
    QHash<QUuid, quint64> m_stable;  ///< generations that became stable
};

} // namespace Rekindle
