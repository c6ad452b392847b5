// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "startwaiters_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/mcp/mcpagent.h>

#include <QPointer>

#include <functional>

namespace Rekindle {

/// The agent of a ToolBackend: a server that the host's supervisor manages, and the callers that
/// wait for it.
class BackendAgent
{
public:
    /// What the owner does after events of the agent. The waiting callers of an agent that was
    /// removed are answered already.
    struct Callbacks
    {
        std::function<void()> ready;
        std::function<void(InstanceState)> stateChanged;
        std::function<void()> fewerWaiters{}; ///< see StartWaiters
    };

    BackendAgent(AgentSupervisor &supervisor, QString name, const ProcessDefinition &definition,
                 const RestartPolicy &policy, const McpClientOptions &options,
                 const Callbacks &callbacks);
    /// Removes the agent from the supervisor, which kills the server.
    ~BackendAgent();
    Q_DISABLE_COPY_MOVE(BackendAgent)

    [[nodiscard]] AgentSupervisor &supervisor() const { return *m_supervisor; }
    [[nodiscard]] const QString &name() const { return m_name; }
    [[nodiscard]] const QUuid &id() const { return m_id; }
    [[nodiscard]] McpAgent &agent() const { return *m_agent; }

    /// Returns why the supervisor rejected the agent.
    [[nodiscard]] const QList<Fault> &faults() const { return m_faults; }

    /// Returns whether the supervisor manages the agent.
    [[nodiscard]] bool isManaged() const { return !m_id.isNull(); }
    /// Returns the error for an agent that was rejected or removed.
    [[nodiscard]] McpError notManaged() const;

    /// Returns whether calls can be sent. The client of a stopping server is still ready.
    [[nodiscard]] bool isReady() const;

    [[nodiscard]] InstanceState state() const;
    [[nodiscard]] static bool isAtRest(InstanceState state);

    /// Returns the error for a missing server: `what`, and its last failure.
    [[nodiscard]] McpError unavailable(const QString &what) const;

    /// Whether a start is in progress, although the previous client may still be ready.
    bool isStarting = false;
    StartWaiters waiters;

private:
    void replaceAgent();

    QPointer<AgentSupervisor> m_supervisor;
    QString m_name;
    QUuid m_id;
    QObject m_receiver; ///< of the signals
    std::function<std::unique_ptr<McpAgent>()> m_makeAgent;
    McpAgent *m_agent = nullptr;
    std::unique_ptr<McpAgent> m_standIn; ///< provides the client after the removal
    QList<Fault> m_faults;
};

} // namespace Rekindle
