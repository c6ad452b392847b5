// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpsession_p.h"

#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "memoryrelease_p.h"

#include <rekindle/metrics/metricscollector.h>

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
    if (m_narrator)
        m_narrator->reportProcesses();
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
