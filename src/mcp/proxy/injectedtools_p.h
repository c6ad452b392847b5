// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/mcpmembers_p.h"
#include "mcp/restart/serverhistory_p.h"
#include "wire/messagepeek_p.h"

/// The tools that the proxy offers in addition to the tools of its server.
namespace Rekindle::InjectedTools {

inline constexpr char restartName[] = "restart_server";
inline constexpr char verifyName[] = "verify_server_restarted";

/// The definitions of the selected tools, as JSON objects separated by a comma.
[[nodiscard]] QByteArray definitions(bool restart, bool verify);

/// The response of a server to tools/list, with the injected tools at its end.
[[nodiscard]] QByteArray addedTo(const QByteArray &line, const MessagePeek &peek,
                                 McpProtocol::Revision revision, const QByteArray &definitions);

/// The response of a server to initialize or server/discover, which declares listChanged for its
/// lists, and for tools also if `offersTools`.
[[nodiscard]] QByteArray withListChanged(const QByteArray &line, const MessagePeek &peek,
                                         bool offersTools);

/// The response to a tool call with one text.
[[nodiscard]] QByteArray toolAnswer(const MessageId &id, McpProtocol::Revision revision,
                                    const QString &text, bool isError,
                                    QByteArrayView structured = {});

/// A string argument of tools/call; no value if it is missing or not a string.
[[nodiscard]] std::optional<QString> argument(const QByteArray &line, const MessagePeek &peek,
                                              QByteArrayView name);

/// The response of verify_server_restarted.
[[nodiscard]] QByteArray verified(const MessageId &id, McpProtocol::Revision revision,
                                  const RestartRecord &record, const RestartVerdict &verdict);

} // namespace Rekindle::InjectedTools
