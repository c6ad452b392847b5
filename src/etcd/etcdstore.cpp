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

using namespace Qt::StringLiterals;

namespace {

// The context gets a result once. `read` reads it from an answer without error.
template<typename Result, typename Read>
auto reporter(QObject *store, QObject *context, std::function<void(const Result &)> callback,
              Read read)
{
    return [store, context = QPointer(context), callback = std::move(callback),
            read = std::move(read)](const EtcdAnswer &answer) {
        Result result;
        result.error = answer.error;
        if (answer.error.isEmpty()) {
            result = read(answer.json);
            if (!result.error.isEmpty())
                result.error = answer.endpoint + ": "_L1 + result.error;
        }
        callLater(context, store, [callback, result = std::move(result)] { callback(result); });
    };
}

} // namespace

EtcdStore::EtcdStore(EtcdOptions options, QObject *parent)
    : FleetStore(parent)
    , m_client(std::make_unique<EtcdClient>(std::move(options)))
{
}

EtcdStore::~EtcdStore() = default;

void EtcdStore::read(const QByteArray &prefix, QObject *context, ReadCallback callback)
{
    const QByteArray &all = m_client->options().prefix;
    const auto readResult = [all](const QJsonObject &json) {
        return EtcdMessages::readResult(json, all);
    };
    EtcdRequest::start(*m_client, m_client->network(),
                       {.path = u"/v3/kv/range"_s, .body = EtcdMessages::range(all + prefix)},
                       reporter(this, context, std::move(callback), readResult));
}

void EtcdStore::commit(const FleetTransaction &transaction, QObject *context,
                       CommitCallback callback)
{
    const auto readResult = [transaction](const QJsonObject &json) {
        return EtcdMessages::commitResult(json, transaction);
    };
    EtcdRequest::start(*m_client, m_client->network(),
                       {.path = u"/v3/kv/txn"_s,
                        .body = EtcdMessages::transaction(transaction, m_client->options().prefix)},
                       reporter(this, context, std::move(callback), readResult));
}

std::unique_ptr<FleetStore::Watch> EtcdStore::watch(const QByteArray &prefix, qint64 afterRevision,
                                                    QObject *context, WatchCallback callback)
{
    return std::make_unique<EtcdWatch>(*m_client, prefix, afterRevision, context,
                                       std::move(callback));
}

} // namespace Rekindle
