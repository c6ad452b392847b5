// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpsession_p.h"

#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"

#include <csignal>
#include <utility>

namespace Rekindle {

McpSession::McpSession(McpRequest request, const QString &usualStore, Messages &messages)
    : HostSession(request.host, usualStore, messages)
    , m_request(std::move(request))
{
}

int McpSession::run()
{
    if (!m_supervision.setLicense(
            m_options.license.provider(m_supervision.scheduler(), m_messages)))
        return ExitCode::configuration;
    if (!areFilesDistinct(filesWith(otherFiles()), m_messages) || !openEvents() || !openStore())
        return ExitCode::usage;
    if (const int code = prepare(); code != ExitCode::fine)
        return code;
    watchSignals({SIGINT, SIGTERM, SIGHUP});
    narrate();
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

void McpSession::forward(const QByteArray &line) { m_messages.write(line + '\n'); }

} // namespace Rekindle
