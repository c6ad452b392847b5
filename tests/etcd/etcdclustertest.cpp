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
        m_options.timeout = std::chrono::seconds(60);
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
        const qint64 revision = write(*m_store, "a");
        stopTwo();
        // etcd itself answers after 7 s.
        m_options.timeout = std::chrono::seconds(3);
        EtcdStore store(m_options);
        const FleetCommitResult result = commitTo(store, put("a", "late", revision));
        QCOMPARE(result.outcome, Outcome::Unknown);
        QVERIFY2(result.error.contains(QLatin1String("no answer within 3000 ms"))
                     || result.error.contains(QLatin1String("leader")),
                 qPrintable(result.error));
        const FleetReadResult read = readFrom(store);
        QVERIFY(!read.known);
        for (const QUrl &endpoint : m_options.endpoints)
            QVERIFY2(read.error.contains(endpoint.toString()), qPrintable(read.error));

        // The fleet repeats until it knows, and reads before it writes.
        cleanup();
        QVERIFY(waitUntil([this] {
            const FleetReadResult now = readFrom(*m_store);
            if (now.known && valuesIn(now) != "a=next;")
                commitTo(*m_store, put("a", "next", now.records.front().modRevision));
            return valuesIn(now) == "a=next;";
        }));
        QVERIFY(waitUntil([&] {
            return commitTo(*m_store, put("a", "late", revision)).outcome == Outcome::Conflict;
        }));
        QVERIFY(waitUntil([this] { return readFrom(*m_store).known; }));
        QCOMPARE(valuesIn(readFrom(*m_store)), "a=next;");
    }

    void losesTheWatchWithTheLeader()
    {
        const qint64 revision = write(*m_store, "a");
        const WatchLog log(*m_store, {}, revision - 1);
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
        // A stopped member accepts a request and does not answer.
        m_options.timeout = std::chrono::seconds(isKilled ? 60 : 5);
        // If it was the leader, there is another one soon.
        qint64 revision = 0;
        QVERIFY(waitUntil([&] {
            EtcdStore store(m_options); // begins with the dead endpoint
            const FleetReadResult read = readFrom(store);
            revision = read.revision;
            return read.known;
        }));
        EtcdStore store(m_options);
        write(store, "b");
        const WatchLog log(store, "b", revision);
        QVERIFY(log.waitForCount(1));
        QCOMPARE(log.events.front().records.front().key, "b");
    }

private:
    // The third one has no leader then.
    void stopTwo() const
    {
        m_etcd.at(1).stop();
        m_etcd.at(2).stop();
    }

    // Also if there is another leader meanwhile. Returns the revision.
    static qint64 write(FleetStore &store, const QByteArray &key)
    {
        FleetCommitResult result;
        const FleetTransaction always{.comparisons = {}, .writes = {{.key = key, .value = "1"}}};
        const bool isApplied = waitUntil([&] {
            result = commitTo(store, always);
            return result.outcome == Outcome::Applied;
        });
        if (!isApplied)
            qFatal("the write has failed: %s", qPrintable(result.error));
        return result.revision;
    }

    EtcdCluster m_etcd{3};
    EtcdOptions m_options;
    std::unique_ptr<EtcdStore> m_store;
};

REKINDLE_TEST(EtcdClusterTest)
#include "etcdclustertest.moc"
