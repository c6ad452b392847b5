// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "workerhost.h"

using namespace Rekindle;
using namespace std::chrono_literals;

// Workers under a supervisor and a policy, from the failure to the replacement.
class WorkerSupervisionTest : public WorkerTest
{
    Q_OBJECT

private Q_SLOTS:
    void restartsAfterThreeExceptions();
    void replacesHungWorker();
    void keepsHungWorkerWithoutPolicy();
    void notReadyInTime();
    void requestsRestart();
    void stopAllAbandonsHungWorker();
};

void WorkerSupervisionTest::restartsAfterThreeExceptions()
{
    // No heartbeat of a real thread can follow virtual time.
    WorkerHost host(QStringLiteral("'maxRetries':5,'stableAfter':'60s'"),
                    {.heartbeatInterval = 0s});
    Duration delay = 1s;
    for (int crash = 1; crash <= 3; ++crash) {
        TRY_WORDS(host, "ready", crash);
        host.channel->send(
            [crash](QObject &) { throw std::runtime_error("crash " + std::to_string(crash)); });
        TRY_WORDS(host, "failed:UnhandledException", crash);
        QCOMPARE(host.message(), QStringLiteral("crash %1").arg(crash));
        host.scheduler.advance(delay);
        delay *= 2;
    }
    TRY_WORDS(host, "ready", 4);
    host.scheduler.advance(60s);
    QCOMPARE(host.log.text(),
             QStringLiteral("started ready failed:UnhandledException scheduled#1 "
                            "1s attempt#1 started ready succeeded#1 "
                            "failed:UnhandledException scheduled#2 "
                            "3s attempt#2 started ready succeeded#2 "
                            "failed:UnhandledException scheduled#3 "
                            "7s attempt#3 started ready succeeded#3 "
                            "67s stable"));
    QVERIFY(host.log.isWithoutGaps());
    QCOMPARE(host.channel->madeCount(), 4);
    QCOMPARE(host.channel->destroyedCount(), 3);
    host.supervisor.stopAll();
    host.scheduler.advance(0s);
    TRY_WORDS(host, "ALLSTOPPED", 1);
    QCOMPARE(host.channel->destroyedCount(), 4);
    QVERIFY(host.channel->alwaysInItsThread());
}

void WorkerSupervisionTest::replacesHungWorker()
{
    WorkerHost host(QStringLiteral("'stableAfter':'1h'"));
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*host.channel);
    host.scheduler.advance(42s);
    host.scheduler.advance(1s);
    TRY_WORDS(host, "ready", 2);
    QCOMPARE(host.log.text(),
             QStringLiteral("started ready 12s unhealthy:1 22s unhealthy:2 32s unhealthy:3 "
                            "42s unhealthy:4 failed:HealthCheckFailed scheduled#1 "
                            "43s attempt#1 unknown started ready succeeded#1"));
    QCOMPARE(WorkerAgent::abandonedThreads(), 1);
    // Late reports of the previous thread have no effect.
    host.channel->context(0).fail(FailureReason::Unknown, QStringLiteral("late"));
    hang.open();
    QTRY_COMPARE_WITH_TIMEOUT(WorkerAgent::abandonedThreads(), 0, longWait);
    QCoreApplication::processEvents();
    QCOMPARE(host.words(QStringLiteral("failed:Unknown")), 0);
    QVERIFY(host.supervisor.snapshot(host.id)->state == InstanceState::Running);
}

void WorkerSupervisionTest::keepsHungWorkerWithoutPolicy()
{
    WorkerHost host(QStringLiteral("'type':'none'"));
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*host.channel);
    host.scheduler.advance(1h);
    QCOMPARE(host.words(QStringLiteral("started")), 1);
    QCOMPARE(host.words(QStringLiteral("failed:HealthCheckFailed")), 1);
    QVERIFY(host.supervisor.snapshot(host.id)->state == InstanceState::Failed);
}

// The factory hangs: after the start timeout, the thread is killed before the next start.
void WorkerSupervisionTest::notReadyInTime()
{
    const Gate gate;
    const auto starts = std::make_shared<std::atomic<int>>(0);
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerHost host(QStringLiteral("'startTimeout':'30s','stableAfter':'1h'"), {.killTimeout = 5s},
                    [=](const WorkerContext &context) {
                        if (++*starts == 1)
                            gate.pass();
                        return channelFactory(channel)(context);
                    });
    QTRY_VERIFY_WITH_TIMEOUT(gate.isReached(), longWait);
    host.scheduler.advance(30s);
    host.scheduler.advance(4s);
    // The restart was due after one second, but the previous thread has not ended.
    QCOMPARE(host.log.text(), QStringLiteral("started 30s failed:Timeout scheduled#1"));
    host.scheduler.advance(1s);
    TRY_WORDS(host, "ready", 1);
    QCOMPARE(host.log.text(),
             QStringLiteral("started 30s failed:Timeout scheduled#1 "
                            "35s attempt#1 started ready succeeded#1"));
    QCOMPARE(WorkerAgent::abandonedThreads(), 1);
    gate.open();
}

void WorkerSupervisionTest::requestsRestart()
{
    WorkerHost host(QStringLiteral("'stableAfter':'1h'"));
    TRY_WORDS(host, "ready", 1);
    host.channel->send([&host](QObject &) {
        host.channel->context(0).requestRestart(QStringLiteral("new model"));
    });
    TRY_WORDS(host, "requested", 1);
    host.scheduler.advance(0s);
    TRY_WORDS(host, "stopped", 1);
    host.scheduler.advance(0s);
    TRY_WORDS(host, "ready", 2);
    QCOMPARE(host.log.text(), QStringLiteral("started ready requested stopped started ready"));
}

void WorkerSupervisionTest::stopAllAbandonsHungWorker()
{
    WorkerHost host({});
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*host.channel);
    host.supervisor.stopAll();
    host.scheduler.advance(5s);
    TRY_WORDS(host, "ALLSTOPPED", 1);
    QCOMPARE(host.log.text(), QStringLiteral("started ready 5s stopped ALLSTOPPED"));
    QVERIFY(host.supervisor.isIdle());
}

REKINDLE_TEST(WorkerSupervisionTest)
#include "workersupervisiontest.moc"
