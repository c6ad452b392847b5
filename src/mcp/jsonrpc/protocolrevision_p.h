// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcpmembers_p.h"

#include <rekindle/mcp/mcpprotocol.h>

#include <algorithm>
#include <array>

namespace Rekindle {

inline constexpr QLatin1String modernVersion("2026-07-28");
inline constexpr std::array<QByteArrayView, 4> legacyVersions{"2025-11-25", // newest first
                                                              "2025-06-18", "2025-03-26",
                                                              "2024-11-05"};

[[nodiscard]] inline bool isLegacyVersion(QByteArrayView version)
{
    return std::find(legacyVersions.begin(), legacyVersions.end(), version) != legacyVersions.end();
}

/// The revision of a session that opens with this request. Unknown for server/discover: such a
/// client may continue with either.
[[nodiscard]] inline McpProtocol::Revision openingRevision(QByteArrayView line,
                                                           const MessagePeek &peek)
{
    if (peek.method == "initialize")
        return McpProtocol::Revision::Legacy;
    return peek.method != "server/discover" && isModern(line, peek)
        ? McpProtocol::Revision::Modern
        : McpProtocol::Revision::Unknown;
}

} // namespace Rekindle
