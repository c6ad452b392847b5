// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewayhandshake_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/mcpmembers_p.h"
#include "policy/internal/startdeadline.h"
#include "wire/messagewriter_p.h"

#include <rekindle/version.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using Phase = GatewayServer::Phase;

QByteArray quoted(QByteArrayView text) { return '"' + text.toByteArray() + '"'; }

} // namespace

GatewayHandshake::GatewayHandshake(GatewayContext &context, MergedLists &lists)
    : m_context(context)
    , m_lists(lists)
{
}

void GatewayHandshake::setClientInfo(QByteArrayView info)
{
    m_context.clientInfo = info.startsWith('{')
        ? info.toByteArray()
        : QByteArrayLiteral(R"({"name":"rekindle","version":")" REKINDLE_VERSION_STR "\"}");
}

// Servers start and stop, so all capabilities are declared and all lists may change.
QByteArray GatewayHandshake::gatewayFacts() const
{
    QByteArray facts =
        R"("capabilities":{"tools":{"listChanged":true},"prompts":{"listChanged":true})";
    facts += m_context.isLegacy()
        ? R"(,"resources":{"listChanged":true,"subscribe":true},"completions":{},"logging":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}})"
        : R"(,"resources":{"listChanged":true},"completions":{}})";
    const QByteArray info =
        R"({"name":"rekindle","title":"Rekindle gateway","version":")" REKINDLE_VERSION_STR "\"}";
    if (m_context.isLegacy())
        facts += R"(,"serverInfo":)" + info;
    else
        facts += R"(,"_meta":{"io.modelcontextprotocol/serverInfo":)" + info + '}';
    return facts;
}

void GatewayHandshake::initialize(const QByteArray &line, const MessagePeek &peek)
{
    if (m_context.isModern()) {
        m_context.refuse(peek.id, ErrorCode::invalidRequest,
                         QStringLiteral("This session uses protocol version 2026-07-28, which has "
                                        "no initialize"));
        return;
    }
    m_context.revision = McpProtocol::Revision::Legacy;
    setClientInfo(jsonMember(line, peek.params, "clientInfo").of(line));
    QByteArray version = protocolVersionOf(line, peek).value_or(QByteArray());
    const bool isKnown = isLegacyVersion(version);
    if (!isKnown)
        version = legacyVersions.front().toByteArray();
    m_context.toClient(makeResult(
        peek.id.json(),
        QByteArray(R"({"protocolVersion":)" + quoted(version) + ',' + gatewayFacts() + '}')));
    if (m_context.isOpened)
        return; // a repeated initialize
    m_initialize =
        isKnown ? line : withMember(line, peek.params, "protocolVersion", quoted(version));
    open();
}

void GatewayHandshake::discover(const MessageId &id)
{
    const QByteArray result = R"({"resultType":"complete","supportedVersions":["2026-07-28"],)"
        + gatewayFacts() + R"(,"ttlMs":0,"cacheScope":"private"})";
    m_context.toClient(makeResult(id.json(), result));
}

// Servers are connected with a legacy revision first, because its handshake shows that they are
// ready.
void GatewayHandshake::openModern(const QByteArray &line, const MessagePeek &peek)
{
    const JsonSpan meta = jsonMember(line, peek.params, "_meta");
    setClientInfo(jsonMember(line, meta, "io.modelcontextprotocol/clientInfo").of(line));
    const QByteArray params = R"({"protocolVersion":)" + quoted(legacyVersions.front())
        + R"(,"capabilities":{},"clientInfo":)" + m_context.clientInfo + '}';
    m_context.revision = McpProtocol::Revision::Modern;
    m_isClientReady = true;
    m_initialize = makeRequest("0", QLatin1String("initialize"), params);
    open();
}

void GatewayHandshake::open()
{
    m_context.isOpened = true;
    for (int i = 0; i < m_context.serverCount(); ++i) {
        if (!m_context.options.onDemand.contains(i))
            connect(i);
    }
}

void GatewayHandshake::connectOnDemand(bool isRetry)
{
    for (const int i : m_context.options.onDemand) {
        GatewayServer &server = m_context.at(i);
        if (server.phase != Phase::Disconnected || (server.handshakeAt && !isRetry))
            continue;
        server.why.clear();
        server.isRespawned = false;
        connect(i);
    }
}

void GatewayHandshake::connect(int server)
{
    GatewayServer &connecting = m_context.at(server);
    connecting.phase = Phase::Handshaking;
    connecting.handshakeAt = m_context.now;
    if (connecting.isRunning)
        connecting.deadline = handshakeDeadline(server);
    m_context.repeat(
        server, m_initialize,
        [this, server](const QByteArray &line, const MessagePeek &peek, const QString &why) {
            if (peek.kind == MessagePeek::Kind::Result)
                accept(server, line, peek);
            else if (peek.error.isPresent() && m_context.at(server).isRunning)
                discoverServer(server, why);
            else
                reject(server, why);
        });
}

// `refusal`: why the server has rejected initialize; empty if that was not sent.
void GatewayHandshake::discoverServer(int server, const QString &refusal)
{
    m_context.at(server).isModern = true;
    m_context.request(server, QLatin1String("server/discover"), {},
                      [this, server, refusal](const QByteArray &line, const MessagePeek &peek,
                                              const QString &why) {
                          if (peek.kind == MessagePeek::Kind::Result)
                              acceptModern(server, line, peek);
                          else
                              reject(server, refusal.isEmpty() ? why : refusal);
                      });
}

Instant GatewayHandshake::handshakeDeadline(int server) const
{
    return m_context.now + m_context.handshakeTime(server);
}

void GatewayHandshake::serverStarted(int server)
{
    GatewayServer &started = m_context.at(server);
    started.isRunning = true;
    started.startedAt = m_context.now;
    if (started.phase == Phase::Handshaking) { // the proxy session has held initialize until now
        started.deadline = handshakeDeadline(server);
    } else if (started.phase == Phase::Disconnected && m_context.isOpened) {
        connect(server);
    } else if (started.phase == Phase::Open && started.isModern) {
        started.deadline = handshakeDeadline(server);
        discoverServer(server, {});
    }
}

void GatewayHandshake::serverProgressed(int server)
{
    GatewayServer &starting = m_context.at(server);
    const Duration timeout = m_context.handshakeTime(server);
    if (starting.deadline)
        starting.deadline = StartDeadline{starting.startedAt, timeout}.extended(
            *starting.deadline, m_context.now + timeout);
}

void GatewayHandshake::replayed(int server, const QByteArray &capabilities)
{
    const GatewayServer &open = m_context.at(server);
    if (open.phase != Phase::Open)
        return; // the session repeats its own handshake
    setCapabilities(server, capabilities);
    if (!open.isInitialized)
        return;
    sendLogLevel(server);
    m_lists.readAll(server);
}

void GatewayHandshake::serverExited(int server)
{
    GatewayServer &exited = m_context.at(server);
    exited.isRunning = false;
    exited.isReady = false;
    exited.deadline.reset();
    const bool isOnDemand = m_context.options.onDemand.contains(server);
    if (!isOnDemand || !exited.isInitialized || m_lists.areKnown(server))
        return;
    // Only calls start it again, and its tools are not known: it is started a second time (S0).
    exited.phase = Phase::Disconnected;
    exited.isInitialized = false;
    if (std::exchange(exited.isRespawned, true))
        exited.why = QStringLiteral("it exited while its lists were read");
    else
        connect(server);
}

void GatewayHandshake::reject(int server, const QString &why)
{
    GatewayServer &failed = m_context.at(server);
    failed.phase = Phase::Disconnected;
    failed.isModern = false; // the next process may support another revision
    failed.isInitialized = false;
    failed.deadline.reset();
    failed.why = why;
    // The server may be a proxy itself, so the error does not show whether a process runs.
    if (failed.isRunning) {
        failed.why = QLatin1String("the handshake failed: ") + why;
        m_context.failServer(server, failed.why);
    }
}

void GatewayHandshake::accept(int server, const QByteArray &line, const MessagePeek &peek)
{
    const QByteArray version = protocolVersionOf(line, peek).value_or(QByteArray());
    if (isLegacyVersion(version))
        opened(server, line, peek);
    else
        reject(server,
               QStringLiteral("its protocol version \"%1\" is not supported")
                   .arg(QString::fromUtf8(version.left(100))));
}

void GatewayHandshake::acceptModern(int server, const QByteArray &line, const MessagePeek &peek)
{
    const std::vector<QByteArray> versions =
        jsonItems(jsonMember(line, peek.result, "supportedVersions").of(line));
    if (std::find(versions.begin(), versions.end(), quoted(modernVersion.data()))
        == versions.end()) {
        reject(server,
               QStringLiteral("it does not support protocol version ") + QString(modernVersion));
        return;
    }
    m_context.at(server).isInitialized = false;
    opened(server, line, peek);
}

void GatewayHandshake::opened(int server, const QByteArray &line, const MessagePeek &peek)
{
    GatewayServer &open = m_context.at(server);
    open.deadline.reset();
    open.phase = Phase::Open;
    open.why.clear();
    setCapabilities(server, jsonMember(line, peek.result, "capabilities").of(line).toByteArray());
    sendInitialized(server);
}

void GatewayHandshake::setCapabilities(int server, const QByteArray &capabilities)
{
    const auto has = [&](QByteArrayView name) {
        return jsonMember(capabilities, {0, capabilities.size()}, name).isPresent();
    };
    GatewayServer &open = m_context.at(server);
    open.isReady = true;
    open.offers = {{has("tools"), has("prompts"), has("resources"), has("resources")}};
    open.hasLogging = has("logging") && !open.isModern; // modern requests name their level
    open.listsTasks =
        jsonMember(capabilities, jsonMember(capabilities, {0, capabilities.size()}, "tasks"),
                   "list")
            .isPresent();
}

void GatewayHandshake::clientIsReady()
{
    m_isClientReady = true;
    for (int i = 0; i < m_context.serverCount(); ++i)
        sendInitialized(i);
}

void GatewayHandshake::sendInitialized(int server)
{
    GatewayServer &open = m_context.at(server);
    if (open.phase != Phase::Open || open.isInitialized || !m_isClientReady)
        return;
    open.isInitialized = true;
    open.logLevel.clear();
    if (open.isModern)
        listen(server);
    else
        m_context.toServer(server, makeNotification(QLatin1String("notifications/initialized")));
    sendLogLevel(server);
    m_lists.readAll(server);
}

// A modern server announces changes only in a subscription.
void GatewayHandshake::listen(int server)
{
    m_context.request(
        server, QLatin1String("subscriptions/listen"),
        R"({"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true}})",
        [](const QByteArray &, const MessagePeek &, const QString &) {});
}

void GatewayHandshake::setLogLevel(const QByteArray &level)
{
    m_context.logLevel = level;
    m_logLevel = makeRequest("0", QLatin1String("logging/setLevel"),
                             QByteArray("{\"level\":" + level + '}'));
    for (int i = 0; i < m_context.serverCount(); ++i) {
        if (m_context.at(i).isInitialized)
            sendLogLevel(i);
    }
}

// A server that is not ready gets it after its handshake.
void GatewayHandshake::sendLogLevel(int server)
{
    const GatewayServer &open = m_context.at(server);
    if (!open.isReady || !open.hasLogging || open.logLevel == m_logLevel)
        return;
    m_context.repeat(server, m_logLevel,
                     [this, server, sent = m_logLevel](const QByteArray &, const MessagePeek &peek,
                                                       const QString &) {
                         if (peek.kind == MessagePeek::Kind::Result)
                             m_context.at(server).logLevel = sent;
                     });
}

void GatewayHandshake::timePassed()
{
    for (int i = 0; i < m_context.serverCount(); ++i) {
        GatewayServer &server = m_context.at(i);
        if (!server.deadline || *server.deadline > m_context.now)
            continue;
        server.deadline.reset();
        if (server.isRunning) {
            server.why =
                QStringLiteral("it did not respond to %1 in time")
                    .arg(QLatin1String(server.isModern ? "server/discover" : "initialize"));
            m_context.failServer(i, server.why);
        }
    }
}

} // namespace Rekindle
