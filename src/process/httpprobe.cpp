// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "httpprobe_p.h"

#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QNetworkRequest>

#include <utility>

namespace Rekindle {

namespace {

constexpr qint64 mostBytes = 64 * 1024;

QNetworkRequest requestFor(const QUrl &url)
{
    QNetworkRequest request(url);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute,
                         QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute,
                         QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setHeader(QNetworkRequest::UserAgentHeader, QStringLiteral("rekindle"));
    // A server that takes no new connections does not work, however well it serves the old ones.
    request.setRawHeader("Connection", "close");
    return request;
}

} // namespace

HttpProbe::HttpProbe(QUrl url)
    : m_url(std::move(url))
{
}

HttpProbe::~HttpProbe() { cancel(); }

std::shared_ptr<QNetworkAccessManager> HttpProbe::networkOfThisThread()
{
    static thread_local std::weak_ptr<QNetworkAccessManager> current;
    std::shared_ptr<QNetworkAccessManager> network = current.lock();
    if (!network) {
        network = std::make_shared<QNetworkAccessManager>();
        network->setProxy(QNetworkProxy::NoProxy);
        current = network;
    }
    return network;
}

void HttpProbe::start(Duration)
{
    if (!m_network)
        m_network = networkOfThisThread();
    m_bytes = 0;
    m_reply = m_network->get(requestFor(m_url));
    m_reply->setReadBufferSize(mostBytes);
    connect(m_reply, &QNetworkReply::readyRead, this, &HttpProbe::read);
    connect(m_reply, &QNetworkReply::finished, this, [this] { conclude(true); });
}

void HttpProbe::cancel()
{
    QNetworkReply *const reply = std::exchange(m_reply, nullptr);
    if (!reply)
        return;
    reply->disconnect(this);
    reply->abort();
    reply->deleteLater();
}

void HttpProbe::read()
{
    m_bytes += m_reply->readAll().size();
    if (m_bytes > mostBytes)
        conclude(false);
}

void HttpProbe::conclude(bool isWhole)
{
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const bool isBroken = isWhole && m_reply->error() != QNetworkReply::NoError;
    const QString fault = m_reply->errorString();
    cancel();
    const bool ok = status >= 200 && status < 400 && !isBroken;
    if (ok || status >= 400)
        Q_EMIT finished(ok, QStringLiteral("status %1").arg(status));
    else
        Q_EMIT finished(false, fault);
}

} // namespace Rekindle
