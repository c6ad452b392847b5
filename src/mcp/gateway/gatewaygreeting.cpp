// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaysession_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/messagewriter_p.h"

#include "json/jsonwriter.h"

#include <rekindle/version.h>

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

// Newest first.
constexpr std::array<QByteArrayView, 4> legacyVersions{"2025-11-25", "2025-06-18", "2025-03-26",
                                                       "2024-11-05"};

bool isLegacyVersion(QByteArrayView version)
{
    return std::find(legacyVersions.begin(), legacyVersions.end(), version) != legacyVersions.end();
}

QByteArray quoted(QByteArrayView text) { return '"' + text.toByteArray() + '"'; }

} // namespace

// Servers come and go, and so does what they have: all of it is said to be there, and to change.
QByteArray GatewaySession::ownFacts() const
{
    QByteArray facts =
        R"("capabilities":{"tools":{"listChanged":true},"prompts":{"listChanged":true})";
    facts += m_era == ProtocolEra::Legacy
        ? R"(,"resources":{"listChanged":true,"subscribe":true},"completions":{},"logging":{}})"
        : R"(,"resources":{"listChanged":true},"completions":{}})";
    // The modern era has it in _meta.
    const QByteArray info =
        R"({"name":"rekindle","title":"Rekindle gateway","version":")" REKINDLE_VERSION_STR "\"}";
    if (m_era == ProtocolEra::Legacy)
        facts += R"(,"serverInfo":)" + info;
    else
        facts += R"(,"_meta":{"io.modelcontextprotocol/serverInfo":)" + info + '}';
    return facts;
}

void GatewaySession::initialize(const QByteArray &line, const MessagePeek &peek)
{
    if (m_era == ProtocolEra::Modern) {
        refuse(peek.id, ErrorCode::invalidRequest,
               QStringLiteral("This session has begun with protocol version 2026-07-28, which has "
                              "no initialize"));
        return;
    }
    m_era = ProtocolEra::Legacy;
    QByteArray version = protocolVersionOf(line, peek).value_or(QByteArray());
    const bool isKnown = isLegacyVersion(version);
    if (!isKnown)
        version = legacyVersions.front().toByteArray();
    const QByteArray result = R"({"protocolVersion":)" + quoted(version) + ',' + ownFacts() + '}';
    toClient(makeResult(peek.id.json(), result));
    if (isOpened())
        return; // servers have had theirs
    m_greeting = line;
    if (!isKnown) {
        JsonEdit edit(line);
        edit.setMember(peek.params, "protocolVersion", quoted(version));
        m_greeting = edit.result();
    }
    openSession();
}

void GatewaySession::discover(const MessagePeek &peek)
{
    const QByteArray result = R"({"resultType":"complete","supportedVersions":["2026-07-28"],)"
        + ownFacts() + R"(,"ttlMs":0,"cacheScope":"private"})";
    toClient(makeResult(peek.id.json(), result));
}

// The servers are asked in the legacy era, which has a handshake: without it they would not be
// known to be up. What such a client can do for a server it can do only in the other era.
void GatewaySession::openModern(const QByteArray &line, const MessagePeek &peek)
{
    const JsonSpan meta = jsonMember(line, peek.params, "_meta");
    const JsonSpan info = jsonMember(line, meta, "io.modelcontextprotocol/clientInfo");
    QByteArray client = R"({"name":"rekindle","version":")" REKINDLE_VERSION_STR "\"}";
    if (info.of(line).startsWith('{'))
        client = info.of(line).toByteArray();
    const QByteArray params = R"({"protocolVersion":)" + quoted(legacyVersions.front())
        + R"(,"capabilities":{},"clientInfo":)" + client + '}';
    m_era = ProtocolEra::Modern;
    m_isReady = true;
    m_greeting = makeRequest("0", QLatin1String("initialize"), params);
    openSession();
}

void GatewaySession::openSession()
{
    m_openedAt = m_now;
    for (int i = 0; i < serverCount(); ++i) {
        if (!m_options.onDemand.contains(i))
            greet(i);
    }
}

// A list is of all servers. A request for what nobody has so far may be about one that was never
// there; whether it is about one that would not come up the last time, lists tell.
void GatewaySession::greetOnDemand(const QByteArray &line, const MessagePeek &peek)
{
    const bool isList = listOf(peek.method).has_value();
    const auto wanted = wantedOf(line, peek);
    if (!isList && !wanted)
        return;
    // To look for a name gives names.
    if (wanted && m_isNamed[static_cast<std::size_t>(*wanted)]
        && ownerOf(*wanted, subjectOf(*wanted, line, peek)))
        return;
    for (const int i : m_options.onDemand) {
        Server &server = at(i);
        if (server.phase != Server::Phase::Away || (server.greetedAt && !isList))
            continue;
        server.why.clear();
        greet(i);
    }
}

void GatewaySession::greet(int server)
{
    Server &greeting = at(server);
    greeting.phase = Server::Phase::Greeting;
    greeting.greetedAt = m_now;
    if (greeting.isRunning)
        greeting.deadline = m_now + m_options.handshakeTime;
    const MessageId id = newId();
    m_own.insert(id, {server, OwnRequest::Purpose::Initialize, GatewayList::Tools});
    toServer(server, withId(m_greeting, MessagePeek::at(m_greeting), id.json()));
}

void GatewaySession::greeted(int server, const QByteArray &line, const MessagePeek &peek)
{
    Server &open = at(server);
    open.deadline.reset();
    const QByteArray version = protocolVersionOf(line, peek).value_or(QByteArray());
    if (!isLegacyVersion(version)) {
        open.phase = Server::Phase::Away;
        open.why = QStringLiteral("it speaks protocol version \"%1\", which is not known")
                       .arg(QString::fromUtf8(version.left(100)));
        m_actions.push_back({GatewayAction::Kind::FailServer, server, {}, open.why});
        resume();
        return;
    }
    const JsonSpan capabilities = jsonMember(line, peek.result, "capabilities");
    const auto has = [&](QByteArrayView name) {
        return jsonMember(line, capabilities, name).isPresent();
    };
    open.phase = Server::Phase::Open;
    open.why.clear();
    open.offers = {has("tools"), has("prompts"), has("resources"), has("resources")};
    open.hasLogging = has("logging");
    tellInitialized(server);
    resume();
}

// It never came up, or does not want to speak with this client.
void GatewaySession::notGreeted(int server, const QByteArray &line, const MessagePeek &peek)
{
    Server &away = at(server);
    away.phase = Server::Phase::Away;
    away.deadline.reset();
    const auto message = jsonStringText(jsonMember(line, peek.error, "message").of(line));
    away.why = message ? QString::fromUtf8(*message) : QString(peek.fault);
    // By what it says it cannot be told: it may be a proxy itself.
    if (away.isRunning) {
        away.why = QLatin1String("the handshake has failed: ") + away.why;
        m_actions.push_back({GatewayAction::Kind::FailServer, server, {}, away.why});
    }
    resume();
}

void GatewaySession::tellInitialized(int server)
{
    Server &open = at(server);
    if (open.phase != Server::Phase::Open || open.isInitialized || !m_isReady)
        return;
    open.isInitialized = true;
    toServer(server, makeNotification(QLatin1String("notifications/initialized")));
    sendLogLevel(server);
    for (int i = 0; i < gatewayListCount; ++i) {
        if (open.offers[static_cast<std::size_t>(i)])
            readList(server, static_cast<GatewayList>(i));
    }
}

// One that does not run gets it when it does.
void GatewaySession::sendLogLevel(int server)
{
    if (!at(server).isRunning || !at(server).hasLogging || m_logLevel.isEmpty())
        return;
    const MessageId id = newId();
    m_own.insert(id, {server, OwnRequest::Purpose::LogLevel, GatewayList::Tools});
    toServer(server, withId(m_logLevel, MessagePeek::at(m_logLevel), id.json()));
}

} // namespace Rekindle
