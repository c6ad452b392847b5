// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"

#include <QDir>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <condition_variable>
#include <mutex>
#include <sys/syscall.h>
#include <unistd.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// Blocks writes to the log of a store while the disk hangs, and looks at the store itself after
// each write.
class Disk
{
public:
    void examine(int descriptor)
    {
        const QString path =
            QFileInfo(QStringLiteral("/proc/self/fd/%1").arg(descriptor)).symLinkTarget();
        std::array<char, 72> head = {};
        if (!path.endsWith(QLatin1String(".sqlite"))
            || ::pread(descriptor, head.data(), head.size(), 0) != qsizetype{head.size()})
            return;
        const std::lock_guard lock(m_mutex);
        m_headers.append(QByteArray(head.data(), 15) + ' ' + QByteArray(&head[68], 4));
    }
    QByteArrayList headers()
    {
        const std::lock_guard lock(m_mutex);
        return m_headers;
    }
    void setHanging(bool hangs)
    {
        const std::lock_guard lock(m_mutex);
        m_hangs = hangs;
        m_changed.notify_all();
    }
    bool hasWrittenLog()
    {
        const std::lock_guard lock(m_mutex);
        return m_hasWrittenLog;
    }
    bool hasWaiting()
    {
        const std::lock_guard lock(m_mutex);
        return m_waiting > 0;
    }
    void write(int descriptor)
    {
        const bool isLog = QFileInfo(QStringLiteral("/proc/self/fd/%1").arg(descriptor))
                               .symLinkTarget()
                               .endsWith(QLatin1String("-wal"));
        std::unique_lock lock(m_mutex);
        m_hasWrittenLog = m_hasWrittenLog || isLog;
        if (!m_hangs || !isLog)
            return;
        ++m_waiting;
        m_changed.wait(lock, [this] { return !m_hangs; });
        --m_waiting;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_hangs = false;
    bool m_hasWrittenLog = false;
    int m_waiting = 0;
    QByteArrayList m_headers;
};

Disk disk;

qsizetype threadCount()
{
    return QDir(QStringLiteral("/proc/self/task"))
        .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
        .size();
}

} // namespace

// Replaces the function of the C library, also for SQLite.
extern "C" __attribute__((visibility("default"))) ssize_t pwrite64(int descriptor,
                                                                   const void *bytes, size_t size,
                                                                   off64_t offset)
{
    disk.write(descriptor);
    const ssize_t count = ::syscall(SYS_pwrite64, descriptor, bytes, size, offset);
    disk.examine(descriptor);
    return count;
}

/// A write that does not return, as on a network file system that has failed, and the state of the
/// file after each write.
class StoreDiskFaultTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neverBlocksTheHost();
    void isAStoreFromTheFirstWrite();
};

// Another host that starts at this moment would otherwise refuse the file, as if it belonged to
// another program.
void StoreDiskFaultTest::isAStoreFromTheFirstWrite()
{
    const QTemporaryDir folder;
    const qsizetype before = disk.headers().size();
    {
        TelemetryStore store({.path = folder.filePath(QStringLiteral("b.sqlite"))});
        store.append(numbered(1));
        QVERIFY(written(store));
    }
    const QByteArrayList headers = disk.headers().mid(before);
    if (headers.isEmpty())
        QSKIP("this SQLite does not write with pwrite64()");
    for (const QByteArray &header : headers)
        QCOMPARE(header, QByteArray("SQLite format 3 RKND"));
}

void StoreDiskFaultTest::neverBlocksTheHost()
{
    constexpr int patience = 30'000;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.sqlite"));
    const qsizetype threads = threadCount();
    // If the test fails, the blocked writer must not prevent the process from exiting.
    const auto released = qScopeGuard([] { disk.setHanging(false); });
    {
        TelemetryStore store(
            {.path = path, .capacity = 2'000, .batchAge = 0ms, .closeTimeout = 100ms});
        QSignalSpy dropped(&store, &TelemetryStore::dropped);
        store.append(numbered(1));
        QVERIFY(written(store));
        if (!disk.hasWrittenLog())
            QSKIP("this SQLite does not write with pwrite64()");
        disk.setHanging(true);
        store.append(numbered(2));
        QVERIFY(QTest::qWaitFor([] { return disk.hasWaiting(); }, patience));

        for (quint64 i = 3; i < 2'003; ++i)
            store.append(numbered(i));
        QVERIFY(disk.hasWaiting());
        // The agent's share is 1,000, and the writer may have taken one item.
        QVERIFY2(store.droppedCount() == 1'000 || store.droppedCount() == 1'001,
                 qPrintable(QString::number(store.droppedCount())));
        QVERIFY(!dropped.isEmpty() || dropped.wait(patience));
        store.close();
        QVERIFY(disk.hasWaiting());
        QCOMPARE(store.droppedCount(), quint64{2'001}); // only the first is confirmed
    }
    QVERIFY(disk.hasWaiting());

    disk.setHanging(false);
    QVERIFY(QTest::qWaitFor([&] { return threadCount() == threads; }, patience));
    OwnConnection own(path);
    QCOMPARE(own.rows(QStringLiteral("PRAGMA integrity_check")), QStringList(QStringLiteral("ok")));
    QVERIFY(own.number(QStringLiteral("SELECT count(*) FROM events")) >= 2);
}

QTEST_GUILESS_MAIN(StoreDiskFaultTest)
#include "storediskfaulttest.moc"
