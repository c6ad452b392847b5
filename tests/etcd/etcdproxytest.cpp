// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "etcdproxy.h"
#include "closedport.h"
#include "etcdserver.h"
#include "storecalls.h"
#include "testprogram.h"

using namespace Rekindle;
using Mode = EtcdProxy::Mode;
using Outcome = FleetCommitResult::Outcome;

/// A network that loses, delays and repeats.
class EtcdProxyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_etcd.waitUntilReady()); }

    void init()
    {
        m_proxy = std::make_unique<EtcdProxy>(m_etcd.at(0).port());
        m_options.prefix = QByteArray(QTest::currentTestFunction()) + "/"
            + QByteArray(QTest::currentDataTag()) + "/";
        m_options.timeout = std::chrono::seconds(60);
        m_options.endpoints = m_etcd.urls();
        m_direct = std::make_unique<EtcdStore>(m_options);
        m_options.timeout = std::chrono::seconds(5); // some tests wait for it
        m_options.endpoints = {m_proxy->url()};
        m_store = std::make_unique<EtcdStore>(m_options);
    }
    void cleanup()
    {
        m_store.reset();
        m_direct.reset();
    }

    void isUnknownWithoutTheAnswer_data()
    {
        QTest::addColumn<Mode>("mode");
        QTest::addColumn<bool>("isReused");
        QTest::addColumn<bool>("hasOther");
        for (const bool isReused : {false, true}) {
            for (const bool hasOther : {false, true}) {
                const char *const connection = isReused ? "reused" : "new";
                const char *const endpoints = hasOther ? "two endpoints" : "one endpoint";
                QTest::addRow("dropped, %s, %s", connection, endpoints)
                    << Mode::Drop << isReused << hasOther;
                QTest::addRow("closed, %s, %s", connection, endpoints)
                    << Mode::Close << isReused << hasOther;
                QTest::addRow("cut, %s, %s", connection, endpoints)
                    << Mode::Cut << isReused << hasOther;
            }
        }
    }
    // The write was applied. If it is sent again, etcd rejects the second one.
    void isUnknownWithoutTheAnswer()
    {
        QFETCH(Mode, mode);
        QFETCH(bool, isReused);
        QFETCH(bool, hasOther);
        if (hasOther)
            m_options.endpoints.append(m_etcd.urls());
        m_store = std::make_unique<EtcdStore>(m_options);
        if (isReused)
            QVERIFY(readFrom(*m_store).known);
        m_proxy->mode = mode;
        const FleetCommitResult result = commitTo(*m_store, put("a", "1"));
        QCOMPARE(result.outcome, Outcome::Unknown);
        const QUrl &last = m_options.endpoints.last();
        QVERIFY2(result.error.startsWith(last.toString()), qPrintable(result.error));
        QCOMPARE(valuesIn(readFrom(*m_direct)), "a=1;");
    }

    void isUnknownWithoutTheRequest()
    {
        m_proxy->mode = Mode::Swallow;
        QCOMPARE(commitTo(*m_store, put("a", "1")).outcome, Outcome::Unknown);
        QCOMPARE(valuesIn(readFrom(*m_direct)), "");
    }

    void isAppliedByTheNextEndpoint()
    {
        m_options.endpoints.append(m_etcd.urls());
        m_store = std::make_unique<EtcdStore>(m_options);
        m_proxy->mode = Mode::Swallow;
        QCOMPARE(commitTo(*m_store, put("a", "1")).outcome, Outcome::Applied);
        const int before = m_proxy->requests;
        QCOMPARE(commitTo(*m_store, put("b", "1")).outcome, Outcome::Applied);
        QCOMPARE(m_proxy->requests, before); // the endpoint is avoided now
    }

    void ignoresLateAnswers()
    {
        m_proxy->mode = Mode::Hold;
        int calls = 0;
        m_store->commit(put("a", "1"), this, [&calls](const FleetCommitResult &result) {
            QCOMPARE(result.outcome, Outcome::Unknown);
            ++calls;
        });
        QVERIFY(waitUntil([&calls] { return calls > 0; }));
        m_proxy->mode = Mode::Pass;
        m_proxy->release();
        QVERIFY(waitUntil([this] { return valuesIn(readFrom(*m_store)) == "a=1;"; }));
        QCOMPARE(calls, 1);
    }

    void waitsForADelayedAnswer()
    {
        m_options.timeout = std::chrono::seconds(60);
        m_store = std::make_unique<EtcdStore>(m_options);
        m_proxy->mode = Mode::Hold;
        std::optional<Outcome> outcome;
        m_store->commit(put("a", "1"), this,
                        [&outcome](const FleetCommitResult &result) { outcome = result.outcome; });
        QVERIFY(waitUntil([this] { return valuesIn(readFrom(*m_direct)) == "a=1;"; }));
        QVERIFY(!outcome);
        QVERIFY(waitUntil([this] { return m_proxy->holds(); }));
        m_proxy->mode = Mode::Pass;
        m_proxy->release();
        QVERIFY(waitUntil([&outcome] { return outcome.has_value(); }));
        QCOMPARE(*outcome, Outcome::Applied);
    }

    // The client closes the connection before, which does not stop etcd.
    void isUnknownIfTheRequestArrivesLate()
    {
        m_proxy->mode = Mode::HoldRequest;
        int unknown = 0;
        for (const char *const key : {"a", "b"})
            m_store->commit(put(key, "1"), this, [&unknown](const FleetCommitResult &result) {
                unknown += result.outcome == Outcome::Unknown ? 1 : 1000;
            });
        QVERIFY(waitUntil([&unknown] { return unknown >= 2; }));
        QCOMPARE(unknown, 2);
        QCOMPARE(valuesIn(readFrom(*m_direct)), "");
        QCOMPARE(commitTo(*m_direct, put("b", "2")).outcome, Outcome::Applied);
        m_proxy->release();
        // Where nothing has changed, it is applied. Otherwise, it does no harm.
        QVERIFY(waitUntil([this] { return valuesIn(readFrom(*m_direct)) == "a=1;b=2;"; }));
    }

    void ignoresRepeatedAnswers()
    {
        m_proxy->mode = Mode::Double;
        m_options.timeout = std::chrono::seconds(60);
        m_store = std::make_unique<EtcdStore>(m_options);
        for (int i = 0; i < 5; ++i) {
            QCOMPARE(commitTo(*m_store, put("a" + QByteArray::number(i), "1")).outcome,
                     Outcome::Applied);
            // The second answer of the commit before would say that this one was applied.
            QVERIFY(commitTo(*m_store, put("a0", "2")).outcome != Outcome::Applied);
        }
        m_proxy->mode = Mode::Pass;
        QCOMPARE(valuesIn(readFrom(*m_store)), "a0=1;a1=1;a2=1;a3=1;a4=1;");
    }

    // The second copy fails, because the first one was applied.
    void isUnknownIfTheRequestArrivesTwice()
    {
        m_proxy->mode = Mode::DoubleRequest;
        const FleetCommitResult result = commitTo(*m_store, put("a", "1"));
        QCOMPARE(result.outcome, Outcome::Unknown);
        QVERIFY2(result.error.startsWith(m_proxy->url().toString()), qPrintable(result.error));
        QCOMPARE(valuesIn(readFrom(*m_direct)), "a=1;");
        QCOMPARE(commitTo(*m_store, put("a", "2")).outcome, Outcome::Conflict);
    }

    void repeatsReadsAtTheNextEndpoint_data()
    {
        QTest::addColumn<Mode>("mode");
        QTest::newRow("swallowed") << Mode::Swallow;
        QTest::newRow("dropped") << Mode::Drop;
        QTest::newRow("closed") << Mode::Close;
        QTest::newRow("cut") << Mode::Cut;
    }
    void repeatsReadsAtTheNextEndpoint()
    {
        QFETCH(Mode, mode);
        QCOMPARE(commitTo(*m_direct, put("a", "1")).outcome, Outcome::Applied);
        m_options.endpoints.append(m_etcd.urls());
        m_store = std::make_unique<EtcdStore>(m_options);
        m_proxy->mode = mode;
        QCOMPARE(valuesIn(readFrom(*m_store)), "a=1;");
        const int before = m_proxy->requests;
        QCOMPARE(valuesIn(readFrom(*m_store)), "a=1;");
        QCOMPARE(m_proxy->requests, before); // the endpoint is avoided now
    }

    void sendsToTheNextEndpointIfTheFirstRefuses()
    {
        const ClosedPort closed;
        m_options.endpoints = {QUrl(QStringLiteral("http://127.0.0.1:%1").arg(closed.number())),
                               m_proxy->url()};
        m_store = std::make_unique<EtcdStore>(m_options);
        QCOMPARE(commitTo(*m_store, put("a", "1")).outcome, Outcome::Applied);
        QCOMPARE(m_proxy->requests, 1);
        m_store = std::make_unique<EtcdStore>(m_options);
        const WatchLog log(*m_store, {}, 0);
        QVERIFY(log.waitForCount(1));
        QCOMPARE(log.text(), "+a=1 |");
    }

    void losesTheWatchWithItsConnection()
    {
        const WatchLog log(*m_store, {}, 0);
        QCOMPARE(commitTo(*m_store, put("a", "1")).outcome, Outcome::Applied);
        QVERIFY(log.waitForCount(1));
        m_proxy->breakConnections();
        QVERIFY(log.waitForEnd());
        QVERIFY2(log.text().startsWith(QByteArray("+a=1 |lost " + m_proxy->url().toEncoded())),
                 log.text().constData());
        const WatchLog next(*m_store, {}, log.events.back().revision);
        QCOMPARE(commitTo(*m_store, put("b", "1")).outcome, Outcome::Applied);
        QVERIFY(next.waitForCount(1));
        QCOMPARE(next.text(), "+b=1 |");
    }

    void reportsRepeatedChangesOnce()
    {
        const WatchLog log(*m_store, {}, 0);
        QCOMPARE(commitTo(*m_direct, put("a", "1")).outcome, Outcome::Applied);
        QVERIFY(log.waitForCount(1));
        m_proxy->mode = Mode::Double;
        QCOMPARE(commitTo(*m_direct, put("b", "1")).outcome, Outcome::Applied);
        QVERIFY(log.waitForCount(2));
        QCOMPARE(commitTo(*m_direct, put("c", "1")).outcome, Outcome::Applied);
        QVERIFY(log.waitForCount(3));
        QCOMPARE(log.text(), "+a=1 |+b=1 |+c=1 |");
    }

    void losesAWatchThatIsNotAnswered()
    {
        m_options.timeout = std::chrono::milliseconds(200);
        m_store = std::make_unique<EtcdStore>(m_options);
        m_proxy->mode = Mode::Swallow;
        const WatchLog log(*m_store, {}, 0);
        QVERIFY(log.waitForEnd());
        QVERIFY2(log.text().startsWith(QByteArray("lost " + m_proxy->url().toEncoded())),
                 log.text().constData());
    }

    void losesAWatchWhoseConnectionIsDead()
    {
        m_options.watchRenewal = std::chrono::milliseconds(500);
        m_store = std::make_unique<EtcdStore>(m_options);
        const WatchLog log(*m_store, {}, 0);
        QCOMPARE(commitTo(*m_store, put("a", "1")).outcome, Outcome::Applied);
        QVERIFY(log.waitForCount(1));
        m_proxy->mode = Mode::Swallow;
        QCOMPARE(commitTo(*m_direct, put("b", "1")).outcome, Outcome::Applied);
        QVERIFY(log.waitForEnd());
        QVERIFY2(log.text().startsWith(QByteArray("+a=1 |lost " + m_proxy->url().toEncoded())),
                 log.text().constData());
    }

private:
    EtcdCluster m_etcd;
    EtcdOptions m_options;
    std::unique_ptr<EtcdProxy> m_proxy;
    std::unique_ptr<EtcdStore> m_direct;
    std::unique_ptr<EtcdStore> m_store;
};

REKINDLE_TEST(EtcdProxyTest)
#include "etcdproxytest.moc"
