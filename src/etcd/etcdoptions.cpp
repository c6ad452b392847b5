// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdtls_p.h"

#include <rekindle/etcd/etcdstore.h>

#include <QFile>
#include <QSslCertificate>
#include <QSslKey>

namespace Rekindle {

namespace {

QSslKey readKey(const QString &name)
{
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray text = file.readAll();
    for (const QSsl::KeyAlgorithm algorithm : {QSsl::Ec, QSsl::Rsa}) {
        if (QSslKey key(text, algorithm); !key.isNull())
            return key;
    }
    return {};
}

QString fault(const char *member, const char *expected, const QString &found)
{
    return QStringLiteral("%1: expected %2, found %3")
        .arg(QLatin1String(member), QLatin1String(expected),
             found.isEmpty() ? QStringLiteral("none") : found);
}

} // namespace

EtcdTls readEtcdTls(const EtcdOptions &options)
{
    EtcdTls tls;
    tls.configuration = QSslConfiguration::defaultConfiguration();
    constexpr auto certificates = "a PEM file with certificates";
    if (!options.caFile.isEmpty()) {
        const QList<QSslCertificate> authorities = QSslCertificate::fromPath(options.caFile);
        tls.configuration.setCaCertificates(authorities);
        if (authorities.isEmpty())
            tls.faults.append(fault("caFile", certificates, options.caFile));
    }
    if (!options.certificateFile.isEmpty() || !options.keyFile.isEmpty()) {
        const QList<QSslCertificate> chain = QSslCertificate::fromPath(options.certificateFile);
        const QSslKey key = readKey(options.keyFile);
        tls.configuration.setLocalCertificateChain(chain);
        tls.configuration.setPrivateKey(key);
        if (chain.isEmpty())
            tls.faults.append(fault("certificateFile", certificates, options.certificateFile));
        if (key.isNull())
            tls.faults.append(fault("keyFile", "a PEM file with a key (RSA or EC) without password",
                                    options.keyFile));
    }
    return tls;
}

QStringList EtcdOptions::faults() const
{
    constexpr auto url = "http://HOST:PORT or https://HOST:PORT";
    QStringList all;
    if (endpoints.isEmpty())
        all.append(fault("endpoints", url, {}));
    for (const QUrl &endpoint : endpoints) {
        const bool isHttp = endpoint.scheme() == QLatin1String("http")
            || endpoint.scheme() == QLatin1String("https");
        const bool isBare = endpoint.userInfo().isEmpty() && !endpoint.hasQuery()
            && !endpoint.hasFragment()
            && (endpoint.path().isEmpty() || endpoint.path() == QLatin1String("/"));
        if (!isHttp || !isBare || endpoint.host().isEmpty() || endpoint.port() <= 0)
            all.append(fault("endpoints", url, endpoint.toDisplayString()));
    }
    return all + readEtcdTls(*this).faults;
}

} // namespace Rekindle
