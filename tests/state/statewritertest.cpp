// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "noroomforthreads.h"
#include "statehost.h"
#include "testprogram.h"

#include "state/statewriter_p.h"

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

// The writer thread.
class StateWriterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void holdsLockWhileThreadMayWrite();
    void opensAgainAfterClose();
    void reportsThreadThatCannotStart();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

void StateWriterTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("a.state"));
}

// finish() gives up waiting for the disk, but the next host must not use the file while the thread
// may still replace it.
void StateWriterTest::holdsLockWhileThreadMayWrite()
{
    StateContents many;
    for (int i = 0; i < 20'000; ++i)
        many.agents.insert(QString::number(i), {});
    auto lock = std::make_shared<HostLock>();
    QCOMPARE(lock->acquire(m_path), QString());
    StateWriter writer(m_path, std::move(lock), {});
    writer.post(many);
    QVERIFY(!writer.finish(0ms));
    HostLock next;
    QVERIFY(!next.acquire(m_path).isEmpty());
    QVERIFY(!QFile::exists(m_path));
}

// The result of the write that is in flight at close() is not reported.
void StateWriterTest::opensAgainAfterClose()
{
    StateHost host(m_path);
    QVERIFY(host.run());
    QVERIFY(host.state->close());
    QCoreApplication::processEvents();
    QCOMPARE(host.writes, 0);

    QVERIFY(host.state->open());
    host.stage.advance(100ms);
    QVERIFY(host.waitForWrites(1));
    host.stage.advance(1s);
    QVERIFY(host.waitForWrites(2));
    QVERIFY(host.failures.isEmpty());
}

void StateWriterTest::reportsThreadThatCannotStart()
{
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    StateHost host(m_path);
    {
        const NoRoomForThreads now;
        QVERIFY(!host.state->open());
    }
    QVERIFY(!host.state->isOpen());
    QCOMPARE(host.failures.size(), 1);
    QVERIFY2(host.failures[0].startsWith(QLatin1String("cannot start the writer thread: ")),
             qPrintable(host.failures[0]));
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        QCOMPARE(sigismember(&after, number), sigismember(&before, number));
    // The lock is released, and the next attempt succeeds.
    QVERIFY(host.run());
    QVERIFY(host.waitForWrites(1));
}

REKINDLE_TEST(StateWriterTest)
#include "statewritertest.moc"
