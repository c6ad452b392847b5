// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaycontext_p.h"

#include "mcp/jsonrpc/messagewriter_p.h"

#include "json/jsonwriter.h"

#include <utility>

namespace Rekindle {

QByteArray jsonText(const QString &text)
{
    QByteArray json;
    JsonWriter(json).value(text);
    return json;
}

GatewayContext::GatewayContext(GatewayOptions theOptions)
    : options(std::move(theOptions))
{
    for (const QString &name : options.servers) {
        GatewayServer server;
        server.name = name;
        servers.push_back(std::move(server));
    }
}

std::vector<GatewayAction> GatewayContext::takeActions() { return std::exchange(m_actions, {}); }

void GatewayContext::toClient(QByteArray line)
{
    add({GatewayAction::Kind::ToClient, -1, std::move(line), {}, {}});
}

void GatewayContext::toServer(int server, QByteArray line)
{
    add({GatewayAction::Kind::ToServer, server, std::move(line), {}, RequestOrigin::Client});
}

void GatewayContext::addRequest(int server, QByteArray line)
{
    add({GatewayAction::Kind::ToServer, server, std::move(line), {}, RequestOrigin::Gateway});
}

MessageId GatewayContext::request(int server, QLatin1String method, QByteArrayView params)
{
    const MessageId id = newId();
    addRequest(server, makeRequest(id.json(), method, params));
    return id;
}

MessageId GatewayContext::repeat(int server, const QByteArray &clientRequest)
{
    const MessageId id = newId();
    addRequest(server, withId(clientRequest, MessagePeek::at(clientRequest), id.json()));
    return id;
}

void GatewayContext::refuse(const MessageId &id, int code, const QString &text, QByteArrayView data)
{
    toClient(makeError(id.json(), code, text, data));
}

void GatewayContext::failServer(int server, const QString &why)
{
    add({GatewayAction::Kind::FailServer, server, {}, why, {}});
}

void GatewayContext::note(int server, const QString &text)
{
    add({GatewayAction::Kind::Note, server, {}, text, {}});
}

MessageId GatewayContext::newId()
{
    return MessageId::ofJson(
        QByteArray('"' + options.nonce + '-' + QByteArray::number(++m_ownIds) + '"'));
}

} // namespace Rekindle
