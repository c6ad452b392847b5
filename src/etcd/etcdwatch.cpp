// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdwatch_p.h"

#include "etcdmessages_p.h"

#include <QNetworkReply>

#include <utility>

namespace Rekindle {

using EtcdMessages::WatchMessage;

EtcdWatch::EtcdWatch(EtcdClient &client, const QByteArray &keyPrefix, qint64 afterRevision,
                     QObject *context, FleetStore::WatchCallback callback)
    : m_client(&client)
    , m_keyPrefix(client.options().prefix + keyPrefix)
    , m_reported(afterRevision)
    , m_context(context)
    , m_callback(std::move(callback))
    , m_endpoint(client.preferred())
{
    EtcdClient::prepare(m_network);
    m_silence.setSingleShot(true);
    connect(&m_silence, &QTimer::timeout, this, &EtcdWatch::silent);
    connect(&client, &QObject::destroyed, this, &EtcdWatch::drop);
    begin();
}

EtcdWatch::~EtcdWatch() { drop(); }

void EtcdWatch::begin()
{
    m_isCreated = false;
    m_silence.start(m_client->options().timeout);
    if (!m_client->fault().isEmpty()) {
        lose(m_client->fault());
    } else if (m_client->lacksToken()) {
        const auto continueWith = [this](const QString &error) {
            error.isEmpty() ? open() : lose(error);
        };
        connect(m_client, &EtcdClient::authenticated, this, continueWith, Qt::SingleShotConnection);
        m_client->authenticate();
    } else {
        open();
    }
}

void EtcdWatch::open()
{
    m_token = m_client->token();
    m_received.clear();
    m_reply = m_network.post(m_client->request(m_endpoint, QStringLiteral("/v3/watch")),
                             EtcdMessages::watch(m_keyPrefix, m_reported + 1));
    m_reply->setReadBufferSize(maxEtcdUnread);
    connect(m_reply, &QNetworkReply::readyRead, this, &EtcdWatch::receive);
    connect(m_reply, &QNetworkReply::finished, this, &EtcdWatch::ended);
}

void EtcdWatch::receive()
{
    const qsizetype searched = m_received.size();
    m_received += m_reply->readAll();
    qsizetype begin = 0;
    for (qsizetype end = m_received.indexOf('\n', searched); end >= 0 && m_reply != nullptr;
         end = m_received.indexOf('\n', begin)) {
        handle(m_received.sliced(begin, end - begin));
        begin = end + 1;
    }
    m_received.remove(0, begin);
    if (m_reply != nullptr && m_received.size() > maxEtcdMessage)
        lose(QStringLiteral("a message has more than 16 MiB"));
}

void EtcdWatch::handle(const QByteArray &line)
{
    if (line.isEmpty())
        return;
    const QByteArray &prefix = m_client->options().prefix;
    const WatchMessage message = EtcdMessages::watchMessage(line, prefix);
    switch (message.kind) {
    case WatchMessage::Kind::Created:
        created(message.revision);
        return;
    case WatchMessage::Kind::Changes:
        m_silence.start();
        for (const FleetWatchEvent &change : message.changes) {
            if (change.revision > m_reported) {
                m_reported = change.revision;
                report(change);
            }
        }
        return;
    case WatchMessage::Kind::Compacted:
        end({.kind = FleetWatchEvent::Kind::Compacted});
        return;
    case WatchMessage::Kind::Canceled:
        // Some versions report an invalid token as a missing permission.
        m_client->rejectToken(m_token);
        lose(message.error.isEmpty() ? QStringLiteral("etcd ended the watch") : message.error);
        return;
    case WatchMessage::Kind::Invalid:
        lose(QStringLiteral("expected a message of a watch, found another one"));
        return;
    }
}

void EtcdWatch::created(qint64 revision)
{
    // A member may be late at first.
    if (m_wasCreated && revision < m_reported) {
        lose(QStringLiteral("expected revision %1 or greater, found %2")
                 .arg(m_reported)
                 .arg(revision));
        return;
    }
    m_isCreated = true;
    m_wasCreated = true;
    m_silence.start(m_client->options().watchRenewal);
}

void EtcdWatch::silent()
{
    if (m_isCreated) {
        drop();
        begin();
    } else {
        lose(QStringLiteral("no answer within %1 ms").arg(m_client->options().timeout.count()));
    }
}

void EtcdWatch::ended()
{
    receive();
    if (m_reply == nullptr)
        return;
    // The answer of a request that was rejected is one object, without a line feed.
    const WatchMessage message = EtcdMessages::watchMessage(m_received, m_client->options().prefix);
    if (message.kind == WatchMessage::Kind::Canceled)
        handle(m_received);
    else
        lose(m_reply->error() == QNetworkReply::NoError ? QStringLiteral("etcd ended the watch")
                                                        : m_reply->errorString());
}

void EtcdWatch::report(FleetWatchEvent event)
{
    if (m_context == nullptr)
        return;
    const auto call = [watch = QPointer(this), event = std::move(event)] {
        if (watch == nullptr || watch->m_client == nullptr)
            return;
        const FleetStore::WatchCallback callback = watch->m_callback; // may delete the watch
        callback(event);
    };
    QMetaObject::invokeMethod(m_context, call, Qt::QueuedConnection);
}

void EtcdWatch::lose(const QString &error)
{
    const bool isFault = !m_client->fault().isEmpty();
    if (!isFault)
        m_client->avoid(m_endpoint);
    end({.kind = FleetWatchEvent::Kind::Lost,
         .error = isFault ? error : m_client->name(m_endpoint) + QLatin1String(": ") + error});
}

void EtcdWatch::end(FleetWatchEvent event)
{
    drop();
    disconnect(m_client, nullptr, this, nullptr);
    event.revision = m_reported;
    report(std::move(event));
}

void EtcdWatch::drop()
{
    m_silence.stop();
    QNetworkReply *const reply = std::exchange(m_reply, nullptr);
    if (reply == nullptr)
        return;
    reply->disconnect(this);
    reply->abort();
    reply->deleteLater();
}

} // namespace Rekindle
