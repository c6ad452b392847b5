// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "wire/lineframer_p.h"
#include "wire/messagepeek_p.h"

#include <QString>

namespace Rekindle {

/// Reads the lines of an MCP server and dispatches their messages to a handler, like
/// ClientLineReader. A response that is awaited is accepted even if it is not valid JSON-RPC,
/// because the client may be able to read it.
class ServerLineReader
{
public:
    class Handler
    {
    public:
        virtual void serverRequest(const QByteArray &line, const MessagePeek &peek) = 0;
        virtual void serverNotification(const QByteArray &line, const MessagePeek &peek) = 0;
        /// A response of the server. If the kind is Error, `fault` may be set instead of `error`.
        virtual void serverResponse(const QByteArray &line, const MessagePeek &peek) = 0;
        virtual void serverResponseTooLong(const MessageId &id) = 0;
        /// A message that may have been the response to any request is lost.
        virtual void serverMessageLost(const QString &fault) = 0;
        /// The server gets this error in response to a request that cannot be read.
        virtual void serverRequestRejected(const MessageId &id, int code, const QString &why) = 0;
        /// A line is skipped.
        virtual void serverLineSkipped(const QString &why) = 0;
        /// A response with this id is expected, or was until its request was cancelled.
        [[nodiscard]] virtual bool isAwaited(const MessageId &id) const = 0;

    protected:
        ~Handler() = default;
    };

    explicit ServerLineReader(Handler &handler)
        : m_handler(handler)
    {
    }

    /// Blank lines are ignored.
    void read(const FramedLine &line);
    /// The rest of the stream of a server that has exited. A truncated response is skipped: its
    /// request is then lost with the server, or sent again.
    void readRest(const QByteArray &line);

private:
    void readMessage(const QByteArray &line);
    void readTooLong(const FramedLine &line);
    void readBatch(const QByteArray &line);
    void readInvalid(const QByteArray &line, const MessagePeek &peek);
    void readNotJson(const QByteArray &line, const MessagePeek &peek);
    void skip(const QString &what, const QByteArray &line, const MessagePeek &peek);

    Handler &m_handler;
};

} // namespace Rekindle
