// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/mcperror.h>

namespace Rekindle {

QString toText(McpError::Kind kind)
{
    switch (kind) {
    case McpError::Kind::Refused:
        return QStringLiteral("Refused");
    case McpError::Kind::Lost:
        return QStringLiteral("Lost");
    case McpError::Kind::Timeout:
        return QStringLiteral("Timeout");
    case McpError::Kind::Cancelled:
        return QStringLiteral("Cancelled");
    case McpError::Kind::InvalidAnswer:
        return QStringLiteral("InvalidAnswer");
    case McpError::Kind::NotReady:
        return QStringLiteral("NotReady");
    case McpError::Kind::Busy:
        return QStringLiteral("Busy");
    }
    return QString();
}

} // namespace Rekindle
