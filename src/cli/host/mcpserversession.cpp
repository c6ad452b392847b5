// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpserversession_p.h"

#include "cli/options/storechoice_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"

#include <rekindle/process/processagent.h>

#include <utility>

namespace Rekindle {

McpServerSession::McpServerSession(const McpRequest &request, Messages &messages)
    : McpSession(request,
                 // One program, such as npx or python3, can start several servers.
                 storeOfProgram(QLatin1String("mcp-") + agentNameOf(request.program),
                                QStringList(request.program) + request.arguments),
                 messages)
    , m_name(agentNameOf(m_request.program))
{
}

QList<UsedFile> McpServerSession::otherFiles() const
{
    if (m_request.watchdog.markerFile.isEmpty())
        return {};
    const QString &path = m_request.watchdog.markerFile;
    return {{path, QStringLiteral("the restart marker"), QStringLiteral("--marker"),
             WrittenFile::Marker, path == WatchdogOptions().markerFile}};
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
    for (const QString &glob : std::as_const(m_request.globs)) {
        if (const QString fault = FileGlob::faultOf(glob); !fault.isEmpty()) {
            report(glob.isEmpty() ? fault : glob + QLatin1String(": ") + fault);
            return false;
        }
        if (!FileGlob(glob).matchesAny())
            report(QStringLiteral("%1 matches no file yet").arg(glob));
    }
    m_watched = std::make_unique<WatchedAgents>(
        m_supervision.scheduler(), [this](const QString &, const QString &reason) {
            return isStopRequested() || m_proxy->restart(reason, QStringLiteral("watch"));
        });
    connect(m_watched.get(), &WatchedAgents::faulted, this, report);
    connect(m_watched.get(), &WatchedAgents::delayed, this,
            [this](const QString &text) { m_messages.say(text); });
    QStringList own;
    for (const UsedFile &each : filesWith(otherFiles()))
        own.append(each.path);
    m_watched->watch({{m_name, m_request.globs}}, own);
    return true;
}

} // namespace Rekindle
