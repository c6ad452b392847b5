// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaytools_p.h"

#include "mcp/proxy/injectedtools_p.h"

#include "json/jsonwriter.h"

namespace Rekindle {

namespace {

constexpr char restartStart[] =
    R"({"name":"restart_server","title":"Restart an MCP server","description":"Restarts one of the MCP servers behind this gateway. The session continues; calls to the server wait until it has restarted.","inputSchema":{"type":"object","properties":{"server":{"type":"string","description":"Which one","enum":)";
constexpr char restartEnd[] =
    R"(},"reason":{"type":"string","description":"Why, for the log"}},"required":["server","reason"]},"annotations":{"readOnlyHint":false,"destructiveHint":false,"openWorldHint":false}})";
constexpr char verifyStart[] =
    R"({"name":"verify_server_restarted","title":"Verify that an MCP server was restarted","description":"Reports whether one of the MCP servers behind this gateway was restarted after a point in time, and how.","inputSchema":{"type":"object","properties":{"server":{"type":"string","description":"Which one","enum":)";
constexpr char verifyEnd[] =
    R"(},"since_timestamp":{"type":"string","description":"ISO 8601; a restart after this time counts"}},"required":["server","since_timestamp"]},"annotations":{"readOnlyHint":true,"openWorldHint":false}})";

} // namespace

GatewayTools::GatewayTools(GatewayContext &context, GatewayCatalog &catalog)
    : m_context(context)
{
    if (!m_context.options.inject)
        return;
    QByteArray names;
    JsonWriter json(names);
    json.value(m_context.options.servers);
    (void)catalog.set(m_context.serverCount(), ListKind::Tools,
                      {{InjectedTools::restartName, restartStart + names + restartEnd},
                       {InjectedTools::verifyName, verifyStart + names + verifyEnd}});
}

void GatewayTools::answer(const MessageId &id, const QString &text, bool isError)
{
    m_context.toClient(InjectedTools::toolAnswer(id, m_context.revision, text, isError));
}

std::optional<int> GatewayTools::serverOf(const QByteArray &line, const MessagePeek &peek)
{
    const auto name = InjectedTools::argument(line, peek, "server");
    const qsizetype server = name ? m_context.options.servers.indexOf(*name) : -1;
    if (server >= 0)
        return static_cast<int>(server);
    answer(peek.id,
           QStringLiteral("server: expected one of ")
               + m_context.options.servers.join(QLatin1String(", ")),
           true);
    return std::nullopt;
}

void GatewayTools::call(const QByteArray &name, const QByteArray &line, const MessagePeek &peek)
{
    const std::optional<int> server = serverOf(line, peek);
    if (!server)
        return;
    if (name == InjectedTools::restartName)
        callRestart(*server, line, peek);
    else
        callVerify(*server, line, peek);
}

void GatewayTools::callRestart(int server, const QByteArray &line, const MessagePeek &peek)
{
    const std::optional<QString> reason = InjectedTools::argument(line, peek, "reason");
    if (!reason) {
        answer(peek.id, QStringLiteral("reason: expected a string"), true);
        return;
    }
    std::vector<MessageId> &calls = m_restartCalls[server];
    if (calls.empty()) // further calls share the decision
        m_context.add({GatewayAction::Kind::RestartServer, server, {}, *reason, {}});
    calls.push_back(peek.id);
}

void GatewayTools::callVerify(int server, const QByteArray &line, const MessagePeek &peek)
{
    const auto text = InjectedTools::argument(line, peek, "since_timestamp");
    const auto since = text ? utcTimeFromIso8601(*text) : std::nullopt;
    if (!since) {
        answer(peek.id, QStringLiteral("since_timestamp: expected an ISO 8601 time"), true);
        return;
    }
    m_verifyCalls.push_back({peek.id, *since});
    m_context.add({GatewayAction::Kind::DescribeServer, server, {}, {}, {}});
}

void GatewayTools::restartDecided(int server, bool isAccepted, const QString &whyGivenUp)
{
    const QString &name = m_context.at(server).name;
    QString text = isAccepted
        ? QStringLiteral("Restart of server %1 scheduled. The session continues; calls wait until "
                         "the server has restarted.")
              .arg(name)
        : QStringLiteral("The restart of server %1 was refused: too many restarts were "
                         "requested.")
              .arg(name);
    if (isAccepted && !whyGivenUp.isEmpty())
        text += QLatin1String(" The server was not running: ") + whyGivenUp;
    for (const MessageId &call : m_restartCalls.take(server))
        answer(call, text, !isAccepted);
}

void GatewayTools::serverDescribed(int server, const RestartRecord &record)
{
    const VerifyCall call = m_verifyCalls.front();
    m_verifyCalls.pop_front();
    if (record.lastRestart)
        m_context.toClient(InjectedTools::verified(call.id, m_context.revision, record,
                                                   judge(*record.lastRestart, call.since)));
    else
        answer(call.id,
               notRestarted(QStringLiteral("Server %1 has not been restarted in this session.")
                                .arg(m_context.at(server).name))
                   .text,
               true);
}

} // namespace Rekindle
