// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "host/internal/agenttally.h"

#include <rekindle/config/configuration.h>
#include <rekindle/host/agenthost.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/process/processdefinition.h>

#include <QObject>

#include <memory>

namespace Rekindle {

class Agent;
class Messages;
class ProcessAgent;

/// The engine as the command uses it: processes under a supervisor, and the steps of a stop.
class Supervision : public QObject
{
    Q_OBJECT

public:
    explicit Supervision(Messages &messages);
    ~Supervision() override;

    /// Folders with plug-ins for policies of type custom.
    void setEvaluatorFolders(const QStringList &folders) { m_evaluatorFolders = folders; }

    /// Creates the host of evaluators if the configuration needs one. Call it before the
    /// configuration is applied.
    void prepareFor(const Configuration &configuration);

    /// Adds a process or an MCP server. Reports an error and returns null if it is invalid.
    Agent *add(const AgentDefinition &definition);
    /// The same for a process.
    ProcessAgent *add(const QString &name, const ProcessDefinition &definition,
                      const RestartPolicy &policy);

    /// Starts all agents, or resumes them from a state file. Emits ended() from the event loop when
    /// no agent is active anymore.
    void startAll();

    /// Stops all agents. The second call kills them, and the third emits ended() without waiting.
    void endAll();

    [[nodiscard]] bool isEnding() const { return m_endsAsked > 0; }
    /// How often endAll() was called.
    [[nodiscard]] int endsAsked() const { return m_endsAsked; }
    [[nodiscard]] AgentHost &host() { return m_host; }
    [[nodiscard]] AgentSupervisor &supervisor() { return m_host.supervisor(); }
    [[nodiscard]] RestartPolicyEvaluator &policyEvaluator()
    {
        return supervisor().policyEvaluator();
    }
    [[nodiscard]] Scheduler &scheduler() { return supervisor().scheduler(); }
    [[nodiscard]] const AgentTally &tally() const { return m_tally; }

Q_SIGNALS:
    void ended();

private:
    void needEvaluators(const RestartPolicy &policy);

    Messages &m_messages;
    QStringList m_evaluatorFolders;
    AgentHost m_host;
    const AgentTally m_tally{m_host.supervisor()};
    int m_endsAsked = 0;
};

} // namespace Rekindle
