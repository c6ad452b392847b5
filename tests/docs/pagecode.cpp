// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Compiles the C++ blocks of docs/ (see CMakeLists.txt). Nothing calls these functions.

#include <Rekindle/AgentAction>
#include <Rekindle/AgentDependencies>
#include <Rekindle/AgentGroups>
#include <Rekindle/AgentHost>
#include <Rekindle/AgentMonitor>
#include <Rekindle/AgentSupervisor>
#include <Rekindle/AgentTableModel>
#include <Rekindle/Clock>
#include <Rekindle/ControlClient>
#include <Rekindle/ControlServer>
#include <Rekindle/DecisionLog>
#include <Rekindle/EventModel>
#include <Rekindle/FeatureGate>
#include <Rekindle/FixedLicenseProvider>
#include <Rekindle/HistoryReader>
#include <Rekindle/HostConfiguration>
#include <Rekindle/KillDeadline>
#include <Rekindle/LicensePublicKey>
#include <Rekindle/LocalAgents>
#include <Rekindle/LspAgent>
#include <Rekindle/McpAgent>
#include <Rekindle/McpPingProbe>
#include <Rekindle/MetricsCollector>
#include <Rekindle/MetricsServer>
#include <Rekindle/ProcessAgent>
#include <Rekindle/RemoteAgents>
#include <Rekindle/RestartPlan>
#include <Rekindle/ServerRestart>
#include <Rekindle/SharedBreakers>
#include <Rekindle/SignedLicenseProvider>
#include <Rekindle/StartGate>
#include <Rekindle/StateFile>
#include <Rekindle/TelemetryStore>
#include <Rekindle/TimelineModel>
#include <Rekindle/TimelinePaint>
#include <Rekindle/ToolCaller>
#include <Rekindle/Translations>
#include <Rekindle/WorkerAgent>
#include <rekindle/plugin/evaluatorhost.h>
#include <rekindle/process/healthchecks.h>

#include <QCoreApplication>
#include <QDebug>
#include <QHostAddress>
#include <QTimer>

namespace {

using namespace Rekindle;
using namespace std::chrono_literals;

[[maybe_unused]] int configuration(QCoreApplication &app, const QString &path,
                                   const QString &statePath, const QString &storePath)
{
    const auto report = [](const QStringList &lines) { qWarning() << lines; };
#include "confighost.inc"
}

[[maybe_unused]] void evaluators(EvaluatorHost &host)
{
#include "evaluatorfaults.inc"
}

[[maybe_unused]] void governor(AgentSupervisor &supervisor)
{
#include "governor.inc"
}

[[maybe_unused]] bool groups(AgentSupervisor &supervisor)
{
#include "groups.inc"
    return cycle.isEmpty() && faults.isEmpty();
}

[[maybe_unused]] bool sharedBreakers(AgentSupervisor &supervisor, StartGate &gate)
{
#include "sharedbreakers.inc"
    return faults.isEmpty();
}

[[maybe_unused]] void control(AgentSupervisor &supervisor)
{
#include "control.inc"
}

[[maybe_unused]] void controlClient(ControlClient &client)
{
#include "controlclient.inc"
}

[[maybe_unused]] void health(AgentSupervisor &supervisor, const QString &name,
                             const RestartPolicy &policy)
{
#include "health.inc"
}

[[maybe_unused]] void licensing(Scheduler &scheduler)
{
#include "licensing.inc"
}

[[maybe_unused]] void languageServer(AgentSupervisor &supervisor)
{
#include "lsphost.inc"

#include "lsprequest.inc"

#include "lspanswer.inc"
}

[[maybe_unused]] void mcpServer(Scheduler &scheduler)
{
#include "mcprestart.inc"
    (void)answer;
}

[[maybe_unused]] void mcpHost(AgentSupervisor &supervisor, McpAgent &agent, const QUuid &id)
{
#include "mcpping.inc"
}

[[maybe_unused]] void metricsInAHost(AgentSupervisor &supervisor)
{
#include "metrics.inc"
}

[[maybe_unused]] void metricsByHand(MetricsCollector &metrics, EvaluatorHost &evaluatorHost,
                                    TelemetryStore &store, StartGate &gate, ToolCaller &caller)
{
#include "metricsbyhand.inc"
}

[[maybe_unused]] void localAgents(AgentSupervisor &supervisor)
{
#include "modelslocal.inc"
}

[[maybe_unused]] void remoteAgents()
{
#include "modelsremote.inc"
}

[[maybe_unused]] void operateAgents(AgentSupervisor &supervisor, AgentSource &source,
                                    const QUuid &id)
{
#include "modelsoperate.inc"

#include "modelswhy.inc"
}

[[maybe_unused]] void translatedTexts()
{
#include "modelstranslations.inc"
}

[[maybe_unused]] void killDeadline(ProcessAgent &agent, Scheduler &scheduler)
{
#include "killdeadline.inc"
}

[[maybe_unused]] void timelineOfAgents(AgentSource &source)
{
#include "modelstimeline.inc"
}

[[maybe_unused]] void toolCaller(ToolBackend &backend, Scheduler &scheduler, TelemetryStore &store)
{
#include "toolcaller.inc"
}

[[maybe_unused]] void telemetry(const QString &storePath, const RestartPolicy &policy)
{
#include "explain.inc"
}

[[maybe_unused]] void decisions(AgentSupervisor &supervisor, const QUuid &id)
{
#include "decisionlog.inc"
}

#include "workerobject.inc"

[[maybe_unused]] void workers(AgentSupervisor &supervisor)
{
#include "workerstart.inc"

#include "workerhang.inc"

#include "workerend.inc"
}

} // namespace
