// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpmembers_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

JsonSpan metaOf(QByteArrayView line, const MessagePeek &peek)
{
    return jsonMember(line, peek.params, "_meta");
}

} // namespace

bool isLegacyVersion(QByteArrayView version)
{
    return std::find(legacyVersions.begin(), legacyVersions.end(), version) != legacyVersions.end();
}

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

McpProtocol::Revision openingRevision(QByteArrayView line, const MessagePeek &peek)
{
    if (peek.method == "initialize")
        return McpProtocol::Revision::Legacy;
    return peek.method != "server/discover" && isModern(line, peek)
        ? McpProtocol::Revision::Modern
        : McpProtocol::Revision::Unknown;
}

std::optional<std::size_t> severityOf(QByteArrayView level)
{
    static constexpr std::array<QByteArrayView, 8> levels{
        "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};
    const auto name = jsonStringText(level);
    const auto *const found = std::find(levels.begin(), levels.end(), name.value_or(QByteArray()));
    if (found == levels.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - levels.begin());
}

} // namespace Rekindle
