// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcperror.h>

#include <QByteArray>
#include <QObject>

namespace Rekindle {

/// Carries the messages between a client and one server, one message per line. McpAgent creates the
/// channel of a process. Hosts can derive their own. Use it from the thread it lives in.
class REKINDLE_MCP_EXPORT MessageChannel : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Sends a message, without a line end. received() and lost() are not emitted before it
    /// returns. Returns a number that grows with each message of a connection, or -1 if the message
    /// was not accepted: there is no connection, or too many bytes are waiting.
    virtual qint64 send(const QByteArray &line) = 0;

    /// Returns the number of the last message of which at least one byte can have left this
    /// process.
    [[nodiscard]] virtual qint64 lastWritten() const = 0;

    [[nodiscard]] virtual bool isOpen() const = 0;

Q_SIGNALS:
    /// A line without its end; it need not be a message.
    void received(const QByteArray &line);

    /// A line that is longer than the channel accepts: its first bytes, its last bytes and its
    /// size.
    void receivedTooLong(const QByteArray &firstBytes, const QByteArray &lastBytes, qint64 size);

    /// The connection has ended. The error is of kind Lost. Emitted once for each connection.
    void lost(const Rekindle::McpError &error);
};

} // namespace Rekindle
