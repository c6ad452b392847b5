// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"
#include "testprogram.h"

#include <rekindle/telemetry/audittrail.h>

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace Rekindle;

/// Somebody takes a store's file away while a host writes to it.
class RemovedStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingMoreIsWritten_data();
    void nothingMoreIsWritten();
    void atTheEnd();
    void whereverTheHostGoes();

private:
    // Somebody does this to the store, whose run is not over.
    static void take(const QString &path, const QString &how, const QString &renamed)
    {
        if (how == QLatin1String("with its folder")) {
            QVERIFY(QDir(QFileInfo(path).path()).removeRecursively());
            return;
        }
        if (how.startsWith(QLatin1String("re")))
            QVERIFY(QFile::rename(path, renamed));
        else
            QVERIFY(QFile::remove(path));
        if (how == QLatin1String("replaced"))
            QVERIFY(QFile::copy(renamed, path));
        for (const char *companion : {"-wal", "-shm"}) {
            if (how == QLatin1String("all of it"))
                QVERIFY(QFile::remove(path + QLatin1String(companion)));
        }
    }
};

void RemovedStoreTest::nothingMoreIsWritten_data()
{
    QTest::addColumn<QString>("how");
    for (const char *how :
         {"all of it", "the database alone", "renamed", "replaced", "with its folder"})
        QTest::newRow(how) << QString::fromLatin1(how);
}

// A new file would share log and index with what another host still has open.
void RemovedStoreTest::nothingMoreIsWritten()
{
    QFETCH(QString, how);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("stores/s.sqlite"));
    const QString renamed = folder.filePath(QStringLiteral("old.sqlite"));
    Engine engine;
    TelemetryStore store({.path = path});
    const QSignalSpy failed(&store, &TelemetryStore::failed);
    store.attach(engine.evaluator);
    engine.crash();
    QVERIFY(written(store));
    take(path, how, renamed);
    engine.crash();
    QVERIFY(!written(store));
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(failed[0][0].toString(),
             QStringLiteral("it was removed or renamed while it was in use"));
    QVERIFY(!store.isTriedAgain());
    QTRY_VERIFY(store.droppedCount() > 1);
    const quint64 lost = store.droppedCount();
    engine.crash();
    store.close();
    QVERIFY(store.droppedCount() > lost);
    QCOMPARE(QFile::exists(path), how == QLatin1String("replaced"));
    if (how == QLatin1String("renamed")) {
        OwnConnection own(renamed);
        QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM audit")), qint64{1});
        QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM runs WHERE ended_ms > 0")),
                 qint64{1});
        QVERIFY(AuditTrail::verify(renamed).isIntact());
    }
}

// Nothing was to be written any more: what is there is whole.
void RemovedStoreTest::atTheEnd()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("s.sqlite"));
    const QString renamed = folder.filePath(QStringLiteral("old.sqlite"));
    Engine engine;
    TelemetryStore store({.path = path});
    store.attach(engine.evaluator);
    engine.crash();
    QVERIFY(written(store));
    QVERIFY(QFile::rename(path, renamed));
    store.close();
    QCOMPARE(store.droppedCount(), quint64{0});
    OwnConnection own(renamed);
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM audit")), qint64{1});
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM runs WHERE ended_ms > 0")), qint64{1});
}

void RemovedStoreTest::whereverTheHostGoes()
{
    const QTemporaryDir folder;
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder.path()));
    Engine engine;
    TelemetryStore store({.path = QStringLiteral("s.sqlite")});
    store.attach(engine.evaluator);
    engine.crash();
    QVERIFY(written(store));
    QVERIFY(QDir::setCurrent(before));
    engine.crash();
    QVERIFY(written(store));
}

REKINDLE_TEST(RemovedStoreTest)
#include "removedstoretest.moc"
