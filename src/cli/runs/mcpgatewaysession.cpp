// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpgatewaysession_p.h"

#include "cli/options/storechoice_p.h"
#include "cli/output/exitcode_p.h"

#include <rekindle/mcp/ondemandserver.h>
#include <rekindle/process/processagent.h>

#include <utility>

namespace Rekindle {

McpGatewaySession::McpGatewaySession(McpGatewayRequest request, Messages &messages)
    : McpSession(request.common, messages)
    , m_request(std::move(request))
{
}

McpGatewaySession::~McpGatewaySession() = default;

QString McpGatewaySession::usualStore() const { return storeOf(m_request.configuration); }

QList<UsedFile> McpGatewaySession::otherFiles() const
{
    return filesRead({m_request.configuration}, QStringLiteral("the server file"));
}

int McpGatewaySession::prepare()
{
    AgentSupervisor &supervisor = supervision().supervisor();
    m_gateway = std::make_unique<McpGateway>(supervisor, m_request.gateway);
    for (const McpServerDefinition &server : std::as_const(m_request.servers)) {
        const RestartPolicy policy =
            server.policy.value_or(server.restartOnExit ? spawnPolicy() : m_request.policy);
        ProcessAgent *const agent = supervision().add(server.name, server.process, policy);
        if (!agent)
            return ExitCode::configuration;
        McpGatewayServer treatment;
        treatment.name = server.name;
        treatment.retry = server.retry.value_or(m_request.retry);
        treatment.callTimeout = server.callTimeout ? server.callTimeout : m_request.callTimeout;
        if (server.restartOnExit)
            treatment.onDemand = policy;
        m_gateway->add(treatment, supervisor.idOf(server.name), *agent);
    }
    connectGateway();
    return ExitCode::fine;
}

void McpGatewaySession::connectGateway()
{
    connect(m_gateway.get(), &McpGateway::ended, this, &McpGatewaySession::done);
    connect(m_gateway.get(), &McpGateway::outputFailed, this, &McpGatewaySession::outputFailed);
    connect(m_gateway.get(), &McpGateway::errorLine, this,
            [this](const QString &server, const QByteArray &line) {
                pass('[' + server.toUtf8() + "] " + line);
            });
    if (isQuiet())
        return;
    connect(m_gateway.get(), &McpGateway::noted, this,
            [this](const QString &server, const QString &text) {
                say(server.isEmpty() ? text : server + QLatin1String(": ") + text);
            });
}

} // namespace Rekindle
