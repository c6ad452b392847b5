// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdserver.h"
#include "storecalls.h"
#include "testprogram.h"

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
        createCertificate("server", "ca", "ec", "IP:127.0.0.1");
        createCertificate("wronghost", "ca", "ec", "DNS:etcd.example");
        createCertificate("client", "ca", "ec", "DNS:client");
        createCertificate("rsaclient", "ca", "rsa", "DNS:client");
        createCertificate("stranger", "other", "ec", "DNS:client");
        m_etcd = startServer("server");
    }

    void init()
    {
        m_options = {};
        m_options.endpoints = m_etcd->urls();
        m_options.caFile = file("ca.pem");
        m_options.certificateFile = file("client.pem");
        m_options.keyFile = file("client.key");
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
        QVERIFY(waitUntil([&store] { return readFrom(store).known; }));
        QCOMPARE(commitTo(store, put("a", "1")).outcome, Outcome::Applied);
        const WatchLog log(store, {}, 0);
        QVERIFY(log.waitForCount(1));
        QCOMPARE(log.text(), "+a=1 |");
    }

    void rejectsTheServerOfAnotherAuthority()
    {
        m_options.caFile = file("other.pem");
        rejects(QStringLiteral("certificate"));
    }

    void rejectsTheServerWithoutAnAuthority()
    {
        m_options.caFile.clear(); // those of the system
        rejects(QStringLiteral("certificate"));
    }

    void rejectsAnotherHost()
    {
        const std::unique_ptr<EtcdCluster> etcd = startServer("wronghost");
        m_options.endpoints = etcd->urls();
        QVERIFY(waitUntil([&etcd] { return etcd->at(0).logged().contains("serving client"); }));
        rejects(QStringLiteral("host name"));
    }

    void isRejectedWithoutCertificate()
    {
        m_options.certificateFile.clear();
        m_options.keyFile.clear();
        rejects({});
    }

    void isRejectedWithTheCertificateOfAnotherAuthority()
    {
        m_options.certificateFile = file("stranger.pem");
        m_options.keyFile = file("stranger.key");
        rejects({});
    }

    void usesTheNextEndpointIfACertificateIsWrong()
    {
        const std::unique_ptr<EtcdCluster> etcd = startServer("wronghost");
        QVERIFY(waitUntil([&etcd] { return etcd->at(0).logged().contains("serving client"); }));
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
        QVERIFY(waitUntil([&direct] { return readFrom(direct).known; }));
        QCOMPARE(valuesIn(readFrom(direct, "rejected")), "");
    }

    std::unique_ptr<EtcdCluster> startServer(const char *certificate) const
    {
        const QString name = QString::fromLatin1(certificate);
        return std::make_unique<EtcdCluster>(
            1,
            QStringList{QStringLiteral("--cert-file"), file(name + QLatin1String(".pem")),
                        QStringLiteral("--key-file"), file(name + QLatin1String(".key")),
                        QStringLiteral("--trusted-ca-file"), file("ca.pem"),
                        QStringLiteral("--client-cert-auth")});
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
    void createCertificate(const char *name, const char *authority, const char *algorithm,
                           const char *alternative) const
    {
        const QString stem = QString::fromLatin1(name);
        const QString ca = QString::fromLatin1(authority);
        const bool isEc = qstrcmp(algorithm, "ec") == 0;
        openssl({QStringLiteral("req"), QStringLiteral("-newkey"), QString::fromLatin1(algorithm),
                 QStringLiteral("-pkeyopt"),
                 isEc ? QStringLiteral("ec_paramgen_curve:P-256")
                      : QStringLiteral("rsa_keygen_bits:2048"),
                 QStringLiteral("-nodes"), QStringLiteral("-subj"), QStringLiteral("/CN=") + stem,
                 QStringLiteral("-addext"),
                 QStringLiteral("subjectAltName=") + QString::fromLatin1(alternative),
                 QStringLiteral("-keyout"), file(stem + QLatin1String(".key")),
                 QStringLiteral("-out"), file(stem + QLatin1String(".csr"))});
        openssl({QStringLiteral("x509"), QStringLiteral("-req"), QStringLiteral("-in"),
                 file(stem + QLatin1String(".csr")), QStringLiteral("-copy_extensions"),
                 QStringLiteral("copyall"), QStringLiteral("-CA"), file(ca + QLatin1String(".pem")),
                 QStringLiteral("-CAkey"), file(ca + QLatin1String(".key")),
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
