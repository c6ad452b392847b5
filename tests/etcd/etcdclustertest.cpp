// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdserver.h"
#include "storecalls.h"
#include "testprogram.h"

using namespace Rekindle;
using Outcome = FleetCommitResult::Outcome;

/// Three members, some of which are stopped or killed.
class EtcdClusterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_etcd.waitUntilReady()); }

    void init()
    {
        m_options.endpoints = m_etcd.urls();
        m_options.prefix = QByteArray(QTest::currentTestFunction()) + "/"
            + QByteArray(QTest::currentDataTag()) + "/";
        m_options.timeout = std::chrono::seconds(30);
        m_store = std::make_unique<EtcdStore>(m_options);
    }
    void cleanup()
    {
        for (const auto &member : m_etcd.members)
            member->isRunning() ? member->resume() : member->restart();
        QVERIFY(m_etcd.waitUntilReady());
    }

    // The write may be applied later. With the revisions, it does no harm.
    void isUnknownWithoutMajority()
    {
        const qint64 revision = commitTo(*m_store, put("a", "1")).revision;
        QVERIFY(revision > 0);
        stopTwo();
        // etcd itself answers after 7 s.
        m_options.timeout = std::chrono::milliseconds(400);
        EtcdStore store(m_options);
        const FleetCommitResult result = commitTo(store, put("a", "late", revision));
        QCOMPARE(result.outcome, Outcome::Unknown);
        QVERIFY2(result.error.contains(QLatin1String("no answer within 400 ms"))
                     || result.error.contains(QLatin1String("leader")),
                 qPrintable(result.error));
        const FleetReadResult read = readFrom(store);
        QVERIFY(!read.known);
        for (const QUrl &endpoint : m_options.endpoints)
            QVERIFY2(read.error.contains(endpoint.toString()), qPrintable(read.error));

        // The fleet repeats until it knows, and reads before it writes.
        cleanup();
        FleetReadResult now;
        QVERIFY(waitUntil([&] {
            now = readFrom(*m_store);
            return now.known;
        }));
        const FleetCommitResult next =
            commitTo(*m_store, put("a", "next", now.records.front().modRevision));
        QVERIFY(next.outcome == Outcome::Applied || next.outcome == Outcome::Conflict);
        QCOMPARE(commitTo(*m_store, put("a", "late", revision)).outcome, Outcome::Conflict);
        const QByteArray values = valuesIn(readFrom(*m_store));
        QCOMPARE(values, next.outcome == Outcome::Applied ? "a=next;" : "a=late;");
    }

    void losesTheWatchWithTheLeader()
    {
        const WatchLog log(*m_store, {}, 0);
        QCOMPARE(commitTo(*m_store, put("a", "1")).outcome, Outcome::Applied);
        QVERIFY(log.waitForCount(1));
        stopTwo();
        QVERIFY(log.waitForEnd());
        QVERIFY2(log.text().contains("no leader"), log.text().constData());
    }

    void continuesWithoutOneMember_data()
    {
        QTest::addColumn<bool>("isKilled");
        QTest::newRow("stopped") << false;
        QTest::newRow("killed") << true;
    }
    void continuesWithoutOneMember()
    {
        QFETCH(bool, isKilled);
        isKilled ? m_etcd.at(0).kill() : m_etcd.at(0).stop();
        // If it was the leader, there is another one soon.
        m_options.timeout = std::chrono::seconds(1);
        qint64 revision = 0;
        QVERIFY(waitUntil([&] {
            EtcdStore store(m_options); // begins with the dead endpoint
            const FleetReadResult read = readFrom(store);
            revision = read.revision;
            return read.known;
        }));
        EtcdStore store(m_options);
        const FleetCommitResult first = commitTo(store, put("a", "1"));
        // A stopped member accepts a request and does not answer.
        QCOMPARE(first.outcome, isKilled ? Outcome::Applied : Outcome::Unknown);
        const FleetCommitResult second = commitTo(store, put("b", "1"));
        QVERIFY2(second.outcome == Outcome::Applied, qPrintable(second.error));
        const WatchLog log(store, "b", revision);
        QVERIFY(log.waitForCount(1));
        QCOMPARE(log.text(), "+b=1 |");
    }

private:
    // The third one has no leader then.
    void stopTwo() const
    {
        m_etcd.at(1).stop();
        m_etcd.at(2).stop();
    }

    EtcdCluster m_etcd{3};
    EtcdOptions m_options;
    std::unique_ptr<EtcdStore> m_store;
};

REKINDLE_TEST(EtcdClusterTest)
#include "etcdclustertest.moc"
