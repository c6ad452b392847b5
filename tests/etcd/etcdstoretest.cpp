// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "closedport.h"
#include "etcdserver.h"
#include "storecalls.h"
#include "testprogram.h"

#include <QTcpServer>

using namespace Rekindle;
using Outcome = FleetCommitResult::Outcome;

namespace {

QByteArray textOf(const QList<Fault> &faults)
{
    QByteArray text;
    for (const Fault &fault : faults)
        text += fault.toString().toUtf8() + "\n";
    return text;
}

} // namespace

class EtcdStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_etcd.waitUntilReady()); }

    void init()
    {
        // Each test has its own keys.
        m_options = {};
        m_options.endpoints = m_etcd.urls();
        m_options.timeout = std::chrono::seconds(60);
        m_options.prefix = QByteArray(QTest::currentTestFunction()) + "/";
    }

    void readsWhatWasCommitted()
    {
        EtcdStore store(m_options);
        QCOMPARE(valuesIn(readFrom(store)), "");
        const FleetCommitResult first = commitTo(store, put("nodes/a", "1"));
        QCOMPARE(first.outcome, Outcome::Applied);
        QVERIFY(first.revision > 0);
        const FleetCommitResult second = commitTo(store, put("nodes/a", "2", first.revision));
        QCOMPARE(second.outcome, Outcome::Applied);
        QCOMPARE(second.revision, first.revision + 1);
        QCOMPARE(commitTo(store, put("agents/x", "3")).outcome, Outcome::Applied);

        const FleetReadResult result = readFrom(store, "nodes/");
        QVERIFY(result.known);
        QCOMPARE(result.revision, second.revision + 1);
        QCOMPARE(result.records.size(), 1U);
        const FleetRecord expected{.key = "nodes/a",
                                   .value = "2",
                                   .createRevision = first.revision,
                                   .modRevision = second.revision};
        QVERIFY(result.records.front() == expected);
        QCOMPARE(valuesIn(readFrom(store)), "agents/x=3;nodes/a=2;");
    }

    void reportsConflictsAndWritesNothing()
    {
        EtcdStore store(m_options);
        const qint64 revision = commitTo(store, put("a", "1")).revision;
        QCOMPARE(commitTo(store, put("a", "2")).outcome, Outcome::Conflict);
        QCOMPARE(commitTo(store, put("a", "2", revision - 1)).outcome, Outcome::Conflict);
        FleetTransaction both = put("b", "1");
        both.comparisons.push_back({.key = "a", .expected = revision - 1});
        QCOMPARE(commitTo(store, both).outcome, Outcome::Conflict);
        both.comparisons.back().expected = revision;
        QCOMPARE(commitTo(store, both).outcome, Outcome::Applied);
        QCOMPARE(valuesIn(readFrom(store)), "a=1;b=1;");
    }

    void comparesTheRevisionOfTheCreation()
    {
        EtcdStore store(m_options);
        const qint64 created = commitTo(store, put("node", "1")).revision;
        FleetTransaction renewal{.comparisons = {{.key = "node",
                                                  .revision = FleetTransaction::Revision::Create,
                                                  .expected = created}},
                                 .writes = {{.key = "node", .value = "2"}}};
        QCOMPARE(commitTo(store, renewal).outcome, Outcome::Applied);
        QCOMPARE(commitTo(store, renewal).outcome, Outcome::Applied);
        const FleetTransaction removal{.comparisons = {}, .writes = {{.key = "node", .value = {}}}};
        QCOMPARE(commitTo(store, removal).outcome, Outcome::Applied);
        QCOMPARE(commitTo(store, renewal).outcome, Outcome::Conflict);
        QCOMPARE(commitTo(store, put("node", "3")).outcome, Outcome::Applied);
        QCOMPARE(commitTo(store, renewal).outcome, Outcome::Conflict);
        QCOMPARE(valuesIn(readFrom(store)), "node=3;");
    }

    void deletesAndWritesInOneTransaction()
    {
        EtcdStore store(m_options);
        const qint64 revision = commitTo(store, put("nodes/a", "1")).revision;
        const FleetTransaction takeover{
            .comparisons = {{.key = "nodes/a", .expected = revision}, {.key = "agents/x"}},
            .writes = {{.key = "agents/x", .value = "b"}, {.key = "nodes/a", .value = {}}}};
        QCOMPARE(commitTo(store, takeover).outcome, Outcome::Applied);
        QCOMPARE(valuesIn(readFrom(store)), "agents/x=b;");
        // It could be the same transaction, which arrived twice.
        const FleetCommitResult again = commitTo(store, takeover);
        QCOMPARE(again.outcome, Outcome::Unknown);
        QVERIFY2(again.error.contains(QLatin1String("arrived twice")), qPrintable(again.error));
    }

    void storesAnyBytes()
    {
        EtcdStore store(m_options);
        QByteArray all;
        for (int i = 0; i < 256; ++i)
            all.append(static_cast<char>(i));
        QCOMPARE(commitTo(store, put(all, all)).outcome, Outcome::Applied);
        QCOMPARE(commitTo(store, put("\xff\xff", "")).outcome, Outcome::Applied);
        const FleetReadResult result = readFrom(store);
        QCOMPARE(result.records.size(), 2U);
        QVERIFY(result.records[0].key == all && result.records[0].value == all);
        QVERIFY(result.records[1].value.isEmpty());
        QCOMPARE(readFrom(store, "\xff").records.size(), 1U);
    }

    void seesOnlyItsPrefix()
    {
        EtcdStore store(m_options);
        QCOMPARE(commitTo(store, put("a", "1")).outcome, Outcome::Applied);
        EtcdOptions others = m_options;
        others.prefix.chop(1);
        others.prefix += '0'; // the character after the slash
        EtcdStore other(others);
        QCOMPARE(commitTo(other, put("a", "2")).outcome, Outcome::Applied);
        QCOMPARE(valuesIn(readFrom(store)), "a=1;");
        QCOMPARE(valuesIn(readFrom(other)), "a=2;");
        EtcdOptions none = m_options;
        none.prefix.clear();
        EtcdStore everything(none);
        QVERIFY(readFrom(everything).records.size() >= 2);
    }

    void reportsKeysOfOthers()
    {
        EtcdStore store(m_options);
        const WatchLog log(store, {}, readFrom(store).revision);
        const QByteArray key = m_options.prefix + "\xff{";
        const QJsonObject record{{QStringLiteral("key"), QString::fromLatin1(key.toBase64())},
                                 {QStringLiteral("value"), QStringLiteral("AP8K")}};
        callEtcd(m_options.endpoints.first(), QStringLiteral("/v3/kv/put"), record);
        QCOMPARE(commitTo(store, put("a", "1")).outcome, Outcome::Applied);
        const QByteArray expected("\xff{=\0\xff\n", 6);
        QCOMPARE(valuesIn(readFrom(store)), "a=1;" + expected + ";");
        QVERIFY(log.waitForCount(2));
        QCOMPARE(log.text(), "+" + expected + " |+a=1 |");
    }

    void readsManyKeys()
    {
        EtcdStore store(m_options);
        const QByteArray value(500'000, 'v');
        for (const char *const key : {"a", "b", "c", "d", "e", "f"})
            QCOMPARE(commitTo(store, put(key, value)).outcome, Outcome::Applied);
        const FleetReadResult result = readFrom(store);
        QVERIFY2(result.known, qPrintable(result.error));
        QCOMPARE(result.records.size(), 6U);
        QVERIFY(std::ranges::all_of(
            result.records, [&value](const FleetRecord &record) { return record.value == value; }));
    }

    void runsManyRequestsAtOnce()
    {
        EtcdStore store(m_options);
        int applied = 0;
        for (int i = 0; i < 100; ++i)
            store.commit(put("key" + QByteArray::number(i), "1"), this,
                         [&applied](const FleetCommitResult &result) {
                             applied += result.outcome == Outcome::Applied ? 1 : 1000;
                         });
        QVERIFY(waitUntil([&applied] { return applied >= 100; }));
        QCOMPARE(applied, 100);
        QCOMPARE(readFrom(store).records.size(), 100U);
    }

    void callsBackLaterAndOnce()
    {
        EtcdStore store(m_options);
        int calls = 0;
        store.read({}, this, [&calls](const FleetReadResult &) { ++calls; });
        store.commit(put("a", "1"), this, [&calls](const FleetCommitResult &) { ++calls; });
        QCOMPARE(calls, 0);
        QVERIFY(waitUntil([&calls] { return calls == 2; }));
        readFrom(store);
        QCOMPARE(calls, 2);
    }

    void dropsCallbacksOfDeletedObjects()
    {
        int calls = 0;
        const auto count = [&calls](const auto &) { ++calls; };
        auto store = std::make_unique<EtcdStore>(m_options);
        auto context = std::make_unique<QObject>();
        store->read({}, context.get(), count);
        store->commit(put("a", "1"), context.get(), count);
        const auto orphan = store->watch({}, 0, context.get(), count);
        context.reset();
        QVERIFY(waitUntil([&] { return valuesIn(readFrom(*store)) == "a=1;"; }));
        store->read({}, this, count);
        store->commit(put("b", "1"), this, count);
        const auto watch = store->watch({}, 0, this, count);
        store.reset();
        EtcdStore other(m_options);
        QVERIFY(readFrom(other).known);
        QCOMPARE(calls, 0);
    }

    void canBeDeletedInCallbacks()
    {
        bool isDone = false;
        auto *store = new EtcdStore(m_options);
        store->read({}, this, [&](const FleetReadResult &) {
            delete store;
            isDone = true;
        });
        QVERIFY(waitUntil([&isDone] { return isDone; }));

        auto *const second = new EtcdStore(m_options);
        isDone = false;
        std::unique_ptr<FleetStore::Watch> watch =
            second->watch({}, 0, this, [&](const FleetWatchEvent &) {
                watch.reset();
                delete second;
                isDone = true;
            });
        EtcdStore writer(m_options);
        QCOMPARE(commitTo(writer, put("a", "1")).outcome, Outcome::Applied);
        QVERIFY(waitUntil([&isDone] { return isDone; }));
    }

    void isUnknownWithoutServer()
    {
        const ClosedPort closed;
        m_options.endpoints = {QUrl(QStringLiteral("http://127.0.0.1:%1").arg(closed.number()))};
        EtcdStore store(m_options);
        const FleetReadResult read = readFrom(store);
        QVERIFY(!read.known);
        const QString name = m_options.endpoints.first().toString();
        QVERIFY2(read.error.startsWith(name), qPrintable(read.error));
        const FleetCommitResult result = commitTo(store, put("a", "1"));
        QCOMPARE(result.outcome, Outcome::Unknown);
        QVERIFY2(result.error.startsWith(name), qPrintable(result.error));
        const WatchLog log(store, {}, 0);
        QVERIFY(log.waitForEnd());
        QVERIFY2(log.text().startsWith(QByteArray("lost " + name.toUtf8())),
                 log.text().constData());
    }

    void isUnknownIfTheServerIsNoEtcd()
    {
        for (const char *const answer :
             {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
              "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnull",
              "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{\"a\": 1}",
              "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
              "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
              "HTTP/1.1 204 No Content\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n\r\n"}) {
            QTcpServer server;
            QVERIFY(server.listen(QHostAddress::LocalHost));
            connect(&server, &QTcpServer::newConnection, &server, [&server, answer] {
                QTcpSocket *const socket = server.nextPendingConnection();
                connect(socket, &QTcpSocket::readyRead, socket, [socket, answer] {
                    if (!socket->readAll().contains("}"))
                        return;
                    socket->write(answer);
                    socket->disconnectFromHost();
                });
            });
            m_options.endpoints = {
                QUrl(QStringLiteral("http://127.0.0.1:%1").arg(server.serverPort()))};
            EtcdStore store(m_options);
            const FleetReadResult read = readFrom(store);
            QVERIFY2(!read.known && read.error.contains(QLatin1String("127.0.0.1")), answer);
            const FleetCommitResult result = commitTo(store, put("a", "1"));
            QCOMPARE(result.outcome, Outcome::Unknown);
            QVERIFY2(result.error.contains(QLatin1String("127.0.0.1")), answer);
            const WatchLog log(store, {}, 0);
            QVERIFY(log.waitForEnd());
            QVERIFY2(log.text().startsWith("lost http"), answer);
        }
    }

    void reportsFaultsOfTheOptions()
    {
        QVERIFY(m_options.faults().isEmpty());
        EtcdOptions options;
        QCOMPARE(textOf(options.faults()), "/endpoints: expected at least one URL, found none\n");
        for (const char *const url : {"etcd:2379", "ftp://etcd:2379", "http://etcd", "http://:1",
                                      "http://u@etcd:1", "http://etcd:1/v3", "http://etcd:1?a"}) {
            options.endpoints = {m_options.endpoints.first(), QUrl(QString::fromLatin1(url))};
            QVERIFY2(textOf(options.faults())
                         .startsWith("/endpoints/1: expected http://HOST:PORT or "
                                     "https://HOST:PORT, found "),
                     url);
        }
        options.endpoints = {QUrl(QStringLiteral("https://[::1]:2379/"))};
        QVERIFY(options.faults().isEmpty());
        options.timeout = std::chrono::milliseconds(60'001);
        options.watchRenewal = {};
        options.caFile = QStringLiteral("/nowhere/ca.pem");
        options.certificateFile = QStringLiteral("/dev/null");
        QCOMPARE(textOf(options.faults()),
                 "/timeout: expected 1 to 60000 ms, found 60001 ms\n"
                 "/watchRenewal: expected 1 to 600000 ms, found 0 ms\n"
                 "/caFile: expected a PEM file with certificates, found /nowhere/ca.pem\n"
                 "/certificateFile: expected a PEM file with certificates, found /dev/null\n"
                 "/keyFile: expected a PEM file with an RSA or EC key without password, "
                 "found none\n");

        EtcdStore store(options);
        const FleetReadResult read = readFrom(store);
        QVERIFY(!read.known);
        QCOMPARE(read.error.toUtf8().replace("; ", "\n") + "\n", textOf(options.faults()));
        QCOMPARE(commitTo(store, put("a", "1")).outcome, Outcome::Unknown);
        const WatchLog log(store, {}, 0);
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.events.size(), 1U);
        QCOMPARE(log.events.front().error, read.error);
    }

    void reportsAFullStore()
    {
        const EtcdCluster etcd(1,
                               {QStringLiteral("--quota-backend-bytes"), QStringLiteral("200000")});
        QVERIFY(etcd.waitUntilReady());
        m_options.endpoints = etcd.urls();
        EtcdStore store(m_options);
        const QByteArray value(50'000, 'v');
        QCOMPARE(commitTo(store, put("a", "1")).outcome, Outcome::Applied);
        FleetCommitResult result;
        int written = 0;
        do {
            result = commitTo(store, put("key" + QByteArray::number(written), value));
        } while (result.outcome == Outcome::Applied && ++written < 100);
        QCOMPARE(result.outcome, Outcome::Unknown);
        QVERIFY2(result.error.startsWith(m_options.endpoints.first().toString())
                     && result.error.endsWith(QLatin1String("database space exceeded")),
                 qPrintable(result.error));
        QVERIFY(valuesIn(readFrom(store, "a")) == "a=1;");
    }

private:
    EtcdCluster m_etcd;
    EtcdOptions m_options;
};

REKINDLE_TEST(EtcdStoreTest)
#include "etcdstoretest.moc"
