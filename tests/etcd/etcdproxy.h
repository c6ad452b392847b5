// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

#include <list>
#include <utility>

namespace Rekindle {

/// Stands between the store and etcd, and changes what passes. Without TLS. A request or an answer
/// must be small enough to arrive at once.
class EtcdProxy : public QTcpServer
{
public:
    enum class Mode {
        Pass,
        Drop,          ///< answers do not arrive, and the connection stays
        Close,         ///< the connection is closed instead of the answer
        Cut,           ///< only the first half of an answer arrives
        Hold,          ///< answers wait for release()
        HoldRequest,   ///< requests wait for release(), even if the client does not
        Double,        ///< answers arrive twice
        DoubleRequest, ///< requests arrive twice, and the second answer arrives
        Swallow,       ///< requests do not arrive
    };

    explicit EtcdProxy(quint16 target)
        : m_target(target)
    {
        listen(QHostAddress::LocalHost);
        connect(this, &QTcpServer::newConnection, this,
                [this] { accept(*nextPendingConnection()); });
    }

    [[nodiscard]] QUrl url() const
    {
        return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(serverPort()));
    }

    void release()
    {
        for (const auto &[socket, bytes] : std::exchange(m_held, {})) {
            if (socket != nullptr)
                socket->write(bytes);
        }
    }
    [[nodiscard]] bool holds() const { return !m_held.empty(); }
    /// Closes all connections.
    void breakConnections()
    {
        for (QTcpSocket *const socket : findChildren<QTcpSocket *>())
            socket->abort();
    }

    Mode mode = Mode::Pass;
    int requests = 0; ///< that have arrived with their bodies

private:
    void accept(QTcpSocket &client)
    {
        auto *const server = new QTcpSocket(&client);
        server->connectToHost(QHostAddress(QHostAddress::LocalHost), m_target);
        connect(&client, &QTcpSocket::disconnected, &client, &QObject::deleteLater);
        connect(&client, &QTcpSocket::readyRead, server, [this, &client, server] {
            const QByteArray request = client.readAll();
            requests += static_cast<int>(request.count("POST "));
            if (mode == Mode::HoldRequest) {
                server->setParent(this);
                m_held.emplace_back(server, request);
            }
            if (mode == Mode::Swallow || mode == Mode::HoldRequest)
                return;
            server->write(request);
            if (mode == Mode::DoubleRequest)
                m_again = request;
        });
        connect(server, &QTcpSocket::disconnected, &client, &QTcpSocket::disconnectFromHost);
        connect(server, &QTcpSocket::readyRead, &client,
                [this, &client, server] { answer(client, *server); });
    }
    void answer(QTcpSocket &client, QTcpSocket &server)
    {
        const QByteArray bytes = server.readAll();
        switch (mode) {
        case Mode::Pass:
            client.write(bytes);
            break;
        case Mode::Drop:
        case Mode::Swallow:
        case Mode::HoldRequest:
            break;
        case Mode::Close:
            client.abort();
            break;
        case Mode::Cut:
            client.write(bytes.first(bytes.size() / 2));
            client.disconnectFromHost();
            break;
        case Mode::Hold:
            m_held.emplace_back(&client, bytes);
            break;
        case Mode::Double:
            client.write(bytes + bytes);
            break;
        case Mode::DoubleRequest:
            if (const QByteArray again = std::exchange(m_again, {}); !again.isEmpty())
                server.write(again);
            else
                client.write(bytes);
            break;
        }
    }

    quint16 m_target;
    std::list<std::pair<QPointer<QTcpSocket>, QByteArray>> m_held;
    QByteArray m_again;
};

} // namespace Rekindle
