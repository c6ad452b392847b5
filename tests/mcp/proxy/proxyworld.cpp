// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxyworld.h"

#include "proxystage.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <utility>

namespace Rekindle {

using namespace std::chrono_literals;

void ProxyWorld::send(const QByteArray &line)
{
    if (m_closed)
        return;
    m_oracle.clientSends(line);
    m_session.clientLine(line, m_now);
}

void ProxyWorld::sendRequest(const QByteArray &id, const QByteArray &method,
                             const QByteArray &params)
{
    ++m_open[id];
    if (params.contains("\"write\""))
        ++m_writesSent[id];
    send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + '"'
         + (params.isEmpty() ? QByteArray() : ",\"params\":" + params) + '}');
}

void ProxyWorld::request(const QByteArray &method, const QByteArray &params, Choices &choose)
{
    const QByteArray number = QByteArray::number(m_nextId++);
    // Equal numbers as text and as number are two ids.
    const QByteArray id = choose.oneIn(2) ? number : '"' + number + '"';
    sendRequest(id, method, params);
    if (choose.oneIn(5)) // the other kind, of the same number
        sendRequest(id.startsWith('"') ? number : '"' + number + '"', "tools/call",
                    R"({"name":"read"})");
    if (choose.oneIn(10)) // as it must not be
        sendRequest(id, "tools/call",
                    choose.oneIn(2) ? R"({"name":"read"})" : R"({"name":"write"})");
}

void ProxyWorld::clientCloses()
{
    m_closed = true;
    m_session.clientClosed(m_now);
}

void ProxyWorld::clientSends(Choices &choose)
{
    if (!m_opened) {
        m_opened = true;
        ++m_open["\"open\""];
        send(
            R"({"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25"}})");
        if (!m_pipelines)
            return;
        m_initialized = true;
        send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        return;
    }
    if (!m_initialized)
        return; // it waits for the answer
    switch (choose.below(10)) {
    case 0:
        request("tools/list", {}, choose);
        return;
    case 1:
        request("ping", {}, choose);
        return;
    case 2:
        request("logging/setLevel", R"({"level":"info"})", choose);
        return;
    case 3:
        request("resources/subscribe", R"({"uri":"u"})", choose);
        return;
    case 4:
        request(
            "tools/call",
            choose.oneIn(2)
                ? R"({"name":"restart_server","arguments":{"reason":"r"}})"
                : R"({"name":"verify_server_restarted","arguments":{"since_timestamp":"2026-01-13T22:30:00Z"}})",
            choose);
        return;
    case 5: {
        const auto ids = m_open.keys();
        const QByteArray id = ids.isEmpty() ? "0" : ids[choose.below(ids.size())];
        if (id == "\"open\"")
            return;
        m_cancelled.insert(id);
        send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id
             + "}}");
        return;
    }
    case 6:
    case 7:
        request("tools/call", R"({"name":"write"})", choose);
        return;
    default:
        request("tools/call",
                R"({"name":"read","_meta":{"progressToken":)" + QByteArray::number(m_nextId) + "}}",
                choose);
        return;
    }
}

void ProxyWorld::clientAnswers(Choices &choose)
{
    const auto ids = m_asked.values();
    if (ids.isEmpty())
        return;
    const QByteArray id = ids[choose.below(ids.size())];
    m_asked.remove(id);
    send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + id + '}');
}

void ProxyWorld::start()
{
    if (m_server.isAlive || m_givenUp || m_closed)
        return;
    m_server = {};
    m_server.isAlive = true;
    m_oracle.serverStarts();
    ++m_generation;
    m_session.serverStarted({m_generation, static_cast<qint64>(m_generation), {}}, m_now);
}

void ProxyWorld::crash(Choices &choose)
{
    if (!m_server.isAlive)
        return;
    ++m_crashes;
    quint64 taken = m_server.taken;
    if (!m_server.unread.empty() && choose.oneIn(3)) { // all of a line but its newline
        serverReads();
        taken = m_server.taken - 1;
    }
    // What is still to be written never will be.
    collect();
    for (const ProxyAction &action : m_actions) {
        if (action.kind == ProxyAction::Kind::ToServer)
            m_server.unread.push_back(action.bytes);
    }
    std::erase_if(m_actions, [](const ProxyAction &action) {
        return action.kind == ProxyAction::Kind::ToServer;
    });
    for (const QByteArray &line : m_server.unread) {
        if (line.contains("\"write\""))
            m_unseen.insert(MessagePeek::at(line).id.json());
    }
    ServerEnd end = killed(taken);
    m_server = {};
    m_oracle.serverEnds();
    m_givenUp = choose.oneIn(16);
    if (m_givenUp)
        end.outlook = {ServerOutlook::Kind::GivenUp, {}, QStringLiteral("given up")};
    else
        end.outlook.in = choose.oneIn(4) ? 30s : 0s;
    m_session.serverGone(end, m_now);
}

void ProxyWorld::serverReads()
{
    if (m_server.unread.empty())
        return;
    const QByteArray line = m_server.unread.front();
    m_server.unread.pop_front();
    m_server.taken += static_cast<quint64>(line.size()) + 1;
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.method == "initialize") {
        check(!m_server.isInitialized, QStringLiteral("a server was initialized twice"));
        m_server.working.emplace_back(peek.id.json(), peek.method);
    } else if (peek.method == "notifications/initialized") {
        check(m_pipelines || m_server.isInitialized,
              QStringLiteral("initialized before its handshake"));
        check(!m_server.isReady, QStringLiteral("initialized twice"));
        m_server.isReady = true;
    } else if (peek.kind == MessagePeek::Kind::Request) {
        check(m_server.isReady, QLatin1String("before the handshake: ") + QString::fromUtf8(line));
        if (line.contains("\"write\"")) {
            const QByteArray id = peek.id.json();
            check(++m_writes[id] <= m_writesSent.value(id),
                  QStringLiteral("a write was done twice"));
            m_madeAgain += m_unseen.remove(id) ? 1 : 0;
        }
        m_server.working.emplace_back(peek.id.json(), peek.method);
    } else if (peek.isAnswer()) {
        check(m_server.owed.remove(peek.id.json()),
              QStringLiteral("an answer to another server's request"));
    }
}

void ProxyWorld::serverAnswers(Choices &choose)
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
        result =
            R"({"tools":[{"name":"read","annotations":{"readOnlyHint":true}},{"name":"write"}]})";
        if (choose.oneIn(4))
            result = R"({"tools":[{"name":"read"}]})";
    } else if (choose.oneIn(8))
        result = "NaN";
    const QByteArray line = R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + result + '}';
    m_oracle.serverSends(line);
    m_session.serverLine(result != "NaN" && choose.oneIn(8) ? '[' + line + ']' : line, m_now);
}

void ProxyWorld::serverSpeaks(Choices &choose)
{
    if (!m_server.isReady)
        return;
    switch (choose.below(4)) {
    case 0: {
        const QByteArray id = QByteArray::number(m_server.asked++);
        m_server.owed.insert(id);
        m_session.serverLine(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"roots/list"})",
                             m_now);
        return;
    }
    case 1:
        m_session.serverLine(R"({"jsonrpc":"2.0","id":"never asked","result":{}})", m_now);
        return;
    case 2:
        m_session.serverLine("noise", m_now);
        return;
    default:
        m_session.serverLine(
            R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)"
                + QByteArray::number(choose.below(static_cast<std::uint32_t>(m_nextId + 1)))
                + R"(,"progress":)" + QByteArray::number(choose.below(9)) + "}}",
            m_now);
        return;
    }
}

void ProxyWorld::toClient(const QByteArray &line, bool isServerEnded)
{
    MessagePeek peek = MessagePeek::at(line);
    if (peek.kind == MessagePeek::Kind::NotJson)
        peek = MessagePeek::atEnds(line, line);
    // A server's request may have to be renamed; what the proxy itself asks stays unseen.
    const bool isRequest = peek.kind == MessagePeek::Kind::Request;
    const bool isAboutOne = isRequest || peek.method == "notifications/cancelled";
    check(isAboutOne || !line.contains("\"rekindle-"),
          QLatin1String("an id of ours: ") + QString::fromUtf8(line));
    if (isRequest)
        m_asked.insert(peek.id.json());
    if (!peek.isAnswer())
        return;
    const QByteArray id = peek.id.json();
    check(m_closed || m_writesSent.value(id) == 0 || m_open.value(id) > 1 || m_writes.contains(id)
              || !isServerEnded,
          QLatin1String("not made again: ") + QString::fromUtf8(line));
    if (--m_open[id] == 0)
        m_open.remove(id);
    if (id == "\"open\"" && !m_initialized) {
        if (peek.kind == MessagePeek::Kind::Error) {
            m_opened = false; // it tries again
            return;
        }
        m_initialized = true;
        send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    } else if (id == "\"open\"" && peek.kind == MessagePeek::Kind::Error) {
        m_opened = false;
        m_initialized = false;
    }
}

void ProxyWorld::collect()
{
    for (ProxyAction &action : m_session.takeActions())
        m_actions.push_back(std::move(action));
}

void ProxyWorld::perform()
{
    for (;;) {
        collect();
        if (m_actions.empty())
            return;
        for (const ProxyAction &action : std::exchange(m_actions, {})) {
            switch (action.kind) {
            case ProxyAction::Kind::ToClient:
                m_oracle.toClient(action);
                toClient(action.bytes, false);
                break;
            case ProxyAction::Kind::Refuse:
                m_oracle.toClient(action);
                toClient(action.refusal.toJson(),
                         action.refusal.reason == ProxyRefusal::Reason::ServerEnded);
                break;
            case ProxyAction::Kind::ToServer:
                m_oracle.toServer(action.bytes);
                m_server.unread.push_back(action.bytes);
                break;
            case ProxyAction::Kind::RequestRestart: {
                const bool accepted = ++m_restartsAsked % 4 != 0;
                m_givenUp = m_givenUp && !accepted;
                m_session.restartDecided(accepted, m_now);
                break;
            }
            case ProxyAction::Kind::ReadMarker:
                m_session.markerRead({});
                break;
            default:
                break;
            }
            check(!m_oracle.fault(), QString::fromLatin1(m_oracle.fault()));
        }
    }
}

void ProxyWorld::step(std::uint32_t number)
{
    Choices choose(number);
    switch (choose.below(16)) {
    case 0:
        crash(choose);
        break;
    case 1:
    case 2:
        start();
        break;
    case 3:
        m_now += choose.oneIn(8) ? 25s : 200ms;
        m_session.timePassed(m_now);
        break;
    case 4:
        clientAnswers(choose);
        break;
    case 5:
        serverSpeaks(choose);
        break;
    case 6:
    case 7:
    case 8:
    case 9:
        if (m_mayClose && choose.oneIn(200))
            clientCloses();
        else if (!m_closed)
            clientSends(choose);
        break;
    case 10:
    case 11:
    case 12:
        serverReads();
        break;
    default:
        serverAnswers(choose);
        break;
    }
    // Several lines may come before anything is done about the first; but whoever does not know
    // that initialize was refused asks too early.
    if (m_open.contains("\"open\"") || !choose.oneIn(4))
        perform();
}

// A server that stays answers whatever is left.
void ProxyWorld::finish()
{
    Choices choose(1);
    perform();
    for (int round = 0; round < 3 && m_fault.isEmpty(); ++round) {
        if (m_givenUp) {
            m_givenUp = false;
            m_session.outlookChanged({}, m_now);
        }
        if (m_server.isAlive && round == 1)
            crash(choose); // one that was asked to end does
        m_givenUp = false;
        start();
        perform();
        for (int i = 0; i < 100000 && !(m_server.unread.empty() && m_server.working.empty()); ++i) {
            serverReads();
            perform();
            serverAnswers(choose);
            perform();
        }
        m_now += 60s;
        m_session.timePassed(m_now);
        perform();
    }
    m_oracle.finish();
    check(!m_oracle.fault(), QString::fromLatin1(m_oracle.fault()));
    if (m_cancelled.isEmpty())
        check(m_session.unansweredCount() == 0, QStringLiteral("something is left"));
}

} // namespace Rekindle
