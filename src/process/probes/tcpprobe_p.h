// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/io/fdwatcher_p.h"

#include <rekindle/lifecycle/healthprobe.h>

#include <QHostAddress>
#include <QHostInfo>
#include <QList>

namespace Rekindle {

/// Connects, and that is good. An address is tried at once, a name is looked up in a thread of
/// Qt's; of several addresses the first that answers counts. The connection is closed with a reset:
/// ten thousand probes would else leave as many ports waiting for a minute.
class TcpProbe final : public HealthProbe, private FdListener
{
    Q_OBJECT

public:
    TcpProbe(QString host, quint16 port);
    ~TcpProbe() override;

    void start(Duration timeout) override;
    void cancel() override;

private Q_SLOTS:
    void lookedUp(const QHostInfo &info);

private:
    void fdReady(int fd) override;
    void tryNext();
    [[nodiscard]] int connectTo(const QHostAddress &address);
    void tried(int error);
    void close();

    QString m_host;
    quint16 m_port;
    QHostAddress m_address; // null for a name
    QList<QHostAddress> m_untried;
    int m_lookup = -1;
    UniqueFd m_socket;
    std::shared_ptr<FdWatcher> m_watcher; // while the socket is watched
};

} // namespace Rekindle
