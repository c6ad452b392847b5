// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"
#include "testprogram.h"
#include "testrow.h"

#include <memory>

using namespace Rekindle;

/// The file of a store is removed, renamed or replaced while a host writes to it.
class RemovedStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void reportsAtClose();
    void reportsAfterFailedWrite_data();
    void reportsAfterFailedWrite();
    void pathIsAbsolute();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    const QString m_reason =
        QStringLiteral("the file was removed, renamed or replaced while in use");
};

void RemovedStoreTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("stores/s.sqlite"));
}

void RemovedStoreTest::reportsAtClose()
{
    TelemetryStore store({.path = m_path});
    const QSignalSpy failed(&store, &TelemetryStore::failed);
    store.append(numbered(1));
    QVERIFY(written(store));
    QVERIFY(QFile::remove(m_path));
    store.close();
    QCOMPARE(failed.count(), 1);
    QCOMPARE(failed[0][0].toString(), m_reason);
    QVERIFY(!QFile::exists(m_path));
}

void RemovedStoreTest::reportsAfterFailedWrite_data()
{
    const Rows<QString> row("change");
    for (const char *change : {"removed", "removed with its folder", "replaced"})
        row(change);
}

void RemovedStoreTest::reportsAfterFailedWrite()
{
    QFETCH(QString, change);
    const QString other = m_folder->filePath(QStringLiteral("other.sqlite"));
    writeTrail(other, 1);
    // SQLite's own limit results in the same error as a full disk. The store is then closed.
    TelemetryStore store(
        {.path = m_path, .batchRows = 10, .retryDelay = std::chrono::minutes(1), .maxPages = 40});
    const QSignalSpy failed(&store, &TelemetryStore::failed);
    for (quint64 i = 1; failed.isEmpty() && i < 100'000; ++i) {
        store.append(numbered(i));
        if (i % 100 == 0)
            static_cast<void>(written(store));
    }
    QCOMPARE(failed.count(), 1);
    // A request to write that was made before the failure leads to another attempt meanwhile.
    if (change == QLatin1String("removed with its folder"))
        QTRY_VERIFY(QDir(QFileInfo(m_path).path()).removeRecursively());
    else
        QVERIFY(QFile::remove(m_path));
    if (change == QLatin1String("replaced"))
        QVERIFY(QFile::rename(other, m_path));
    QVERIFY(!written(store));
    QTRY_COMPARE(failed.count(), 2);
    QCOMPARE(failed[1][0].toString(), m_reason);
    QVERIFY(!store.retriesWrites());
    const quint64 lost = store.droppedCount();
    QVERIFY(lost > 0);
    store.append(numbered(1));
    store.close();
    QCOMPARE(store.droppedCount(), lost + 1);
    QCOMPARE(QFile::exists(m_path), change == QLatin1String("replaced"));
}

void RemovedStoreTest::pathIsAbsolute()
{
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(m_folder->path()));
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
