// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "wire/lineframer_p.h"
#include "wire/messagepeek_p.h"

#include <QString>

namespace Rekindle {

/// Reads the lines of an MCP client and dispatches their messages to a handler: by kind, and each
/// message of a batch on its own. A line that is too long, not JSON or not a message is rejected
/// so that no peer waits for a response forever, and no peer gets a response it did not request.
class ClientLineReader
{
public:
    class Handler
    {
    public:
        virtual void clientRequest(const QByteArray &line, const MessagePeek &peek) = 0;
        virtual void clientNotification(const QByteArray &line, const MessagePeek &peek) = 0;
        /// A response of the client; also one that is not strictly valid but that a server may
        /// accept.
        virtual void clientResponse(const QByteArray &line, const MessagePeek &peek) = 0;
        /// The client's response to this request of a server cannot be forwarded.
        virtual void clientResponseFailed(const MessageId &id, const QString &why) = 0;
        /// The client gets this error; `id` may be absent.
        virtual void clientLineRejected(const MessageId &id, int code, const QString &why) = 0;
        /// A server has sent the client a request with this id and waits for the response.
        [[nodiscard]] virtual bool isServerRequestOpen(const MessageId &id) const = 0;

    protected:
        ~Handler() = default;
    };

    /// How the ids of requests to the client are chosen.
    enum class ServerRequestIds {
        FromServer, ///< by the server: the client may use an equal id for a request of its own
        Unique,     ///< by this program: an equal id is certainly a response
    };

    ClientLineReader(Handler &handler, ServerRequestIds ids);

    /// Blank lines are ignored.
    void read(const FramedLine &line);

private:
    void readMessage(const QByteArray &line);
    void readBatch(const QByteArray &line);
    void readInvalid(const QByteArray &line, const MessagePeek &peek);
    void reject(const MessagePeek &ends, int code, const QString &why);

    Handler &m_handler;
    const ServerRequestIds m_ids;
};

/// The fault of a line that exceeds the limit of the framer.
[[nodiscard]] QString tooLongFault(qsizetype size);

} // namespace Rekindle
