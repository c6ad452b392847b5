// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "etcdclient_p.h"
#include "etcdrequest_p.h"

#include <QPointer>

namespace Rekindle {

/// The changes of the keys with a prefix, from a stream of etcd.
class EtcdWatch final : public QObject, public FleetStore::Watch
{
    Q_OBJECT

public:
    EtcdWatch(EtcdClient &client, const QByteArray &prefix, qint64 afterRevision, QObject *context,
              FleetStore::WatchCallback callback);
    ~EtcdWatch() override;

private:
    void begin();
    void handle(const EtcdAnswer &answer);
    void report(FleetWatchEvent event);

    QPointer<EtcdClient> m_client; ///< nullptr after the store was deleted
    QNetworkAccessManager m_network;
    QPointer<EtcdRequest> m_request;
    QByteArray m_prefix;
    qint64 m_reported; ///< all changes up to this revision
    QPointer<QObject> m_context;
    FleetStore::WatchCallback m_callback;
    QTimer m_silence;
    bool m_isRenewed = false;
};

} // namespace Rekindle
