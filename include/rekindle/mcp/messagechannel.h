// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcperror.h>

#include <QByteArray>
#include <QObject>

namespace Rekindle {

/// What carries the messages between a client and one server, a line each. A host may derive its
/// own; that of a process is made by McpAgent. Use it from the thread it lives in.
class REKINDLE_MCP_EXPORT MessageChannel : public QObject
{
    Q_OBJECT

public:
    explicit MessageChannel(QObject *parent = nullptr);
    ~MessageChannel() override;

    /// Takes a message, without a line end. Nothing is received, and nothing lost, before it
    /// returns. The number that it returns grows with each message of a connection; -1: it was not
    /// taken, as there is no connection or too much waits already.
    virtual qint64 send(const QByteArray &line) = 0;

    /// Of the last message of which a byte can have left this process.
    [[nodiscard]] virtual qint64 lastWritten() const = 0;

    [[nodiscard]] virtual bool isOpen() const = 0;

Q_SIGNALS:
    /// A line without its end, whatever it is.
    void received(const QByteArray &line);

    /// A line that is longer than the channel takes; its two ends.
    void receivedTooLong(const QByteArray &firstBytes, const QByteArray &lastBytes, qint64 size);

    /// The connection is over; the error is of the kind Lost. Comes once for each.
    void lost(const Rekindle::McpError &error);
};

} // namespace Rekindle
