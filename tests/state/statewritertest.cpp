// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "life.h"
#include "noroomforthreads.h"
#include "testprogram.h"

#include "state/statewriter_p.h"

#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

// The thread that writes, from its begin to its end.
class StateWriterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void lockIsHeldForAsLongAsItMayBeWritten();
    void closedAndOpenedAgain();
    void noThreadIsTold();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

namespace {

const QString web = QStringLiteral("web");
const AgentScript crashes{QStringLiteral("started fail")};
const QString loop = QStringLiteral(
    "'initialDelay':'100ms','multiplier':1,'maxRetries':'unlimited','circuitBreaker':'off'");

} // namespace

void StateWriterTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("a.state"));
}

// Nobody waits for a disk for ever; but the next host must not have the file while an old thread
// may still replace it.
void StateWriterTest::lockIsHeldForAsLongAsItMayBeWritten()
{
    StateContents many;
    for (int i = 0; i < 20'000; ++i)
        many.agents.insert(QString::number(i), {});
    auto lock = std::make_shared<HostLock>();
    QCOMPARE(lock->take(m_path), QString());
    StateWriter writer(m_path, std::move(lock), {});
    writer.post(many);
    QVERIFY(!writer.finish(0ms));
    HostLock next;
    QVERIFY(!next.take(m_path).isEmpty());
    QVERIFY(!QFile::exists(m_path));
}

// In the middle of a write, and what came of it is told to nobody.
void StateWriterTest::closedAndOpenedAgain()
{
    Life life(m_path);
    QVERIFY(life.state->open());
    life.stage.add(web, crashes, loop);
    life.begin();
    QVERIFY(life.state->close());
    QCoreApplication::processEvents();
    QCOMPARE(life.writes, 0);

    QVERIFY(life.state->open());
    life.stage.advance(100ms);
    QVERIFY(life.waitForWrites(1));
    life.stage.advance(1s);
    QVERIFY(life.waitForWrites(2));
    QVERIFY(life.failures.isEmpty());
}

void StateWriterTest::noThreadIsTold()
{
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    Life life(m_path);
    {
        const NoRoomForThreads now;
        QVERIFY(!life.state->open());
    }
    QVERIFY(!life.state->isOpen());
    QCOMPARE(life.failures.size(), 1);
    QVERIFY2(life.failures[0].startsWith(QLatin1String("no thread to write it: ")),
             qPrintable(life.failures[0]));
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        QCOMPARE(sigismember(&after, number), sigismember(&before, number));
    // The file is free, and the host goes on.
    QVERIFY(life.state->open());
    life.stage.add(web, crashes, loop);
    life.begin();
    QVERIFY(life.waitForWrites(1));
}

REKINDLE_TEST(StateWriterTest)
#include "statewritertest.moc"
