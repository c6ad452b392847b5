// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpgatewaysession_p.h"

#include "exitcode_p.h"
#include "messages_p.h"
#include "newfile_p.h"

#include <rekindle/process/processagent.h>

#include <QCoreApplication>

#include <csignal>
#include <utility>

namespace Rekindle {

McpGatewaySession::McpGatewaySession(McpGatewayRequest request, Messages &messages)
    : m_request(std::move(request))
    , m_messages(messages)
    , m_supervision(messages)
{
}

McpGatewaySession::~McpGatewaySession() = default;

int McpGatewaySession::run()
{
    auto license = m_request.license.provider(m_supervision.scheduler(), m_messages);
    if (!license)
        return ExitCode::configuration;
    m_supervision.setLicense(std::move(license));
    if (!openEvents())
        return ExitCode::usage;
    if (!prepare())
        return ExitCode::configuration;
    listen();
    m_gateway->begin();
    QCoreApplication::exec();
    return m_hasOutputFailed ? ExitCode::outputFailed : ExitCode::fine;
}

bool McpGatewaySession::openEvents()
{
    if (m_request.events.isEmpty())
        return true;
    m_events = std::make_unique<EventStream>(m_supervision.evaluator(), m_messages,
                                             EventStream::Pace::EachLine);
    if (m_request.events != QLatin1String("-"))
        return isFolderThere(QLatin1String("--events"), m_request.events, m_messages)
            && m_events->addFile(m_request.events);
    m_events->add(m_messages.channel(), QStringLiteral("stderr"));
    return true;
}

bool McpGatewaySession::prepare()
{
    m_supervision.setEvaluatorFolders(m_request.pluginFolders);
    AgentSupervisor &supervisor = m_supervision.supervisor();
    m_gateway = std::make_unique<McpGateway>(supervisor, m_request.gateway);
    for (const McpServerDefinition &server : std::as_const(m_request.servers)) {
        ProcessAgent *const agent = m_supervision.add(server.name, server.process,
                                                      server.policy.value_or(m_request.policy));
        if (!agent)
            return false;
        m_gateway->add({server.name, server.retry.value_or(m_request.retry),
                        server.callTimeout ? server.callTimeout : m_request.callTimeout},
                       supervisor.idOf(server.name), *agent);
    }
    return true;
}

void McpGatewaySession::listen()
{
    m_signals.reset(new SignalWatch({SIGINT, SIGTERM, SIGHUP}));
    connect(m_signals.get(), &SignalWatch::received, this, [this] { onSignal(); });
    connect(m_gateway.get(), &McpGateway::ended, this, [] { QCoreApplication::exit(); });
    connect(m_gateway.get(), &McpGateway::outputFailed, this, [this](const QString &reason) {
        m_hasOutputFailed = true;
        m_messages.say(QStringLiteral("stdout: %1; the client cannot be answered").arg(reason));
    });
    connect(m_gateway.get(), &McpGateway::errorLine, this,
            [this](const QString &server, const QByteArray &line) {
                m_messages.write('[' + server.toUtf8() + "] " + line + '\n');
            });
    if (m_request.quiet)
        return;
    connect(m_gateway.get(), &McpGateway::noted, this,
            [this](const QString &server, const QString &text) {
                m_messages.say(server.isEmpty() ? text : server + QLatin1String(": ") + text);
            });
    m_narrator = std::make_unique<Narrator>(m_supervision.evaluator(),
                                            [this](const QString &text) { m_messages.say(text); });
}

// The first one ends it in order, the second at once, and a third waits for nothing.
void McpGatewaySession::onSignal()
{
    if (m_narrator)
        m_narrator->mute();
    switch (m_endsAsked++) {
    case 0:
        m_gateway->end();
        return;
    case 1:
        m_supervision.supervisor().killAll();
        return;
    default:
        QCoreApplication::exit();
    }
}

} // namespace Rekindle
