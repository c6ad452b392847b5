// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/messagepeek_p.h"
#include "mcp/jsonrpc/protocolrevision_p.h"
#include "serverhistory_p.h"

namespace Rekindle {

/// The two tools that the proxy offers beside those of its server (spec 9, S4 3 and 4).
namespace InjectedTools {

inline constexpr char restartName[] = "restart_server";
inline constexpr char verifyName[] = "verify_server_restarted";

/// Both, or the one that is wanted, as JSON objects separated by a comma; empty if none.
[[nodiscard]] QByteArray definitions(bool restart, bool verify);

/// The answer to tools/list of a server that has no tools.
[[nodiscard]] QByteArray onlyOurs(const MessageId &id, ProtocolRevision revision);

/// The answer of a server to tools/list with our tools at its end.
[[nodiscard]] QByteArray addedTo(const QByteArray &line, const MessagePeek &peek,
                                 ProtocolRevision revision, const QByteArray &definitions);

/// The answer to initialize or server/discover: list_changed is announced for what the server
/// has, and for tools also if `offersTools`.
[[nodiscard]] QByteArray withListChanged(const QByteArray &line, const MessagePeek &peek,
                                         bool offersTools);

/// The result of a tool: one text.
[[nodiscard]] QByteArray toolAnswer(const MessageId &id, ProtocolRevision revision,
                                    const QString &text, bool isError,
                                    QByteArrayView structured = {});

/// A string among the arguments of tools/call; nothing if it is missing or no string.
[[nodiscard]] std::optional<QString> argument(const QByteArray &line, const MessagePeek &peek,
                                              QByteArrayView name);

/// The answer of verify_server_restarted from what the proxy knows, if it has seen a restart.
[[nodiscard]] QByteArray verified(const MessageId &id, ProtocolRevision revision, UtcTime since,
                                  const RestartRecord &record);

/// The same from the marker file, where the proxy is new.
[[nodiscard]] QByteArray verified(const MessageId &id, ProtocolRevision revision, UtcTime since,
                                  const RestartRecord &record, const MarkerReading &reading);

} // namespace InjectedTools
} // namespace Rekindle
