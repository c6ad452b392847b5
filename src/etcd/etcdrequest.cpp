// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdrequest_p.h"

#include "etcdclient_p.h"
#include "etcdmessages_p.h"

#include <json/jsonnode.h>

#include <QJsonDocument>

#include <utility>

namespace Rekindle {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype maxAnswer = qsizetype{16} * 1024 * 1024;
constexpr qint64 maxUnread = qint64{1} * 1024 * 1024;

} // namespace

EtcdRequest::EtcdRequest(EtcdClient &client, QNetworkAccessManager &network, Call call,
                         Callback callback)
    : QObject(&client)
    , m_client(client)
    , m_network(network)
    , m_call(std::move(call))
    , m_callback(std::move(callback))
    , m_endpoint(client.preferred())
    , m_remaining(client.options().endpoints.size())
{
    for (QTimer *const timer : {&m_limit, &m_step}) {
        timer->setSingleShot(true);
        timer->setTimerType(Qt::PreciseTimer);
    }
    connect(&m_step, &QTimer::timeout, this, [this] { fail(u"no answer"_s); });
    connect(&m_limit, &QTimer::timeout, this,
            [this] { fail(u"no answer within %1 ms"_s.arg(m_client.options().timeout.count())); });
}

EtcdRequest *EtcdRequest::start(EtcdClient &client, QNetworkAccessManager &network, Call call,
                                Callback callback)
{
    auto *const request = new EtcdRequest(client, network, std::move(call), std::move(callback));
    request->m_limit.start(client.options().timeout);
    request->attempt();
    return request;
}

void EtcdRequest::attempt()
{
    if (!m_client.fault().isEmpty()) {
        end(m_client.fault());
    } else if (m_client.lacksToken() && m_call.kind != Kind::Authentication) {
        const auto continueWith = [this](const QString &error) {
            error.isEmpty() ? send() : end(error);
        };
        connect(&m_client, &EtcdClient::authenticated, this, continueWith,
                Qt::SingleShotConnection);
        m_client.authenticate();
    } else {
        send();
    }
}

void EtcdRequest::send()
{
    --m_remaining;
    m_token = m_client.token();
    m_received.clear();
    m_reply = m_network.post(m_client.request(m_endpoint, m_call.path), m_call.body);
    m_reply->setReadBufferSize(maxUnread);
    connect(m_reply, &QNetworkReply::readyRead, this, &EtcdRequest::receive);
    connect(m_reply, &QNetworkReply::finished, this, &EtcdRequest::conclude);
    if (m_remaining > 0)
        m_step.start(m_limit.remainingTime() / 2);
}

void EtcdRequest::receive()
{
    m_received += m_reply->readAll();
    if (m_call.kind == Kind::Stream)
        receiveLines();
    if (m_reply != nullptr && m_received.size() > maxAnswer)
        fail(u"an answer has more than 16 MiB"_s);
}

void EtcdRequest::receiveLines()
{
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    for (qsizetype end = 0; m_reply != nullptr && (end = m_received.indexOf('\n')) >= 0;) {
        const QByteArray line = m_received.first(end);
        m_received.remove(0, end + 1);
        if (!line.isEmpty())
            handle(line, status);
    }
}

void EtcdRequest::conclude()
{
    receive();
    if (m_reply == nullptr)
        return;
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status < 400 && m_reply->error() != QNetworkReply::NoError)
        fail(m_reply->errorString());
    else if (m_received.isEmpty() && m_call.kind == Kind::Stream)
        fail(u"the stream ended"_s);
    else
        handle(m_received, status);
}

void EtcdRequest::handle(const QByteArray &answer, int status)
{
    const QJsonObject json = QJsonDocument::fromJson(answer).object();
    QString error = EtcdMessages::errorOf(json);
    if (error.isEmpty() && status >= 400)
        error = u"HTTP status %1 %2"_s.arg(status)
                    .arg(printable(QString::fromUtf8(answer).simplified()))
                    .trimmed();
    else if (error.isEmpty() && (status != 200 || json.isEmpty()))
        error = u"expected an answer of etcd, found another one"_s;
    if (error.isEmpty()) {
        m_step.stop();
        m_limit.stop();
        if (m_call.kind != Kind::Stream)
            cancel();
        m_callback({.json = json, .endpoint = m_client.name(m_endpoint)});
    } else if (EtcdMessages::isTokenInvalid(error)
               && m_limit.isActive() // not in a stream that has begun: its reader opens it again
               && !std::exchange(m_isTokenRenewed, true)) {
        drop();
        m_client.rejectToken(m_token);
        ++m_remaining;
        attempt();
    } else if (status >= 400 && status < 500) {
        end(m_client.name(m_endpoint) + ": "_L1 + error);
    } else {
        fail(error);
    }
}

void EtcdRequest::fail(const QString &error)
{
    // A stream that has begun is not repeated: its reader must decide where it continues.
    const bool isRepeated = m_remaining > 0 && m_limit.isActive();
    drop();
    m_errors.append(m_client.name(m_endpoint) + ": "_L1 + error);
    m_client.avoid(m_endpoint);
    m_endpoint = (m_endpoint + 1) % m_client.options().endpoints.size();
    if (isRepeated)
        attempt();
    else
        end(m_errors.join("; "_L1));
}

void EtcdRequest::end(const QString &error)
{
    cancel();
    m_callback({.error = error});
}

void EtcdRequest::cancel()
{
    drop();
    m_limit.stop();
    disconnect(&m_client, nullptr, this, nullptr); // it may wait for a token
    deleteLater();
}

void EtcdRequest::drop()
{
    m_step.stop();
    QNetworkReply *const reply = m_reply;
    if (reply == nullptr)
        return;
    m_reply.clear();
    reply->disconnect(this);
    reply->abort();
    reply->deleteLater();
}

} // namespace Rekindle
