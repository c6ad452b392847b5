// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "readonlyfolder.h"
#include "stores.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/telemetry/audittrail.h>
#include <rekindle/telemetry/historyreader.h>

#include <memory>

using namespace Rekindle;
using namespace std::chrono_literals;

/// Stores in folders that cannot be written to.
class ReadOnlyStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void resumesWhenFolderBecomesWritable_data();
    void resumesWhenFolderBecomesWritable();
    void isReadable();
    void isReadableWithLog();

private:
    [[nodiscard]] QStringList files() const
    {
        return QDir(m_folder->path()).entryList(QDir::Files, QDir::Name);
    }
    static void checkIsReadable(const QString &path);

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    static constexpr int patience = 30'000;
};

void ReadOnlyStoreTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("a.sqlite"));
}

void ReadOnlyStoreTest::resumesWhenFolderBecomesWritable_data()
{
    const Rows<bool> row("exists");
    row("a new store", false);
    row("an existing store", true);
}

void ReadOnlyStoreTest::resumesWhenFolderBecomesWritable()
{
    QFETCH(bool, exists);
    if (exists)
        writeTrail(m_path, 1);
    const QStringList before = files();
    auto readOnly = std::make_unique<ReadOnlyFolder>(m_folder->path());
    if (!readOnly->fault().isEmpty())
        QSKIP(qPrintable(readOnly->fault()));
    TelemetryStore store({.path = m_path, .batchAge = 0ms, .retryDelay = 10ms});
    QSignalSpy failed(&store, &TelemetryStore::failed);
    QSignalSpy resumed(&store, &TelemetryStore::resumed);
    store.append(numbered(1000));
    QVERIFY(failed.wait(patience));
    // Users other than root can open an existing file for reading.
    const QStringList reasons{QStringLiteral("unable to open database file"),
                              QStringLiteral("attempt to write a readonly database")};
    QVERIFY2(reasons.contains(failed[0][0].toString()), qPrintable(failed[0][0].toString()));
    QVERIFY(!written(store));
    QCOMPARE(files(), before);

    readOnly.reset();
    QVERIFY(!resumed.isEmpty() || resumed.wait(patience));
    QVERIFY(written(store));
    QCOMPARE(store.droppedCount(), quint64{0});
    QCOMPARE(OwnConnection(m_path).number(
                 QStringLiteral("SELECT count(*) FROM events WHERE seq = 1000")),
             qint64{1});
}

void ReadOnlyStoreTest::checkIsReadable(const QString &path)
{
    HistoryReader reader(path);
    QCOMPARE(reader.agents(), QStringList(QStringLiteral("web")));
    QVERIFY2(reader.error().isEmpty(), qPrintable(reader.error()));
    const AuditReport report = AuditTrail::verify(path);
    QVERIFY2(report.isIntact(), qPrintable(report.error));
    QCOMPARE(report.rows, qint64{6});
}

void ReadOnlyStoreTest::isReadable()
{
    writeTrail(m_path, 3);
    const QStringList before = files();
    QCOMPARE(before.size(), 1);
    const ReadOnlyFolder readOnly(m_folder->path());
    if (!readOnly.fault().isEmpty())
        QSKIP(qPrintable(readOnly.fault()));
    checkIsReadable(m_path);
    QCOMPARE(files(), before);
}

// After a kill, the whole trail is in the log.
void ReadOnlyStoreTest::isReadableWithLog()
{
    const QString killed = m_folder->filePath(QStringLiteral("killed"));
    {
        Engine engine;
        TelemetryStore store({.path = m_path});
        store.attach(engine.evaluator);
        for (int i = 0; i < 3; ++i)
            engine.crash();
        QVERIFY(written(store));
        QVERIFY(QDir().mkpath(killed));
        for (const QString &name : files())
            QVERIFY(QFile::copy(m_folder->filePath(name), killed + u'/' + name));
    }
    const QString path = killed + QStringLiteral("/a.sqlite");
    const QStringList before = QDir(killed).entryList(QDir::Files, QDir::Name);
    QVERIFY(before.contains(QStringLiteral("a.sqlite-wal")));
    const ReadOnlyFolder readOnly(killed);
    if (!readOnly.fault().isEmpty())
        QSKIP(qPrintable(readOnly.fault()));
    checkIsReadable(path);
    QCOMPARE(QDir(killed).entryList(QDir::Files, QDir::Name), before);
}

REKINDLE_TEST(ReadOnlyStoreTest)
#include "readonlystoretest.moc"
