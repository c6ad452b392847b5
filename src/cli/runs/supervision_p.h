// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/output/agenttally_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/lifecycle/licenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/process/processdefinition.h>

#include <QObject>

#include <functional>
#include <memory>
#include <vector>

namespace Rekindle {

class CustomEvaluators;
class EvaluatorHost;
class McpAgent;
class Messages;
class ProcessAgent;
class StateFile;

/// The engine as the command uses it: processes under a supervisor, and the ways to end.
class Supervision : public QObject
{
    Q_OBJECT

public:
    explicit Supervision(Messages &messages);
    ~Supervision() override;

    /// Before anything is added; without one nothing is restarted.
    void setLicense(std::unique_ptr<LicenseProvider> license);
    /// Where plug-ins for policies of type custom are looked for, once there is such a policy.
    void setEvaluatorFolders(const QStringList &folders) { m_evaluatorFolders = folders; }

    /// Null if it was refused, which is then said.
    ProcessAgent *add(const QString &name, const ProcessDefinition &definition,
                      const RestartPolicy &policy);
    /// The same for an MCP server on stdio.
    McpAgent *addServer(const QString &name, const ProcessDefinition &definition,
                        const RestartPolicy &policy);

    /// Starts all that were added, or lets them go on where a state has them; ended() follows, from
    /// the event loop, once nothing is left to do.
    void startAll(StateFile *state = nullptr);

    /// Somebody wants an end: the first time in order, the second time at once, and then without
    /// waiting for what cannot be killed.
    void endAll();

    [[nodiscard]] bool isEnding() const { return m_endsAsked > 0; }
    /// How often endAll() was called.
    [[nodiscard]] int endsAsked() const { return m_endsAsked; }
    /// Agents that run, are about to run, or wait for their time.
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
    using MakeChecks = std::function<std::vector<HealthCheck>()>;

    [[nodiscard]] bool admit(const QString &name, std::unique_ptr<Agent> agent,
                             const RestartPolicy &policy, bool readyAtOnce,
                             const MakeChecks &makeChecks);
    void tellStuck(const QString &name);
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
