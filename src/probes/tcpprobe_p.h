// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>

#include <QHostAddress>
#include <QHostInfo>
#include <QList>
#include <QSocketNotifier>

#include <memory>

namespace Rekindle {

/// Connects to a port. A name is looked up in a thread of Qt; its addresses are tried in order
/// until one accepts. Then the probe ends the connection in order, so that servers report no reset:
/// it reads and discards what the server sends, until the server has ended the connection, too, or
/// the next start.
class TcpProbe final : public HealthProbe
{
    Q_OBJECT

public:
    TcpProbe(QString host, quint16 port);
    ~TcpProbe() override;

    void start(Duration timeout) override;
    void cancel() override;

private:
    Q_SLOT void lookedUp(const QHostInfo &info);
    void tryNext();
    [[nodiscard]] int connectTo(const QHostAddress &address);
    void tried(int error);
    void endConnection();
    [[nodiscard]] bool discardReceived() const;
    void close();

    QString m_host;
    quint16 m_port;
    QHostAddress m_address; // null for a name
    QList<QHostAddress> m_untried;
    int m_lookup = -1;
    int m_socket = -1;
    std::unique_ptr<QSocketNotifier> m_notifier; // while a connection is being made or ended
};

} // namespace Rekindle
