// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "wire/messagepeek_p.h"

#include <rekindle/mcp/mcpprotocol.h>

#include <array>
#include <cstddef>
#include <optional>

namespace Rekindle {

inline constexpr QLatin1String modernVersion("2026-07-28");
inline constexpr std::array<QByteArrayView, 4> legacyVersions{"2025-11-25", // newest first
                                                              "2025-06-18", "2025-03-26",
                                                              "2024-11-05"};
[[nodiscard]] bool isLegacyVersion(QByteArrayView version);

inline constexpr QByteArrayView modernVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr QByteArrayView logLevelKey = "io.modelcontextprotocol/logLevel";

// Members of MCP messages. Each of these functions scans one part of the line.

/// Request: params._meta.progressToken. notifications/progress: params.progressToken.
[[nodiscard]] MessageId progressTokenOf(QByteArrayView line, const MessagePeek &peek);

/// notifications/cancelled: params.requestId.
[[nodiscard]] MessageId requestIdOf(QByteArrayView line, const MessagePeek &peek);

/// The version of initialize and of its response. Request of a modern revision (2026-07-28):
/// params._meta["io.modelcontextprotocol/protocolVersion"].
[[nodiscard]] std::optional<QByteArray> protocolVersionOf(QByteArrayView line,
                                                          const MessagePeek &peek);

/// Request of a modern revision: the JSON text of params._meta["io.modelcontextprotocol/logLevel"].
[[nodiscard]] QByteArrayView logLevelOf(QByteArrayView line, const MessagePeek &peek);

/// Returns whether a request or notification has the `_meta` version of a modern revision.
[[nodiscard]] bool isModern(QByteArrayView line, const MessagePeek &peek);

/// The revision of a session that opens with this request. Unknown for server/discover: such a
/// client may continue with either.
[[nodiscard]] McpProtocol::Revision openingRevision(QByteArrayView line, const MessagePeek &peek);

/// Returns the severity of an MCP log level, given as JSON text; empty if it is not a log level.
[[nodiscard]] std::optional<std::size_t> severityOf(QByteArrayView level);

} // namespace Rekindle
