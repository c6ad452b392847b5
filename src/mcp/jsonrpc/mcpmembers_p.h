// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "wire/messagepeek_p.h"

namespace Rekindle {

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

} // namespace Rekindle
