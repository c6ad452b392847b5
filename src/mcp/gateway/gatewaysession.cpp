// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaysession_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/mcpmembers_p.h"
#include "wire/messagewriter_p.h"

#include <utility>

namespace Rekindle {

// The gateway's own tools come last, so that they hide no tool of a server.
GatewaySession::GatewaySession(GatewayOptions options)
    : m_context(std::move(options))
    , m_catalog(m_context.options.servers + QStringList{QStringLiteral("rekindle")})
    , m_lists(m_context, m_catalog)
    , m_handshake(m_context, m_lists)
    , m_tools(m_context, m_catalog)
    , m_tasks(m_context, m_catalog)
    , m_router(m_context, m_catalog, m_lists, m_tools, m_tasks)
    , m_forwarded(m_context)
    , m_clientReader(*this, ClientLineReader::ServerRequestIds::Unique)
{
}

// The client.

void GatewaySession::clientLine(const FramedLine &line, Instant now)
{
    m_context.now = now;
    if (!m_context.isClientClosed)
        m_clientReader.read(line);
}

void GatewaySession::clientClosed(Instant now)
{
    m_context.now = now;
    if (!std::exchange(m_context.isClientClosed, true))
        m_router.clientClosed();
}

void GatewaySession::clientRequest(const QByteArray &line, const MessagePeek &peek)
{
    if (m_context.isOwnId(peek.id)) {
        m_context.refuse(peek.id, ErrorCode::invalidRequest, OwnIds::refusal());
        return;
    }
    if (peek.method == "initialize") {
        m_handshake.initialize(line, peek);
        return;
    }
    if (peek.method == "ping" && !m_context.isModern()) {
        m_context.toClient(makeResult(peek.id.json(), "{}"));
        return;
    }
    if (isRejected(line, peek))
        return;
    if (peek.method == "server/discover") {
        m_handshake.discover(peek.id);
        return;
    }
    if (!m_context.isOpened)
        m_handshake.openModern(line, peek);
    m_handshake.clientIsReady(); // also if it has not sent notifications/initialized
    if (m_context.isModern())
        lowerLogLevel(logLevelOf(line, peek));
    if (m_router.needsMoreServers(line, peek))
        m_handshake.connectOnDemand(listRequestedBy(peek.method).has_value());
    if (m_router.handle(line, peek, m_context.now))
        return;
    if (peek.method == "logging/setLevel" && m_context.isLegacy())
        setLogLevel(line, peek);
    else if (peek.method == "subscriptions/listen" && m_context.isModern())
        m_lists.listen(line, peek);
    else
        m_context.refuse(peek.id, ErrorCode::methodNotFound, QStringLiteral("Method not found"));
}

// Rejects what the protocol revision of the session does not permit.
bool GatewaySession::isRejected(const QByteArray &line, const MessagePeek &peek)
{
    const bool isDiscover = peek.method == "server/discover";
    if (m_context.isLegacy()) {
        if (isDiscover)
            m_context.refuse(peek.id, ErrorCode::methodNotFound,
                             QStringLiteral("Method not found"));
        return isDiscover;
    }
    if (!isModern(line, peek)) {
        if (m_context.isModern())
            m_context.refuse(
                peek.id, ErrorCode::invalidParams,
                QStringLiteral("Invalid params: the protocol version is missing in _meta"));
        else if (!isDiscover)
            m_context.refuse(peek.id, ErrorCode::invalidRequest,
                             QStringLiteral("Invalid request: expected initialize, or a protocol "
                                            "version in _meta"));
        return m_context.isModern() || !isDiscover;
    }
    if (protocolVersionOf(line, peek) == QByteArrayView(modernVersion))
        return false;
    m_context.refuse(peek.id, ErrorCode::unsupportedProtocolVersion,
                     QStringLiteral("Unsupported protocol version"),
                     R"({"supported":["2026-07-28"]})");
    return true;
}

void GatewaySession::clientNotification(const QByteArray &line, const MessagePeek &peek)
{
    if (peek.method == "notifications/cancelled") {
        const MessageId id = requestIdOf(line, peek);
        m_lists.stopListening(id);
        m_router.cancel(line, id);
    } else if (peek.method == "notifications/progress") {
        m_forwarded.progress(line, peek);
    } else if (peek.method == "notifications/initialized") {
        if (m_context.isLegacy())
            m_handshake.clientIsReady();
    } else {
        for (int i = 0; i < m_context.serverCount(); ++i) {
            const GatewayServer &server = m_context.at(i);
            const bool isKnown = m_context.isModern() || !server.isModern;
            if (server.isInitialized && isKnown)
                m_context.forward(i, line);
        }
    }
}

void GatewaySession::clientResponse(const QByteArray &line, const MessagePeek &peek)
{
    m_forwarded.answer(line, peek);
}

void GatewaySession::clientResponseFailed(const MessageId &id, const QString &why)
{
    m_forwarded.answerError(id, ErrorCode::internalError, why);
}

void GatewaySession::clientLineRejected(const MessageId &id, int code, const QString &why)
{
    m_context.refuse(id, code, why);
}

bool GatewaySession::isServerRequestOpen(const MessageId &id) const
{
    return m_forwarded.isOpen(id);
}

void GatewaySession::setLogLevel(const QByteArray &line, const MessagePeek &peek)
{
    const QByteArrayView level = jsonMember(line, peek.params, "level").of(line);
    if (!severityOf(level)) {
        m_context.refuse(peek.id, ErrorCode::invalidParams,
                         QStringLiteral("Invalid params: level"));
        return;
    }
    m_handshake.setLogLevel(level.toByteArray());
    m_context.toClient(makeResult(peek.id.json(), "{}"));
}

// A modern client requests log messages with single requests, but the level of a legacy server
// applies to all requests. The router selects the messages that the client has requested.
void GatewaySession::lowerLogLevel(QByteArrayView level)
{
    const auto severity = severityOf(level);
    if (severity && *severity < severityOf(m_context.logLevel).value_or(*severity + 1))
        m_handshake.setLogLevel(level.toByteArray());
}

// The servers.

void GatewaySession::serverStarted(int server, Instant now)
{
    m_context.now = now;
    m_handshake.serverStarted(server);
}

void GatewaySession::serverProgressed(int server, Instant now)
{
    m_context.now = now;
    m_handshake.serverProgressed(server);
}

void GatewaySession::handshakeReplayed(int server, const QByteArray &capabilities, Instant now)
{
    m_context.now = now;
    m_handshake.replayed(server, capabilities);
}

void GatewaySession::serverExited(int server, Instant now)
{
    m_context.now = now;
    m_lists.serverExited(server);
    m_handshake.serverExited(server);
}

// A proxy session forwards only awaited responses, including those that are not strictly valid.
void GatewaySession::serverLine(int server, const QByteArray &line, Instant now)
{
    m_context.now = now;
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.kind == MessagePeek::Kind::Request)
        serverRequest(server, line, peek);
    else if (peek.kind == MessagePeek::Kind::Notification)
        serverNotification(server, line, peek);
    else if (peek.isResponse())
        serverResponse(server, line, peek);
    else if (const MessagePeek response = lenientResponse(line, peek); response.id.isPresent())
        serverResponse(server, line, response);
    else // unreadable, or the id is a repeated member
        serverResponse(server, line, responseFromEnds(line));
}

void GatewaySession::serverResponse(int server, const QByteArray &line, const MessagePeek &peek)
{
    if (!peek.id.isPresent()) {
        m_context.note(
            server, QLatin1String("an error without an id: ") + QString::fromUtf8(line.left(200)));
    } else if (m_context.answered(server, line, peek)) {
        m_router.resume();
    } else {
        m_router.answered(server, line, peek);
    }
}

void GatewaySession::serverRefused(int server, const ProxyRefusal &refusal, Instant now)
{
    m_context.now = now;
    if (m_context.refused(server, refusal.id, refusal.message()))
        m_router.resume();
    else
        m_router.refused(server, refusal);
}

void GatewaySession::serverRequest(int server, const QByteArray &line, const MessagePeek &peek)
{
    if (peek.method == "ping") {
        m_context.toServer(server, makeResult(peek.id.json(), "{}"));
    } else if (!m_context.isOpened || m_context.isModern() || m_context.isClientClosed) {
        // Before the client has opened the session its capabilities are unknown.
        m_context.toServer(
            server,
            makeError(peek.id.json(), ErrorCode::methodNotFound,
                      QStringLiteral("Method not found: the client accepts no requests")));
    } else {
        const QByteArray renamed = m_tasks.message(server, line, peek);
        m_forwarded.forward(server, renamed, MessagePeek::at(renamed));
    }
}

void GatewaySession::serverNotification(int server, const QByteArray &line, const MessagePeek &peek)
{
    if (!m_context.isOpened)
        return;
    if (peek.method == "notifications/cancelled") {
        m_forwarded.cancel(server, line, peek);
        return;
    }
    if (m_lists.notified(server, peek.method))
        return;
    if (peek.method == "notifications/subscriptions/acknowledged")
        return; // it is for the gateway's own subscription
    // A modern client gets other notifications only in subscriptions, which servers do not have.
    const bool isMessage = peek.method == "notifications/message";
    if (!m_context.isModern() || peek.method == "notifications/progress"
        || (isMessage && m_router.requestsMessage(server, line, peek)))
        m_context.toClient(m_tasks.message(server, line, peek));
}

void GatewaySession::restartDecided(int server, bool accepted, Instant now,
                                    const QString &whyGivenUp)
{
    m_context.now = now;
    if (accepted)
        m_lists.restartRequested(server);
    m_tools.restartDecided(server, accepted, whyGivenUp);
}

void GatewaySession::serverDescribed(int server, const RestartRecord &record)
{
    m_tools.serverDescribed(server, record);
}

// Time.

void GatewaySession::timePassed(Instant now)
{
    m_context.now = now;
    m_handshake.timePassed();
    m_lists.timePassed();
    m_tasks.timePassed();
    m_router.resume();
}

std::optional<Instant> GatewaySession::nextDeadline() const
{
    std::optional<Instant> next = earlier(m_router.nextDeadline(), m_tasks.nextDeadline());
    next = earlier(next, m_lists.nextDeadline());
    for (const GatewayServer &server : m_context.servers) {
        next = earlier(next, server.deadline);
        if (!m_router.isWaiting() || !server.handshakeAt)
            continue;
        const Instant end = *server.handshakeAt + m_context.options.listTime;
        if (end > m_context.now)
            next = earlier(next, end);
    }
    return next;
}

} // namespace Rekindle
