// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/export.h>
#include <rekindle/policy/failure.h>

#include <QJsonValue>
#include <QMetaType>
#include <QString>

namespace Rekindle {

/// Why a request to an MCP server has no result.
struct REKINDLE_MCP_EXPORT McpError
{
    Q_GADGET
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    enum class Kind {
        Refused,       ///< the server answered with an error: `code`, `message`, `data`
        Lost,          ///< the server exited: `process` contains how
        Timeout,       ///< no response in time; a cancellation was sent to the server
        Cancelled,     ///< canceled by the caller; a cancellation was sent to the server
        InvalidAnswer, ///< the response is malformed
        NotReady,      ///< there is no server, or its handshake has not finished; nothing was sent
        Busy,          ///< too many bytes are waiting to be written; nothing was sent
    };
    Q_ENUM(Kind)

    Kind kind = Kind::Lost;
    QString message{};                      ///< one sentence for people
    int code = 0;                           ///< JSON-RPC error code, if Refused
    QJsonValue data{QJsonValue::Undefined}; ///< data of the error, if Refused and present

    /// If Lost: exit code or signal, and the last lines of stderr.
    FailureDetail process{};

    /// Whether a byte of the request can have reached the server. If not, a retry is safe.
    bool wasWritten = false;

    bool operator==(const McpError &) const = default;
};

/// Returns the name of the kind, for example "InvalidAnswer".
[[nodiscard]] REKINDLE_MCP_EXPORT QString toText(McpError::Kind kind);

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::McpError)
