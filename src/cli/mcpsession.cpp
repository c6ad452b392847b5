// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpsession_p.h"

#include "exitcode_p.h"
#include "messages_p.h"
#include "openstore_p.h"
#include "storechoice_p.h"

#include <rekindle/process/processagent.h>

#include <QCoreApplication>
#include <QFileInfo>

#include <csignal>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

// Of the ten restarts in a minute that are allowed one becomes free again.
constexpr Duration retryInterval = 10s;

} // namespace

McpSession::McpSession(McpRequest request, Messages &messages)
    : m_request(std::move(request))
    , m_messages(messages)
    , m_supervision(messages)
    , m_name(QFileInfo(m_request.program).fileName())
    , m_restartLater(m_supervision.scheduler(), [this] { restart(QString(m_restartReason)); })
{
    if (m_name.isEmpty())
        m_name = m_request.program;
}

McpSession::~McpSession() = default;

int McpSession::run()
{
    auto license = m_request.license.provider(m_supervision.scheduler(), m_messages);
    if (!license)
        return ExitCode::configuration;
    m_supervision.setLicense(std::move(license));
    if (!openEvents() || !openStore() || !prepare() || !watchFiles())
        return ExitCode::usage;
    listen();
    m_proxy->begin();
    QCoreApplication::exec();
    return finish();
}

int McpSession::finish()
{
    if (m_store)
        closeTelemetryStore(*m_store, m_messages);
    return m_hasOutputFailed ? ExitCode::outputFailed : ExitCode::fine;
}

// As `up` does it.
bool McpSession::openStore()
{
    if (m_request.store == QLatin1String("off"))
        return true;
    m_store = openTelemetryStore(m_request.store,
                                 storeOfProgram(m_name, m_request.program, m_request.arguments),
                                 m_messages);
    if (m_store)
        m_store->attach(m_supervision.evaluator());
    return m_store != nullptr;
}

bool McpSession::watchFiles()
{
    if (m_request.globs.isEmpty())
        return true;
    m_files = std::make_unique<FileWatch>(m_supervision.scheduler());
    connect(m_files.get(), &FileWatch::faulted, this,
            [this](const QString &text) { m_messages.say(QLatin1String("--watch: ") + text); });
    connect(m_files.get(), &FileWatch::changed, this,
            [this](const QStringList &files) { restart(changeText(files)); });
    for (const QString &glob : std::as_const(m_request.globs)) {
        if (const QString fault = m_files->add(glob); !fault.isEmpty()) {
            m_messages.say(QLatin1String("--watch: ") + fault);
            return false;
        }
    }
    m_files->begin();
    return true;
}

// What has changed is not forgotten, however often that happens.
void McpSession::restart(const QString &reason)
{
    if (m_endsAsked > 0)
        return;
    m_restartLater.disarm();
    const QString before = std::exchange(m_restartReason, {});
    if (m_proxy->restart(reason, QStringLiteral("watch")))
        return;
    m_restartReason = reason;
    m_restartLater.armIn(retryInterval);
    if (reason == before)
        return; // it was said
    m_messages.say(QStringLiteral("%1: %2, and its restart waits: there were more than ten in a "
                                  "minute")
                       .arg(m_name, reason));
}

bool McpSession::openEvents()
{
    if (m_request.events.isEmpty())
        return true;
    m_events = std::make_unique<EventStream>(m_supervision.evaluator(), m_messages,
                                             EventStream::Pace::EachLine);
    return m_events->addNamed(m_request.events);
}

bool McpSession::prepare()
{
    m_supervision.setEvaluatorFolders(m_request.pluginFolders);
    ProcessAgent *agent = m_supervision.add(
        m_name, WatchdogProxy::serverDefinition(m_request.program, m_request.arguments),
        m_request.policy);
    if (!agent)
        return false;
    AgentSupervisor &supervisor = m_supervision.supervisor();
    m_proxy = std::make_unique<WatchdogProxy>(supervisor, supervisor.idOf(m_name), *agent,
                                              m_request.watchdog);
    return true;
}

void McpSession::listen()
{
    m_signals.reset(new SignalWatch({SIGINT, SIGTERM, SIGHUP}));
    connect(m_signals.get(), &SignalWatch::received, this, &McpSession::onSignal);
    connect(m_proxy.get(), &WatchdogProxy::ended, this, [] { QCoreApplication::exit(); });
    connect(m_proxy.get(), &WatchdogProxy::outputFailed, this, [this](const QString &reason) {
        m_hasOutputFailed = true;
        m_messages.say(QStringLiteral("stdout: %1; the client cannot be answered").arg(reason));
    });
    connect(m_proxy.get(), &WatchdogProxy::errorLine, this,
            [this](const QByteArray &line) { m_messages.write(line + '\n'); });
    if (m_request.quiet)
        return;
    const auto say = [this](const QString &text) { m_messages.say(text); };
    connect(m_proxy.get(), &WatchdogProxy::noted, this,
            [this](const QString &text) { m_messages.say(m_name + QLatin1String(": ") + text); });
    m_narrator = std::make_unique<Narrator>(m_supervision.evaluator(), say);
}

// The first one ends it in order, the second at once, and a third waits for nothing.
void McpSession::onSignal(int)
{
    if (m_narrator)
        m_narrator->mute();
    switch (m_endsAsked++) {
    case 0:
        m_proxy->end();
        return;
    case 1:
        m_supervision.supervisor().killAll();
        return;
    default:
        QCoreApplication::exit();
    }
}

} // namespace Rekindle
