// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "serverlinereader_p.h"

#include "clientlinereader_p.h"
#include "errorcodes_p.h"

namespace Rekindle {

namespace {
constexpr qsizetype maximumExcerpt = 200; // bytes
} // namespace

void ServerLineReader::read(const FramedLine &line)
{
    if (line.isTooLong)
        readTooLong(line);
    else
        readMessage(line.bytes);
}

void ServerLineReader::readMessage(const QByteArray &line)
{
    if (line.trimmed().isEmpty())
        return;
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.kind == MessagePeek::Kind::Request)
        m_handler.serverRequest(line, peek);
    else if (peek.kind == MessagePeek::Kind::Notification)
        m_handler.serverNotification(line, peek);
    else if (peek.isResponse())
        m_handler.serverResponse(line, peek);
    else if (peek.kind == MessagePeek::Kind::Batch)
        readBatch(line);
    else if (peek.kind == MessagePeek::Kind::NotJson)
        readNotJson(line, peek);
    else
        readInvalid(line, peek);
}

void ServerLineReader::readBatch(const QByteArray &line)
{
    for (const QByteArray &item : jsonItems(line)) {
        if (item.startsWith('['))
            m_handler.serverLineSkipped(QStringLiteral("stdout: a batch within a batch"));
        else
            readMessage(item);
    }
}

void ServerLineReader::readInvalid(const QByteArray &line, const MessagePeek &peek)
{
    const MessagePeek response = lenientResponse(line, peek);
    if (peek.method.isEmpty() && m_handler.isAwaited(response.id))
        m_handler.serverResponse(line, response);
    else if (peek.idValue.isPresent())
        skip(QStringLiteral("not JSON-RPC"), line, peek);
    else
        readNotJson(line, peek); // the id may be a repeated member
}

// Some servers write NaN or unescaped control characters, which many clients can read.
void ServerLineReader::readNotJson(const QByteArray &line, const MessagePeek &peek)
{
    const MessagePeek ends = responseFromEnds(line);
    if (ends.isResponse() && m_handler.isAwaited(ends.id)) {
        m_handler.serverResponse(line, ends);
        return;
    }
    skip(QStringLiteral("not a message"), line, peek);
    if (ends.kind == MessagePeek::Kind::Request && peek.kind == MessagePeek::Kind::NotJson)
        m_handler.serverRequestRejected(ends.id, ErrorCode::parseError,
                                        QLatin1String("Parse error: ") + peek.fault);
}

void ServerLineReader::readRest(const QByteArray &line)
{
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.kind != MessagePeek::Kind::NotJson || line.trimmed().isEmpty())
        readMessage(line);
    else
        skip(QStringLiteral("the last line is truncated"), line, peek);
}

void ServerLineReader::readTooLong(const FramedLine &line)
{
    m_handler.serverLineSkipped(QLatin1String("stdout: ") + tooLongFault(line.size));
    const MessagePeek ends = MessagePeek::atEnds(line.bytes, line.lastBytes);
    if (ends.kind == MessagePeek::Kind::Request)
        m_handler.serverRequestRejected(ends.id, ErrorCode::invalidRequest,
                                        QLatin1String("Invalid request: ")
                                            + tooLongFault(line.size));
    else if (ends.isResponse())
        m_handler.serverResponseTooLong(ends.id);
    else if (line.bytes.startsWith('{') && ends.method.isEmpty())
        m_handler.serverMessageLost(tooLongFault(line.size));
}

void ServerLineReader::skip(const QString &what, const QByteArray &line, const MessagePeek &peek)
{
    m_handler.serverLineSkipped(
        QStringLiteral("stdout: %1 (%2): %3")
            .arg(what, peek.fault, QString::fromUtf8(line.left(maximumExcerpt))));
}

} // namespace Rekindle
