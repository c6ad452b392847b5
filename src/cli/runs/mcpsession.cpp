// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpsession_p.h"

#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"

#include <QCoreApplication>

#include <csignal>

namespace Rekindle {

int McpSession::run()
{
    if (!setLicense(m_options.license.provider(m_supervision.scheduler(), m_messages)))
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

void McpSession::exit() { QCoreApplication::exit(); }

void McpSession::reportFailedOutput(const QString &reason)
{
    m_hasOutputFailed = true;
    m_messages.say(QStringLiteral("stdout: %1; cannot respond to the client").arg(reason));
}

void McpSession::forward(const QByteArray &line) { m_messages.write(line + '\n'); }

} // namespace Rekindle
