// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaysession_p.h"

#include "mcp/jsonrpc/messagewriter_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// The gateway's own tools stand behind those of all servers: none is shadowed.
QStringList withOurs(QStringList servers) { return servers << QStringLiteral("rekindle"); }

} // namespace

GatewaySession::GatewaySession(GatewayOptions options)
    : m_options(std::move(options))
    , m_catalog(withOurs(m_options.servers))
{
    for (const QString &name : m_options.servers) {
        Server server;
        server.name = name;
        m_servers.push_back(std::move(server));
    }
    if (m_options.inject)
        offerTools();
}

std::vector<GatewayAction> GatewaySession::takeActions() { return std::exchange(m_actions, {}); }

void GatewaySession::toClient(QByteArray line)
{
    m_actions.push_back({GatewayAction::Kind::ToClient, -1, std::move(line), {}});
}

void GatewaySession::toServer(int server, QByteArray line)
{
    m_actions.push_back({GatewayAction::Kind::ToServer, server, std::move(line), {}});
}

void GatewaySession::note(int server, const QString &text)
{
    m_actions.push_back({GatewayAction::Kind::Note, server, {}, text});
}

void GatewaySession::refuse(const MessageId &id, int code, const QString &text, QByteArrayView data)
{
    toClient(makeError(id.json(), code, text, data));
}

MessageId GatewaySession::newId()
{
    return MessageId::ofJson(
        QByteArray('"' + m_options.nonce + '-' + QByteArray::number(++m_ownIds) + '"'));
}

void GatewaySession::serverStarted(int server, Instant now)
{
    m_now = now;
    Server &started = at(server);
    started.isRunning = true;
    if (started.phase == Server::Phase::Greeting) {
        started.deadline = m_now + m_options.handshakeTime; // its proxy session has kept it
    } else if (started.phase == Server::Phase::Away && isOpened()) {
        greet(server);
    } else if (started.isInitialized) {
        sendLogLevel(server);
        readAgain(server);
    }
}

void GatewaySession::serverGone(int server, Instant now)
{
    m_now = now;
    at(server).isRunning = false;
    at(server).deadline.reset();
}

void GatewaySession::clientClosed(Instant now)
{
    m_now = now;
    if (std::exchange(m_clientClosed, true))
        return;
    for (const QByteArray &line : std::exchange(m_waiting, {})) {
        refuse(MessagePeek::at(line).id, m_era == ProtocolEra::Modern ? -31000 : -32000,
               QStringLiteral("The session has ended"));
    }
}

void GatewaySession::timePassed(Instant now)
{
    m_now = now;
    for (int i = 0; i < serverCount(); ++i) {
        Server &server = at(i);
        if (!server.deadline || *server.deadline > m_now)
            continue;
        server.deadline.reset();
        if (server.phase == Server::Phase::Greeting && server.isRunning) {
            server.why = QStringLiteral("it did not answer initialize in time");
            m_actions.push_back({GatewayAction::Kind::FailServer, i, {}, server.why});
        }
    }
    resume();
}

std::optional<Instant> GatewaySession::nextDeadline() const
{
    std::optional<Instant> next;
    for (const Server &server : m_servers) {
        if (server.deadline)
            next = std::min(next.value_or(*server.deadline), *server.deadline);
        if (m_waiting.empty() || !server.greetedAt)
            continue;
        for (const Duration time : {m_options.listTime, m_options.callTime}) {
            const Instant end = *server.greetedAt + time;
            if (end > m_now)
                next = std::min(next.value_or(end), end);
        }
    }
    return next;
}

} // namespace Rekindle
