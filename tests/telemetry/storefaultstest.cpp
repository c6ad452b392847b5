// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "noroomforthreads.h"
#include "stores.h"
#include "testprogram.h"

#include <rekindle/telemetry/audittrail.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

using namespace Rekindle;
using namespace std::chrono_literals;

/// Disks and files that do not work: the engine goes on, what is lost is counted and told.
class StoreFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_path = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_stores)); }

    void aFolderThatCannotBe();
    void aFolderThatComesLater();
    void aFolderInItsPlace();
    void aFullDisk();
    void aLockedDatabase();
    void garbageIsMovedAside();
    void aForeignFileStaysAsItIs();
    void aDatabaseWithoutItsTablesIsMovedAside();
    void damageThatIsFoundAtTheEnd();
    void damageThatIsFoundLater();
    void aNewerVersionIsRefused();
    void anotherProgramsDatabaseIsRefused();
    void anEmptyFileBecomesAStore();
    void theEndIsBounded();
    void noThread();

private:
    [[nodiscard]] TelemetryOptions options() const
    {
        return {.path = m_path, .batchAge = 0ms, .retryDelay = 10ms, .closeTimeout = 100ms};
    }
    void put(const QByteArray &bytes) const
    {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    [[nodiscard]] QStringList movedAside() const
    {
        return QDir(m_folder.path())
            .entryList({QFileInfo(m_path).fileName() + QLatin1String(".corrupt-*")}, QDir::Files);
    }

    QTemporaryDir m_folder;
    QString m_path;
    int m_stores = 0;
    static constexpr int patience = 30'000;
};

void StoreFaultsTest::aFolderThatCannotBe()
{
    put("a file, no folder");
    TelemetryOptions wanted = options();
    wanted.path = m_path + QLatin1String("/below/a/file.sqlite");
    wanted.capacity = 10;
    TelemetryStore store(wanted);
    QSignalSpy failed(&store, &TelemetryStore::failed);
    QSignalSpy dropped(&store, &TelemetryStore::dropped);
    QVERIFY(failed.wait(patience));
    QVERIFY(!failed[0][0].toString().isEmpty());
    for (quint64 i = 1; i <= 30; ++i)
        store.append(numbered(i));
    QVERIFY(!written(store));
    QTRY_COMPARE_WITH_TIMEOUT(store.droppedCount(), quint64{20}, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!dropped.isEmpty(), patience);
    QCOMPARE(failed.count(), 1);
    store.close();
    QCOMPARE(store.droppedCount(), quint64{30});
}

void StoreFaultsTest::aFolderThatComesLater()
{
    const QString folder = m_folder.filePath(QStringLiteral("later"));
    QFile file(folder);
    QVERIFY(file.open(QIODevice::WriteOnly));
    TelemetryOptions wanted = options();
    wanted.path = folder + QLatin1String("/store.sqlite");
    TelemetryStore store(wanted);
    QSignalSpy failed(&store, &TelemetryStore::failed);
    QSignalSpy resumed(&store, &TelemetryStore::resumed);
    store.append(numbered(1));
    QVERIFY(failed.wait(patience));
    QVERIFY(file.remove());
    QVERIFY(!resumed.isEmpty() || resumed.wait(patience));
    QVERIFY(written(store));
    OwnConnection own(wanted.path);
    QCOMPARE(own.rows(QStringLiteral("SELECT seq FROM events")), QStringList(QStringLiteral("1")));
    QCOMPARE(store.droppedCount(), quint64{0});
}

void StoreFaultsTest::aFolderInItsPlace()
{
    QVERIFY(QDir().mkpath(m_path));
    TelemetryStore store(options());
    QSignalSpy failed(&store, &TelemetryStore::failed);
    QVERIFY(failed.wait(patience));
    QVERIFY(QFileInfo(m_path).isDir());
}

// SQLite's own limit stands for the disk's: the same error, at the same place.
void StoreFaultsTest::aFullDisk()
{
    TelemetryOptions wanted = options();
    wanted.maxPages = 40;
    wanted.batchRows = 10;
    wanted.capacity = 100;
    quint64 sequence = 0;
    quint64 dropped = 0;
    {
        TelemetryStore store(wanted);
        QSignalSpy failed(&store, &TelemetryStore::failed);
        while (failed.isEmpty() && sequence < 100'000) {
            for (int i = 0; i < 50; ++i)
                store.append(numbered(++sequence));
            static_cast<void>(written(store)); // so that nothing is dropped before the disk is full
        }
        QVERIFY2(failed[0][0].toString().contains(QLatin1String("full")),
                 qPrintable(failed[0][0].toString()));
        for (int i = 0; i < 500; ++i)
            store.append(numbered(++sequence));
        QVERIFY(store.droppedCount() >= 400);
        QVERIFY(!written(store));
        store.close();
        dropped = store.droppedCount();
    }
    // What is there is sound, in order, and without holes up to the first loss.
    OwnConnection own(m_path);
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events WHERE id = seq")),
             own.number(QStringLiteral("SELECT count(*) FROM events")));
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events")),
             static_cast<qint64>(sequence - dropped));
    QCOMPARE(own.rows(QStringLiteral("PRAGMA integrity_check")), QStringList(QStringLiteral("ok")));
}

void StoreFaultsTest::aLockedDatabase()
{
    writeTrail(m_path, 1);
    Engine engine;
    TelemetryOptions wanted = options();
    wanted.capacity = 8;
    TelemetryStore store(wanted);
    QSignalSpy opened(&store, &TelemetryStore::opened);
    QVERIFY(opened.wait(patience));
    store.attach(engine.evaluator);
    QSignalSpy failed(&store, &TelemetryStore::failed);
    QSignalSpy resumed(&store, &TelemetryStore::resumed);
    quint64 told = 0;
    connect(&engine.evaluator, &RestartPolicyEvaluator::event, this, [&] { ++told; });
    connect(&engine.evaluator, &RestartPolicyEvaluator::decided, this, [&] { ++told; });

    OwnConnection own(m_path);
    own.execute(QStringLiteral("BEGIN EXCLUSIVE"));
    for (int i = 0; i < 20; ++i)
        engine.crash();
    QVERIFY(failed.wait(patience));
    QCOMPARE(failed[0][0].toString(), QStringLiteral("the database is locked"));
    const quint64 dropped = store.droppedCount();
    QVERIFY(dropped > 0);
    own.execute(QStringLiteral("ROLLBACK"));
    QVERIFY(!resumed.isEmpty() || resumed.wait(patience));
    QVERIFY(written(store));

    // All that was told was stored, or stands in a gap; there are two where the writer took what
    // waited in the middle of it.
    const QString run = QStringLiteral(" AND run = '%1'").arg(store.runId());
    qint64 lostEvents = 0;
    qint64 lostDecisions = 0;
    qint64 firstLost = std::numeric_limits<qint64>::max();
    for (const QString &row :
         own.rows(QStringLiteral("SELECT data FROM events WHERE type = 'events.gap'"))) {
        const QJsonObject gap = QJsonDocument::fromJson(row.toUtf8()).object();
        const qint64 events = gap[QLatin1String("events")].toInteger();
        lostEvents += events;
        lostDecisions += gap[QLatin1String("decisions")].toInteger();
        if (events > 0)
            firstLost = std::min(firstLost, gap[QLatin1String("firstSequence")].toInteger());
    }
    // What is lost follows the last one that was kept.
    QCOMPARE(own.number(QStringLiteral("SELECT max(seq) FROM events JOIN runs ON runs.id = run_id"
                                       " WHERE type <> 'events.gap'")
                        + run)
                 + 1,
             firstLost);
    QCOMPARE(lostEvents + lostDecisions, static_cast<qint64>(dropped));
    QCOMPARE(
        own.number(QStringLiteral("SELECT count(*) FROM events JOIN runs ON runs.id = run_id"
                                  " WHERE type <> 'events.gap'")
                   + run)
            + lostEvents
            + own.number(QStringLiteral("SELECT count(*) FROM audit WHERE kind = 'decision'") + run)
            + lostDecisions,
        static_cast<qint64>(told));
    QVERIFY(own.number(QStringLiteral("SELECT count(*) FROM audit WHERE kind = 'gap'")) > 0);
    QVERIFY(AuditTrail::verify(m_path).isIntact());
}

void StoreFaultsTest::garbageIsMovedAside()
{
    const QByteArray garbage = QByteArray("this is no database\n").repeated(1000);
    put(garbage);
    TelemetryStore store(options());
    QSignalSpy moved(&store, &TelemetryStore::movedAside);
    QSignalSpy failed(&store, &TelemetryStore::failed);
    store.append(numbered(1));
    QVERIFY(written(store));
    QCOMPARE(moved.count(), 1);
    QCOMPARE(failed.count(), 0);
    const QString aside = moved[0][0].toString();
    QVERIFY(aside.startsWith(m_path + QLatin1String(".corrupt-")));
    QFile file(aside);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), garbage);
    OwnConnection own(m_path);
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events")), qint64{1});
}

void StoreFaultsTest::aForeignFileStaysAsItIs()
{
    m_path = m_folder.filePath(QStringLiteral("letters.txt"));
    const QByteArray letters = QByteArray("not yours\n").repeated(1000);
    put(letters);
    TelemetryStore store(options());
    QSignalSpy failed(&store, &TelemetryStore::failed);
    QVERIFY(failed.wait(patience));
    QVERIFY(failed[0][0].toString().contains(QLatin1String("no SQLite database")));
    QCOMPARE(movedAside(), QStringList());
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), letters);
}

void StoreFaultsTest::aDatabaseWithoutItsTablesIsMovedAside()
{
    writeTrail(m_path, 2);
    {
        OwnConnection own(m_path);
        own.execute(QStringLiteral("DROP TABLE events"));
    }
    TelemetryStore store(options());
    QVERIFY(written(store));
    store.append(numbered(1));
    QVERIFY(written(store));
    QCOMPARE(movedAside().size(), 1);
    OwnConnection own(m_path);
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events")), qint64{1});
}

// As in a host that ends at once: there is no second batch.
void StoreFaultsTest::damageThatIsFoundAtTheEnd()
{
    writeTrail(m_path, 1);
    {
        OwnConnection own(m_path);
        own.dropFences();
        own.execute(QStringLiteral("DELETE FROM audit_head"));
    }
    Engine engine;
    TelemetryStore store(options());
    store.attach(engine.evaluator);
    QSignalSpy failed(&store, &TelemetryStore::failed);
    engine.crash();
    store.close();
    QCOMPARE(movedAside().size(), 1);
    QCOMPARE(failed.count(), 0);
    QCOMPARE(store.droppedCount(), quint64{0});
    QCOMPARE(AuditTrail::verify(m_path).rows, qint64{1});
}

// The head of the trail goes while the store is open.
void StoreFaultsTest::damageThatIsFoundLater()
{
    Engine engine;
    TelemetryStore store(options());
    store.attach(engine.evaluator);
    engine.crash();
    QVERIFY(written(store));
    {
        OwnConnection own(m_path);
        own.dropFences();
        own.execute(QStringLiteral("DELETE FROM audit_head"));
    }
    QSignalSpy moved(&store, &TelemetryStore::movedAside);
    QSignalSpy failed(&store, &TelemetryStore::failed);
    engine.crash();
    QVERIFY(moved.wait(patience));
    QTRY_VERIFY_WITH_TIMEOUT(written(store), patience);
    QCOMPARE(store.droppedCount(), quint64{0});
    QCOMPARE(failed.count(), 0); // all is in the new one
    const AuditReport report = AuditTrail::verify(m_path);
    QVERIFY(report.isIntact());
    QCOMPARE(report.rows, qint64{1});
}

void StoreFaultsTest::aNewerVersionIsRefused()
{
    writeTrail(m_path, 1);
    {
        OwnConnection own(m_path);
        own.execute(QStringLiteral("PRAGMA user_version = 3"));
        own.execute(QStringLiteral("PRAGMA journal_mode = DELETE"));
    }
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    TelemetryStore store(options());
    QSignalSpy failed(&store, &TelemetryStore::failed);
    store.append(numbered(1));
    QVERIFY(failed.wait(patience));
    QCOMPARE(failed[0][0].toString(),
             QStringLiteral("it was written by a newer version (its format is 3, known is 2)"));
    QVERIFY(!written(store));
    store.append(numbered(2));
    store.close();
    QCOMPARE(store.droppedCount(), quint64{2});
    QVERIFY(file.seek(0));
    QCOMPARE(file.readAll(), before);
    QCOMPARE(movedAside(), QStringList());
    QVERIFY(AuditTrail::verify(m_path).error.contains(QLatin1String("newer version")));
}

void StoreFaultsTest::anotherProgramsDatabaseIsRefused()
{
    {
        OwnConnection own(m_path);
        own.execute(QStringLiteral("CREATE TABLE bookmarks (url TEXT)"));
    }
    TelemetryStore store(options());
    QSignalSpy failed(&store, &TelemetryStore::failed);
    QVERIFY(failed.wait(patience));
    QCOMPARE(failed[0][0].toString(), QStringLiteral("it is a database of another program"));
    OwnConnection own(m_path);
    QCOMPARE(own.rows(QStringLiteral("SELECT name FROM sqlite_schema")),
             QStringList(QStringLiteral("bookmarks")));
}

void StoreFaultsTest::anEmptyFileBecomesAStore()
{
    put({});
    TelemetryStore store(options());
    store.append(numbered(1));
    QVERIFY(written(store));
    QCOMPARE(movedAside(), QStringList());
}

// Generous: it is to end at all.
void StoreFaultsTest::theEndIsBounded()
{
    writeTrail(m_path, 1);
    OwnConnection own(m_path);
    own.execute(QStringLiteral("BEGIN EXCLUSIVE"));
    quint64 dropped = 0;
    {
        TelemetryStore store(options());
        store.append(numbered(1));
        store.close();
        dropped = store.droppedCount();
    }
    QCOMPARE(dropped, quint64{1});
}

void StoreFaultsTest::noThread()
{
    std::unique_ptr<TelemetryStore> store;
    {
        const NoRoomForThreads none;
        store = std::make_unique<TelemetryStore>(options());
    }
    QSignalSpy failed(store.get(), &TelemetryStore::failed);
    store->append(numbered(1));
    std::optional<bool> written;
    store->flush([&written](bool all) { written = all; });
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
    QVERIFY2(failed[0][0].toString().startsWith(QLatin1String("no thread to write it: ")),
             qPrintable(failed[0][0].toString()));
    QTRY_VERIFY_WITH_TIMEOUT(written, patience);
    QVERIFY(!*written);
    QCOMPARE(store->droppedCount(), quint64{1});
    store.reset();
    QVERIFY(!QFileInfo::exists(m_path));
}

REKINDLE_TEST(StoreFaultsTest)
#include "storefaultstest.moc"
