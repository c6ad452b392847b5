// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "workertest.h"

using namespace Rekindle;
using namespace std::chrono_literals;

class WorkerHangTest : public WorkerTest
{
    Q_OBJECT

private Q_SLOTS:
    void clampsOptions();
    void heartbeatSchedule();
    void heartbeatIsRequestedOnce();
    void abandonedAndReplaced();
    void lateReportsChangeNothing();
    void stoppedWhileItHangs();
    void killedWhileItHangs();
    void abandonsFailedThread();
    void abandonsHungDestructor();
    void slotMayDestroyAgent();
};

void WorkerHangTest::clampsOptions()
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
    start(stage);
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
    start(stage);
    const Hang hang(*stage.channel);
    QVERIFY(stage.agent->requestHeartbeat());
    QVERIFY(stage.agent->requestHeartbeat());
    hang.open();
    QTRY_COMPARE_WITH_TIMEOUT(heartbeats, 1, longWait);
    finishEvents(*stage.channel);
    QCoreApplication::sendPostedEvents();
    QCOMPARE(heartbeats, 1);
    QVERIFY(stage.agent->requestHeartbeat());
    QTRY_COMPARE_WITH_TIMEOUT(heartbeats, 2, longWait);
}

void WorkerHangTest::abandonedAndReplaced()
{
    WorkerStage stage;
    start(stage);
    const Hang hang(*stage.channel);
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
    finishEvents(*stage.channel);
    QCOMPARE(stage.text(), before);
    stage.agent->stop();
    QTRY_COMPARE_WITH_TIMEOUT(stage.text(), before + QStringLiteral(" stopped"), longWait);
}

void WorkerHangTest::lateReportsChangeNothing()
{
    WorkerStage stage;
    start(stage);
    const Hang hang(*stage.channel);
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
    start(stage);
    const Hang hang(*stage.channel);
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
    start(stage);
    const Hang hang(*stage.channel);
    stage.agent->stop();
    stage.scheduler.advance(1s);
    stage.agent->kill();
    stage.scheduler.advance(1s);
    QCOMPARE(stage.text(), QStringLiteral("started ready abandoned stopped"));
}

void WorkerHangTest::abandonsFailedThread()
{
    WorkerStage stage;
    start(stage);
    const Hang hang(*stage.channel);
    stage.channel->context(0).fail(FailureReason::DependencyFailure, QStringLiteral("feed lost"));
    QTRY_VERIFY_WITH_TIMEOUT(stage.scheduler.nextDue().time_since_epoch() == 5s, longWait);
    stage.scheduler.advance(5s);
    QCOMPARE(
        stage.text(),
        QStringLiteral("started ready abandoned failed:DependencyFailure(feed lost; it did not "
                       "end within 5s; its thread was abandoned)"));
}

void WorkerHangTest::abandonsHungDestructor()
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
    start(stage);
    stage.agent->stop();
    QTRY_VERIFY_WITH_TIMEOUT(gate->isReached(), longWait);
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
    stage.scheduler.advance(5s);
    QCOMPARE(stage.text(), QStringLiteral("started ready abandoned stopped"));
    gate->open();
}

void WorkerHangTest::slotMayDestroyAgent()
{
    WorkerStage stage;
    QObject::connect(stage.agent.get(), &WorkerAgent::threadAbandoned, &stage.log,
                     [&] { stage.agent.reset(); });
    start(stage);
    const Hang hang(*stage.channel);
    stage.agent->kill();
    stage.scheduler.advance(1s);
    QVERIFY(!stage.agent);
    QCOMPARE(stage.text(), QStringLiteral("started ready abandoned"));
}

REKINDLE_TEST(WorkerHangTest)
#include "workerhangtest.moc"
