// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaysession_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/lenientanswer_p.h"
#include "mcp/jsonrpc/messagewriter_p.h"

#include "json/jsonwriter.h"

#include <algorithm>

namespace Rekindle {

namespace {

constexpr qsizetype mostServerRequests = 1000; // of one server, that the client works on
constexpr QByteArrayView ourSource = "\"rekindle\"";

QByteArray jsonText(const QString &text)
{
    QByteArray json;
    JsonWriter(json).value(text);
    return json;
}

// Those errors of a proxy session whose numbers the modern era keeps for others.
QByteArrayView modernCode(QByteArrayView legacy)
{
    if (legacy == QByteArrayView("-32000"))
        return "-31000";
    return legacy == QByteArrayView("-32001") ? QByteArrayView("-31001") : legacy;
}

} // namespace

void GatewaySession::serverLine(int server, const QByteArray &line, Instant now)
{
    m_now = now;
    serverMessage(server, line);
}

// A proxy session passes on what was awaited, nearly right answers too, and has sorted out the
// rest.
void GatewaySession::serverMessage(int server, const QByteArray &line)
{
    const MessagePeek peek = MessagePeek::at(line);
    switch (peek.kind) {
    case MessagePeek::Kind::Request:
        serverRequest(server, line, peek);
        return;
    case MessagePeek::Kind::Notification:
        serverNotification(server, line, peek);
        return;
    case MessagePeek::Kind::Result:
    case MessagePeek::Kind::Error:
        serverAnswer(server, line, peek);
        return;
    case MessagePeek::Kind::NotMessage:
        if (const MessagePeek answer = lenientAnswer(line, peek); answer.id.isPresent()) {
            serverAnswer(server, line, answer);
            return;
        }
        break; // it may be there twice
    case MessagePeek::Kind::NotJson:
    case MessagePeek::Kind::Batch:
        break;
    }
    serverAnswer(server, line, answerFromEnds(line));
}

void GatewaySession::serverAnswer(int server, const QByteArray &line, const MessagePeek &peek)
{
    const MessageId &id = peek.id;
    if (const auto own = m_own.constFind(id); own != m_own.cend() && own->server == server) {
        const OwnRequest request = *own;
        m_own.erase(own);
        ownAnswer(request, line, peek);
        return;
    }
    const auto routed = m_routed.constFind(id);
    if (routed == m_routed.cend() || routed->server != server) {
        // Of one that was cancelled, or about something that the server could not read.
        if (!id.isPresent())
            note(server,
                 QStringLiteral("an error without an id: ") + QString::fromUtf8(line.left(200)));
        return;
    }
    toClient(forClient(*routed, line, peek));
    m_routed.erase(routed);
}

void GatewaySession::ownAnswer(const OwnRequest &own, const QByteArray &line,
                               const MessagePeek &peek)
{
    switch (own.purpose) {
    case OwnRequest::Purpose::Initialize:
        if (peek.kind == MessagePeek::Kind::Result)
            greeted(own.server, line, peek);
        else
            notGreeted(own.server, line, peek);
        return;
    case OwnRequest::Purpose::List:
        pageRead(own.server, own.kind, line, peek);
        return;
    case OwnRequest::Purpose::LogLevel:
        return; // the client has had its answer
    }
}

// As it is, but that one of our errors says which server it is about, and that a modern client
// wants a few members more: servers speak as in the legacy era.
QByteArray GatewaySession::forClient(const Routed &routed, const QByteArray &line,
                                     const MessagePeek &peek) const
{
    const JsonSpan data = jsonMember(line, peek.error, "data");
    const bool isOurs = jsonMember(line, data, "source").of(line) == ourSource;
    if (m_era != ProtocolEra::Modern && !isOurs)
        return line;
    JsonEdit edit(line);
    if (isOurs)
        nameServer(routed.server, line, peek, edit);
    if (m_era != ProtocolEra::Modern)
        return edit.result();
    if (peek.kind == MessagePeek::Kind::Result) {
        if (!jsonMember(line, peek.result, "resultType").isPresent())
            edit.setMember(peek.result, "resultType", "\"complete\"");
        if (routed.method == "resources/read") {
            edit.setMember(peek.result, "ttlMs", "0");
            edit.setMember(peek.result, "cacheScope", "\"private\"");
        }
    } else if (isOurs) {
        const QByteArrayView code = jsonMember(line, peek.error, "code").of(line);
        edit.setMember(peek.error, "code", modernCode(code).toByteArray());
    }
    return edit.result();
}

// One of many, and when it is worth a try again.
void GatewaySession::nameServer(int server, const QByteArray &line, const MessagePeek &peek,
                                JsonEdit &edit) const
{
    const QString &name = m_options.servers[server];
    const auto message = jsonStringText(jsonMember(line, peek.error, "message").of(line));
    const JsonSpan data = jsonMember(line, peek.error, "data");
    QString text = name + QLatin1String(": ") + QString::fromUtf8(message.value_or(QByteArray()));
    const double wait = jsonMember(line, data, "restartInMs").of(line).toByteArray().toDouble();
    if (wait > 0)
        text += QStringLiteral("; it is started again in %1 s").arg(wait / 1000, 0, 'f', 1);
    edit.setMember(peek.error, "message", jsonText(text));
    edit.setMember(data, "server", jsonText(name));
}

void GatewaySession::serverRequest(int server, const QByteArray &line, const MessagePeek &peek)
{
    if (peek.method == "ping") {
        toServer(server, makeResult(peek.id.json(), "{}"));
        return;
    }
    // Before the client has opened the session nobody knows what it takes.
    if (!isOpened() || m_era == ProtocolEra::Modern || m_clientClosed) {
        toServer(server,
                 makeError(peek.id.json(), ErrorCode::methodNotFound,
                           QStringLiteral("Method not found: the client takes no requests")));
        return;
    }
    const auto open =
        std::count_if(m_serverRequests.cbegin(), m_serverRequests.cend(),
                      [server](const ServerRequest &request) { return request.server == server; });
    if (open >= mostServerRequests) {
        toServer(
            server,
            makeError(peek.id.json(), ErrorCode::internalError,
                      QStringLiteral("The client has not answered %1 requests yet").arg(open)));
        return;
    }
    const MessageId id = newId();
    const MessageId token = progressTokenOf(line, peek);
    m_serverRequests.insert(id, {server, peek.id, token});
    if (!token.isPresent()) {
        toClient(withId(line, peek, id.json()));
        return;
    }
    // Two servers may well have chosen the same one.
    JsonEdit edit(line);
    edit.setMember(jsonMember(line, peek.params, "_meta"), "progressToken", id.json());
    const QByteArray renamed = edit.result();
    toClient(withId(renamed, MessagePeek::at(renamed), id.json()));
}

void GatewaySession::serverNotification(int server, const QByteArray &line, const MessagePeek &peek)
{
    if (!isOpened())
        return;
    if (peek.method == "notifications/cancelled") {
        serverCancelled(server, line, peek);
        return;
    }
    if (peek.method == "notifications/resources/list_changed" && at(server).isInitialized)
        readList(server, GatewayList::Templates);
    for (int i = 0; i < gatewayListCount; ++i) {
        const auto kind = static_cast<GatewayList>(i);
        if (kind == GatewayList::Templates || peek.method != gatewayListChangedMethod(kind).data())
            continue;
        if (at(server).isInitialized)
            readList(server, kind);
        return;
    }
    // What else there is the modern era only has where somebody has asked for it.
    if (m_era != ProtocolEra::Modern || peek.method == "notifications/progress")
        toClient(line);
}

void GatewaySession::serverCancelled(int server, const QByteArray &line, const MessagePeek &peek)
{
    const MessageId id = requestIdOf(line, peek);
    for (auto asked = m_serverRequests.begin(); asked != m_serverRequests.end(); ++asked) {
        if (asked->server != server || !(asked->id == id))
            continue;
        JsonEdit edit(line);
        edit.setMember(peek.params, "requestId", asked.key().json());
        toClient(edit.result());
        m_serverRequests.erase(asked);
        return;
    }
}

} // namespace Rekindle
