// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxyplay.h"

#include "fuzztarget.h"

#include <algorithm>
#include <utility>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

constexpr int mostWaiting = 8;
constexpr int mostBytes = 2048;
constexpr qsizetype hugeLine = 100'000'000;

ProxyOptions optionsOf(quint64 bits)
{
    ProxyOptions options;
    options.maximumHeld = mostWaiting;
    options.maximumHeldBytes = mostBytes;
    options.maximumInFlight = mostWaiting;
    options.maximumInFlightBytes = mostBytes;
    options.failFast = (bits & 1) != 0;
    options.inject = (bits & 2) == 0;
    if ((bits & 4) != 0)
        options.retry = (bits & 8) != 0 ? CallRetry::Always : CallRetry::Never;
    if ((bits & 16) == 0)
        options.callTimeout = (bits & 32) != 0 ? 1s : 60s;
    return options;
}

} // namespace

ProxyPlay::ProxyPlay(quint64 optionBits)
    : m_session(optionsOf(optionBits))
{
}

void ProxyPlay::clientWrites(const QByteArray &line)
{
    if (m_isClosed)
        return;
    m_longest = std::max(m_longest, line.size());
    m_oracle.clientSends(line);
    m_session.clientLine(line, m_now);
    settle();
}

void ProxyPlay::clientWritesTooLong(const QByteArray &ends)
{
    if (m_isClosed)
        return;
    m_oracle.clientSendsTooLong(ends);
    m_session.clientLineTooLong({ends, true, ends, hugeLine}, m_now);
    settle();
}

void ProxyPlay::clientCloses()
{
    m_isClosed = true;
    m_session.clientClosed(m_now);
    settle();
}

void ProxyPlay::serverWrites(const QByteArray &line)
{
    if (!m_isAlive)
        return;
    m_oracle.serverSends(line);
    m_session.serverLine(line, m_now);
    settle();
}

void ProxyPlay::serverWritesTooLong(const QByteArray &ends)
{
    if (m_isAlive)
        m_session.serverLineTooLong({ends, true, ends, hugeLine}, m_now);
    settle();
}

void ProxyPlay::serverLeaves(const QByteArray &bytes)
{
    if (m_isAlive)
        m_session.serverRest(bytes, m_now);
    settle();
}

void ProxyPlay::serverReads(quint64 bytes)
{
    if (!m_isAlive)
        return;
    m_taken = std::max(m_taken, std::min(bytes, m_sent));
    m_session.serverHasTaken(m_taken);
    settle();
}

void ProxyPlay::failServer()
{
    m_session.failServer(QStringLiteral("of no use"), m_now);
    settle();
}

void ProxyPlay::wantRestart()
{
    m_session.restartWanted(QStringLiteral("wanted"), QStringLiteral("host"), m_now);
    settle();
}

void ProxyPlay::start()
{
    if (m_isAlive || m_isClosed || m_isGivenUp)
        return;
    m_isAlive = true;
    m_oracle.serverStarts();
    m_sent = 0;
    m_taken = 0;
    m_requests.clear();
    ++m_generation;
    m_session.serverStarted({m_generation, static_cast<qint64>(m_generation), {}}, m_now);
    settle();
}

void ProxyPlay::endServer(quint64 bytesRead, const ServerOutlook &outlook)
{
    if (!m_isAlive)
        return;
    m_isAlive = false;
    m_oracle.serverEnds();
    m_isGivenUp = outlook.kind == ServerOutlook::Kind::GivenUp;
    ServerEnd end;
    end.detail.signal = 9;
    end.bytesTaken = std::max(m_taken, std::min(bytesRead, m_sent));
    end.outlook = m_isClosed ? ServerOutlook{ServerOutlook::Kind::Ended, {}, {}} : outlook;
    m_session.serverGone(end, m_now);
    settle();
}

void ProxyPlay::expect(const ServerOutlook &outlook)
{
    if (m_isAlive || m_isClosed)
        return;
    m_isGivenUp = outlook.kind == ServerOutlook::Kind::GivenUp;
    m_session.outlookChanged(outlook, m_now);
    settle();
}

void ProxyPlay::serverAnswers(std::size_t which)
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

// As the host has it: at each moment that the session has asked for.
void ProxyPlay::pass(Duration time)
{
    const Instant end = m_now + time;
    for (int i = 0;; ++i) {
        require(i < 1000, "deadlines without an end");
        const Instant next = m_session.nextDeadline().value_or(end);
        m_now = std::max(m_now, std::min(next, end));
        m_session.timePassed(m_now);
        settle();
        if (next >= end)
            return;
    }
}

void ProxyPlay::perform()
{
    decide();
    for (;;) {
        const std::vector<ProxyAction> actions = m_session.takeActions();
        for (const ProxyAction &action : actions) {
            switch (action.kind) {
            case ProxyAction::Kind::ToClient:
            case ProxyAction::Kind::Refuse:
                m_oracle.toClient(action);
                break;
            case ProxyAction::Kind::ToServer:
                toServer(action.bytes);
                break;
            case ProxyAction::Kind::RequestRestart:
                require(!std::exchange(m_owesDecision, true), "two restarts are asked for");
                break;
            case ProxyAction::Kind::ReadMarker:
                require(!std::exchange(m_owesMarker, true), "the marker is asked for twice");
                break;
            case ProxyAction::Kind::FailServer:
                m_oracle.failServer();
                break;
            default:
                break;
            }
            require(m_oracle.fault() == nullptr, m_oracle.fault());
            decide();
        }
        if (actions.empty())
            return;
    }
}

void ProxyPlay::decide()
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

// Nothing that a client does makes the session grow.
void ProxyPlay::settle()
{
    perform();
    require(m_session.bytesInFlight() < mostBytes + m_longest, "too many bytes in flight");
    // In flight and waiting, be it for a server or for its tools, and an initialize.
    require(m_isSlow || m_session.unansweredCount() <= 2 * mostWaiting + 1, "too many wait");
}

void ProxyPlay::toServer(const QByteArray &line)
{
    m_oracle.toServer(line);
    m_sent += static_cast<quint64>(line.size()) + 1;
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.kind == MessagePeek::Kind::Request)
        m_requests.push_back(peek);
}

void ProxyPlay::close()
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
    m_oracle.finish();
    require(m_oracle.fault() == nullptr, m_oracle.fault());
    require(m_session.unansweredCount() == 0, "something is left");
    require(!m_session.nextDeadline(), "a deadline is left");
}
