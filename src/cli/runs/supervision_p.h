// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/output/agenttally_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/licenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/process/processdefinition.h>

#include <QObject>

#include <memory>

namespace Rekindle {

class CustomEvaluators;
class EvaluatorHost;
class McpAgent;
class Messages;
class ProcessAgent;
class StateFile;

/// The engine as the command uses it: processes under a supervisor, and the steps of a stop.
class Supervision : public QObject
{
    Q_OBJECT

public:
    explicit Supervision(Messages &messages);
    ~Supervision() override;

    /// Call before add(). Without a license no agent is restarted. Returns whether there is one.
    bool setLicense(std::unique_ptr<LicenseProvider> license);
    /// Folders with plug-ins for policies of type custom.
    void setEvaluatorFolders(const QStringList &folders) { m_evaluatorFolders = folders; }

    /// Adds a process. Reports an error and returns null if it is invalid.
    ProcessAgent *add(const QString &name, const ProcessDefinition &definition,
                      const RestartPolicy &policy);
    /// The same for an MCP server on stdio.
    McpAgent *addServer(const QString &name, const ProcessDefinition &definition,
                        const RestartPolicy &policy);

    /// Starts all agents, or resumes them from a state file. Emits ended() from the event loop when
    /// no agent is active anymore.
    void startAll(StateFile *state = nullptr);

    /// Stops all agents. The second call kills them, and the third emits ended() without waiting.
    void endAll();

    [[nodiscard]] bool isEnding() const { return m_endsAsked > 0; }
    /// How often endAll() was called.
    [[nodiscard]] int endsAsked() const { return m_endsAsked; }
    /// Agents that run or have a pending start.
    [[nodiscard]] int activeCount();
    [[nodiscard]] AgentSupervisor &supervisor() { return m_supervisor; }
    [[nodiscard]] RestartPolicyEvaluator &evaluator() { return m_supervisor.evaluator(); }
    /// Null if no agent that was added has a policy of type custom.
    [[nodiscard]] CustomEvaluators *customEvaluators() const;
    [[nodiscard]] Scheduler &scheduler() { return m_scheduler; }
    [[nodiscard]] const AgentTally &tally() const { return *m_tally; }

Q_SIGNALS:
    void ended();

private:
    template<typename Added>
    Added *admit(const QString &name, std::unique_ptr<Added> agent, const RestartPolicy &policy,
                 bool readyAtOnce);
    void needEvaluators();

    Messages &m_messages;
    TimerScheduler m_scheduler;
    std::unique_ptr<LicenseProvider> m_license;
    QStringList m_evaluatorFolders;
    std::unique_ptr<EvaluatorHost> m_evaluators;
    AgentSupervisor m_supervisor;
    std::unique_ptr<AgentTally> m_tally;
    int m_endsAsked = 0;
};

} // namespace Rekindle
