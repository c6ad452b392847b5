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
    enum class Kind {
        Refused,       ///< the server answered with an error: `code`, `message`, `data`
        Lost,          ///< the server died: `process` says how
        Timeout,       ///< no answer in time; the server was told to give up
        Cancelled,     ///< by the caller; the server was told to give up
        InvalidAnswer, ///< the answer makes no sense
        NotReady,      ///< there is no server, or its handshake is not over; nothing was sent
        Busy,          ///< more waits to be written than is allowed; nothing was sent
    };

    Kind kind = Kind::Lost;
    QString message{};                      ///< one sentence for people
    int code = 0;                           ///< of Refused: JSON-RPC's
    QJsonValue data{QJsonValue::Undefined}; ///< of Refused, where there is some

    /// Of Lost: exit code or signal, and the last lines of stderr.
    FailureDetail process{};

    /// Whether a byte of the request can have reached the server. If not, trying again is safe.
    bool wasWritten = false;

    bool operator==(const McpError &) const = default;
};

/// The kind's name, for example "InvalidAnswer".
[[nodiscard]] REKINDLE_MCP_EXPORT QString toText(McpError::Kind kind);

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::McpError)
