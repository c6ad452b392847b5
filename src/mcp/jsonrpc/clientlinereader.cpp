// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "clientlinereader_p.h"

#include "errorcodes_p.h"

namespace Rekindle {

QString tooLongFault(qsizetype size)
{
    return QStringLiteral("a message of %1 bytes exceeds the size limit").arg(size);
}

ClientLineReader::ClientLineReader(Handler &handler, ServerRequestIds ids)
    : m_handler(handler)
    , m_ids(ids)
{
}

void ClientLineReader::read(const FramedLine &line)
{
    if (line.isTooLong)
        reject(MessagePeek::atEnds(line.bytes, line.lastBytes), ErrorCode::invalidRequest,
               QLatin1String("Invalid request: ") + tooLongFault(line.size));
    else
        readMessage(line.bytes);
}

void ClientLineReader::readMessage(const QByteArray &line)
{
    if (line.trimmed().isEmpty())
        return;
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.kind == MessagePeek::Kind::Request)
        m_handler.clientRequest(line, peek);
    else if (peek.kind == MessagePeek::Kind::Notification)
        m_handler.clientNotification(line, peek);
    else if (peek.isResponse())
        m_handler.clientResponse(line, peek);
    else if (peek.kind == MessagePeek::Kind::Batch)
        readBatch(line);
    else if (peek.kind == MessagePeek::Kind::NotJson)
        reject(MessagePeek::atEnds(line, line), ErrorCode::parseError,
               QLatin1String("Parse error: ") + peek.fault);
    else
        readInvalid(line, peek);
}

// Batches exist in revision 2025-03-26. JSON-RPC permits a separate response to each request.
void ClientLineReader::readBatch(const QByteArray &line)
{
    const auto rejectItem = [this](const QString &why) {
        m_handler.clientLineRejected({}, ErrorCode::invalidRequest, why);
    };
    const std::vector<QByteArray> items = jsonItems(line);
    if (items.empty())
        rejectItem(QStringLiteral("Invalid request: the batch is empty"));
    for (const QByteArray &item : items) {
        if (item.startsWith('['))
            rejectItem(QStringLiteral("Invalid request: a batch within a batch"));
        else
            readMessage(item);
    }
}

void ClientLineReader::readInvalid(const QByteArray &line, const MessagePeek &peek)
{
    const QString why = QLatin1String("Invalid request: ") + peek.fault;
    const bool hasContent = peek.result.isPresent() || peek.error.isPresent();
    const MessagePeek response = lenientResponse(line, peek);
    if (peek.method.isEmpty() && response.id.isPresent()
        && (hasContent || m_handler.isServerRequestOpen(response.id)))
        m_handler.clientResponse(line, response);
    else if (line.trimmed().startsWith('{') && !peek.idValue.isPresent())
        reject(MessagePeek::atEnds(line, line), ErrorCode::invalidRequest, why);
    else
        m_handler.clientLineRejected(peek.id, ErrorCode::invalidRequest, why);
}

// If the line may be a response, the client could match an error with its id to a request of its
// own, so the error gets no id.
void ClientLineReader::reject(const MessagePeek &ends, int code, const QString &why)
{
    const bool mayBeResponse = ends.id.isPresent() && ends.kind != MessagePeek::Kind::Request
        && m_handler.isServerRequestOpen(ends.id);
    if (ends.isResponse() || (mayBeResponse && m_ids == ServerRequestIds::Unique))
        m_handler.clientResponseFailed(
            ends.id, QLatin1String("The client's response cannot be forwarded: ") + why);
    else
        m_handler.clientLineRejected(mayBeResponse ? MessageId() : ends.id, code, why);
}

} // namespace Rekindle
