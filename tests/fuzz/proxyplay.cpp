// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxyplay.h"

#include "fuzztarget.h"

#include <algorithm>
#include <utility>
#include <vector>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

constexpr int mostWaiting = 8;
constexpr int mostBytes = 2048;
constexpr qsizetype hugeLine = 100'000'000;

ProxyOptions optionsOf(quint64 bits)
{
    ProxyOptions options;
    options.mostHeld = mostWaiting;
    options.mostHeldBytes = mostBytes;
    options.mostInFlight = mostWaiting;
    options.mostInFlightBytes = mostBytes;
    options.failFast = (bits & 1) != 0;
    options.inject = (bits & 2) == 0;
    if ((bits & 4) != 0)
        options.retry = (bits & 8) != 0 ? CallRetry::Always : CallRetry::Never;
    if ((bits & 16) == 0)
        options.callTimeout = (bits & 32) != 0 ? 1s : 60s;
    return options;
}

// What an answer answers; one that is nearly right counts, as for the proxy.
MessageId answeredBy(const QByteArray &line)
{
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.isAnswer())
        return peek.id;
    const MessageId id = MessageId::ofJson(peek.idValue.of(line));
    if (peek.kind == MessagePeek::Kind::NotMessage && id.isPresent())
        return peek.method.isEmpty() ? id : MessageId();
    const MessagePeek ends = MessagePeek::atEnds(line, line);
    return ends.isAnswer() ? ends.id : MessageId();
}

// Of a batch the items, each byte as it stands: another reader of JSON may know an id by another
// name, and mind what is no UTF-8.
std::vector<QByteArray> messagesIn(const QByteArray &line)
{
    if (MessagePeek::at(line).kind != MessagePeek::Kind::Batch)
        return {line};
    std::vector<QByteArray> items;
    qsizetype start = 1;
    int depth = 0;
    bool isInString = false;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const char byte = line[i];
        if (isInString && byte == '\\') {
            ++i;
        } else if (byte == '"') {
            isInString = !isInString;
        } else if (!isInString) {
            depth += byte == '[' || byte == '{' ? 1 : 0;
            depth -= byte == ']' || byte == '}' ? 1 : 0;
            if (depth == 0 || (depth == 1 && byte == ',')) {
                items.push_back(line.sliced(start, i - start).trimmed());
                start = i + 1;
            }
        }
    }
    return items;
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
    for (const QByteArray &message : messagesIn(line))
        countRequests(message);
    m_session.clientLine(line, m_now);
    settle();
}

void ProxyPlay::clientWritesTooLong(const QByteArray &ends)
{
    if (m_isClosed)
        return;
    m_uncertain.insert(MessagePeek::atEnds(ends, ends).id);
    m_session.clientLineTooLong({ends, true, ends, hugeLine}, m_now);
    settle();
}

void ProxyPlay::clientCloses()
{
    m_isClosed = true;
    m_session.clientClosed(m_now);
    settle();
}

void ProxyPlay::countRequests(const QByteArray &line)
{
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.kind == MessagePeek::Kind::Request)
        ++m_asked[peek.id];
    else if (peek.method == "notifications/cancelled")
        m_uncertain.insert(requestIdOf(line, peek));
    else
        for (const MessageId &id : {peek.id, MessagePeek::atEnds(line, line).id,
                                    MessageId::ofJson(peek.idValue.of(line))})
            m_uncertain.insert(id);
}

void ProxyPlay::serverWrites(const QByteArray &line)
{
    if (!m_isAlive)
        return;
    for (const QByteArray &message : messagesIn(line)) {
        const MessageId id = answeredBy(message);
        m_isGreeted = m_isGreeted
            || std::any_of(m_requests.begin(), m_requests.end(), [&id](const MessagePeek &request) {
                          return request.method == "initialize" && request.id == id;
                      });
    }
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
    m_isGreeted = false;
    m_isLeft = false;
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
        m_isGreeted = true;
    } else if (peek.method == "tools/list") {
        result = R"({"tools":[{"name":"read","annotations":{"readOnlyHint":true}}]})";
    }
    m_session.serverLine(
        R"({"jsonrpc":"2.0","id":)" + peek.id.json() + R"(,"result":)" + result + '}', m_now);
    settle();
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
                toClient(action.bytes);
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
                m_isLeft = true;
                break;
            default:
                break;
            }
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

void ProxyPlay::toClient(const QByteArray &line)
{
    require(!line.contains('\n'), "a line to the client has an end inside");
    const MessageId id = answeredBy(line);
    if (!id.isPresent())
        return;
    require(--m_asked[id] >= 0 || m_uncertain.contains(id),
            "an answer to nothing, or a second one");
    m_wasOpened = m_wasOpened || m_isGreeted;
}

void ProxyPlay::toServer(const QByteArray &line)
{
    require(m_isAlive && !m_isLeft, "to a server that is not there");
    m_sent += static_cast<quint64>(line.size()) + 1;
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.kind != MessagePeek::Kind::Request)
        return;
    require(peek.method == "initialize" || m_isGreeted || !m_wasOpened,
            "a request before the handshake");
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
    for (const auto &[id, count] : m_asked.asKeyValueRange())
        require(count <= 0 || m_uncertain.contains(id), "a request without an answer");
    require(m_session.unansweredCount() == 0, "something is left");
    require(!m_session.nextDeadline(), "a deadline is left");
}
