// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaycontext_p.h"

#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/mcpmembers_p.h"
#include "wire/messagewriter_p.h"

#include <utility>

namespace Rekindle {

namespace {

// A server with a legacy session could take them for the beginning of a modern one.
QByteArray withoutModernMeta(const QByteArray &line)
{
    const MessagePeek peek = MessagePeek::at(line);
    const QByteArray kept =
        withoutMembers(jsonMember(line, peek.params, "_meta").of(line), [](const QByteArray &name) {
            return name.startsWith("io.modelcontextprotocol/");
        });
    return kept.isEmpty() ? line : withMember(line, peek.params, "_meta", kept);
}

} // namespace

GatewayContext::GatewayContext(GatewayOptions theOptions)
    : options(std::move(theOptions))
{
    for (const QString &name : options.servers)
        servers.push_back({.name = name});
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

void GatewayContext::forward(int server, const QByteArray &line, std::optional<Instant> arrived)
{
    if (at(server).isModern == isModern())
        toServer(server, line);
    else
        toServer(server, isModern() ? withoutModernMeta(line) : withModernMeta(line));
    m_actions.back().arrived = arrived;
}

// A legacy client cannot provide the input that a modern server may require, so no client
// capabilities are declared.
QByteArray GatewayContext::withModernMeta(const QByteArray &line) const
{
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.kind != MessagePeek::Kind::Request)
        return line;
    const JsonSpan meta = jsonMember(line, peek.params, "_meta");
    if (!meta.isPresent()) {
        const QByteArray withMeta = withMember(line, peek.params, "_meta", "{}");
        return withMeta == line ? line : withModernMeta(withMeta); // equal: no object as params
    }
    JsonEdit edit(line);
    edit.setMember(meta, modernVersionKey, '"' + QByteArray(modernVersion.data()) + '"');
    edit.setMember(meta, "io.modelcontextprotocol/clientInfo", clientInfo);
    edit.setMember(meta, "io.modelcontextprotocol/clientCapabilities", "{}");
    if (isLegacy() && !logLevel.isEmpty())
        edit.setMember(meta, logLevelKey, logLevel);
    return edit.result();
}

void GatewayContext::send(int server, const MessageId &id, QByteArray line, Answered answered)
{
    m_requests.insert(id, {server, std::move(answered)});
    add({GatewayAction::Kind::ToServer, server, std::move(line), {}, RequestOrigin::Gateway});
}

void GatewayContext::request(int server, QLatin1String method, QByteArrayView params,
                             Answered answered)
{
    const MessageId id = newId();
    const bool isServerModern = at(server).isModern;
    const QByteArray line = makeRequest(
        id.json(), method, params.isEmpty() && isServerModern ? QByteArrayView("{}") : params);
    send(server, id, isServerModern ? withModernMeta(line) : line, std::move(answered));
}

void GatewayContext::repeat(int server, const QByteArray &clientRequest, Answered answered)
{
    const MessageId id = newId();
    send(server, id, withId(clientRequest, MessagePeek::at(clientRequest), id.json()),
         std::move(answered));
}

GatewayContext::Answered GatewayContext::take(int server, const MessageId &id)
{
    const auto own = m_requests.constFind(id);
    return own != m_requests.cend() && own->server == server ? m_requests.take(id).answered
                                                             : nullptr;
}

bool GatewayContext::answered(int server, const QByteArray &line, const MessagePeek &peek)
{
    const Answered answered = take(server, peek.id);
    if (!answered)
        return false;
    const auto message = jsonStringText(jsonMember(line, peek.error, "message").of(line));
    answered(line, peek, message ? QString::fromUtf8(*message) : QString(peek.fault));
    return true;
}

bool GatewayContext::refused(int server, const MessageId &id, const QString &why)
{
    const Answered answered = take(server, id);
    if (answered)
        answered({}, {}, why);
    return answered != nullptr;
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

} // namespace Rekindle
