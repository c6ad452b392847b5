// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/etcd/etcdstore.h>

#include "etcdclient_p.h"
#include "etcdmessages_p.h"
#include "etcdrequest_p.h"
#include "etcdwatch_p.h"

#include <QPointer>

#include <utility>

namespace Rekindle {

EtcdStore::EtcdStore(EtcdOptions options, QObject *parent)
    : FleetStore(parent)
    , m_client(std::make_unique<EtcdClient>(std::move(options)))
{
}

EtcdStore::~EtcdStore() = default;

void EtcdStore::callLater(QObject *context, std::function<void()> call)
{
    if (context == nullptr)
        return;
    const auto callIfAlive = [store = QPointer(this), call = std::move(call)] {
        if (store != nullptr)
            call();
    };
    QMetaObject::invokeMethod(context, callIfAlive, Qt::QueuedConnection);
}

void EtcdStore::read(const QByteArray &prefix, QObject *context, ReadCallback callback)
{
    EtcdRequest::post(
        *m_client,
        {.path = QStringLiteral("/v3/kv/range"),
         .body = EtcdMessages::range(m_client->options().prefix + prefix),
         .canRepeat = true},
        [this, context = QPointer(context),
         callback = std::move(callback)](const EtcdAnswer &answer) {
            FleetReadResult result{.error = answer.error};
            if (answer.error.isEmpty())
                result = EtcdMessages::readResult(answer.json, m_client->options().prefix);
            callLater(context, [callback, result = std::move(result)] { callback(result); });
        });
}

void EtcdStore::commit(const FleetTransaction &transaction, QObject *context,
                       CommitCallback callback)
{
    EtcdRequest::post(*m_client,
                      {.path = QStringLiteral("/v3/kv/txn"),
                       .body = EtcdMessages::transaction(transaction, m_client->options().prefix)},
                      [this, transaction, context = QPointer(context),
                       callback = std::move(callback)](const EtcdAnswer &answer) {
                          FleetCommitResult result{.error = answer.error};
                          if (answer.error.isEmpty())
                              result = EtcdMessages::commitResult(answer.json, transaction);
                          callLater(context,
                                    [callback, result = std::move(result)] { callback(result); });
                      });
}

std::unique_ptr<FleetStore::Watch> EtcdStore::watch(const QByteArray &prefix, qint64 afterRevision,
                                                    QObject *context, WatchCallback callback)
{
    return std::make_unique<EtcdWatch>(*m_client, prefix, afterRevision, context,
                                       std::move(callback));
}

} // namespace Rekindle
