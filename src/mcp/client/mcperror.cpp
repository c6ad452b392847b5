// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/mcperror.h>

#include <QMetaEnum>

namespace Rekindle {

QString toText(McpError::Kind kind)
{
    return QString::fromLatin1(
        QMetaEnum::fromType<McpError::Kind>().valueToKey(static_cast<int>(kind)));
}

} // namespace Rekindle
