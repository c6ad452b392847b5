// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/mcp/mcpagent.h>

#include <QPointer>

#include <functional>

namespace Rekindle {

/// The agent of a ToolBackend: a server under the host's supervisor.
class BackendAgent
{
public:
    BackendAgent(AgentSupervisor &supervisor, QString name, const ProcessDefinition &definition,
                 const RestartPolicy &policy, const McpClientOptions &options);
    /// Takes it out of the supervisor, which ends the server at once.
    ~BackendAgent();
    Q_DISABLE_COPY_MOVE(BackendAgent)

    [[nodiscard]] AgentSupervisor &supervisor() const { return *m_supervisor; }
    [[nodiscard]] const QString &name() const { return m_name; }
    [[nodiscard]] const QUuid &id() const { return m_id; }
    [[nodiscard]] McpAgent &agent() const { return *m_agent; }

    /// Why the supervisor has refused it.
    [[nodiscard]] const QList<Fault> &faults() const { return m_faults; }

    /// The supervisor has it: it was not refused, and nobody has removed it since.
    [[nodiscard]] bool isKept() const { return !m_id.isNull(); }
    /// That it does not.
    [[nodiscard]] McpError notKept() const;

    /// Somebody has taken it out of the supervisor, which deletes it soon: from now on another one
    /// stands in, which is never started.
    void removed();

    [[nodiscard]] InstanceState state() const;
    [[nodiscard]] static bool isAtRest(InstanceState state);

    /// That there is no server: what happened to it last, behind `what`.
    [[nodiscard]] McpError unavailable(const QString &what) const;

private:
    QPointer<AgentSupervisor> m_supervisor;
    QString m_name;
    QUuid m_id;
    std::function<std::unique_ptr<McpAgent>()> m_makeAgent;
    McpAgent *m_agent = nullptr;
    std::unique_ptr<McpAgent> m_standIn; ///< for its client, which somebody may ask for
    QList<Fault> m_faults;
};

} // namespace Rekindle
