// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

#include <utility>

namespace Rekindle {

/// Answers every request with the same bytes, or not at all.
class HttpServer : public QTcpServer
{
public:
    explicit HttpServer(QByteArray theAnswer, bool closes = true)
        : answer(std::move(theAnswer))
    {
        listen(QHostAddress::LocalHost);
        connect(this, &QTcpServer::newConnection, this, [this, closes] {
            QTcpSocket *const socket = nextPendingConnection();
            ++connections;
            connect(socket, &QTcpSocket::disconnected, socket, [this, socket] {
                --connections;
                socket->deleteLater();
            });
            connect(socket, &QTcpSocket::readyRead, socket, [this, socket, closes] {
                request += socket->readAll();
                if (!request.endsWith("\r\n\r\n"))
                    return;
                ++requests;
                socket->write(answer);
                if (closes)
                    socket->disconnectFromHost();
            });
        });
    }

    [[nodiscard]] QUrl url(const QString &path = QStringLiteral("/health")) const
    {
        return QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(serverPort()).arg(path));
    }

    QByteArray answer;
    QByteArray request; ///< all requests, concatenated
    int requests = 0;
    int connections = 0;
};

} // namespace Rekindle
