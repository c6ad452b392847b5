// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxysession_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/lenientanswer_p.h"
#include "mcp/jsonrpc/messagewriter_p.h"

#include <utility>

namespace Rekindle {

// Lines that are too long, no JSON, no message or several. Whatever they are, nobody may wait for
// ever because of them, and nobody may have an answer to what he did not ask.

namespace {

constexpr qsizetype noiseShown = 200; // bytes

QString tooLong(qsizetype size)
{
    return QStringLiteral("a message of %1 bytes is longer than what is passed on").arg(size);
}

} // namespace

// Of revision 2025-03-26. Each is answered on its own, which JSON-RPC allows.
void ProxySession::clientBatch(const QByteArray &line)
{
    const auto refuseItem = [this](const QString &why) {
        toClient(makeError({}, ErrorCode::invalidRequest, why));
    };
    const std::vector<QByteArray> items = jsonItems(line);
    if (items.empty())
        refuseItem(QStringLiteral("Invalid request: the batch is empty"));
    for (const QByteArray &item : items) {
        if (item.startsWith('['))
            refuseItem(QStringLiteral("Invalid request: a batch within a batch"));
        else
            clientMessage(item);
    }
}

void ProxySession::clientNotMessage(const QByteArray &line, const MessagePeek &peek)
{
    const QString why = QLatin1String("Invalid request: ") + peek.fault;
    const bool hasAnswer = peek.result.isPresent() || peek.error.isPresent();
    const MessagePeek answer = lenientAnswer(line, peek);
    if (peek.method.isEmpty() && answer.id.isPresent()
        && (hasAnswer || m_serverRequests.isOpen(answer.id)))
        clientAnswer(line, answer);
    else if (line.trimmed().startsWith('{') && !peek.idValue.isPresent())
        clientUnreadable(MessagePeek::atEnds(line, line), ErrorCode::invalidRequest, why);
    else
        toClient(makeError(peek.id.json(), ErrorCode::invalidRequest, why));
}

void ProxySession::clientLineTooLong(const FramedLine &line, Instant now)
{
    m_now = now;
    if (!m_clientClosed)
        clientUnreadable(MessagePeek::atEnds(line.bytes, line.lastBytes), ErrorCode::invalidRequest,
                         QLatin1String("Invalid request: ") + tooLong(line.size));
}

// Where it may be an answer, an error under its id would be one to another request.
void ProxySession::clientUnreadable(const MessagePeek &ends, int code, const QString &why)
{
    if (!ends.isAnswer()) {
        const bool isUncertain =
            ends.kind != MessagePeek::Kind::Request && m_serverRequests.isOpen(ends.id);
        toClient(makeError(isUncertain ? QByteArray() : ends.id.json(), code, why));
        return;
    }
    const auto serverId = m_serverRequests.answered(ends.id);
    if (serverId)
        refuseServerRequest(*serverId, ErrorCode::internalError,
                            QLatin1String("The client's answer cannot be passed on: ") + why);
}

void ProxySession::serverBatch(const QByteArray &line)
{
    for (const QByteArray &item : jsonItems(line)) {
        if (item.startsWith('['))
            note(QStringLiteral("a batch within a batch on stdout"));
        else
            serverMessage(item);
    }
}

bool ProxySession::isAwaited(const MessageId &id) const
{
    return m_own.contains(id) || m_inFlight.contains(id) || m_cancelled.contains(id)
        || (m_initialize && m_initializeSent && m_initialize->id == id);
}

// The client may make something of an answer that is not as it should be.
void ProxySession::serverNotMessage(const QByteArray &line, const MessagePeek &peek)
{
    const MessagePeek answer = lenientAnswer(line, peek);
    if (peek.method.isEmpty() && isAwaited(answer.id))
        serverAnswer(line, answer);
    else if (peek.idValue.isPresent())
        note(QStringLiteral("no JSON-RPC on stdout (%1): ").arg(peek.fault)
             + QString::fromUtf8(line.left(noiseShown)));
    else
        serverNotJson(line, peek); // it may be there twice
}

// Some servers write NaN, or control characters as they are: many a client can read that.
void ProxySession::serverNotJson(const QByteArray &line, const MessagePeek &peek)
{
    const MessagePeek ends = answerFromEnds(line);
    if (ends.isAnswer() && isAwaited(ends.id)) {
        serverAnswer(line, ends);
        return;
    }
    note(QStringLiteral("no message on stdout (%1): ").arg(peek.fault)
         + QString::fromUtf8(line.left(noiseShown)));
    if (ends.kind == MessagePeek::Kind::Request && peek.kind == MessagePeek::Kind::NotJson)
        refuseServerRequest(ends.id, ErrorCode::parseError,
                            QLatin1String("Parse error: ") + peek.fault);
}

// Half an answer is none: the call is lost with the server, or made again.
void ProxySession::serverRest(const QByteArray &line, Instant now)
{
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.kind != MessagePeek::Kind::NotJson || line.trimmed().isEmpty())
        serverLine(line, now);
    else
        note(QStringLiteral("the last line on stdout has no end (%1): ").arg(peek.fault)
             + QString::fromUtf8(line.left(noiseShown)));
}

void ProxySession::refuseServerRequest(const MessageId &id, int code, const QString &why)
{
    if (isServerThere())
        toServer(makeError(id.json(), code, why));
}

void ProxySession::serverLineTooLong(const FramedLine &line, Instant now)
{
    m_now = now;
    if (m_phase == Phase::Away)
        return;
    note(QStringLiteral("on stdout ") + tooLong(line.size));
    MessagePeek ends = MessagePeek::atEnds(line.bytes, line.lastBytes);
    if (ends.kind == MessagePeek::Kind::Request) {
        refuseServerRequest(ends.id, ErrorCode::invalidRequest,
                            QLatin1String("Invalid request: ") + tooLong(line.size));
        return;
    }
    const bool isInitialize =
        m_initialize && m_initializeSent && m_initialize->id == ends.id && ends.isAnswer();
    if (ends.isAnswer() && m_own.contains(ends.id)) {
        ends.kind = MessagePeek::Kind::Error;
        ends.fault = QLatin1String("its answer is too long");
        serverAnswer({}, ends);
    } else if (isInitialize) {
        initializeFailed(ProxyErrors::make(ends.id, m_era, Reason::AnswerTooLong, circumstances()));
    } else if (ends.isAnswer()) {
        (void)m_cancelled.remove(ends.id);
        if (const auto request = m_inFlight.take(ends.id)) {
            refuse(*request, Reason::AnswerTooLong);
            forgetProgress(*request);
        }
    } else if (line.bytes.startsWith('{') && ends.method.isEmpty() && isServerThere()
               && (!m_inFlight.isEmpty() || !m_own.isEmpty()
                   || (m_initialize && m_initializeSent))) {
        // It may have been the answer to anything: nothing may wait for it for ever.
        failServer(QStringLiteral("it wrote a message of %1 bytes that cannot be passed on")
                       .arg(line.size));
    }
}

} // namespace Rekindle
