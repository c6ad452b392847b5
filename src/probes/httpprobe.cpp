// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "httpprobe_p.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QNetworkRequest>

#include <utility>

namespace Rekindle {

namespace {

constexpr qint64 maxBytes = qint64{64} * 1024;

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
    // Each run must find out whether the server accepts new connections.
    request.setRawHeader("Connection", "close");
    return request;
}

} // namespace

HttpProbe::HttpProbe(QUrl url)
    : m_url(std::move(url))
{
}

HttpProbe::~HttpProbe() { cancel(); }

void HttpProbe::start(Duration)
{
    m_bytes = 0;
    QNetworkReply *const reply = m_lease.acquire(m_url).get(requestFor(m_url));
    m_reply = reply;
    reply->setReadBufferSize(maxBytes);
    // Queued because a receiver of finished() may delete the last probe, and with it the manager
    // that owns the reply. Signals of a cancelled reply are ignored.
    const auto connectTo = [this, reply](auto signal, auto act) {
        const auto actIfCurrent = [this, reply, act] {
            if (m_reply == reply)
                act();
        };
        connect(reply, signal, this, actIfCurrent, Qt::QueuedConnection);
    };
    connectTo(&QNetworkReply::readyRead, [this] { read(); });
    connectTo(&QNetworkReply::finished, [this] { conclude(true); });
}

void HttpProbe::cancel()
{
    QNetworkReply *const reply = std::exchange(m_reply, nullptr);
    if (!reply)
        return;
    reply->disconnect(this);
    reply->abort();
    reply->deleteLater();
    m_lease.release();
}

void HttpProbe::read()
{
    m_bytes += m_reply->readAll().size();
    if (m_bytes > maxBytes)
        conclude(false);
}

void HttpProbe::conclude(bool isComplete)
{
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const bool isBroken = isComplete && m_reply->error() != QNetworkReply::NoError;
    const QString fault = m_reply->errorString();
    cancel();
    const bool ok = status >= 200 && status < 400 && !isBroken;
    if (ok || status >= 400)
        Q_EMIT finished(ok, QStringLiteral("status %1").arg(status));
    else
        Q_EMIT finished(false, fault);
}

} // namespace Rekindle
