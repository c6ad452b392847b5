// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdclient_p.h"

#include "etcdmessages_p.h"
#include "etcdrequest_p.h"
#include "etcdtls_p.h"

#include <QNetworkProxy>

#include <utility>

namespace Rekindle {

EtcdClient::EtcdClient(EtcdOptions options)
    : m_options(std::move(options))
    , m_fault(m_options.faults().join(QLatin1String("; ")))
    , m_tls(readEtcdTls(m_options).configuration)
{
    prepare(m_network);
}

void EtcdClient::prepare(QNetworkAccessManager &network)
{
    network.setProxy(QNetworkProxy::NoProxy);
}

void EtcdClient::avoid(qsizetype endpoint)
{
    if (m_preferred == endpoint)
        m_preferred = (endpoint + 1) % m_options.endpoints.size();
}

QString EtcdClient::name(qsizetype endpoint) const
{
    return m_options.endpoints.at(endpoint).toDisplayString(QUrl::StripTrailingSlash);
}

QNetworkRequest EtcdClient::request(qsizetype endpoint, const QString &path) const
{
    QUrl url = m_options.endpoints.at(endpoint);
    url.setPath(path);
    QNetworkRequest request(url);
    request.setSslConfiguration(m_tls);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute,
                         QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute,
                         QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    request.setHeader(QNetworkRequest::UserAgentHeader, QStringLiteral("rekindle"));
    request.setRawHeader("Accept-Encoding", "identity"); // a compressed answer has no size limit
    // Without it, a member without a leader answers after 7 s, and its watches never end.
    request.setRawHeader("Grpc-Metadata-hasleader", "true");
    if (!token().isEmpty())
        request.setRawHeader("Authorization", token());
    return request;
}

void EtcdClient::rejectToken(const QByteArray &token)
{
    if (m_token == token)
        m_token.reset();
}

void EtcdClient::authenticate()
{
    if (std::exchange(m_isAuthenticating, true))
        return;
    EtcdRequest::post(*this,
                      {.path = EtcdRequest::authenticatePath(),
                       .body = EtcdMessages::credentials(m_options.user, m_options.password),
                       .canRepeat = true},
                      [this](const EtcdAnswer &answer) {
                          m_isAuthenticating = false;
                          const QByteArray token =
                              answer.json.value(QLatin1String("token")).toString().toLatin1();
                          // As in etcd's own client, so that authentication can be enabled later.
                          const bool isNotEnabled =
                              answer.error.endsWith(QLatin1String("authentication is not enabled"));
                          if (!token.isEmpty() || isNotEnabled)
                              m_token = token;
                          const QString missing =
                              QStringLiteral("expected a token, found another answer");
                          Q_EMIT authenticated(m_token                      ? QString()
                                                   : answer.error.isEmpty() ? missing
                                                                            : answer.error);
                      });
}

} // namespace Rekindle
