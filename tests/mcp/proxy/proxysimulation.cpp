// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxysimulation.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

using namespace std::chrono_literals;

namespace {
constexpr qsizetype hugeLine = 100'000'000;
} // namespace

ProxySimulation::ProxySimulation(ProxyOptions options)
    : m_options(options)
    , m_session(std::move(options))
{
}

void ProxySimulation::clientWrites(const QByteArray &line)
{
    if (m_isClosed)
        return;
    m_longest = std::max(m_longest, line.size());
    m_oracle.clientSends(line);
    m_session.clientLine({line}, m_now);
    settle();
}

void ProxySimulation::clientWritesTooLong(const QByteArray &ends)
{
    if (m_isClosed)
        return;
    m_oracle.clientSendsTooLong(ends);
    m_session.clientLine({ends, true, ends, hugeLine}, m_now);
    settle();
}

void ProxySimulation::clientCloses()
{
    m_isClosed = true;
    m_session.clientClosed(m_now);
    settle();
}

void ProxySimulation::serverWrites(const QByteArray &line)
{
    if (!m_isAlive)
        return;
    m_oracle.serverSends(line);
    m_session.serverLine({line}, m_now);
    settle();
}

void ProxySimulation::serverWritesTooLong(const QByteArray &ends)
{
    if (m_isAlive)
        m_session.serverLine({ends, true, ends, hugeLine}, m_now);
    settle();
}

void ProxySimulation::serverLeaves(const QByteArray &bytes)
{
    if (m_isAlive)
        m_session.serverRest(bytes, m_now);
    settle();
}

void ProxySimulation::failServer()
{
    m_session.failServer(QStringLiteral("unusable"), m_now);
    settle();
}

void ProxySimulation::requestRestart()
{
    m_session.requestRestart(QStringLiteral("requested"), QStringLiteral("host"), m_now);
    settle();
}

void ProxySimulation::start()
{
    if (m_isAlive || m_isClosed || m_isGivenUp)
        return;
    m_isAlive = true;
    m_oracle.serverStarts();
    m_sent = 0;
    m_requests.clear();
    ++m_generation;
    m_session.serverStarted({m_generation, static_cast<qint64>(m_generation), {}}, m_now);
    settle();
}

void ProxySimulation::endServer(quint64 bytesRead, const ServerOutlook &outlook)
{
    if (!m_isAlive)
        return;
    m_isAlive = false;
    m_oracle.serverEnds();
    m_isGivenUp = outlook.kind == ServerOutlook::Kind::GivenUp;
    ServerExit end;
    end.detail.signal = 9;
    end.bytesTaken = std::min(bytesRead, m_sent);
    end.outlook = m_isClosed ? ServerOutlook{ServerOutlook::Kind::Ended, {}, {}} : outlook;
    m_session.serverExited(end, m_now);
    settle();
}

void ProxySimulation::expect(const ServerOutlook &outlook)
{
    if (m_isAlive || m_isClosed)
        return;
    m_isGivenUp = outlook.kind == ServerOutlook::Kind::GivenUp;
    m_session.outlookChanged(outlook, m_now);
    settle();
}

void ProxySimulation::serverAnswers(std::size_t which)
{
    if (!m_isAlive || m_requests.empty())
        return;
    const auto chosen = m_requests.begin() + static_cast<std::ptrdiff_t>(which % m_requests.size());
    const MessagePeek peek = *chosen;
    m_requests.erase(chosen);
    QByteArray result = "{}";
    if (peek.method == "initialize") {
        result =
            R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}}})";
    } else if (peek.method == "tools/list") {
        result = R"({"tools":[{"name":"read","annotations":{"readOnlyHint":true}}]})";
    }
    serverWrites(R"({"jsonrpc":"2.0","id":)" + peek.id.json() + R"(,"result":)" + result + '}');
}

// Like the host: at each deadline of the session.
void ProxySimulation::pass(Duration time)
{
    const Instant end = m_now + time;
    for (int i = 0; m_fault.isEmpty(); ++i) {
        check(i < 1000, QStringLiteral("endless deadlines"));
        const Instant next = m_session.nextDeadline().value_or(end);
        m_now = std::max(m_now, std::min(next, end));
        m_session.timePassed(m_now);
        settle();
        if (next >= end)
            return;
    }
}

void ProxySimulation::perform()
{
    if (std::exchange(m_isPerforming, true))
        return; // the outer call continues until nothing is left
    decide();
    for (;;) {
        const std::vector<ProxyAction> actions = m_session.takeActions();
        for (const ProxyAction &action : actions) {
            perform(action);
            check(!m_oracle.fault(), QString::fromLatin1(m_oracle.fault()));
            decide();
        }
        if (actions.empty())
            break;
    }
    m_isPerforming = false;
}

void ProxySimulation::perform(const ProxyAction &action)
{
    switch (action.kind) {
    case ProxyAction::Kind::ToClient:
    case ProxyAction::Kind::Refuse:
        m_oracle.toClient(action);
        clientGets(action);
        return;
    case ProxyAction::Kind::ToServer: {
        m_oracle.toServer(action.bytes);
        m_sent += static_cast<quint64>(action.bytes.size()) + 1;
        const MessagePeek peek = MessagePeek::at(action.bytes);
        if (peek.kind == MessagePeek::Kind::Request)
            m_requests.push_back(peek);
        serverGets(action.bytes);
        return;
    }
    case ProxyAction::Kind::RequestRestart:
        check(!std::exchange(m_owesDecision, true), QStringLiteral("two restarts are requested"));
        return;
    case ProxyAction::Kind::ReadMarker:
        check(!std::exchange(m_owesMarker, true), QStringLiteral("the marker is read twice"));
        return;
    case ProxyAction::Kind::FailServer:
        m_oracle.failServer();
        return;
    default:
        return;
    }
}

void ProxySimulation::decide()
{
    if (m_isSlow)
        return;
    if (std::exchange(m_owesDecision, false)) {
        m_isGivenUp = m_isGivenUp && m_declines;
        m_session.restartDecided(!std::exchange(m_declines, false), m_now);
    }
    if (std::exchange(m_owesMarker, false))
        m_session.markerRead({});
}

// A client cannot make the session grow without limit.
void ProxySimulation::settle()
{
    perform();
    check(m_session.bytesInFlight() < m_options.maximumInFlightBytes + m_longest,
          QStringLiteral("too many bytes in flight"));
    // Requests in flight, held ones, and an initialize.
    check(m_isSlow
              || m_session.unansweredCount()
                  <= m_options.maximumInFlight + m_options.maximumHeld + 1,
          QStringLiteral("too many held requests"));
}

void ProxySimulation::check(bool holds, const QString &fault)
{
    if (!holds && m_fault.isEmpty())
        m_fault = fault;
}

void ProxySimulation::checkEnd(bool hasCancelled)
{
    m_oracle.finish();
    check(!m_oracle.fault(), QString::fromLatin1(m_oracle.fault()));
    check(hasCancelled || m_session.unansweredCount() == 0, QStringLiteral("requests are left"));
}

void ProxySimulation::close()
{
    m_isSlow = false;
    m_isGivenUp = false;
    settle();
    start();
    for (int i = 0; i < 100 && !m_requests.empty(); ++i)
        serverAnswers(0);
    clientCloses();
    endServer(m_sent, {});
    pass(120s);
    checkEnd(false);
    check(!m_session.nextDeadline(), QStringLiteral("a deadline is left"));
}

} // namespace Rekindle
