// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpmembers_p.h"

namespace Rekindle {

namespace {

JsonSpan metaOf(QByteArrayView line, const MessagePeek &peek)
{
    return jsonMember(line, peek.params, "_meta");
}

} // namespace

MessageId progressTokenOf(QByteArrayView line, const MessagePeek &peek)
{
    const JsonSpan place =
        peek.kind == MessagePeek::Kind::Notification ? peek.params : metaOf(line, peek);
    return MessageId::ofJson(jsonMember(line, place, "progressToken").of(line));
}

MessageId requestIdOf(QByteArrayView line, const MessagePeek &peek)
{
    return MessageId::ofJson(jsonMember(line, peek.params, "requestId").of(line));
}

std::optional<QByteArray> protocolVersionOf(QByteArrayView line, const MessagePeek &peek)
{
    if (const JsonSpan modern = jsonMember(line, metaOf(line, peek), modernVersionKey);
        modern.isPresent())
        return jsonStringText(modern.of(line));
    const JsonSpan place = peek.kind == MessagePeek::Kind::Result ? peek.result : peek.params;
    return jsonStringText(jsonMember(line, place, "protocolVersion").of(line));
}

QByteArrayView logLevelOf(QByteArrayView line, const MessagePeek &peek)
{
    return jsonMember(line, metaOf(line, peek), logLevelKey).of(line);
}

bool isModern(QByteArrayView line, const MessagePeek &peek)
{
    return jsonMember(line, metaOf(line, peek), modernVersionKey).isPresent();
}

} // namespace Rekindle
