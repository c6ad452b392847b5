// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdwatch_p.h"

#include "etcdmessages_p.h"

#include <QNetworkProxy>

#include <utility>

namespace Rekindle {

using namespace Qt::StringLiterals;

EtcdWatch::EtcdWatch(EtcdClient &client, const QByteArray &prefix, qint64 afterRevision,
                     QObject *context, FleetStore::WatchCallback callback)
    : m_client(&client)
    , m_prefix(client.options().prefix + prefix)
    , m_reported(afterRevision)
    , m_context(context)
    , m_callback(std::move(callback))
{
    m_network.setProxy(QNetworkProxy::NoProxy);
    m_silence.setSingleShot(true);
    m_silence.setInterval(client.options().watchRenewal);
    m_silence.callOnTimeout(this, [this] {
        if (m_request == nullptr)
            return;
        m_request->cancel();
        m_isRenewed = true;
        begin();
    });
    begin();
}

EtcdWatch::~EtcdWatch()
{
    if (m_request != nullptr)
        m_request->cancel();
}

void EtcdWatch::begin()
{
    m_request = EtcdRequest::start(*m_client, m_network,
                                   {.kind = EtcdRequest::Kind::Stream,
                                    .path = u"/v3/watch"_s,
                                    .body = EtcdMessages::watch(m_prefix, m_reported + 1)},
                                   [this](const EtcdAnswer &answer) { handle(answer); });
}

void EtcdWatch::handle(const EtcdAnswer &answer)
{
    using Kind = FleetWatchEvent::Kind;
    QString error = answer.error;
    if (error.isEmpty()) {
        EtcdMessages::WatchMessage message =
            EtcdMessages::watchMessage(answer.json, m_client->options().prefix);
        for (FleetWatchEvent &change : message.changes) {
            if (change.revision > m_reported) {
                m_reported = change.revision;
                report(std::move(change));
            }
        }
        if (!message.error.isEmpty()) {
            error = answer.endpoint + ": "_L1 + message.error;
            // Some versions report an invalid token as a missing permission.
            m_client->rejectToken(m_client->token());
        } else if (m_isRenewed && !message.isCompacted
                   && message.revision < m_reported) { // at first, a member may be late
            error = u"%1: expected revision %2 or greater, found %3"_s.arg(answer.endpoint)
                        .arg(m_reported)
                        .arg(message.revision);
        } else if (!message.isCompacted) {
            m_silence.start();
            return;
        }
    }
    m_silence.stop();
    if (m_request != nullptr)
        m_request->cancel();
    FleetWatchEvent end;
    end.kind = error.isEmpty() ? Kind::Compacted : Kind::Lost;
    end.revision = m_reported;
    end.error = error;
    report(std::move(end));
}

void EtcdWatch::report(FleetWatchEvent event)
{
    callLater(m_context, this, [this, event = std::move(event)] {
        if (m_client == nullptr)
            return;
        const FleetStore::WatchCallback callback = m_callback; // it may delete the watch
        callback(event);
    });
}

} // namespace Rekindle
