// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaysession_p.h"

#include "json/jsonwriter.h"

namespace Rekindle {

namespace {

constexpr char restartStart[] =
    R"({"name":"restart_server","title":"Restart an MCP server","description":"Restarts one of the MCP servers behind this gateway. The session goes on; calls to it wait for the new one.","inputSchema":{"type":"object","properties":{"server":{"type":"string","description":"Which one","enum":)";
constexpr char restartEnd[] =
    R"(},"reason":{"type":"string","description":"Why, for the record"}},"required":["server","reason"]},"annotations":{"readOnlyHint":false,"destructiveHint":false,"openWorldHint":false}})";
constexpr char verifyStart[] =
    R"({"name":"verify_server_restarted","title":"Verify that an MCP server was restarted","description":"Says whether one of the MCP servers behind this gateway was restarted after a point in time, and how.","inputSchema":{"type":"object","properties":{"server":{"type":"string","description":"Which one","enum":)";
constexpr char verifyEnd[] =
    R"(},"since_timestamp":{"type":"string","description":"ISO 8601; a restart after this time counts"}},"required":["server","since_timestamp"]},"annotations":{"readOnlyHint":true,"openWorldHint":false}})";

} // namespace

// Behind the tools of the last server, and named by the same rule.
void GatewaySession::offerTools()
{
    QByteArray names;
    JsonWriter json(names);
    json.beginArray();
    for (const QString &name : m_options.servers)
        json.value(name);
    json.endArray();
    (void)m_catalog.set(serverCount(), GatewayList::Tools,
                        {{InjectedTools::restartName, restartStart + names + restartEnd},
                         {InjectedTools::verifyName, verifyStart + names + verifyEnd}});
}

void GatewaySession::answerTool(const MessageId &id, const QString &text, bool isError)
{
    toClient(InjectedTools::toolAnswer(id, m_era, text, isError));
}

std::optional<int> GatewaySession::serverArgument(const QByteArray &line, const MessagePeek &peek)
{
    const auto name = InjectedTools::argument(line, peek, "server");
    const qsizetype server = name ? m_options.servers.indexOf(*name) : -1;
    if (server >= 0)
        return static_cast<int>(server);
    answerTool(peek.id,
               QStringLiteral("server: one of these is needed: ")
                   + m_options.servers.join(QLatin1String(", ")),
               true);
    return std::nullopt;
}

void GatewaySession::callOurs(const QByteArray &name, const QByteArray &line,
                              const MessagePeek &peek)
{
    const std::optional<int> server = serverArgument(line, peek);
    if (!server)
        return;
    if (name == InjectedTools::restartName) {
        const std::optional<QString> reason = InjectedTools::argument(line, peek, "reason");
        if (!reason) {
            answerTool(peek.id, QStringLiteral("reason: a text is needed"), true);
            return;
        }
        // One is enough for all that ask before it is decided.
        std::vector<MessageId> &calls = m_restartCalls[*server];
        if (calls.empty())
            m_actions.push_back({GatewayAction::Kind::RestartServer, *server, {}, *reason});
        calls.push_back(peek.id);
        return;
    }
    const auto text = InjectedTools::argument(line, peek, "since_timestamp");
    const auto since = text ? utcTimeFromIso8601(*text) : std::nullopt;
    if (!since) {
        answerTool(peek.id, QStringLiteral("since_timestamp: an ISO 8601 time is needed"), true);
        return;
    }
    m_verifyCalls.push_back({*server, peek.id, *since});
    m_actions.push_back({GatewayAction::Kind::DescribeServer, *server, {}, {}});
}

void GatewaySession::restartDecided(int server, bool accepted, Instant now)
{
    m_now = now;
    const QString &name = at(server).name;
    const QString text = accepted
        ? QStringLiteral("Restart of server %1 scheduled. The session goes on; calls wait for the "
                         "new one.")
              .arg(name)
        : QStringLiteral("The restart of server %1 was refused: there were ten in the last "
                         "minute.")
              .arg(name);
    for (const MessageId &call : m_restartCalls.take(server))
        answerTool(call, text, !accepted);
}

void GatewaySession::serverDescribed(int server, const InjectedTools::RestartRecord &record)
{
    std::erase_if(m_verifyCalls, [&](const VerifyCall &call) {
        if (call.server != server)
            return false;
        if (record.lastRestart)
            toClient(InjectedTools::verified(call.id, m_era, call.since, record));
        else
            answerTool(call.id,
                       QStringLiteral("Server %1 has not been restarted in this session.")
                           .arg(at(server).name),
                       true);
        return true;
    });
}

} // namespace Rekindle
