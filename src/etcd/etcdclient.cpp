// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdclient_p.h"

#include "etcdmessages_p.h"
#include "etcdrequest_p.h"

#include <QFile>
#include <QNetworkProxy>
#include <QPointer>
#include <QSslCertificate>
#include <QSslKey>

#include <utility>

namespace Rekindle {

using namespace Qt::StringLiterals;

namespace {

void addFault(QList<Fault> &faults, const QString &path, const QString &expected,
              const QString &found)
{
    const QString text = u"expected %1, found %2"_s;
    faults.append({path, text.arg(expected, found.isEmpty() ? u"none"_s : found)});
}

bool isBase(const QUrl &url)
{
    const bool isHttp = url.scheme() == "http"_L1 || url.scheme() == "https"_L1;
    const QUrl::FormattingOptions others = QUrl::RemoveScheme | QUrl::RemoveAuthority;
    return isHttp && url.userInfo().isEmpty() && !url.host().isEmpty() && url.port() > 0
        && QStringList{QString(), u"/"_s}.contains(url.toString(others));
}

QSslKey readKey(const QString &name)
{
    QFile file(name);
    const QByteArray text =
        !name.isEmpty() && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    const QSslKey key(text, QSsl::Ec);
    return key.isNull() ? QSslKey(text, QSsl::Rsa) : key;
}

QSslConfiguration readTls(const EtcdOptions &options, QList<Fault> &faults)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    const auto readCertificates = [&faults](const QString &path, const QString &file) {
        const QList<QSslCertificate> all =
            file.isEmpty() ? QList<QSslCertificate>() : QSslCertificate::fromPath(file);
        if (all.isEmpty())
            addFault(faults, path, u"a PEM file with certificates"_s, file);
        return all;
    };
    if (!options.caFile.isEmpty())
        tls.setCaCertificates(readCertificates(u"/caFile"_s, options.caFile));
    if (options.certificateFile.isEmpty() && options.keyFile.isEmpty())
        return tls;
    tls.setLocalCertificateChain(readCertificates(u"/certificateFile"_s, options.certificateFile));
    tls.setPrivateKey(readKey(options.keyFile));
    if (tls.privateKey().isNull())
        addFault(faults, u"/keyFile"_s, u"a PEM file with an RSA or EC key without password"_s,
                 options.keyFile);
    return tls;
}

} // namespace

QList<Fault> EtcdOptions::faults() const
{
    QList<Fault> all;
    if (endpoints.isEmpty())
        addFault(all, u"/endpoints"_s, u"at least one URL"_s, {});
    for (qsizetype i = 0; i < endpoints.size(); ++i) {
        if (!isBase(endpoints.at(i)))
            addFault(all, u"/endpoints/%1"_s.arg(i), u"http://HOST:PORT or https://HOST:PORT"_s,
                     endpoints.at(i).toDisplayString());
    }
    const auto checkTime = [&all](const QString &path, std::chrono::milliseconds time,
                                  int longest) {
        if (time.count() < 1 || time.count() > longest)
            addFault(all, path, u"1 to %1 ms"_s.arg(longest), u"%1 ms"_s.arg(time.count()));
    };
    checkTime(u"/timeout"_s, timeout, 60'000);
    checkTime(u"/watchRenewal"_s, watchRenewal, 600'000);
    readTls(*this, all);
    return all;
}

EtcdClient::EtcdClient(EtcdOptions options)
    : m_options(std::move(options))
{
    QStringList texts;
    for (const Fault &fault : m_options.faults())
        texts.append(fault.toString());
    m_fault = texts.join("; "_L1);
    QList<Fault> unused;
    m_tls = readTls(m_options, unused);
    m_network.setProxy(QNetworkProxy::NoProxy);
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
    using Request = QNetworkRequest;
    request.setAttribute(Request::RedirectPolicyAttribute, Request::ManualRedirectPolicy);
    request.setAttribute(Request::Http2AllowedAttribute, false);
    request.setHeader(Request::ContentTypeHeader, u"application/json"_s);
    request.setHeader(Request::UserAgentHeader, u"rekindle"_s);
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
    const auto conclude = [this](const EtcdAnswer &answer) {
        m_isAuthenticating = false;
        const QByteArray token = answer.json.value("token"_L1).toString().toLatin1();
        QString error = answer.error;
        // As in etcd's own client, so that authentication can be enabled later.
        if (!token.isEmpty() || error.endsWith("authentication is not enabled"_L1)) {
            m_token = token;
            error.clear();
        } else if (error.isEmpty()) {
            error = answer.endpoint + ": expected a token, found another answer"_L1;
        }
        Q_EMIT authenticated(error);
    };
    EtcdRequest::start(*this, m_network,
                       {.kind = EtcdRequest::Kind::Authentication,
                        .path = u"/v3/auth/authenticate"_s,
                        .body = EtcdMessages::credentials(m_options.user, m_options.password)},
                       conclude);
}

void callLater(QObject *context, QObject *owner, std::function<void()> call)
{
    if (context == nullptr)
        return;
    const auto callIfAlive = [owner = QPointer(owner), call = std::move(call)] {
        if (owner != nullptr)
            call();
    };
    QMetaObject::invokeMethod(context, callIfAlive, Qt::QueuedConnection);
}

} // namespace Rekindle
