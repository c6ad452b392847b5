// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QNetworkProxy>
#include <QTcpSocket>

#include <sys/socket.h>

namespace Rekindle {

/// A reserved local port on which no process listens, so that connections are refused.
class ClosedPort
{
public:
    ClosedPort()
    {
        m_socket.setProxy(QNetworkProxy::NoProxy);
        if (!m_socket.bind(QHostAddress::Any, 0, QAbstractSocket::DontShareAddress))
            qFatal("no port for the test: %s", qPrintable(m_socket.errorString()));
    }

    [[nodiscard]] quint16 number() const { return m_socket.localPort(); }

    /// Starts to accept connections.
    [[nodiscard]] bool open() const
    {
        return ::listen(static_cast<int>(m_socket.socketDescriptor()), 16) == 0;
    }

private:
    QTcpSocket m_socket;
};

} // namespace Rekindle
