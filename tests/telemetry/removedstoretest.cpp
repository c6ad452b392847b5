// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"
#include "testprogram.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace Rekindle;

/// The file of a store is removed, renamed or replaced while a host writes to it.
class RemovedStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stopsRecording_data();
    void stopsRecording();
    void recordsNoExitInReplacement();
    void pathIsAbsolute();

private:
    static void replace(const QString &path)
    {
        const QString renamed = path + QLatin1String(".old");
        QVERIFY(QFile::rename(path, renamed));
        QVERIFY(QFile::copy(renamed, path));
    }
};

void RemovedStoreTest::stopsRecording_data()
{
    QTest::addColumn<QString>("change");
    for (const char *change : {"removed", "removed with its folder", "renamed", "replaced"})
        QTest::newRow(change) << QString::fromLatin1(change);
}

void RemovedStoreTest::stopsRecording()
{
    QFETCH(QString, change);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("stores/s.sqlite"));
    Engine engine;
    TelemetryStore store({.path = path});
    const QSignalSpy failed(&store, &TelemetryStore::failed);
    store.attach(engine.evaluator);
    engine.crash();
    QVERIFY(written(store));
    if (change == QLatin1String("removed"))
        QVERIFY(QFile::remove(path));
    else if (change == QLatin1String("removed with its folder"))
        QVERIFY(QDir(QFileInfo(path).path()).removeRecursively());
    else if (change == QLatin1String("renamed"))
        QVERIFY(QFile::rename(path, path + QLatin1String(".old")));
    else
        replace(path);
    engine.crash();
    QVERIFY(!written(store));
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(failed[0][0].toString(),
             QStringLiteral("the file was removed, renamed or replaced while in use"));
    QVERIFY(!store.retriesWrites());
    QTRY_VERIFY(store.droppedCount() > 1);
    const quint64 lost = store.droppedCount();
    engine.crash();
    store.close();
    QVERIFY(store.droppedCount() > lost);
    QCOMPARE(QFile::exists(path), change == QLatin1String("replaced"));
}

void RemovedStoreTest::recordsNoExitInReplacement()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("s.sqlite"));
    writeTrail(path, 1);
    const auto exits = [&path] {
        return OwnConnection(path).number(
            QStringLiteral("SELECT count(*) FROM runs WHERE ended_ms > 0"));
    };
    QCOMPARE(exits(), qint64{1});
    TelemetryStore store({.path = path});
    store.append(numbered(1));
    QVERIFY(written(store));
    replace(path);
    store.close();
    QCOMPARE(store.droppedCount(), quint64{0});
    QCOMPARE(exits(), qint64{1});
}

void RemovedStoreTest::pathIsAbsolute()
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
