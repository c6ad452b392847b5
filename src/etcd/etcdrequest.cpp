// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdrequest_p.h"

#include "etcdclient_p.h"
#include "etcdmessages_p.h"

#include <QJsonDocument>
#include <QNetworkReply>

#include <algorithm>
#include <cstring>
#include <utility>

namespace Rekindle {

/// A body that can be read once. Otherwise QNetworkAccessManager sends a request again if the
/// connection ends before the answer. It is not read before there is a connection.
class EtcdUpload final : public QIODevice
{
public:
    explicit EtcdUpload(QByteArray body)
        : m_body(std::move(body))
    {
        open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    }

    [[nodiscard]] bool wasRead() const { return m_offset > 0; }
    [[nodiscard]] bool isSequential() const override { return true; }
    [[nodiscard]] bool atEnd() const override { return m_offset == m_body.size(); }
    [[nodiscard]] qint64 bytesAvailable() const override { return m_body.size() - m_offset; }

protected:
    qint64 readData(char *data, qint64 size) override
    {
        const qsizetype count = std::min(size, bytesAvailable());
        if (count == 0)
            return -1;
        std::memcpy(data, m_body.constData() + m_offset, static_cast<std::size_t>(count));
        m_offset += count;
        return count;
    }
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    QByteArray m_body;
    qsizetype m_offset = 0;
};

QString EtcdRequest::authenticatePath() { return QStringLiteral("/v3/auth/authenticate"); }

void EtcdRequest::post(EtcdClient &client, Call call, Callback callback)
{
    (new EtcdRequest(client, std::move(call), std::move(callback)))->attempt();
}

EtcdRequest::EtcdRequest(EtcdClient &client, Call call, Callback callback)
    : QObject(&client)
    , m_client(client)
    , m_call(std::move(call))
    , m_callback(std::move(callback))
    , m_endpoint(client.preferred())
{
    for (QTimer *const timer : {&m_limit, &m_step}) {
        timer->setSingleShot(true);
        timer->setTimerType(Qt::PreciseTimer);
    }
    connect(&m_limit, &QTimer::timeout, this, &EtcdRequest::expired);
    connect(&m_step, &QTimer::timeout, this, &EtcdRequest::stepExpired);
    m_limit.start(client.options().timeout);
}

void EtcdRequest::attempt()
{
    if (!m_client.fault().isEmpty()) {
        conclude({.error = m_client.fault()});
    } else if (m_client.lacksToken() && m_call.path != authenticatePath()) {
        const auto continueWith = [this](const QString &error) {
            error.isEmpty() ? send() : conclude({.error = error});
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
    m_token = m_client.token();
    m_answer.clear();
    QNetworkRequest request = m_client.request(m_endpoint, m_call.path);
    if (m_call.canRepeat) {
        m_reply = m_client.network().post(request, m_call.body);
    } else {
        request.setHeader(QNetworkRequest::ContentLengthHeader, m_call.body.size());
        request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
        m_upload = new EtcdUpload(m_call.body);
        m_reply = m_client.network().post(request, m_upload);
        m_upload->setParent(m_reply);
    }
    m_reply->setReadBufferSize(maxEtcdUnread);
    connect(m_reply, &QNetworkReply::readyRead, this, &EtcdRequest::receive);
    connect(m_reply, &QNetworkReply::finished, this, &EtcdRequest::answered);
    // An endpoint that does not answer leaves enough time for the others.
    if (m_attempts + 1 < m_client.options().endpoints.size())
        m_step.start(m_limit.remainingTime() / 2);
}

void EtcdRequest::receive()
{
    m_answer += m_reply->readAll();
    if (m_answer.size() > maxEtcdMessage)
        attemptFailed(QStringLiteral("the answer has more than 16 MiB"));
}

void EtcdRequest::answered()
{
    receive();
    if (m_reply == nullptr)
        return;
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QJsonObject json = QJsonDocument::fromJson(m_answer).object();
    QString error;
    if (status >= 400) {
        error = EtcdMessages::errorOf(json);
        if (error.isEmpty())
            error = QStringLiteral("HTTP status %1").arg(status);
    } else if (m_reply->error() != QNetworkReply::NoError) {
        error = m_reply->errorString();
    } else if (status != 200 || json.isEmpty()) {
        error = QStringLiteral("expected an answer of etcd, found another one");
    }
    if (error.isEmpty()) {
        conclude({.json = json});
    } else if (EtcdMessages::needsToken(error) && !m_client.options().user.isEmpty()
               && !std::exchange(m_isTokenRenewed, true)) {
        drop();
        m_client.rejectToken(m_token);
        attempt();
    } else if (status >= 400 && status < 500) {
        conclude({.error = m_client.name(m_endpoint) + QLatin1String(": ") + error});
    } else {
        attemptFailed(error);
    }
}

bool EtcdRequest::mayHaveArrived() const { return m_upload == nullptr || m_upload->wasRead(); }

void EtcdRequest::stepExpired()
{
    if (m_reply != nullptr && (m_call.canRepeat || !mayHaveArrived()))
        attemptFailed(QStringLiteral("no answer"));
}

void EtcdRequest::expired()
{
    m_attempts = m_client.options().endpoints.size();
    attemptFailed(QStringLiteral("no answer within %1 ms").arg(m_client.options().timeout.count()));
}

void EtcdRequest::attemptFailed(const QString &error)
{
    m_errors.append(m_client.name(m_endpoint) + QLatin1String(": ") + error);
    const bool canContinue = m_call.canRepeat || !mayHaveArrived();
    const qsizetype count = m_client.options().endpoints.size();
    drop();
    m_client.avoid(m_endpoint);
    m_endpoint = (m_endpoint + 1) % count;
    if (canContinue && ++m_attempts < count)
        attempt();
    else
        conclude({.error = m_errors.join(QLatin1String("; "))});
}

void EtcdRequest::conclude(const EtcdAnswer &answer)
{
    drop();
    m_limit.stop();
    disconnect(&m_client, nullptr, this, nullptr); // it may wait for a token
    deleteLater();
    m_callback(answer);
}

void EtcdRequest::drop()
{
    m_step.stop();
    m_upload = nullptr;
    QNetworkReply *const reply = std::exchange(m_reply, nullptr);
    if (reply == nullptr)
        return;
    reply->disconnect(this);
    reply->abort();
    reply->deleteLater();
}

} // namespace Rekindle
