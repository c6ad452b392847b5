// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "exposition.h"

#include <rekindle/metrics/metricsserver.h>

#include <QSemaphore>
#include <QTcpSocket>
#include <QTest>
#include <QThreadPool>

#include <sys/socket.h>

namespace Rekindle {

inline constexpr int patience = 30'000;

inline QByteArray requestOf(const QByteArray &path)
{
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

inline QByteArray statusOf(const QByteArray &response) { return response.mid(9, 3); }

inline QByteArray bodyOf(const QByteArray &response)
{
    return response.mid(response.indexOf("\r\n\r\n") + 4);
}

/// Reads until the server closes the connection.
inline bool readToEnd(QTcpSocket &socket, QByteArray &response)
{
    const bool ended = QTest::qWaitFor(
        [&] {
            response += socket.readAll();
            return socket.state() == QAbstractSocket::UnconnectedState;
        },
        patience);
    response += socket.readAll();
    return ended;
}

/// Closes the client's direction of the connection, as `nc -N` does.
inline void closeDirection(QTcpSocket &socket)
{
    if (!socket.flush() || ::shutdown(static_cast<int>(socket.socketDescriptor()), SHUT_WR) != 0)
        qFatal("cannot close a direction");
}

/// Occupies the threads of Qt's global pool, so that no response to /metrics is created.
class OccupiedPool
{
public:
    OccupiedPool()
    {
        for (int i = 0; i < m_count; ++i)
            QThreadPool::globalInstance()->start([end = m_end] { end->acquire(); });
    }
    ~OccupiedPool() { m_end->release(m_count); }
    Q_DISABLE_COPY_MOVE(OccupiedPool)

private:
    const int m_count = QThreadPool::globalInstance()->maxThreadCount();
    const std::shared_ptr<QSemaphore> m_end = std::make_shared<QSemaphore>();
};

/// A stage with a server on a real port. The time limits of the server use virtual time.
class ServedStage : public CollectedStage
{
public:
    ServedStage()
    {
        if (server.listen(QHostAddress(QHostAddress::LocalHost), 0))
            qFatal("cannot listen");
    }

    [[nodiscard]] std::unique_ptr<QTcpSocket> connected() const
    {
        auto socket = std::make_unique<QTcpSocket>();
        socket->connectToHost(server.address(), server.port());
        if (!QTest::qWaitFor([&] { return socket->state() == QAbstractSocket::ConnectedState; },
                             patience))
            qFatal("cannot connect");
        return socket;
    }

    [[nodiscard]] QByteArray exchange(const QByteArray &request) const
    {
        const std::unique_ptr<QTcpSocket> socket = connected();
        socket->write(request);
        QByteArray response;
        return readToEnd(*socket, response) ? response
                                            : QByteArray("the connection was not closed");
    }

    [[nodiscard]] QByteArray get(const QByteArray &path) const { return exchange(requestOf(path)); }

    MetricsServer server{supervisor, collector};
};

} // namespace Rekindle
