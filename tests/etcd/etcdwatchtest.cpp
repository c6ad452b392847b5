// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdproxy.h"
#include "etcdserver.h"
#include "storecalls.h"
#include "testprogram.h"

using namespace Rekindle;
using Outcome = FleetCommitResult::Outcome;

namespace {

FleetTransaction removal(const QByteArray &key)
{
    return {.comparisons = {}, .writes = {{.key = key, .value = {}}}};
}

} // namespace

class EtcdWatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_etcd.waitUntilReady()); }

    void init()
    {
        m_options = {};
        m_options.endpoints = m_etcd.urls();
        m_options.timeout = std::chrono::seconds(60);
        m_options.prefix = QByteArray(QTest::currentTestFunction()) + "/";
        m_store = std::make_unique<EtcdStore>(m_options);
        m_start = readFrom(*m_store).revision;
    }

    void reportsChangesInOrder()
    {
        const WatchLog log(*m_store, "nodes/", m_start);
        const qint64 first = commitTo(*m_store, put("nodes/a", "1")).revision;
        commitTo(*m_store, put("agents/x", "1"));
        FleetTransaction both = put("nodes/b", "1");
        both.writes.push_back({.key = "nodes/a", .value = {}});
        both.writes.push_back({.key = "agents/y", .value = "1"});
        const qint64 second = commitTo(*m_store, both).revision;
        const qint64 third = commitTo(*m_store, put("nodes/a", "2")).revision;
        QVERIFY(log.waitForCount(3));
        QCOMPARE(log.text(), "+nodes/a=1 |+nodes/b=1 -nodes/a |+nodes/a=2 |");
        QCOMPARE(log.events[0].revision, first);
        QCOMPARE(log.events[1].revision, second);
        QCOMPARE(log.events[2].revision, third);
        QCOMPARE(log.events[2].records.front().modRevision, third);
        QCOMPARE(log.events[2].records.front().createRevision, third);
    }

    void beginsAfterTheRevision()
    {
        commitTo(*m_store, put("a", "1"));
        const qint64 revision = commitTo(*m_store, put("b", "1")).revision;
        commitTo(*m_store, removal("a"));
        commitTo(*m_store, put("a", "2"));
        const WatchLog log(*m_store, {}, revision);
        QVERIFY(log.waitForCount(2));
        QCOMPARE(log.text(), "-a |+a=2 |");
        const WatchLog all(*m_store, {}, m_start);
        QVERIFY(all.waitForCount(4));
        QCOMPARE(all.text(), "+a=1 |+b=1 |-a |+a=2 |");
    }

    void hasNoGapsWhenItIsRenewed()
    {
        // etcd sends changes before the begin of a watch every 100 ms. With a much shorter time, a
        // watch would hardly ever get them.
        m_options.watchRenewal = std::chrono::milliseconds(20);
        EtcdStore store(m_options);
        const WatchLog log(store, {}, m_start);
        QByteArray expected;
        for (int i = 0; i < 200; ++i) {
            commitTo(*m_store, put("a" + QByteArray::number(i), "1"));
            expected += "+a" + QByteArray::number(i) + "=1 |";
            if (i % 10 == 9) // the watch is silent for longer than its time
                QVERIFY(log.waitForCount(static_cast<std::size_t>(i) + 1));
        }
        QCOMPARE(log.text(), expected);
    }

    void reportsManyChanges()
    {
        for (int i = 0; i < 12; ++i)
            QCOMPARE(commitTo(*m_store, put("a" + QByteArray::number(i), QByteArray(500'000, 'v')))
                         .outcome,
                     Outcome::Applied);
        const WatchLog log(*m_store, {}, m_start);
        QVERIFY(log.waitForCount(12));
        QVERIFY(!log.hasEnded());
        QCOMPARE(log.events.back().records.front().value.size(), 500'000);
    }

    void reportsCompaction()
    {
        const WatchLog before(*m_store, {}, m_start);
        commitTo(*m_store, put("a", "1"));
        QVERIFY(before.waitForCount(1));
        commitTo(*m_store, put("a", "2", before.events.front().revision));
        const qint64 revision = commitTo(*m_store, put("b", "1")).revision;
        const QJsonObject compaction{{QStringLiteral("revision"), QString::number(revision)},
                                     {QStringLiteral("physical"), true}};
        QVERIFY(callEtcd(m_etcd.at(0).url(), QStringLiteral("/v3/kv/compaction"), compaction)
                    .contains(QLatin1String("header")));
        const WatchLog log(*m_store, {}, 1);
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.text(), "compacted |");
        // A watch that is up to date is not affected.
        commitTo(*m_store, put("c", "1"));
        QVERIFY(before.waitForCount(4));
        QCOMPARE(before.text(), "+a=1 |+a=2 |+b=1 |+c=1 |");
    }

    // The connection is dead while the revisions are compacted.
    void reportsCompactionDuringTheWatch()
    {
        EtcdProxy proxy(m_etcd.at(0).port());
        m_options.endpoints = {proxy.url()};
        m_options.watchRenewal = std::chrono::seconds(5);
        EtcdStore store(m_options);
        const WatchLog log(store, {}, m_start);
        commitTo(*m_store, put("a", "1"));
        QVERIFY(log.waitForCount(1));
        // All answers until the connection is replaced.
        proxy.mode = EtcdProxy::Mode::Hold;
        commitTo(*m_store, put("b", "1"));
        const qint64 revision = commitTo(*m_store, put("c", "1")).revision;
        const QJsonObject compaction{{QStringLiteral("revision"), QString::number(revision)}};
        callEtcd(m_etcd.at(0).url(), QStringLiteral("/v3/kv/compaction"), compaction);
        proxy.mode = EtcdProxy::Mode::Pass;
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.text(), "+a=1 |compacted |");
    }

    void endsWithItsObject()
    {
        auto log = std::make_unique<WatchLog>(*m_store, QByteArray(), m_start);
        commitTo(*m_store, put("a", "1"));
        QVERIFY(log->waitForCount(1));
        log->watch.reset();
        commitTo(*m_store, put("b", "1"));
        const WatchLog other(*m_store, {}, m_start);
        QVERIFY(other.waitForCount(2));
        QCOMPARE(log->events.size(), 1U);
    }

    void isLostIfTheServerExits()
    {
        EtcdCluster etcd;
        QVERIFY(etcd.waitUntilReady());
        m_options.endpoints = etcd.urls();
        EtcdStore store(m_options);
        const WatchLog log(store, {}, 0);
        commitTo(store, put("a", "1"));
        QVERIFY(log.waitForCount(1));
        etcd.at(0).kill();
        QVERIFY(log.waitForEnd());
        QVERIFY2(log.text().startsWith(
                     QByteArray("+a=1 |lost " + etcd.urls().first().toEncoded() + ": ")),
                 log.text().constData());
    }

    // A store that was restored from a backup.
    void isLostIfRevisionsGoBack()
    {
        m_options.watchRenewal = std::chrono::milliseconds(50);
        EtcdStore store(m_options);
        const WatchLog log(store, {}, 1'000'000);
        QVERIFY(log.waitForEnd());
        QVERIFY2(log.text().contains("expected revision 1000000 or greater"),
                 log.text().constData());
    }

    void isLostAfterAnInvalidMessage_data()
    {
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("no JSON") << QByteArray("hello\n");
        QTest::newRow("no object") << QByteArray("[]\n");
        QTest::newRow("empty object") << QByteArray("{}\n");
        QTest::newRow("no header") << QByteArray("{\"result\":{\"created\":true}}\n");
        QTest::newRow("invalid base64")
            << QByteArray("{\"result\":{\"header\":{\"revision\":\"9\"},\"events\":[{\"kv\":{"
                          "\"key\":\"*\",\"mod_revision\":\"9\"}}]}}\n");
        QTest::newRow("key of someone else")
            << QByteArray("{\"result\":{\"header\":{\"revision\":\"9\"},\"events\":[{\"kv\":{"
                          "\"key\":\"YQ==\",\"mod_revision\":\"9\"}}]}}\n");
        QTest::newRow("error") << QByteArray(
            R"({"error":{"grpc_code":14,"http_code":503,"message":"etcdserver: no leader"}})"
            "\n");
        QTest::newRow("too long") << QByteArray(17 * 1024 * 1024, 'x');
        QTest::newRow("end") << QByteArray();
    }
    void isLostAfterAnInvalidMessage()
    {
        QFETCH(QByteArray, message);
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        connect(&server, &QTcpServer::newConnection, &server, [&server, message] {
            QTcpSocket *const socket = server.nextPendingConnection();
            socket->write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + message);
            if (message.isEmpty())
                socket->disconnectFromHost();
        });
        m_options.endpoints = {
            QUrl(QStringLiteral("http://127.0.0.1:%1").arg(server.serverPort()))};
        EtcdStore store(m_options);
        const WatchLog log(store, {}, m_start);
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.events.size(), 1U);
        QVERIFY2(log.text().startsWith(
                     QByteArray("lost " + m_options.endpoints.first().toEncoded() + ": ")),
                 log.text().constData());
        QVERIFY2(!log.text().contains("no answer"), log.text().constData());
    }

private:
    EtcdCluster m_etcd;
    EtcdOptions m_options;
    std::unique_ptr<EtcdStore> m_store;
    qint64 m_start = 0; ///< the revision at the begin of the test
};

REKINDLE_TEST(EtcdWatchTest)
#include "etcdwatchtest.moc"
