// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpgatewaysession_p.h"

#include "cli/options/storechoice_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"

#include <rekindle/policy/presets.h>
#include <rekindle/process/processagent.h>

#include <utility>

namespace Rekindle {

McpGatewaySession::McpGatewaySession(const McpRequest &request, Messages &messages)
    : McpSession(request, storeOf(request.configuration), messages)
{
}

QList<UsedFile> McpGatewaySession::otherFiles() const
{
    return filesRead({m_request.configuration}, QStringLiteral("the server file"));
}

int McpGatewaySession::prepare()
{
    AgentSupervisor &supervisor = m_supervision.supervisor();
    McpGatewayOptions options;
    options.inject = m_request.watchdog.inject;
    options.listTime = m_request.listTime.value_or(options.listTime);
    m_gateway = std::make_unique<McpGateway>(supervisor, options);
    for (const McpServerDefinition &server : std::as_const(m_request.servers)) {
        RestartPolicy policy =
            server.policy.value_or(server.restartOnExit ? *preset(u"spawn") : m_request.policy);
        if (server.startTimeout)
            policy.startTimeout = *server.startTimeout;
        else if (policy.startTimeout == RestartPolicy().startTimeout)
            policy.startTimeout = m_request.policy.startTimeout;
        ProcessAgent *const agent = m_supervision.add(server.name, server.process, policy);
        if (!agent)
            return ExitCode::configuration;
        McpGatewayServer treatment;
        treatment.name = server.name;
        treatment.retry = server.retry.value_or(m_request.watchdog.retry);
        treatment.toolRetry = m_request.watchdog.toolRetry;
        treatment.tools = server.tools;
        treatment.toolBreaker = m_request.watchdog.toolBreaker;
        treatment.callTimeout =
            server.callTimeout ? server.callTimeout : m_request.watchdog.callTimeout;
        const QUuid id = supervisor.idOf(server.name);
        if (server.restartOnExit) {
            treatment.onDemand = policy;
            m_onDemand.insert(id);
        }
        m_gateway->add(treatment, id, *agent);
    }
    connectHost(*m_gateway);
    connect(m_gateway.get(), &McpGateway::errorLine, this,
            [this](const QString &server, const QByteArray &line) {
                forward('[' + server.toUtf8() + "] " + line);
            });
    if (!m_options.quiet)
        connect(m_gateway.get(), &McpGateway::noted, this,
                [this](const QString &server, const QString &text) {
                    m_messages.say(server.isEmpty() ? text : server + QLatin1String(": ") + text);
                });
    return ExitCode::fine;
}

} // namespace Rekindle
