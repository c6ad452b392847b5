// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"
#include "control/socket/socketaddress_p.h"
#include "wire/messagewriter_p.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <array>
#include <cerrno>

namespace Rekindle {

/// A client that reads and writes a socket without the event loop.
class SocketClient
{
public:
    explicit SocketClient(const QString &path)
        : m_socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        const std::optional<SocketAddress> address = SocketAddress::of(path);
        m_isConnected = address && ::connect(m_socket.get(), address->get(), address->size()) == 0;
    }

    [[nodiscard]] bool isConnected() const { return m_isConnected; }

    void send(const QByteArray &bytes) const
    {
        QCOMPARE(::send(m_socket.get(), bytes.constData(), static_cast<size_t>(bytes.size()),
                        MSG_NOSIGNAL),
                 bytes.size());
    }

    void request(int id, const char *method, const QByteArray &params = "{}") const
    {
        send(makeRequest(QByteArray::number(id), QLatin1String(method), params) + '\n');
    }

    void hello() { request(0, "hello", "{\"protocols\":[1],\"client\":\"test\"}"); }

    /// Runs the event loop until a line has arrived; empty if the server has closed the connection.
    QByteArray line()
    {
        if (!QTest::qWaitFor([this] { return hasLine(); }, 30'000))
            return "no line";
        const qsizetype size = m_received.indexOf('\n') + 1;
        const QByteArray first = m_received.left(size);
        m_received.remove(0, size);
        return first;
    }

    /// Whether a line has arrived, without running the event loop.
    [[nodiscard]] bool hasArrived() { return hasLine() && m_received.contains('\n'); }

    QJsonObject message() { return QJsonDocument::fromJson(line()).object(); }
    QJsonValue result() { return message().value(QLatin1String("result")); }
    QJsonObject error() { return message().value(QLatin1String("error")).toObject(); }

    /// Blocks until bytes have arrived. Returns false if the connection has ended. For a process
    /// without an event loop.
    [[nodiscard]] bool waitForBytes() const
    {
        std::array<char, 65536> part{};
        return ::recv(m_socket.get(), part.data(), part.size(), 0) > 0;
    }

    void closeAll() { m_socket.reset(); }
    void closeWriting() const { ::shutdown(m_socket.get(), SHUT_WR); }

private:
    bool hasLine()
    {
        if (m_received.contains('\n'))
            return true;
        std::array<char, 65536> part{};
        const ssize_t count = ::recv(m_socket.get(), part.data(), part.size(), MSG_DONTWAIT);
        if (count > 0)
            m_received.append(part.data(), count);
        m_isAtEnd = count == 0 || (count < 0 && errno != EAGAIN);
        return m_received.contains('\n') || m_isAtEnd;
    }

    UniqueFd m_socket;
    bool m_isConnected = false;
    bool m_isAtEnd = false;
    QByteArray m_received;
};

} // namespace Rekindle
