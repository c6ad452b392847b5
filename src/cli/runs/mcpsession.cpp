// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpsession_p.h"

#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "memoryrelease_p.h"

#include <rekindle/metrics/metricscollector.h>
#include <rekindle/process/processagent.h>

#include <csignal>
#include <utility>

namespace Rekindle {

McpSession::McpSession(McpRequest request, const QString &usualStore, Messages &messages)
    : HostSession(request.host, usualStore, messages)
    , m_request(std::move(request))
    , m_heapRelease(m_supervision.scheduler(), MemoryRelease::releaseHeap)
{
}

int McpSession::run()
{
    if (!m_supervision.setLicense(
            m_options.license.provider(m_supervision.scheduler(), m_messages)))
        return ExitCode::configuration;
    if (const int code = checkFiles(filesWith(otherFiles()), m_messages); code != ExitCode::fine)
        return code;
    warnWithoutStateFolder();
    if (!openEvents())
        return ExitCode::usage;
    // Several editor windows may start the same command. Only one of them can listen on the port.
    static_cast<void>(openMetrics(QStringLiteral("; continuing without metrics")));
    if (!openStore())
        return ExitCode::usage;
    if (const int code = prepare(); code != ExitCode::fine)
        return code;
    watchSignals({SIGINT, SIGTERM, SIGHUP});
    narrate();
    if (!m_options.quiet) {
        const RestartPolicyEvaluator &evaluator = m_supervision.policyEvaluator();
        connect(&evaluator, &RestartPolicyEvaluator::agentStarted, this,
                &McpSession::reportStarted);
        connect(&evaluator, &RestartPolicyEvaluator::agentStopped, this,
                &McpSession::reportStopped);
    }
    begin();
    execute();
    return m_hasOutputFailed ? ExitCode::outputFailed : ExitCode::fine;
}

void McpSession::onSignal(int number)
{
    if (m_narrator)
        m_narrator->mute();
    HostSession::onSignal(number);
}

void McpSession::stop(int) { end(); }

void McpSession::reportFailedOutput(const QString &reason)
{
    m_hasOutputFailed = true;
    m_messages.say(QStringLiteral("stdout: %1; cannot respond to the client").arg(reason));
}

// S4 4.5.
void McpSession::reportStarted(const AgentStarted &event)
{
    QString line = QStringLiteral("%1: started (pid %2").arg(event.agent).arg(event.processId);
    if (event.generation > 1)
        line += QStringLiteral(", restart #%1").arg(event.generation - 1);
    m_messages.say(line + QLatin1Char(')'));
}

// A process that is restarted stops too.
void McpSession::reportStopped(const AgentStopped &event)
{
    const AgentSupervisor &supervisor = m_supervision.supervisor();
    const auto *const process =
        qobject_cast<const ProcessAgent *>(supervisor.agent(event.instanceId));
    const std::optional<int> status = process ? process->lastExitStatus() : std::nullopt;
    if (!status || supervisor.policyEvaluator().state(event.instanceId) != InstanceState::Stopped)
        return;
    m_messages.say(event.agent
                   + (*status == 0 ? QStringLiteral(": clean shutdown (exit code 0)")
                                   : QStringLiteral(": stopped (exit status %1)").arg(*status)));
}

void McpSession::recordCall(const ToolCallFinished &call)
{
    if (m_store)
        m_store->appendToolCall(call);
    if (MetricsCollector *const collector = m_supervision.host().metrics())
        collector->count(call);
    // Between the calls of a burst, the memory of large messages is used again.
    constexpr Duration pause = std::chrono::seconds(5);
    if (!m_heapRelease.isArmed())
        m_heapRelease.armIn(pause);
}

void McpSession::forward(const QByteArray &line) { m_messages.write(line + '\n'); }

} // namespace Rekindle
