// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaysession_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/lenientanswer_p.h"
#include "mcp/jsonrpc/messagewriter_p.h"

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

constexpr std::array<QByteArrayView, 8> logLevels{"debug", "info",     "notice", "warning",
                                                  "error", "critical", "alert",  "emergency"};

} // namespace

void GatewaySession::clientLine(const QByteArray &line, Instant now)
{
    m_now = now;
    if (!m_clientClosed)
        clientMessage(line);
}

void GatewaySession::clientMessage(const QByteArray &line)
{
    if (line.trimmed().isEmpty())
        return;
    const MessagePeek peek = MessagePeek::at(line);
    switch (peek.kind) {
    case MessagePeek::Kind::Request:
        clientRequest(line, peek);
        return;
    case MessagePeek::Kind::Notification:
        clientNotification(line, peek);
        return;
    case MessagePeek::Kind::Result:
    case MessagePeek::Kind::Error:
        clientAnswer(line, peek);
        return;
    case MessagePeek::Kind::Batch:
        clientBatch(line);
        return;
    case MessagePeek::Kind::NotJson:
        clientUnreadable(MessagePeek::atEnds(line, line), ErrorCode::parseError,
                         QLatin1String("Parse error: ") + peek.fault);
        return;
    case MessagePeek::Kind::NotMessage:
        clientNotMessage(line, peek);
        return;
    }
}

// Of revision 2025-03-26. Each is answered on its own, which JSON-RPC allows.
void GatewaySession::clientBatch(const QByteArray &line)
{
    const std::vector<QByteArray> items = jsonItems(line);
    if (items.empty())
        refuse({}, ErrorCode::invalidRequest,
               QStringLiteral("Invalid request: the batch is empty"));
    for (const QByteArray &item : items) {
        if (item.startsWith('['))
            refuse({}, ErrorCode::invalidRequest,
                   QStringLiteral("Invalid request: a batch in a batch"));
        else
            clientMessage(item);
    }
}

// The server may make something of an answer that is not as it should be.
void GatewaySession::clientNotMessage(const QByteArray &line, const MessagePeek &peek)
{
    const QString why = QLatin1String("Invalid request: ") + peek.fault;
    const bool hasAnswer = peek.result.isPresent() || peek.error.isPresent();
    const MessagePeek answer = lenientAnswer(line, peek);
    if (peek.method.isEmpty() && answer.id.isPresent()
        && (hasAnswer || m_serverRequests.contains(answer.id)))
        clientAnswer(line, answer);
    else if (line.trimmed().startsWith('{') && !peek.idValue.isPresent())
        clientUnreadable(MessagePeek::atEnds(line, line), ErrorCode::invalidRequest, why);
    else
        refuse(peek.id, ErrorCode::invalidRequest, why);
}

void GatewaySession::clientLineTooLong(const FramedLine &line, Instant now)
{
    m_now = now;
    if (!m_clientClosed) {
        clientUnreadable(
            MessagePeek::atEnds(line.bytes, line.lastBytes), ErrorCode::invalidRequest,
            QStringLiteral(
                "Invalid request: a message of %1 bytes is longer than what is passed on")
                .arg(line.size));
    }
}

// Where it may be an answer, an error under its id would be one to another request.
void GatewaySession::clientUnreadable(const MessagePeek &ends, int code, const QString &why)
{
    const auto asked = m_serverRequests.constFind(ends.id);
    if (ends.id.isPresent() && ends.kind != MessagePeek::Kind::Request
        && asked != m_serverRequests.cend()) {
        toServer(
            asked->server,
            makeError(asked->id.json(), ErrorCode::internalError,
                      QString(QLatin1String("The client's answer cannot be passed on: ") + why)));
        m_serverRequests.erase(asked);
    } else if (!ends.isAnswer()) {
        refuse(ends.id, code, why);
    }
}

void GatewaySession::clientRequest(const QByteArray &line, const MessagePeek &peek)
{
    if (peek.method == "initialize") {
        initialize(line, peek);
        return;
    }
    if (peek.method == "ping" && m_era != ProtocolEra::Modern) {
        toClient(makeResult(peek.id.json(), "{}"));
        return;
    }
    if (isRefused(line, peek))
        return;
    if (peek.method == "server/discover") {
        discover(peek);
        return;
    }
    if (!isOpened())
        openModern(line, peek);
    if (!m_isReady) { // it goes on without having said so
        m_isReady = true;
        for (int i = 0; i < serverCount(); ++i)
            tellInitialized(i);
    }
    greetOnDemand(line, peek);
    request(line, peek);
}

// What the era does not have, or a request without one.
bool GatewaySession::isRefused(const QByteArray &line, const MessagePeek &peek)
{
    const bool isOfModern = isModern(line, peek);
    if (m_era == ProtocolEra::Legacy) {
        if (peek.method != "server/discover")
            return false;
        refuse(peek.id, ErrorCode::methodNotFound, QStringLiteral("Method not found"));
        return true;
    }
    if (!isOfModern && (m_era == ProtocolEra::Modern || peek.method != "server/discover")) {
        if (m_era == ProtocolEra::Modern)
            refuse(peek.id, ErrorCode::invalidParams,
                   QStringLiteral("Invalid params: the protocol version is missing in _meta"));
        else
            refuse(peek.id, ErrorCode::invalidRequest,
                   QStringLiteral("Invalid request: initialize, or a protocol version in _meta, "
                                  "comes first"));
        return true;
    }
    const QByteArray version = protocolVersionOf(line, peek).value_or(QByteArray());
    if (isOfModern && version != "2026-07-28") {
        refuse(peek.id, ErrorCode::unsupportedProtocolVersion,
               QStringLiteral("Unsupported protocol version"), R"({"supported":["2026-07-28"]})");
        return true;
    }
    return false;
}

void GatewaySession::clientNotification(const QByteArray &line, const MessagePeek &peek)
{
    if (peek.method == "notifications/cancelled") {
        clientCancelled(line, peek);
    } else if (peek.method == "notifications/progress") {
        clientProgress(line, peek);
    } else if (peek.method == "notifications/initialized") {
        if (m_era != ProtocolEra::Legacy)
            return;
        m_isReady = true;
        for (int i = 0; i < serverCount(); ++i)
            tellInitialized(i);
    } else {
        for (int i = 0; i < serverCount(); ++i) {
            if (at(i).isInitialized)
                toServer(i, line);
        }
    }
}

void GatewaySession::clientCancelled(const QByteArray &line, const MessagePeek &peek)
{
    const MessageId id = requestIdOf(line, peek);
    const auto isIt = [&](const QByteArray &waiting) { return MessagePeek::at(waiting).id == id; };
    if (std::erase_if(m_waiting, isIt) > 0)
        return;
    m_listening.remove(id);
    const auto routed = m_routed.constFind(id);
    if (routed == m_routed.cend())
        return;
    toServer(routed->server, line);
    m_routed.erase(routed);
}

// On what a server has asked for: the token is one of ours.
void GatewaySession::clientProgress(const QByteArray &line, const MessagePeek &peek)
{
    const auto asked = m_serverRequests.constFind(progressTokenOf(line, peek));
    if (asked == m_serverRequests.cend() || !asked->progressToken.isPresent())
        return;
    JsonEdit edit(line);
    edit.setMember(peek.params, "progressToken", asked->progressToken.json());
    toServer(asked->server, edit.result());
}

void GatewaySession::clientAnswer(const QByteArray &line, const MessagePeek &peek)
{
    const auto asked = m_serverRequests.constFind(peek.id);
    if (asked == m_serverRequests.cend())
        return;
    toServer(asked->server, withId(line, peek, asked->id.json()));
    m_serverRequests.erase(asked);
}

// For all servers, those to come too.
void GatewaySession::setLogLevel(const QByteArray &line, const MessagePeek &peek)
{
    const auto level = jsonStringText(jsonMember(line, peek.params, "level").of(line));
    if (!level || std::find(logLevels.begin(), logLevels.end(), *level) == logLevels.end()) {
        refuse(peek.id, ErrorCode::invalidParams, QStringLiteral("Invalid params: level"));
        return;
    }
    m_logLevel = line;
    for (int i = 0; i < serverCount(); ++i) {
        if (at(i).isInitialized)
            sendLogLevel(i);
    }
    toClient(makeResult(peek.id.json(), "{}"));
}

// Changes of lists are what the gateway has to tell.
void GatewaySession::listen(const QByteArray &line, const MessagePeek &peek)
{
    const JsonSpan wanted = jsonMember(line, peek.params, "notifications");
    QByteArray granted;
    for (const char *name : {"toolsListChanged", "promptsListChanged", "resourcesListChanged"}) {
        if (jsonMember(line, wanted, name).of(line) != QByteArrayView("true"))
            continue;
        granted += (granted.isEmpty() ? "\"" : ",\"") + QByteArray(name) + "\":true";
    }
    granted = '{' + granted + '}';
    m_listening.insert(peek.id, granted);
    const QByteArray params = R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)"
        + peek.id.json() + R"(},"notifications":)" + granted + '}';
    toClient(makeNotification(QLatin1String("notifications/subscriptions/acknowledged"), params));
    // What has changed between its list and this.
    for (const GatewayList kind :
         {GatewayList::Tools, GatewayList::Prompts, GatewayList::Resources}) {
        if (m_hasChanged[static_cast<std::size_t>(kind)])
            announce(kind);
    }
}

} // namespace Rekindle
