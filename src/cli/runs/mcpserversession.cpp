// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpserversession_p.h"

#include "cli/options/storechoice_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"

#include <rekindle/process/processagent.h>

#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

// The requestLimit of the policy may have rejected the restart.
constexpr Duration retryInterval = 10s;

} // namespace

McpServerSession::McpServerSession(const McpRequest &request, Messages &messages)
    : McpSession(request,
                 // One program, such as npx or python3, can start several servers.
                 storeOfProgram(QLatin1String("mcp-") + agentNameOf(request.program),
                                QStringList(request.program) + request.arguments),
                 messages)
    , m_name(agentNameOf(m_request.program))
    , m_restartLater(m_supervision.scheduler(), [this] { restart(QString(m_restartReason)); })
{
}

QList<UsedFile> McpServerSession::otherFiles() const
{
    if (m_request.watchdog.markerFile.isEmpty())
        return {};
    return {{m_request.watchdog.markerFile, QStringLiteral("the restart marker"),
             QStringLiteral("--marker"), WrittenFile::Marker}};
}

int McpServerSession::prepare()
{
    ProcessAgent *agent = m_supervision.add(
        m_name, ProcessDefinition::stdioServer(m_request.program, m_request.arguments),
        m_request.policy);
    if (!agent)
        return ExitCode::usage;
    AgentSupervisor &supervisor = m_supervision.supervisor();
    m_proxy = std::make_unique<WatchdogProxy>(supervisor, supervisor.idOf(m_name), *agent,
                                              m_request.watchdog);
    connectHost(*m_proxy);
    connect(m_proxy.get(), &WatchdogProxy::errorLine, this, &McpServerSession::forward);
    if (!m_options.quiet)
        connect(m_proxy.get(), &WatchdogProxy::noted, this, [this](const QString &text) {
            m_messages.say(m_name + QLatin1String(": ") + text);
        });
    return watchFiles() ? ExitCode::fine : ExitCode::usage;
}

bool McpServerSession::watchFiles()
{
    if (m_request.globs.isEmpty())
        return true;
    const auto report = [this](const QString &text) {
        m_messages.say(QLatin1String("--watch: ") + text);
    };
    m_files = std::make_unique<FileWatch>(m_supervision.scheduler());
    for (const UsedFile &own : filesWith(otherFiles()))
        m_files->ignore(own.path);
    connect(m_files.get(), &FileWatch::faulted, this, report);
    connect(m_files.get(), &FileWatch::changed, this,
            [this](const QStringList &files) { restart(changeText(files)); });
    for (const QString &glob : std::as_const(m_request.globs)) {
        if (const QString fault = m_files->add(glob); !fault.isEmpty()) {
            report(fault);
            return false;
        }
    }
    m_files->begin();
    return true;
}

// A restart beyond the limit is repeated later.
void McpServerSession::restart(const QString &reason)
{
    if (isStopRequested())
        return;
    m_restartLater.disarm();
    const QString before = std::exchange(m_restartReason, {});
    if (m_proxy->restart(reason, QStringLiteral("watch")))
        return;
    m_restartReason = reason;
    m_restartLater.armIn(retryInterval);
    if (reason == before)
        return; // already reported
    m_messages.say(QStringLiteral("%1: %2; restart delayed: too many restarts were requested")
                       .arg(m_name, reason));
}

} // namespace Rekindle
