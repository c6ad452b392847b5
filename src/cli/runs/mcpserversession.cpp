// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpserversession_p.h"

#include "cli/options/storechoice_p.h"
#include "cli/output/exitcode_p.h"

#include <rekindle/process/processagent.h>

#include <QFileInfo>

#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

// At most ten restarts per minute are accepted.
constexpr Duration retryInterval = 10s;

} // namespace

McpServerSession::McpServerSession(McpServerRequest request, Messages &messages)
    : McpSession(request.common, messages)
    , m_request(std::move(request))
    , m_name(QFileInfo(m_request.program).fileName())
    , m_restartLater(supervision().scheduler(), [this] { restart(QString(m_restartReason)); })
{
    if (m_name.isEmpty())
        m_name = m_request.program;
}

McpServerSession::~McpServerSession() = default;

QString McpServerSession::usualStore() const
{
    return storeOfProgram(m_name, m_request.program, m_request.arguments);
}

QList<UsedFile> McpServerSession::otherFiles() const
{
    return {{m_request.watchdog.markerFile, QStringLiteral("the restart marker"),
             QStringLiteral("--marker")}};
}

int McpServerSession::prepare()
{
    ProcessAgent *agent = supervision().add(
        m_name, ProcessDefinition::stdioServer(m_request.program, m_request.arguments),
        m_request.policy);
    if (!agent)
        return ExitCode::usage;
    AgentSupervisor &supervisor = supervision().supervisor();
    m_proxy = std::make_unique<WatchdogProxy>(supervisor, supervisor.idOf(m_name), *agent,
                                              m_request.watchdog);
    connect(m_proxy.get(), &WatchdogProxy::ended, this, &McpServerSession::done);
    connect(m_proxy.get(), &WatchdogProxy::outputFailed, this, &McpServerSession::outputFailed);
    connect(m_proxy.get(), &WatchdogProxy::errorLine, this, &McpServerSession::pass);
    if (!isQuiet())
        connect(m_proxy.get(), &WatchdogProxy::noted, this,
                [this](const QString &text) { say(m_name + QLatin1String(": ") + text); });
    return watchFiles() ? ExitCode::fine : ExitCode::usage;
}

bool McpServerSession::watchFiles()
{
    if (m_request.globs.isEmpty())
        return true;
    m_files = std::make_unique<FileWatch>(supervision().scheduler());
    ignoreOwnFiles();
    connect(m_files.get(), &FileWatch::faulted, this,
            [this](const QString &text) { say(QLatin1String("--watch: ") + text); });
    connect(m_files.get(), &FileWatch::changed, this,
            [this](const QStringList &files) { restart(changeText(files)); });
    for (const QString &glob : std::as_const(m_request.globs)) {
        if (const QString fault = m_files->add(glob); !fault.isEmpty()) {
            say(QLatin1String("--watch: ") + fault);
            return false;
        }
    }
    m_files->begin();
    return true;
}

void McpServerSession::ignoreOwnFiles()
{
    const McpRequest &common = m_request.common;
    m_files->ignore(m_request.watchdog.markerFile);
    if (!common.events.isEmpty() && common.events != QLatin1String("-"))
        m_files->ignore(common.events);
    if (common.store != QLatin1String("off"))
        m_files->ignore(common.store.isEmpty() ? usualStore() : common.store);
}

// A restart beyond the limit is repeated later.
void McpServerSession::restart(const QString &reason)
{
    if (isEnding())
        return;
    m_restartLater.disarm();
    const QString before = std::exchange(m_restartReason, {});
    if (m_proxy->restart(reason, QStringLiteral("watch")))
        return;
    m_restartReason = reason;
    m_restartLater.armIn(retryInterval);
    if (reason == before)
        return; // already reported
    say(QStringLiteral("%1: %2; restart delayed: ten restarts in the last minute")
            .arg(m_name, reason));
}

} // namespace Rekindle
