// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpsession_p.h"

#include "cli/options/openstore_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"

#include <QCoreApplication>

#include <csignal>

namespace Rekindle {

McpSession::McpSession(const McpRequest &request, Messages &messages)
    : m_options(request)
    , m_messages(messages)
    , m_supervision(messages)
{
}

McpSession::~McpSession() = default;

int McpSession::run()
{
    auto license = m_options.license.provider(m_supervision.scheduler(), m_messages);
    if (!license)
        return ExitCode::configuration;
    m_supervision.setLicense(std::move(license));
    m_supervision.setEvaluatorFolders(m_options.pluginFolders);
    if (!checkFiles() || !openEvents() || !openStore())
        return ExitCode::usage;
    if (const int code = prepare(); code != ExitCode::fine)
        return code;
    listen();
    begin();
    QCoreApplication::exec();
    if (m_store)
        closeTelemetryStore(*m_store, m_messages);
    return m_hasOutputFailed ? ExitCode::outputFailed : ExitCode::fine;
}

bool McpSession::checkFiles() const
{
    QList<UsedFile> files = otherFiles();
    if (!m_options.events.isEmpty() && m_options.events != QLatin1String("-"))
        files.append(
            {m_options.events, QStringLiteral("the events file"), QStringLiteral("--events")});
    if (m_options.store != QLatin1String("off")) {
        const bool isUsual = m_options.store.isEmpty();
        files.append({isUsual ? usualStore() : m_options.store,
                      QStringLiteral("the telemetry store"), QStringLiteral("--store"), isUsual});
    }
    return areFilesDistinct(files, m_messages);
}

bool McpSession::openEvents()
{
    if (m_options.events.isEmpty())
        return true;
    m_events = std::make_unique<EventStream>(m_supervision.evaluator(), m_messages,
                                             EventStream::Pace::EachLine);
    return m_events->addNamed(m_options.events);
}

bool McpSession::openStore()
{
    if (m_options.store == QLatin1String("off"))
        return true;
    m_store = openTelemetryStore(m_options.store, usualStore(), m_messages);
    if (m_store)
        m_store->attach(m_supervision.evaluator());
    return m_store != nullptr;
}

void McpSession::listen()
{
    m_signals.reset(new SignalWatch({SIGINT, SIGTERM, SIGHUP}));
    connect(m_signals.get(), &SignalWatch::received, this, &McpSession::onSignal);
    if (!m_options.quiet)
        m_narrator = std::make_unique<Narrator>(m_supervision.supervisor(),
                                                [this](const QString &text) { say(text); });
}

// The first signal stops the servers, the second kills them, and the third exits without waiting.
void McpSession::onSignal()
{
    if (m_narrator)
        m_narrator->mute();
    switch (m_endsAsked++) {
    case 0:
        end();
        return;
    case 1:
        m_supervision.supervisor().killAll();
        return;
    default:
        QCoreApplication::exit();
    }
}

void McpSession::done() { QCoreApplication::exit(); }

void McpSession::outputFailed(const QString &reason)
{
    m_hasOutputFailed = true;
    say(QStringLiteral("stdout: %1; cannot respond to the client").arg(reason));
}

void McpSession::say(const QString &text) { m_messages.say(text); }

void McpSession::pass(const QByteArray &line) { m_messages.write(line + '\n'); }

} // namespace Rekindle
