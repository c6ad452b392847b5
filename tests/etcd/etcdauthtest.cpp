// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdserver.h"
#include "storecalls.h"
#include "testprogram.h"

#include <QJsonArray>

using namespace Rekindle;
using Outcome = FleetCommitResult::Outcome;

class EtcdAuthTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { start(300); }

    void authenticates()
    {
        EtcdStore store(m_options);
        int applied = 0;
        for (int i = 0; i < 20; ++i)
            store.commit(put("key" + QByteArray::number(i), "1"), this,
                         [&applied](const FleetCommitResult &result) {
                             applied += result.outcome == Outcome::Applied ? 1 : 1000;
                         });
        const WatchLog log(store, {}, 0);
        QVERIFY(waitUntil([&applied] { return applied >= 20; }));
        QCOMPARE(applied, 20);
        QVERIFY(log.waitForCount(20));
        QVERIFY(readFrom(store).known);
    }

    void rejectsAWrongPassword()
    {
        m_options.password = QStringLiteral("wrong");
        EtcdStore store(m_options);
        const QByteArray expected = m_options.endpoints.first().toEncoded()
            + QByteArray(": etcdserver: authentication failed, invalid user ID or password");
        QCOMPARE(readFrom(store).error.toUtf8(), expected);
        const FleetCommitResult result = commitTo(store, put("a", "1"));
        QCOMPARE(result.outcome, Outcome::Unknown);
        QCOMPARE(result.error.toUtf8(), expected);
        const WatchLog log(store, {}, 0);
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.text(), "lost " + expected + "|");
    }

    void rejectsAMissingUser()
    {
        m_options.user.clear();
        EtcdStore store(m_options);
        const FleetCommitResult result = commitTo(store, put("a", "1"));
        QCOMPARE(result.outcome, Outcome::Unknown);
        QVERIFY2(result.error.endsWith(QLatin1String("etcdserver: user name is empty")),
                 qPrintable(result.error));
    }

    void reportsAMissingPermission()
    {
        m_options.prefix = "others/";
        EtcdStore store(m_options);
        const FleetCommitResult result = commitTo(store, put("a", "1"));
        QCOMPARE(result.outcome, Outcome::Unknown);
        QVERIFY2(result.error.endsWith(QLatin1String("etcdserver: permission denied")),
                 qPrintable(result.error));
        QVERIFY(readFrom(store).error.endsWith(QLatin1String("etcdserver: permission denied")));
        const WatchLog log(store, {}, 0);
        QVERIFY(log.waitForEnd());
        QVERIFY2(log.text().contains("permission denied"), log.text().constData());
    }

    // A server that was started again does not know the token.
    void renewsATokenThatIsUnknown()
    {
        EtcdStore store(m_options);
        QCOMPARE(commitTo(store, put("a", "1")).outcome, Outcome::Applied);
        EtcdStore other(m_options);
        const qint64 revision = readFrom(other).revision;
        restart();
        QCOMPARE(commitTo(store, put("b", "1")).outcome, Outcome::Applied);
        QCOMPARE(valuesIn(readFrom(store)), "a=1;b=1;");
        // A watch may find it first.
        const WatchLog first(other, {}, revision);
        QVERIFY(first.waitForCount(1));
        if (first.hasEnded()) {
            const WatchLog second(other, {}, revision);
            QVERIFY(second.waitForCount(1));
            QCOMPARE(second.text(), "+b=1 |");
        } else {
            QCOMPARE(first.text(), "+b=1 |");
        }
    }

    void renewsATokenThatHasExpired()
    {
        start(4);
        EtcdStore store(m_options);
        const auto isApplied = [&store] {
            const FleetTransaction write{.comparisons = {}, .writes = {{.key = "a", .value = "1"}}};
            return commitTo(store, write).outcome == Outcome::Applied;
        };
        QVERIFY(waitUntil(isApplied));
        // Each use would extend its life.
        QVERIFY(waitUntil(
            [this] { return m_etcd->at(0).logged().contains("deleted a simple token"); }));
        QVERIFY(waitUntil(isApplied)); // on a busy machine, the next one has already expired
    }

    void continuesWhenAuthenticationIsEnabled()
    {
        const QByteArray token =
            call("authenticate",
                 {{name, QStringLiteral("root")}, {QStringLiteral("password"), m_options.password}})
                .value(QLatin1String("token"))
                .toString()
                .toLatin1();
        call("disable", {}, token);
        EtcdStore store(m_options);
        QCOMPARE(commitTo(store, put("a", "1")).outcome, Outcome::Applied);
        call("enable", {});
        QCOMPARE(commitTo(store, put("b", "1")).outcome, Outcome::Applied);
        QCOMPARE(valuesIn(readFrom(store)), "a=1;b=1;");
    }

private:
    void start(int tokenSeconds)
    {
        m_etcd = std::make_unique<EtcdCluster>(
            1,
            QStringList{QStringLiteral("--bcrypt-cost"), QStringLiteral("4"),
                        QStringLiteral("--auth-token-ttl"), QString::number(tokenSeconds),
                        QStringLiteral("--log-level"), QStringLiteral("debug")}); // for its tokens
        QVERIFY(m_etcd->waitUntilReady());
        m_options = {};
        m_options.endpoints = m_etcd->urls();
        m_options.timeout = std::chrono::seconds(60);
        m_options.prefix = "fleet/";
        m_options.user = QStringLiteral("fleet");
        m_options.password = QStringLiteral("pass \"word\"");
        const QString password = m_options.password;
        call("user/add", {{name, QStringLiteral("root")}, {QStringLiteral("password"), password}});
        call("user/grant", {{user, QStringLiteral("root")}, {role, QStringLiteral("root")}});
        call("user/add", {{name, m_options.user}, {QStringLiteral("password"), password}});
        call("role/add", {{name, QStringLiteral("fleet")}});
        call("role/grant",
             {{name, QStringLiteral("fleet")},
              {QStringLiteral("perm"),
               QJsonObject{{QStringLiteral("permType"), QStringLiteral("READWRITE")},
                           {QStringLiteral("key"), QStringLiteral("ZmxlZXQv")},
                           {QStringLiteral("range_end"), QStringLiteral("ZmxlZXQw")}}}});
        call("user/grant", {{user, m_options.user}, {role, QStringLiteral("fleet")}});
        call("enable", {});
    }
    QJsonObject call(const char *path, const QJsonObject &body, const QByteArray &token = {}) const
    {
        QJsonObject answer =
            callEtcd(m_options.endpoints.first(), QLatin1String("/v3/auth/") + QLatin1String(path),
                     body, token);
        if (!answer.contains(QLatin1String("header")))
            qFatal("%s: %s", path, QJsonDocument(answer).toJson().constData());
        return answer;
    }
    void restart() const
    {
        m_etcd->at(0).kill();
        m_etcd->at(0).restart();
        // Authentication is enabled: any answer will do.
        QVERIFY(waitUntil([this] {
            return callEtcd(m_options.endpoints.first(), QStringLiteral("/v3/kv/range"),
                            {{QStringLiteral("key"), QStringLiteral("AA==")}})
                .contains(QLatin1String("message"));
        }));
    }

    const QString name = QStringLiteral("name");
    const QString user = QStringLiteral("user");
    const QString role = QStringLiteral("role");
    std::unique_ptr<EtcdCluster> m_etcd;
    EtcdOptions m_options;
};

REKINDLE_TEST(EtcdAuthTest)
#include "etcdauthtest.moc"
