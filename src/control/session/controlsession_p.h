// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/session/controlerror_p.h"
#include "wire/lineframer_p.h"
#include "wire/messagewriter_p.h"
#include "wire/outgoingbytes_p.h"

#include <rekindle/control/controlmessages.h>

#include <QSet>

#include <optional>

namespace Rekindle {

/// A request for the host, or the cancellation of an earlier one.
struct ControlCall
{
    MessageId id{};
    std::optional<QByteArray> method{}; ///< empty: cancel the request `id`
    QByteArray params{};                ///< an object, JSON
};

/// The server's side of one connection of the control protocol: bytes in, calls and bytes out. It
/// checks the order of messages and the limits of a client. It has no socket, clock or agents.
class ControlSession
{
public:
    static constexpr int protocol = 1;
    static constexpr qsizetype longestLine = qsizetype{1024} * 1024;
    static constexpr int maxInFlight = 16;
    /// While this much output is unread, no request is read, and a result that was due later
    /// becomes an error.
    static constexpr qsizetype maxOutgoing = qsizetype{4} * 1024 * 1024;
    /// Enough for about 50,000 agents.
    static constexpr qsizetype maxResult = qsizetype{32} * 1024 * 1024;

    /// `host` must outlive the session.
    explicit ControlSession(const HostInfo &host);

    /// Adds bytes of the client. Ignored after isClosing(). Only the next line is split off,
    /// because thousands of short lines use much more memory than their bytes.
    void receive(QByteArrayView bytes);

    /// Whether readLine() has a line to read. Do not receive more before all lines are read.
    [[nodiscard]] bool hasLine() const { return m_line.has_value(); }

    /// Whether readLine() may be called: there is a line, and the client reads its responses.
    [[nodiscard]] bool isReady() const { return hasLine() && m_outgoing.size() < maxOutgoing; }

    /// Reads one line. Returns a call for the host; nothing if the session has already responded.
    [[nodiscard]] std::optional<ControlCall> readLine();

    // Each request that readLine() has returned gets exactly one response. A response to another id
    // is ignored.
    void answer(const MessageId &id, const ControlResponse &response);

    /// Sends a notification. Returns false, and sends nothing, if too much output is unread.
    bool notify(const QByteArray &line);
    bool notify(const char *method, const QByteArray &params)
    {
        return notify(makeNotification(QLatin1String(method), params));
    }

    /// Sends `bye` with this reason; afterwards isClosing().
    void close(QLatin1String reason);

    [[nodiscard]] bool isOpened() const { return m_isOpened; } ///< after hello
    /// Close the connection when outgoing() is empty.
    [[nodiscard]] bool isClosing() const { return m_isClosing; }
    /// Whether notifications are due, so that a connection on which the client only reads stays
    /// open.
    [[nodiscard]] bool isStreaming() const { return m_streams > 0; }
    void addStream() { ++m_streams; }
    void removeStream() { --m_streams; }
    [[nodiscard]] qsizetype inFlight() const { return m_inFlight.size(); }
    /// Whether the client waits for nothing.
    [[nodiscard]] bool isIdle() const { return !isStreaming() && m_inFlight.isEmpty(); }
    [[nodiscard]] OutgoingBytes &outgoing() { return m_outgoing; }

private:
    void splitLine();
    void stopReading();
    std::optional<ControlCall> readTooLong(const FramedLine &line);
    std::optional<ControlCall> readRequest(const QByteArray &line, const MessagePeek &peek);
    std::optional<ControlCall> readNotification(const QByteArray &line, const MessagePeek &peek);
    void readHello(const QByteArray &line, const MessagePeek &peek);
    void reject(const MessageId &id, ControlError::Code code, const QString &message,
                const QByteArray &data = {});
    void rejectAndClose(const MessageId &id, const ControlError &error);
    void send(const QByteArray &line);

    const HostInfo &m_host;
    LineFramer m_framer{longestLine};
    std::optional<FramedLine> m_line; ///< the next line
    QByteArray m_received;            ///< the bytes after it, from m_next
    qsizetype m_next = 0;
    QSet<MessageId> m_inFlight;
    OutgoingBytes m_outgoing;
    bool m_isOpened = false;
    bool m_isClosing = false;
    int m_streams = 0;
};

} // namespace Rekindle
