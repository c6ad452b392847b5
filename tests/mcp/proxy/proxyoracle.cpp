// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxyoracle.h"

#include "mcp/jsonrpc/mcpmembers_p.h"

namespace Rekindle {

namespace {

// The items of a batch, without a JSON parser: it could change the spelling of an id, or reject
// invalid UTF-8.
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

MessageId answeredBy(const QByteArray &line)
{
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.isResponse())
        return peek.id;
    const MessageId id = MessageId::ofJson(peek.idValue.of(line));
    if (peek.kind == MessagePeek::Kind::NotMessage && id.isPresent())
        return peek.method.isEmpty() ? id : MessageId();
    const MessagePeek ends = MessagePeek::atEnds(line, line);
    return ends.isResponse() ? ends.id : MessageId();
}

void ProxyOracle::check(bool holds, const char *fault)
{
    if (!holds && !m_fault)
        m_fault = fault;
}

void ProxyOracle::clientSends(const QByteArray &line)
{
    for (const QByteArray &message : messagesIn(line))
        countRequests(message);
}

void ProxyOracle::countRequests(const QByteArray &message)
{
    const MessagePeek peek = MessagePeek::at(message);
    if (peek.kind == MessagePeek::Kind::Request)
        ++m_open[peek.id];
    else if (peek.method == "notifications/cancelled")
        m_cancelled.insert(requestIdOf(message, peek));
    else
        for (const MessageId &id : {peek.id, MessagePeek::atEnds(message, message).id,
                                    MessageId::ofJson(peek.idValue.of(message))})
            m_uncertain.insert(id);
}

void ProxyOracle::clientSendsTooLong(const QByteArray &ends)
{
    m_uncertain.insert(MessagePeek::atEnds(ends, ends).id);
}

void ProxyOracle::serverStarts()
{
    m_isServerThere = true;
    m_hasServerAnswered = false;
    m_initializeIds.clear();
}

void ProxyOracle::serverSends(const QByteArray &line)
{
    for (const QByteArray &message : messagesIn(line))
        m_hasServerAnswered = m_hasServerAnswered || m_initializeIds.contains(answeredBy(message));
}

void ProxyOracle::toClient(const ProxyAction &action)
{
    const bool isRefusal = action.kind == ProxyAction::Kind::Refuse;
    const QByteArray line = isRefusal ? action.refusal.toJson() : action.bytes;
    check(!line.contains('\n'), "a line to the client contains a newline");
    const MessageId id = answeredBy(line);
    if (!id.isPresent())
        return;
    ++m_answers;
    check(--m_open[id] >= 0 || m_uncertain.contains(id),
          "a response without a request, or a second one");
    m_wasOpened = m_wasOpened || m_hasServerAnswered;
}

void ProxyOracle::toServer(const QByteArray &line)
{
    check(m_isServerThere, "a line to a server that has ended");
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.kind != MessagePeek::Kind::Request)
        return;
    if (peek.method == "initialize")
        m_initializeIds.insert(peek.id);
    else
        check(m_hasServerAnswered || !m_wasOpened, "a request before the handshake");
}

void ProxyOracle::finish()
{
    for (const auto &[id, count] : m_open.asKeyValueRange())
        check(count <= 0 || m_cancelled.contains(id) || m_uncertain.contains(id),
              "a request without a response");
}

} // namespace Rekindle
