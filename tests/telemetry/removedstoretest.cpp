// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"

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
    void aNewOneIsBegun_data();
    void aNewOneIsBegun();
};

void RemovedStoreTest::aNewOneIsBegun_data()
{
    QTest::addColumn<QString>("how");
    for (const char *how : {"all of it", "the database alone", "renamed", "with its folder"})
        QTest::newRow(how) << QString::fromLatin1(how);
}

void RemovedStoreTest::aNewOneIsBegun()
{
    QFETCH(QString, how);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("stores/s.sqlite"));
    const QString renamed = folder.filePath(QStringLiteral("old.sqlite"));
    Engine engine;
    TelemetryStore store({.path = path});
    const QSignalSpy removed(&store, &TelemetryStore::removed);
    const QSignalSpy failed(&store, &TelemetryStore::failed);
    store.attach(engine.evaluator);
    engine.crash();
    QVERIFY(written(store));

    if (how == QLatin1String("renamed"))
        QVERIFY(QFile::rename(path, renamed));
    else if (how == QLatin1String("with its folder"))
        QVERIFY(QDir(QFileInfo(path).path()).removeRecursively());
    else
        QVERIFY(QFile::remove(path));
    if (how == QLatin1String("all of it")) {
        for (const char *companion : {"-wal", "-shm"})
            QVERIFY(QFile::remove(path + QLatin1String(companion)));
    }
    engine.crash();
    QVERIFY(written(store));
    QTRY_COMPARE(removed.count(), 1);
    QCOMPARE(failed.count(), 0);
    QCOMPARE(store.droppedCount(), quint64{0});
    store.close();

    OwnConnection own(path);
    QCOMPARE(own.rows(QStringLiteral("PRAGMA integrity_check")), QStringList(QStringLiteral("ok")));
    QVERIFY(own.number(QStringLiteral("SELECT min(seq) FROM events")) > 1);
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM audit")), qint64{1});
    QCOMPARE(own.number(QStringLiteral("SELECT count(*) FROM runs")), qint64{1});
    QVERIFY(AuditTrail::verify(path).isIntact());
    if (how == QLatin1String("renamed"))
        QVERIFY(AuditTrail::verify(renamed).isIntact());
}

QTEST_GUILESS_MAIN(RemovedStoreTest)
#include "removedstoretest.moc"
