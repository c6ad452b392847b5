// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/messagepeek_p.h"
#include "mcp/jsonrpc/protocolrevision_p.h"
#include "serverhistory_p.h"

namespace Rekindle {

/// The two tools that the proxy adds to those of its server (spec 9, S4 3 and 4).
namespace InjectedTools {

inline constexpr char restartName[] = "restart_server";
inline constexpr char verifyName[] = "verify_server_restarted";

/// Returns the selected tools as JSON objects, separated by a comma; empty if none.
[[nodiscard]] QByteArray definitions(bool restart, bool verify);

/// The response to tools/list for a server without tools.
[[nodiscard]] QByteArray onlyOurs(const MessageId &id, ProtocolRevision revision);

/// The server's response to tools/list, with the injected tools at its end.
[[nodiscard]] QByteArray addedTo(const QByteArray &line, const MessagePeek &peek,
                                 ProtocolRevision revision, const QByteArray &definitions);

/// The response to initialize or server/discover: announces list_changed for the lists of the
/// server, and for tools also if `offersTools`.
[[nodiscard]] QByteArray withListChanged(const QByteArray &line, const MessagePeek &peek,
                                         bool offersTools);

/// The result of a tool: one text.
[[nodiscard]] QByteArray toolAnswer(const MessageId &id, ProtocolRevision revision,
                                    const QString &text, bool isError,
                                    QByteArrayView structured = {});

/// Returns a string argument of tools/call; nothing if it is missing or not a string.
[[nodiscard]] std::optional<QString> argument(const QByteArray &line, const MessagePeek &peek,
                                              QByteArrayView name);

/// The response of verify_server_restarted from the proxy's own record of a restart.
[[nodiscard]] QByteArray verified(const MessageId &id, ProtocolRevision revision, UtcTime since,
                                  const RestartRecord &record);

/// The same from the marker file, if the proxy has no record.
[[nodiscard]] QByteArray verified(const MessageId &id, ProtocolRevision revision, UtcTime since,
                                  const RestartRecord &record, const MarkerReading &reading);

} // namespace InjectedTools
} // namespace Rekindle
