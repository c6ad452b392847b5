// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxytraffic.h"

#include "sessionstage.h"

#include <algorithm>
#include <array>

namespace Rekindle {

using namespace std::chrono_literals;

namespace {

constexpr char openId[] = "\"open\"";
constexpr char initializedLine[] = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

ProxyOptions optionsFor(CallRetry retry)
{
    ProxyOptions options;
    options.retry = retry;
    return options;
}

bool isWrite(const QByteArray &line) { return line.contains("\"write\""); }

} // namespace

ProxyTraffic::ProxyTraffic(std::uint32_t seed, CallRetry retry)
    : ProxySimulation(optionsFor(retry))
    , m_isPipelining(Choices(seed).oneIn(4))
    , m_mayClose(Choices(seed + 1).oneIn(4))
{
}

// The client.

void ProxyTraffic::sendRequest(const QByteArray &id, const QByteArray &method,
                               const QByteArray &params)
{
    ++m_open[id];
    ++m_sent[id];
    if (isWrite(params))
        ++m_writesSent[id];
    clientWrites(Rekindle::request(id, method, params));
}

void ProxyTraffic::request(const QByteArray &method, const QByteArray &params, Choices &choose)
{
    const QByteArray number = QByteArray::number(m_nextId++);
    // The same digits as text and as a number are two ids.
    const QByteArray id = choose.oneIn(2) ? number : '"' + number + '"';
    sendRequest(id, method, params);
    if (choose.oneIn(5))
        sendRequest(id.startsWith('"') ? number : '"' + number + '"', "tools/call",
                    R"({"name":"read"})");
    if (choose.oneIn(10)) // violates JSON-RPC
        sendRequest(id, "tools/call",
                    choose.oneIn(2) ? R"({"name":"read"})" : R"({"name":"write"})");
}

void ProxyTraffic::cancel(const QByteArray &id)
{
    if (id == openId)
        return;
    m_cancelled.insert(id);
    clientWrites(cancellationOf(id));
}

void ProxyTraffic::clientSends(Choices &choose)
{
    struct Call
    {
        const char *method;
        QByteArray params;
    };
    static const std::array<Call, 11> calls{{
        {"tools/list", "{}"},
        {"ping", "{}"},
        {"logging/setLevel", R"({"level":"info"})"},
        {"resources/subscribe", R"({"uri":"u"})"},
        {"tools/call", R"({"name":"restart_server","arguments":{"reason":"r"}})"},
        {"tools/call",
         R"({"name":"verify_server_restarted","arguments":{"since_timestamp":"2026-01-13T22:30:00Z"}})"},
        {"tools/call", R"({"name":"write"})"},
        {"tools/call", R"({"name":"write"})"},
        {"tools/call", R"({"name":"read","_meta":{"progressToken":TOKEN}})"},
        {"tools/call", R"({"name":"read","_meta":{"progressToken":TOKEN}})"},
        {"tools/call", R"({"name":"read","_meta":{"progressToken":TOKEN}})"},
    }};
    if (!m_isOpened) {
        m_isOpened = true;
        m_isInitialized = m_isPipelining;
        sendRequest(openId, "initialize", R"({"protocolVersion":"2025-11-25"})");
        if (m_isPipelining)
            clientWrites(initializedLine);
        return;
    }
    if (!m_isInitialized)
        return; // the client waits for the response
    const std::uint32_t choice = choose.below(calls.size() + 1);
    if (choice < calls.size()) {
        QByteArray params = calls[choice].params;
        params.replace("TOKEN", QByteArray::number(m_nextId));
        request(calls[choice].method, params, choose);
    } else if (!m_open.isEmpty()) {
        cancel(m_open.keys().at(choose.below(static_cast<std::size_t>(m_open.size()))));
    }
}

void ProxyTraffic::clientAnswers(Choices &choose)
{
    if (m_serverRequests.isEmpty())
        return;
    const QByteArray id = m_serverRequests.values().at(
        choose.below(static_cast<std::size_t>(m_serverRequests.size())));
    m_serverRequests.remove(id);
    clientWrites(answerTo(id, id));
}

void ProxyTraffic::clientGets(const ProxyAction &action)
{
    const bool isRefusal = action.kind == ProxyAction::Kind::Refuse;
    const QByteArray line = isRefusal ? action.refusal.toJson() : action.bytes;
    MessagePeek peek = MessagePeek::at(line);
    if (peek.kind == MessagePeek::Kind::NotJson)
        peek = MessagePeek::atEnds(line, line);
    // A request of a server may get an id of the proxy; the proxy's own requests stay hidden.
    const bool isRequest = peek.kind == MessagePeek::Kind::Request;
    check(isRequest || peek.method == "notifications/cancelled" || !line.contains("\"id\":1000000"),
          QLatin1String("an id of the proxy: ") + QString::fromUtf8(line));
    if (isRequest)
        m_serverRequests.insert(peek.id.json());
    if (!peek.isResponse())
        return;
    const QByteArray id = peek.id.json();
    const bool isLost = isRefusal && action.refusal.reason == ProxyRefusal::Reason::ServerEnded;
    // If several requests have the id, the response may belong to another one.
    check(!isLost || isClosed() || m_writesSent.value(id) == 0 || m_sent.value(id) > 1
              || m_writesRead.contains(id),
          QLatin1String("no server has read it, but it was not repeated: ")
              + QString::fromUtf8(line));
    if (--m_open[id] == 0)
        m_open.remove(id);
    if (id != openId)
        return;
    if (peek.kind == MessagePeek::Kind::Error) {
        m_isOpened = false; // the client repeats initialize
        m_isInitialized = false;
    } else if (!std::exchange(m_isInitialized, true)) {
        clientWrites(initializedLine);
    }
}

// The server.

void ProxyTraffic::startServer()
{
    if (isAlive() || isGivenUp() || isClosed())
        return;
    m_server = {};
    start();
}

void ProxyTraffic::crash(Choices &choose)
{
    if (!isAlive())
        return;
    ++m_crashes;
    quint64 taken = m_server.taken;
    if (!m_server.unread.empty() && choose.oneIn(3)) { // a whole line without its newline
        serverTakes();
        taken = m_server.taken - 1;
    }
    for (const QByteArray &line : m_server.unread) {
        if (isWrite(line))
            m_unreadWrites.insert(MessagePeek::at(line).id.json());
    }
    m_server = {};
    if (choose.oneIn(16))
        endServer(taken, {ServerOutlook::Kind::GivenUp, {}, QStringLiteral("given up")});
    else
        endServer(taken, {ServerOutlook::Kind::Restart, now() + (choose.oneIn(4) ? 30s : 0s), {}});
}

void ProxyTraffic::serverTakes()
{
    if (m_server.unread.empty())
        return;
    const QByteArray line = m_server.unread.front();
    m_server.unread.pop_front();
    m_server.taken += static_cast<quint64>(line.size()) + 1;
    const MessagePeek peek = MessagePeek::at(line);
    const QByteArray id = peek.id.json();
    if (peek.method == "initialize") {
        check(!m_server.isInitialized, QStringLiteral("a server was initialized twice"));
        m_server.working.emplace_back(id, peek.method);
    } else if (peek.method == "notifications/initialized") {
        check(m_isPipelining || m_server.isInitialized,
              QStringLiteral("initialized before its handshake"));
        check(!m_server.isReady, QStringLiteral("initialized twice"));
        m_server.isReady = true;
    } else if (peek.kind == MessagePeek::Kind::Request) {
        check(m_server.isReady, QLatin1String("before the handshake: ") + QString::fromUtf8(line));
        if (isWrite(line)) {
            check(++m_writesRead[id] <= m_writesSent.value(id),
                  QStringLiteral("a write was executed twice"));
            m_repeatedWrites += m_unreadWrites.remove(id) ? 1 : 0;
        }
        m_server.working.emplace_back(id, peek.method);
    } else if (peek.isResponse()) {
        check(m_server.openRequests.remove(id),
              QStringLiteral("a response to a request of another server"));
    }
}

void ProxyTraffic::serverResponds(Choices &choose)
{
    if (m_server.working.empty())
        return;
    const auto which = m_server.working.begin() + choose.below(m_server.working.size());
    const auto [id, method] = *which;
    m_server.working.erase(which);
    QByteArray result = "{}";
    if (method == "initialize") {
        m_server.isInitialized = true;
        result = R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}}})";
    } else if (method == "tools/list") {
        result = choose.oneIn(4)
            ? R"({"tools":[{"name":"read"}]})"
            : R"({"tools":[{"name":"read","annotations":{"readOnlyHint":true}},{"name":"write"}]})";
    } else if (choose.oneIn(8)) {
        result = "NaN";
    }
    const QByteArray line = answerTo(id, result);
    serverWrites(result != "NaN" && choose.oneIn(8) ? '[' + line + ']' : line);
}

void ProxyTraffic::serverSpeaks(Choices &choose)
{
    if (!m_server.isReady)
        return;
    switch (choose.below(4)) {
    case 0: {
        const QByteArray id = QByteArray::number(m_server.requests++);
        m_server.openRequests.insert(id);
        serverWrites(Rekindle::request(id, "roots/list"));
        return;
    }
    case 1:
        serverWrites(answerTo("\"unknown\""));
        return;
    case 2:
        serverWrites("noise");
        return;
    default:
        serverWrites(
            R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)"
            + QByteArray::number(choose.below(static_cast<std::size_t>(m_nextId) + 1))
            + R"(,"progress":)" + QByteArray::number(choose.below(9)) + "}}");
    }
}

// Both.

void ProxyTraffic::step(std::uint32_t number)
{
    Choices choose(number);
    setSlow(choose.oneIn(4));
    if (choose.oneIn(16))
        declineNext();
    const std::uint32_t choice = choose.below(16);
    if (choice == 0)
        crash(choose);
    else if (choice <= 2)
        startServer();
    else if (choice == 3)
        pass(choose.oneIn(8) ? 25s : 200ms);
    else if (choice == 4)
        clientAnswers(choose);
    else if (choice == 5)
        serverSpeaks(choose);
    else if (choice <= 9 && m_mayClose && choose.oneIn(200))
        clientCloses();
    else if (choice <= 9 && !isClosed())
        clientSends(choose);
    else if (choice <= 12)
        serverTakes();
    else
        serverResponds(choose);
}

void ProxyTraffic::finish()
{
    Choices choose(1);
    setSlow(false);
    settle();
    for (int round = 0; round < 3 && fault().isEmpty(); ++round) {
        if (round == 1)
            crash(choose); // a server whose end was requested ends
        expect({});
        startServer();
        for (int i = 0; i < 100000 && !(m_server.unread.empty() && m_server.working.empty()); ++i) {
            serverTakes();
            serverResponds(choose);
        }
        pass(60s);
    }
    checkEnd(!m_cancelled.isEmpty());
}

} // namespace Rekindle
