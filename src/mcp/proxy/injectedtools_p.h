// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/messagepeek_p.h"
#include "proxyerrors_p.h"
#include "restartmarker_p.h"

#include <QStringList>

namespace Rekindle {

/// The two tools that the proxy offers beside those of its server (spec 9, S4 3 and 4).
namespace InjectedTools {

inline constexpr char restartName[] = "restart_server";
inline constexpr char verifyName[] = "verify_server_restarted";

/// What verify_server_restarted answers from.
struct RestartRecord
{
    quint64 generation = 0; ///< of the server that runs, or ran last
    qint64 processId = 0;   ///< of that
    qint64 oldProcessId = 0;
    bool isRunning = false;
    UtcTime startedAt{};
    std::optional<RestartMarker> lastRestart{}; ///< what this proxy has seen itself
    QString lastEnd{};                          ///< in words; empty if none has ended
    bool handshakeDone = false;
    QStringList toolsAdded{}; ///< by the last restart, as far as the lists were compared
    QStringList toolsRemoved{};
};

/// Both, or the one that is wanted, as JSON objects separated by a comma; empty if none.
[[nodiscard]] QByteArray definitions(bool restart, bool verify);

/// The answer to tools/list of a server that has no tools.
[[nodiscard]] QByteArray onlyOurs(const MessageId &id, ProtocolEra era);

/// The answer of a server to tools/list with our tools at its end.
[[nodiscard]] QByteArray addedTo(const QByteArray &line, const MessagePeek &peek, ProtocolEra era,
                                 const QByteArray &definitions);

/// The answer to initialize or server/discover: list_changed is announced for what the server
/// has, and for tools also if `offersTools`.
[[nodiscard]] QByteArray withListChanged(const QByteArray &line, const MessagePeek &peek,
                                         bool offersTools);

/// The result of a tool: one text.
[[nodiscard]] QByteArray toolAnswer(const MessageId &id, ProtocolEra era, const QString &text,
                                    bool isError, QByteArrayView structured = {});

/// A string among the arguments of tools/call; nothing if it is missing or no string.
[[nodiscard]] std::optional<QString> argument(const QByteArray &line, const MessagePeek &peek,
                                              QByteArrayView name);

/// The answer of verify_server_restarted from what the proxy knows, if it has seen a restart.
[[nodiscard]] QByteArray verified(const MessageId &id, ProtocolEra era, UtcTime since,
                                  const RestartRecord &record);

/// The same from the marker file, where the proxy is new.
[[nodiscard]] QByteArray verified(const MessageId &id, ProtocolEra era, UtcTime since,
                                  const RestartRecord &record, const MarkerReading &reading);

} // namespace InjectedTools
} // namespace Rekindle
