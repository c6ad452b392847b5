// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QNetworkProxy>
#include <QTcpSocket>

#include <sys/socket.h>

namespace Rekindle {

/// A port of this machine that nobody listens on: connections are refused, and it is nobody else's
/// meanwhile.
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

    /// From here on connections are taken.
    [[nodiscard]] bool open() const
    {
        return ::listen(static_cast<int>(m_socket.socketDescriptor()), 16) == 0;
    }

private:
    QTcpSocket m_socket;
};

} // namespace Rekindle
