// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/workerstage.h"
#include "testprogram.h"

#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

#define TRY_TEXT(stage, expected)                                                                  \
    QTRY_COMPARE_WITH_TIMEOUT((stage).text(), QStringLiteral(expected), longWait)

class WorkerHangTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup();

    void numbersOutOfRange();
    void heartbeatSchedule();
    void heartbeatIsRequestedOnce();
    void abandonedAndReplaced();
    void lateReportsChangeNothing();
    void stoppedWhileItHangs();
    void killedWhileItHangs();
    void failsAndDoesNotEnd();
    void hangsInItsDestructor();
    void destroyedWhileItHangs();
    void destroyedFromTheSignal();
};

namespace {

// Blocks the worker's event loop until the test opens the gate.
class Hang
{
public:
    explicit Hang(WorkerStage &stage)
        : m_channel(stage.channel)
    {
        m_channel->send([gate = m_gate](QObject &) { gate->pass(); });
    }
    ~Hang() { m_gate->open(); }
    Q_DISABLE_COPY_MOVE(Hang)

    [[nodiscard]] bool holds() const { return m_gate->isReached(); }
    void open() const { m_gate->open(); }

private:
    Channel m_channel;
    std::shared_ptr<Gate> m_gate = std::make_shared<Gate>();
};

// All that was posted to the event loop before has been handled.
void pass(WorkerStage &stage)
{
    const auto done = std::make_shared<std::atomic<bool>>(false);
    stage.channel->send([done](QObject &) { *done = true; });
    QTRY_VERIFY_WITH_TIMEOUT(*done, longWait);
}

} // namespace

void WorkerHangTest::cleanup()
{
    QTRY_COMPARE_WITH_TIMEOUT(WorkerAgent::abandonedThreads(), 0, longWait);
}

void WorkerHangTest::numbersOutOfRange()
{
    WorkerStage stage({.heartbeatInterval = -1s,
                       .heartbeatTimeout = 0s,
                       .misses = 0,
                       .lastChance = -1s,
                       .stopTimeout = -1s,
                       .killTimeout = -1s});
    const WorkerOptions &options = stage.agent->options();
    QVERIFY(options.heartbeatInterval == 0s);
    QVERIFY(options.heartbeatTimeout == 1ms);
    QCOMPARE(options.misses, 1);
    QVERIFY(options.lastChance == 1ms);
    QVERIFY(options.stopTimeout == 0s);
    QVERIFY(options.killTimeout == 0s);
    QVERIFY(stage.agent->ownHealthChecks().empty());
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
}

void WorkerHangTest::heartbeatSchedule()
{
    const WorkerStage stage;
    const std::vector<HealthCheck> checks = stage.agent->ownHealthChecks();
    QCOMPARE(checks.size(), std::size_t{1});
    QCOMPARE(checks[0].name, QStringLiteral("heartbeat"));
    QCOMPARE(checks[0].schedule,
             (HealthSchedule{
                 .interval = 10s, .timeout = 2s, .misses = 3, .grace = 10s, .lastChance = 10s}));
    QVERIFY(validate(checks[0].schedule).isEmpty());
}

// An answer that is pending needs no second request.
void WorkerHangTest::heartbeatIsRequestedOnce()
{
    WorkerStage stage;
    int heartbeats = 0;
    connect(stage.agent.get(), &Agent::heartbeat, this, [&] { ++heartbeats; });
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    QVERIFY(stage.agent->requestHeartbeat());
    QVERIFY(stage.agent->requestHeartbeat());
    hang.open();
    QTRY_COMPARE_WITH_TIMEOUT(heartbeats, 1, longWait);
    pass(stage);
    QCoreApplication::sendPostedEvents();
    QCOMPARE(heartbeats, 1);
    QVERIFY(stage.agent->requestHeartbeat());
    QTRY_COMPARE_WITH_TIMEOUT(heartbeats, 2, longWait);
}

void WorkerHangTest::abandonedAndReplaced()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.agent->kill();
    stage.scheduler.advance(999ms);
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
    stage.scheduler.advance(1ms);
    QCOMPARE(stage.text(), QStringLiteral("started ready abandoned stopped"));
    QVERIFY(!stage.agent->isAlive());
    QCOMPARE(WorkerAgent::abandonedThreads(), 1);
    QCOMPARE(stage.channel->destroyedCount(), 0);
    QVERIFY(stage.channel->context(0).stopRequested());
    stage.agent->start();
    QTRY_COMPARE_WITH_TIMEOUT(stage.channel->madeCount(), 2, longWait);
    QTRY_VERIFY_WITH_TIMEOUT(stage.text().endsWith(QStringLiteral("started ready")), longWait);
    const QString before = stage.text();
    // The old thread ends without an effect on the new one.
    hang.open();
    QTRY_COMPARE_WITH_TIMEOUT(WorkerAgent::abandonedThreads(), 0, longWait);
    QCOMPARE(stage.channel->destroyedCount(), 1);
    QVERIFY(stage.channel->alwaysInItsThread());
    pass(stage);
    QCOMPARE(stage.text(), before);
    stage.agent->stop();
    QTRY_COMPARE_WITH_TIMEOUT(stage.text(), before + QStringLiteral(" stopped"), longWait);
}

void WorkerHangTest::lateReportsChangeNothing()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.agent->kill();
    stage.scheduler.advance(1s);
    const QString before = stage.text();
    const WorkerContext old = stage.channel->context(0);
    old.ready();
    old.requestRestart(QStringLiteral("late"));
    old.fail(FailureReason::Unknown, QStringLiteral("late"));
    QCOMPARE(stage.agent->lateReports(), quint64{3});
    QCoreApplication::processEvents();
    QCOMPARE(stage.text(), before);
}

void WorkerHangTest::stoppedWhileItHangs()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.agent->stop();
    stage.scheduler.advance(3s);
    // A second stop does not extend the time.
    stage.agent->stop();
    stage.scheduler.advance(1999ms);
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
    stage.scheduler.advance(1ms);
    QCOMPARE(stage.text(), QStringLiteral("started ready abandoned stopped"));
    QCOMPARE(WorkerAgent::abandonedThreads(), 1);
}

void WorkerHangTest::killedWhileItHangs()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.agent->stop();
    stage.scheduler.advance(1s);
    stage.agent->kill();
    stage.scheduler.advance(1s);
    QCOMPARE(stage.text(), QStringLiteral("started ready abandoned stopped"));
}

void WorkerHangTest::failsAndDoesNotEnd()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.channel->context(0).fail(FailureReason::DependencyFailure, QStringLiteral("feed lost"));
    QTRY_VERIFY_WITH_TIMEOUT(stage.scheduler.nextDue().time_since_epoch() == 5s, longWait);
    stage.scheduler.advance(5s);
    QCOMPARE(
        stage.text(),
        QStringLiteral("started ready abandoned failed:DependencyFailure(feed lost; it did not "
                       "end within 5s; its thread was abandoned)"));
}

void WorkerHangTest::hangsInItsDestructor()
{
    struct BlockingDestructor : QObject
    {
        explicit BlockingDestructor(std::shared_ptr<Gate> theGate)
            : gate(std::move(theGate))
        {
        }
        ~BlockingDestructor() override { gate->pass(); }
        Q_DISABLE_COPY_MOVE(BlockingDestructor)
        std::shared_ptr<Gate> gate;
    };
    const auto gate = std::make_shared<Gate>();
    WorkerStage stage(
        {}, [gate](const WorkerContext &) { return std::make_unique<BlockingDestructor>(gate); });
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    stage.agent->stop();
    QTRY_VERIFY_WITH_TIMEOUT(gate->isReached(), longWait);
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
    stage.scheduler.advance(5s);
    QCOMPARE(stage.text(), QStringLiteral("started ready abandoned stopped"));
    gate->open();
}

void WorkerHangTest::destroyedWhileItHangs()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.agent.reset();
    QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
    QCOMPARE(WorkerAgent::abandonedThreads(), 1);
    hang.open();
    QTRY_COMPARE_WITH_TIMEOUT(stage.channel->destroyedCount(), 1, longWait);
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
}

void WorkerHangTest::destroyedFromTheSignal()
{
    WorkerStage stage;
    QObject::connect(stage.agent.get(), &WorkerAgent::threadAbandoned, &stage.log,
                     [&] { stage.agent.reset(); });
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.agent->kill();
    stage.scheduler.advance(1s);
    QVERIFY(!stage.agent);
    QCOMPARE(stage.text(), QStringLiteral("started ready abandoned"));
}

REKINDLE_TEST(WorkerHangTest)
#include "workerhangtest.moc"
