// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdserver.h"
#include "storecalls.h"
#include "testprogram.h"

#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>

using namespace Rekindle;
using Outcome = FleetCommitResult::Outcome;

/// Encrypted connections, with certificates of openssl.
class EtcdTlsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        createAuthority("ca");
        createAuthority("other");
        createCertificate("server", {.alternative = "IP:127.0.0.1"});
        createCertificate("wronghost", {.alternative = "DNS:etcd.example"});
        createCertificate("client", {});
        createCertificate("rsaclient", {.algorithm = "rsa"});
        createCertificate("unnamed", {.subject = "/O=client"});
        createCertificate("stranger", {.authority = "other"});
        createCertificate("expired", {.alternative = "IP:127.0.0.1", .days = 0});
        m_etcd = startServer(QStringLiteral("server"));
    }

    void init()
    {
        m_options = {};
        m_options.endpoints = m_etcd->urls();
        m_options.caFile = file("ca.pem");
        m_options.certificateFile = file("client.pem");
        m_options.keyFile = file("client.key");
        m_options.timeout = std::chrono::seconds(60);
    }

    void usesTheClientCertificate_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("EC") << QStringLiteral("client");
        QTest::newRow("RSA") << QStringLiteral("rsaclient");
    }
    void usesTheClientCertificate()
    {
        QFETCH(QString, name);
        m_options.certificateFile = file(name + QLatin1String(".pem"));
        m_options.keyFile = file(name + QLatin1String(".key"));
        QVERIFY(m_options.faults().isEmpty());
        m_options.prefix = name.toLatin1();
        EtcdStore store(m_options);
        QCOMPARE(commitTo(store, put("a", "1")).outcome, Outcome::Applied);
        const WatchLog log(store, {}, 0);
        QVERIFY(log.waitForCount(1));
        QCOMPARE(log.text(), "+a=1 |");
    }

    void rejectsTheServer_data()
    {
        QTest::addColumn<QString>("server");
        QTest::addColumn<QString>("authority");
        QTest::addColumn<QString>("reason");
        const QString server = QStringLiteral("server");
        const QString ca = file("ca.pem");
        QTest::newRow("another authority")
            << server << file("other.pem") << QStringLiteral("certificate");
        QTest::newRow("authorities of the system")
            << server << QString() << QStringLiteral("certificate");
        QTest::newRow("another host")
            << QStringLiteral("wronghost") << ca << QStringLiteral("host name");
        QTest::newRow("expired") << QStringLiteral("expired") << ca << QStringLiteral("expired");
    }
    void rejectsTheServer()
    {
        QFETCH(QString, server);
        QFETCH(QString, authority);
        QFETCH(QString, reason);
        const std::unique_ptr<EtcdCluster> etcd = startServer(server);
        m_options.endpoints = etcd->urls();
        m_options.caFile = authority;
        rejects(reason);
    }

    void isRejected_data()
    {
        QTest::addColumn<QString>("client");
        QTest::newRow("without certificate") << QString();
        QTest::newRow("another authority") << QStringLiteral("stranger");
        QTest::newRow("expired") << QStringLiteral("expired");
    }
    void isRejected()
    {
        QFETCH(QString, client);
        m_options.certificateFile =
            client.isEmpty() ? QString() : file(client + QLatin1String(".pem"));
        m_options.keyFile = client.isEmpty() ? QString() : file(client + QLatin1String(".key"));
        rejects({}); // it depends on the time when the connection is closed
    }

    void authenticatesWithPassword()
    {
        const std::unique_ptr<EtcdCluster> etcd = startServer(QStringLiteral("server"));
        m_options.endpoints = etcd->urls();
        EtcdStore anonymous(m_options);
        QCOMPARE(commitTo(anonymous, put("a", "1")).outcome, Outcome::Applied);
        const QSslConfiguration before = QSslConfiguration::defaultConfiguration();
        QSslConfiguration tls = before;
        tls.setCaCertificates(QSslCertificate::fromPath(m_options.caFile));
        tls.setLocalCertificateChain(QSslCertificate::fromPath(m_options.certificateFile));
        QFile key(m_options.keyFile);
        QVERIFY(key.open(QIODevice::ReadOnly));
        tls.setPrivateKey(QSslKey(&key, QSsl::Ec));
        QSslConfiguration::setDefaultConfiguration(tls);
        const QString root = QStringLiteral("root");
        const auto call = [&](const char *path, const QJsonObject &body) {
            callEtcd(m_options.endpoints.first(), QLatin1String("/v3/auth/") + QLatin1String(path),
                     body);
        };
        call("user/add", {{QStringLiteral("name"), root}, {QStringLiteral("password"), root}});
        call("user/grant", {{QStringLiteral("user"), root}, {QStringLiteral("role"), root}});
        call("enable", {});
        QSslConfiguration::setDefaultConfiguration(before);
        QCOMPARE(commitTo(anonymous, put("b", "1")).outcome, Outcome::Unknown);
        m_options.user = root;
        m_options.password = root;
        EtcdStore named(m_options);
        const QString error = readFrom(named).error;
        QVERIFY2(error.contains(QLatin1String("HTTP status 400 CommonName of client")),
                 qPrintable(error));
        m_options.certificateFile = file("unnamed.pem");
        m_options.keyFile = file("unnamed.key");
        EtcdStore store(m_options);
        const FleetCommitResult result = commitTo(store, put("b", "2"));
        QVERIFY2(result.outcome == Outcome::Applied, qPrintable(result.error));
    }

    void usesTheNextEndpointIfACertificateIsWrong()
    {
        const std::unique_ptr<EtcdCluster> etcd = startServer(QStringLiteral("wronghost"));
        m_options.endpoints.prepend(etcd->urls().first());
        m_options.prefix = "next";
        EtcdStore store(m_options);
        QCOMPARE(commitTo(store, put("a", "1")).outcome, Outcome::Applied);
    }

private:
    void rejects(const QString &reason)
    {
        EtcdStore store(m_options);
        const QString name = m_options.endpoints.first().toString() + QLatin1String(": ");
        const FleetReadResult read = readFrom(store);
        QVERIFY(!read.known);
        QVERIFY2(read.error.startsWith(name) && read.error.contains(reason),
                 qPrintable(read.error));
        const FleetCommitResult result = commitTo(store, put("rejected", "1"));
        QCOMPARE(result.outcome, Outcome::Unknown);
        QVERIFY2(result.error.startsWith(name), qPrintable(result.error));
        const WatchLog log(store, {}, 0);
        QVERIFY(log.waitForEnd());
        QVERIFY2(log.text().startsWith(QByteArray("lost " + name.toUtf8())),
                 log.text().constData());

        EtcdOptions valid = m_options;
        valid.endpoints = m_etcd->urls();
        valid.caFile = file("ca.pem");
        valid.certificateFile = file("client.pem");
        valid.keyFile = file("client.key");
        EtcdStore direct(valid);
        QCOMPARE(valuesIn(readFrom(direct, "rejected")), "");
    }

    // With a leader, if its certificates are valid.
    std::unique_ptr<EtcdCluster> startServer(const QString &certificate) const
    {
        auto etcd = std::make_unique<EtcdCluster>(
            1,
            QStringList{QStringLiteral("--cert-file"), file(certificate + QLatin1String(".pem")),
                        QStringLiteral("--key-file"), file(certificate + QLatin1String(".key")),
                        QStringLiteral("--trusted-ca-file"), file("ca.pem"),
                        QStringLiteral("--client-cert-auth")});
        if (!waitUntil([&etcd] { return etcd->at(0).logged().contains("serving client"); }))
            qFatal("etcd does not start: %s", etcd->at(0).logged().constData());
        return etcd;
    }

    void createAuthority(const char *name) const
    {
        const QString stem = QString::fromLatin1(name);
        openssl({QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-newkey"),
                 QStringLiteral("ec"), QStringLiteral("-pkeyopt"),
                 QStringLiteral("ec_paramgen_curve:P-256"), QStringLiteral("-nodes"),
                 QStringLiteral("-subj"), QStringLiteral("/CN=") + stem, QStringLiteral("-keyout"),
                 file(stem + QLatin1String(".key")), QStringLiteral("-out"),
                 file(stem + QLatin1String(".pem"))});
    }
    struct Certificate
    {
        const char *authority = "ca";
        const char *algorithm = "ec";
        const char *subject = "/CN=client";
        const char *alternative = "DNS:client";
        int days = 30;
    };
    void createCertificate(const char *name, const Certificate &certificate) const
    {
        const QString stem = QString::fromLatin1(name);
        const QString ca = QString::fromLatin1(certificate.authority);
        const bool isEc = qstrcmp(certificate.algorithm, "ec") == 0;
        openssl({QStringLiteral("req"), QStringLiteral("-newkey"),
                 QString::fromLatin1(certificate.algorithm), QStringLiteral("-pkeyopt"),
                 isEc ? QStringLiteral("ec_paramgen_curve:P-256")
                      : QStringLiteral("rsa_keygen_bits:2048"),
                 QStringLiteral("-nodes"), QStringLiteral("-subj"),
                 QString::fromLatin1(certificate.subject), QStringLiteral("-addext"),
                 QStringLiteral("subjectAltName=") + QString::fromLatin1(certificate.alternative),
                 QStringLiteral("-keyout"), file(stem + QLatin1String(".key")),
                 QStringLiteral("-out"), file(stem + QLatin1String(".csr"))});
        openssl({QStringLiteral("x509"), QStringLiteral("-req"), QStringLiteral("-in"),
                 file(stem + QLatin1String(".csr")), QStringLiteral("-copy_extensions"),
                 QStringLiteral("copyall"), QStringLiteral("-CA"), file(ca + QLatin1String(".pem")),
                 QStringLiteral("-CAkey"), file(ca + QLatin1String(".key")),
                 QStringLiteral("-days"), QString::number(certificate.days),
                 QStringLiteral("-CAcreateserial"), QStringLiteral("-out"),
                 file(stem + QLatin1String(".pem"))});
    }
    static void openssl(const QStringList &arguments)
    {
        QProcess process;
        process.start(QStringLiteral(OPENSSL), arguments);
        if (!process.waitForFinished(120'000) || process.exitCode() != 0)
            qFatal("openssl: %s", process.readAllStandardError().constData());
    }
    [[nodiscard]] QString file(const QString &name) const { return m_folder.filePath(name); }
    [[nodiscard]] QString file(const char *name) const { return file(QString::fromLatin1(name)); }

    QTemporaryDir m_folder;
    std::unique_ptr<EtcdCluster> m_etcd;
    EtcdOptions m_options;
};

REKINDLE_TEST(EtcdTlsTest)
#include "etcdtlstest.moc"
