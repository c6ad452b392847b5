// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "messageid_p.h"
#include "json/jsonscanner.h"

#include <QLatin1String>

namespace Rekindle {

/// The top level of a line as a JSON-RPC 2.0 message, which is all that forwarding needs. The
/// grammar of the whole line is checked. UTF-8 is not checked.
struct MessagePeek
{
    enum class Kind {
        Request,
        Notification,
        Result,     ///< a response
        Error,      ///< a response; the id may be absent if the request could not be read
        Batch,      ///< an array
        NotJson,    ///< noise, or a truncated message
        NotMessage, ///< JSON but not a message: `fault` is the reason
    };

    Kind kind = Kind::NotJson;
    MessageId id{};
    QByteArray method{};   ///< unescaped
    QLatin1String fault{}; ///< for people; set for NotJson and NotMessage

    /// Positions in the line, if the members are present. `idValue` may be present without `id`.
    JsonSpan idValue{};
    JsonSpan params{};
    JsonSpan result{};
    JsonSpan error{};

    /// Reads a line. A repeated member "jsonrpc", "id", "method", "params", "result" or "error"
    /// makes it NotMessage, because two readers might interpret it differently.
    static MessagePeek at(QByteArrayView line);

    [[nodiscard]] bool isResponse() const { return kind == Kind::Result || kind == Kind::Error; }

    /// Reads the ends of a line that was too long: kind, id and method if they are certain,
    /// otherwise NotMessage. Positions are not set.
    static MessagePeek atEnds(QByteArrayView firstBytes, QByteArrayView lastBytes);
};

// Invalid responses that many JSON-RPC readers accept.

/// Reads a NotMessage line as a response. A missing "jsonrpc" and an "error" of null are accepted.
[[nodiscard]] MessagePeek lenientResponse(QByteArrayView line, MessagePeek peek);

/// Reads a line that is not JSON as a response from its first and last members. The result is an
/// Error, because the content is unknown; NotMessage if the line is not certainly a response.
[[nodiscard]] MessagePeek responseFromEnds(QByteArrayView line);

} // namespace Rekindle
