// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/toolbackend.h>

#include <QPointer>

#include <functional>
#include <memory>
#include <vector>

namespace Rekindle {

/// The agent of a ToolBackend: a server that the host's supervisor manages, and the callers that
/// wait for it.
class BackendAgent
{
public:
    using Start = ToolBackend::Start;

    /// What the owner does after events of the agent. The waiting callers of an agent that was
    /// removed are answered already.
    struct Callbacks
    {
        std::function<void()> ready;
        std::function<void(InstanceState)> stateChanged;
        /// A caller was answered because its timeout has expired, or it has canceled. May delete
        /// this object.
        std::function<void()> fewerWaiters{};
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

    /// Returns the error for a missing server: `what`, and its last failure.
    [[nodiscard]] McpError unavailable(const QString &what) const;

    /// Adds a caller that waits for the server. After `within` it gets an error.
    [[nodiscard]] QFuture<Start> addWaiter(Duration within);
    /// Returns whether there is a caller whose future was not canceled.
    [[nodiscard]] bool isAwaited() const;
    // A continuation may delete this object.
    void answerWaiters(const Start &start);
    /// Answers the callers whose timeout expires before `instant`.
    void answerShortWaiters(Instant instant, const McpError &error);

    /// Whether a start is in progress, although the previous client may still be ready.
    bool isStarting = false;

private:
    struct Waiter;
    using Waiters = std::vector<std::unique_ptr<Waiter>>;

    void replaceAgent();
    void answerLate(const Waiter *waiter);
    static void answer(const Waiters &waiters, const Start &start);

    QPointer<AgentSupervisor> m_supervisor;
    QString m_name;
    QUuid m_id;
    const std::function<void()> m_fewerWaiters;
    Waiters m_waiters;
    QObject m_receiver; ///< of the signals
    std::function<std::unique_ptr<McpAgent>()> m_makeAgent;
    McpAgent *m_agent = nullptr;
    std::unique_ptr<McpAgent> m_standIn; ///< provides the client after the removal
    QList<Fault> m_faults;
};

} // namespace Rekindle
