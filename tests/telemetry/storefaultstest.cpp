// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "noroomforthreads.h"
#include "stores.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/telemetry/audittrail.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

using namespace Rekindle;
using namespace std::chrono_literals;

/// Faulty disks and files: the engine continues, and losses are counted and reported.
class StoreFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_path = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_stores)); }

    void retriesToOpen_data();
    void retriesToOpen();
    void resumesWhenFolderCanBeCreated();
    void fullDiskDropsRowsWithoutHoles();
    void writesNoRowAfterLostOnesWhileClosing();
    void lockedDatabaseRecordsGap();
    void movesDamagedStoreAside();
    void movesStoreWithMissingTablesAside();
    void detectsDamageWhileClosing();
    void detectsDamageWhileOpen();
    void leavesOtherFilesUnchanged_data();
    void leavesOtherFilesUnchanged();
    void convertsEmptyFile();
    void closeIsBounded();
    void reportsThreadThatCannotStart();

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

void StoreFaultsTest::retriesToOpen_data()
{
    const Rows<QString, QString> row("path", "reason");
    m_path = m_folder.filePath(QStringLiteral("file"));
    put("a file, not a folder");
    const QString below = m_path + QLatin1String("/below");
    row("below a file", QString(below + QLatin1String("/a/file.sqlite")),
        QString(below + QLatin1String(": cannot be created: Not a directory")));
    row("a folder", m_folder.path(), "unable to open database file");
    row("/proc", "/proc/rekindle.sqlite", "unable to open database file");
}

void StoreFaultsTest::retriesToOpen()
{
    QFETCH(QString, path);
    QFETCH(QString, reason);
    TelemetryOptions changed = options();
    changed.path = path;
    changed.capacity = 20; // one agent uses half of it
    TelemetryStore store(changed);
    QSignalSpy failed(&store, &TelemetryStore::failed);
    QSignalSpy dropped(&store, &TelemetryStore::dropped);
    QVERIFY(failed.wait(patience));
    QCOMPARE(failed[0][0].toString(), reason);
    QVERIFY(store.retriesWrites());
    for (quint64 i = 1; i <= 30; ++i)
        store.append(numbered(i));
    QVERIFY(!written(store));
    QTRY_COMPARE_WITH_TIMEOUT(store.droppedCount(), quint64{20}, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!dropped.isEmpty(), patience);
    store.close();
    QCOMPARE(store.droppedCount(), quint64{30});
    QCOMPARE(failed.count(), 1);
}

void StoreFaultsTest::resumesWhenFolderCanBeCreated()
{
    const QString folder = m_folder.filePath(QStringLiteral("later"));
    QFile file(folder);
    QVERIFY(file.open(QIODevice::WriteOnly));
    TelemetryOptions changed = options();
    changed.path = folder + QLatin1String("/store.sqlite");
    TelemetryStore store(changed);
    QSignalSpy failed(&store, &TelemetryStore::failed);
    QSignalSpy resumed(&store, &TelemetryStore::resumed);
    store.append(numbered(1));
    QVERIFY(failed.wait(patience));
    QVERIFY(file.remove());
    QVERIFY(!resumed.isEmpty() || resumed.wait(patience));
    QVERIFY(written(store));
    OwnConnection own(changed.path);
    QCOMPARE(own.rows(QStringLiteral("SELECT seq FROM events")), QStringList(QStringLiteral("1")));
    QCOMPARE(store.droppedCount(), quint64{0});
}

// SQLite's own limit results in the same error as a full disk.
void StoreFaultsTest::fullDiskDropsRowsWithoutHoles()
{
    TelemetryOptions changed = options();
    changed.maxPages = 40;
    changed.batchRows = 10;
    changed.capacity = 100;
    quint64 sequence = 0;
    quint64 dropped = 0;
    {
        TelemetryStore store(changed);
        QSignalSpy failed(&store, &TelemetryStore::failed);
        while (failed.isEmpty() && sequence < 100'000) {
            for (int i = 0; i < 50; ++i)
                store.append(numbered(++sequence));
            static_cast<void>(written(store)); // so that nothing is dropped before the disk is full
        }
        VERIFY_CONTAINS(failed[0][0].toString(), "full");
        for (int i = 0; i < 500; ++i)
            store.append(numbered(++sequence));
        QVERIFY(store.droppedCount() >= 400);
        QVERIFY(!written(store));
        store.close();
        dropped = store.droppedCount();
    }
    // The database is intact, and the rows up to the first loss are complete.
    OwnConnection own(m_path);
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events WHERE id = seq")),
             own.number(QStringLiteral("SELECT count(*) FROM events")));
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM events")),
             static_cast<qint64>(sequence - dropped));
    QCOMPARE(own.rows(QStringLiteral("PRAGMA integrity_check")), QStringList(QStringLiteral("ok")));
}

void StoreFaultsTest::writesNoRowAfterLostOnesWhileClosing()
{
    TelemetryOptions changed = options();
    changed.maxPages = 40;
    quint64 dropped = 0;
    {
        TelemetryStore store(changed);
        QSignalSpy failed(&store, &TelemetryStore::failed);
        store.append(numbered(1));
        QVERIFY(written(store));
        auto tooLarge = std::get<AgentStable>(numbered(2));
        tooLarge.agent = QString(1 << 20, QLatin1Char('x'));
        store.append(tooLarge);
        QVERIFY(failed.wait(patience));
        store.append(numbered(3)); // has room on the disk
        store.close();
        dropped = store.droppedCount();
    }
    OwnConnection own(m_path);
    QCOMPARE(own.rows(QStringLiteral("SELECT seq FROM events")), QStringList(QStringLiteral("1")));
    QCOMPARE(dropped, quint64{2});
}

void StoreFaultsTest::lockedDatabaseRecordsGap()
{
    writeTrail(m_path, 1);
    Engine engine;
    TelemetryOptions changed = options();
    changed.capacity = 8;
    TelemetryStore store(changed);
    QSignalSpy opened(&store, &TelemetryStore::opened);
    QVERIFY(opened.wait(patience));
    store.attach(engine.evaluator);
    QSignalSpy failed(&store, &TelemetryStore::failed);
    QSignalSpy resumed(&store, &TelemetryStore::resumed);
    quint64 emitted = 0;
    connect(&engine.evaluator, &RestartPolicyEvaluator::lifecycleEvent, this, [&] { ++emitted; });
    connect(&engine.evaluator, &RestartPolicyEvaluator::decided, this, [&] { ++emitted; });
    connect(&engine.evaluator, &RestartPolicyEvaluator::operatorCommanded, this,
            [&] { ++emitted; });

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

    // Everything that was emitted is stored or counted in a gap. There are two gaps if the writer
    // took items in between.
    const QString run = QStringLiteral(" AND run = '%1'").arg(store.runId());
    qint64 lostEvents = 0;
    qint64 lostAudit = 0;
    qint64 firstLost = std::numeric_limits<qint64>::max();
    for (const QString &row :
         own.rows(QStringLiteral("SELECT data FROM events WHERE type = 'events.gap'"))) {
        const QJsonObject gap = QJsonDocument::fromJson(row.toUtf8()).object();
        const qint64 events = gap[QLatin1String("events")].toInteger();
        lostEvents += events;
        for (const char *kind : {"decisions", "commands"})
            lostAudit += gap[QLatin1String(kind)].toInteger();
        if (events > 0)
            firstLost = std::min(firstLost, gap[QLatin1String("firstSequence")].toInteger());
    }
    // The gap starts after the last stored event.
    QCOMPARE(own.number(QStringLiteral("SELECT max(seq) FROM events JOIN runs ON runs.id = run_id"
                                       " WHERE type <> 'events.gap'")
                        + run)
                 + 1,
             firstLost);
    QCOMPARE(lostEvents + lostAudit, static_cast<qint64>(dropped));
    QCOMPARE(
        own.number(QStringLiteral("SELECT count(*) FROM events JOIN runs ON runs.id = run_id"
                                  " WHERE type <> 'events.gap'")
                   + run)
            + lostEvents
            + own.number(QStringLiteral("SELECT count(*) FROM audit WHERE kind <> 'gap'") + run)
            + lostAudit,
        static_cast<qint64>(emitted));
    QVERIFY(own.number(QStringLiteral("SELECT count(*) FROM audit WHERE kind = 'gap'")) > 0);
    QVERIFY(AuditTrail::verify(m_path).isIntact());
}

void StoreFaultsTest::movesDamagedStoreAside()
{
    writeTrail(m_path, 1);
    QFile damaged(m_path);
    QVERIFY(damaged.open(QIODevice::ReadOnly));
    const QByteArray garbage = damaged.read(100) + QByteArray("not a database\n").repeated(1000);
    damaged.close();
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

void StoreFaultsTest::movesStoreWithMissingTablesAside()
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

// The host exits at once, so there is no second batch.
void StoreFaultsTest::detectsDamageWhileClosing()
{
    writeTrail(m_path, 1);
    {
        OwnConnection own(m_path);
        own.dropTriggers();
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
    QCOMPARE(AuditTrail::verify(m_path).rows, qint64{2});
}

// The head of the trail is removed while the store is open.
void StoreFaultsTest::detectsDamageWhileOpen()
{
    Engine engine;
    TelemetryStore store(options());
    store.attach(engine.evaluator);
    engine.crash();
    QVERIFY(written(store));
    {
        OwnConnection own(m_path);
        own.dropTriggers();
        own.execute(QStringLiteral("DELETE FROM audit_head"));
    }
    QSignalSpy moved(&store, &TelemetryStore::movedAside);
    QSignalSpy failed(&store, &TelemetryStore::failed);
    engine.crash();
    QVERIFY(moved.wait(patience));
    QTRY_VERIFY_WITH_TIMEOUT(written(store), patience);
    QCOMPARE(store.droppedCount(), quint64{0});
    QCOMPARE(failed.count(), 0); // all rows are in the new store
    const AuditReport report = AuditTrail::verify(m_path);
    QVERIFY(report.isIntact());
    QCOMPARE(report.rows, qint64{2});
}

void StoreFaultsTest::leavesOtherFilesUnchanged_data()
{
    const Rows<QString, QString> row("path", "reason");
    m_path = m_folder.filePath(QStringLiteral("letters.txt"));
    put(QByteArray("not yours\n").repeated(1000));
    row("text", m_path, "expected a telemetry store, found another file");
    m_path = m_folder.filePath(QStringLiteral("letters.sqlite"));
    put(QByteArray("not yours\n").repeated(1000));
    row("text with the name of a store", m_path, "expected a telemetry store, found another file");
    m_path = m_folder.filePath(QStringLiteral("damaged.sqlite"));
    put("SQLite format 3" + QByteArray(5000, '\1'));
    row("damaged database of another program", m_path,
        "expected a telemetry store, found another file");
    m_path = m_folder.filePath(QStringLiteral("empty.sqlite"));
    OwnConnection(m_path).execute(QStringLiteral("PRAGMA application_id = 7"));
    row("database of another program without tables", m_path,
        "the database belongs to another program");
    m_path = m_folder.filePath(QStringLiteral("link.sqlite"));
    writeTrail(m_folder.filePath(QStringLiteral("target.sqlite")), 1);
    QVERIFY(QFile::link(m_folder.filePath(QStringLiteral("target.sqlite")), m_path));
    row("symbolic link", m_path, "expected a telemetry store, found a symbolic link");
    m_path = m_folder.filePath(QStringLiteral("newer.sqlite"));
    writeTrail(m_path, 1);
    {
        OwnConnection own(m_path);
        own.execute(QStringLiteral("PRAGMA user_version = 4"));
        own.execute(QStringLiteral("PRAGMA journal_mode = DELETE"));
    }
    row("newer version", m_path, "written by a newer version (format 4; this version supports 3)");
    QCOMPARE(AuditTrail::verify(m_path).error,
             QStringLiteral("written by a newer version (format 4; this version supports 3)"));
    m_path = m_folder.filePath(QStringLiteral("other.sqlite"));
    OwnConnection(m_path).execute(QStringLiteral("CREATE TABLE bookmarks (url TEXT)"));
    row("other program", m_path, "the database belongs to another program");
}

void StoreFaultsTest::leavesOtherFilesUnchanged()
{
    QFETCH(QString, path);
    m_path = path;
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    TelemetryStore store(options());
    QSignalSpy failed(&store, &TelemetryStore::failed);
    store.append(numbered(1));
    QVERIFY(failed.wait(patience));
    QTEST(failed[0][0].toString(), "reason");
    QVERIFY(!written(store));
    QVERIFY(!store.retriesWrites());
    store.append(numbered(2));
    store.close();
    QCOMPARE(store.droppedCount(), quint64{2});
    QVERIFY(file.seek(0));
    QCOMPARE(file.readAll(), before);
    QCOMPARE(movedAside(), QStringList());
}

void StoreFaultsTest::convertsEmptyFile()
{
    put({});
    TelemetryStore store(options());
    store.append(numbered(1));
    QVERIFY(written(store));
    QCOMPARE(movedAside(), QStringList());
}

void StoreFaultsTest::closeIsBounded()
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

void StoreFaultsTest::reportsThreadThatCannotStart()
{
    std::unique_ptr<TelemetryStore> store;
    {
        const NoRoomForThreads none;
        store = std::make_unique<TelemetryStore>(options());
    }
    QSignalSpy failed(store.get(), &TelemetryStore::failed);
    store->append(numbered(1));
    std::optional<bool> written;
    store->flush([&written](bool isWritten) { written = isWritten; });
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
    QVERIFY2(failed[0][0].toString().startsWith(QLatin1String("cannot start the writer thread: ")),
             qPrintable(failed[0][0].toString()));
    QTRY_VERIFY_WITH_TIMEOUT(written, patience);
    QVERIFY(!*written);
    QCOMPARE(store->droppedCount(), quint64{1});
    store.reset();
    QVERIFY(!QFileInfo::exists(m_path));
}

REKINDLE_TEST(StoreFaultsTest)
#include "storefaultstest.moc"
