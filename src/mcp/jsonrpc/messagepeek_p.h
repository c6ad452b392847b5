// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsonscanner_p.h"
#include "messageid_p.h"

#include <QLatin1String>

namespace Rekindle {

/// What a line is as a JSON-RPC 2.0 message, read no further than its top level: all that passing
/// it on takes. The grammar of the whole line is checked; whether it is UTF-8 is not.
struct REKINDLE_MCP_EXPORT MessagePeek
{
    enum class Kind {
        Request,
        Notification,
        Result,     ///< an answer
        Error,      ///< an answer; its id may be absent where the request could not be read
        Batch,      ///< an array; existed in revision 2025-03-26 alone
        NotJson,    ///< noise, or half a message
        NotMessage, ///< JSON, and no message: `fault` says why
    };

    Kind kind = Kind::NotJson;
    MessageId id{};
    QByteArray method{};   ///< unescaped
    QLatin1String fault{}; ///< of NotJson and NotMessage, for people

    /// Places in the line, where there are such members. `idValue` may be there without an `id`.
    JsonSpan idValue{};
    JsonSpan params{};
    JsonSpan result{};
    JsonSpan error{};

    /// A member of "jsonrpc", "id", "method", "params", "result" and "error" that is there twice
    /// makes a line no message: two readers would not agree on what it says.
    static MessagePeek at(QByteArrayView line);

    [[nodiscard]] bool isAnswer() const { return kind == Kind::Result || kind == Kind::Error; }

    /// Of a line of which only both ends are known, as it was too long: the kind, the id and the
    /// method as far as these tell for certain, else NotMessage. No places.
    static MessagePeek atEnds(QByteArrayView firstBytes, QByteArrayView lastBytes);
};

// What is looked up on demand. Each scans one part of the line.

/// Of a request: params._meta.progressToken. Of notifications/progress: params.progressToken.
[[nodiscard]] REKINDLE_MCP_EXPORT MessageId progressTokenOf(QByteArrayView line,
                                                            const MessagePeek &peek);

/// Of notifications/cancelled: params.requestId.
[[nodiscard]] REKINDLE_MCP_EXPORT MessageId requestIdOf(QByteArrayView line,
                                                        const MessagePeek &peek);

/// Of tools/call: params.name, unescaped.
[[nodiscard]] REKINDLE_MCP_EXPORT std::optional<QByteArray> nameOf(QByteArrayView line,
                                                                   const MessagePeek &peek);

/// Of initialize and of its answer; of a request of the modern era (2026-07-28) the one in
/// params._meta["io.modelcontextprotocol/protocolVersion"].
[[nodiscard]] REKINDLE_MCP_EXPORT std::optional<QByteArray>
protocolVersionOf(QByteArrayView line, const MessagePeek &peek);

/// Whether a request or notification is of the modern era: it carries that version.
[[nodiscard]] REKINDLE_MCP_EXPORT bool isModern(QByteArrayView line, const MessagePeek &peek);

} // namespace Rekindle
