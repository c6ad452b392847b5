// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "etcdclient_p.h"

#include <QPointer>
#include <QTimer>

class QNetworkReply;

namespace Rekindle {

/// A stream of etcd with the changes of the keys with a prefix.
class EtcdWatch final : public QObject, public FleetStore::Watch
{
    Q_OBJECT

public:
    EtcdWatch(EtcdClient &client, const QByteArray &keyPrefix, qint64 afterRevision,
              QObject *context, FleetStore::WatchCallback callback);
    ~EtcdWatch() override;

private:
    void begin();
    void open();
    void receive();
    void handle(const QByteArray &line);
    void created(qint64 revision);
    void silent();
    void ended();
    void report(FleetWatchEvent event);
    void lose(const QString &error);
    void end(FleetWatchEvent event);
    void drop();

    QPointer<EtcdClient> m_client; ///< nullptr after the store was deleted
    QNetworkAccessManager m_network;
    QByteArray m_keyPrefix;
    qint64 m_reported; ///< all changes up to this revision
    QPointer<QObject> m_context;
    FleetStore::WatchCallback m_callback;
    QTimer m_silence;
    QNetworkReply *m_reply = nullptr;
    QByteArray m_received;
    QByteArray m_token;
    qsizetype m_endpoint = 0;
    bool m_isCreated = false;  ///< the current stream
    bool m_wasCreated = false; ///< an earlier stream
};

} // namespace Rekindle
