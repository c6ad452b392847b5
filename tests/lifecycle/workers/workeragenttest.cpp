// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "workertest.h"

using namespace Rekindle;
using namespace std::chrono_literals;

class WorkerAgentTest : public WorkerTest
{
    Q_OBJECT

private Q_SLOTS:
    void startsAndStops();
    void readyWhenReported();
    void ignoresReportsAfterStop();
    void reportsFailure();
    void quitMeansStopped();
    void requestsRestart();
    void limitsQueuedReports();
    void stopsDuringConstruction();
    void separatesStarts();
    void destructorAbandonsRunningThread();
    void slotMayDestroyAgent();
    void slotMayStartAgain();
    void releasesFactory();
    void runsHundredWorkers();
    void reportsMissingThread();
};

void WorkerAgentTest::startsAndStops()
{
    WorkerStage stage;
    QVERIFY(!stage.agent->isAlive());
    stage.agent->start();
    QVERIFY(stage.agent->isAlive());
    TRY_TEXT(stage, "started ready");
    std::atomic<bool> elsewhere = false;
    stage.channel->send([&, host = QThread::currentThread()](QObject &worker) {
        elsewhere = QThread::currentThread() != host && worker.thread() != host;
    });
    QTRY_VERIFY_WITH_TIMEOUT(elsewhere, longWait);
    stage.agent->stop();
    TRY_TEXT(stage, "started ready stopped");
    QVERIFY(!stage.agent->isAlive());
    QCOMPARE(stage.channel->destroyedCount(), 1);
    QVERIFY(stage.channel->alwaysInItsThread());
    QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
}

void WorkerAgentTest::readyWhenReported()
{
    WorkerStage stage({.ready = WorkerOptions::Ready::Reported});
    stage.agent->start();
    QTRY_COMPARE_WITH_TIMEOUT(stage.channel->madeCount(), 1, longWait);
    std::atomic<bool> reached = false;
    stage.channel->send([&](QObject &) { reached = true; });
    QTRY_VERIFY_WITH_TIMEOUT(reached, longWait);
    QCoreApplication::processEvents();
    QCOMPARE(stage.text(), QStringLiteral("started"));
    stage.channel->context(0).ready();
    stage.channel->context(0).ready();
    TRY_TEXT(stage, "started ready");
    stage.agent->stop();
    TRY_TEXT(stage, "started ready stopped");
}

void WorkerAgentTest::ignoresReportsAfterStop()
{
    WorkerStage stage({.ready = WorkerOptions::Ready::Reported});
    stage.agent->start();
    QTRY_COMPARE_WITH_TIMEOUT(stage.channel->madeCount(), 1, longWait);
    const WorkerContext context = stage.channel->context(0);
    QVERIFY(!context.stopRequested());
    stage.agent->stop();
    QVERIFY(context.stopRequested());
    // After stop(), reports of a failure, ready or a restart request have no effect.
    context.fail(FailureReason::Unknown, QStringLiteral("too late"));
    context.ready();
    context.requestRestart(QStringLiteral("too late"));
    TRY_TEXT(stage, "started stopped");
    const quint64 before = stage.agent->lateReports();
    context.ready();
    QCOMPARE(stage.agent->lateReports(), before + 1);
    QCOMPARE(stage.text(), QStringLiteral("started stopped"));
}

void WorkerAgentTest::reportsFailure()
{
    WorkerStage stage;
    start(stage);
    stage.channel->context(0).fail(FailureReason::DependencyFailure, QStringLiteral("feed lost"));
    stage.channel->context(0).fail(FailureReason::Unknown, QStringLiteral("and more"));
    TRY_TEXT(stage, "started ready failed:DependencyFailure(feed lost)");
    QCOMPARE(stage.channel->destroyedCount(), 1);
}

void WorkerAgentTest::quitMeansStopped()
{
    WorkerStage stage;
    stage.agent->start();
    stage.channel->send([](QObject &) { QThread::currentThread()->quit(); });
    TRY_TEXT(stage, "started ready stopped");
}

void WorkerAgentTest::requestsRestart()
{
    WorkerStage stage;
    start(stage);
    stage.channel->context(0).requestRestart(QStringLiteral("new model"));
    TRY_TEXT(stage, "started ready requested:new model");
    QVERIFY(stage.agent->isAlive());
    stage.agent->stop();
    TRY_TEXT(stage, "started ready requested:new model stopped");
}

// A worker that reports in a loop must not fill the queue.
void WorkerAgentTest::limitsQueuedReports()
{
    WorkerStage stage;
    start(stage);
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 100'000; ++i)
            stage.channel->context(0).requestRestart(QString::number(i));
        stage.channel->context(0).ready();
        QCoreApplication::processEvents();
    }
    QCOMPARE(stage.text(), QStringLiteral("started ready requested:0 requested:0"));
    stage.agent->stop();
    TRY_TEXT(stage, "started ready requested:0 requested:0 stopped");
    QCOMPARE(stage.agent->lateReports(), quint64{0});
}

void WorkerAgentTest::stopsDuringConstruction()
{
    const Gate gate;
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerStage stage({}, [=](const WorkerContext &context) {
        gate.pass();
        return channelFactory(channel)(context);
    });
    stage.agent->start();
    QTRY_VERIFY_WITH_TIMEOUT(gate.isReached(), longWait);
    stage.agent->stop();
    QCOMPARE(stage.text(), QStringLiteral("started"));
    gate.open();
    TRY_TEXT(stage, "started stopped");
    QCOMPARE(channel->destroyedCount(), 1);
}

void WorkerAgentTest::separatesStarts()
{
    WorkerStage stage;
    stage.agent->start();
    stage.channel->send([](QObject &) { throw std::runtime_error("one"); });
    TRY_TEXT(stage, "started ready failed:UnhandledException(one)");
    stage.agent->start();
    TRY_TEXT(stage, "started ready failed:UnhandledException(one) started ready");
    const WorkerContext old = stage.channel->context(0);
    QVERIFY(old.stopRequested());
    old.fail(FailureReason::Unknown, QStringLiteral("late"));
    old.requestRestart(QStringLiteral("late"));
    QVERIFY(!stage.channel->context(1).stopRequested());
    stage.agent->stop();
    TRY_TEXT(stage, "started ready failed:UnhandledException(one) started ready stopped");
    QCOMPARE(stage.channel->destroyedCount(), 2);
}

void WorkerAgentTest::destructorAbandonsRunningThread()
{
    WorkerStage stage;
    start(stage);
    const Hang hang(*stage.channel);
    stage.agent.reset();
    QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
    QCOMPARE(WorkerAgent::abandonedThreads(), 1);
    stage.channel->context(0).ready();
    hang.open();
    QTRY_COMPARE_WITH_TIMEOUT(stage.channel->destroyedCount(), 1, longWait);
    QVERIFY(stage.channel->alwaysInItsThread());
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
}

void WorkerAgentTest::slotMayDestroyAgent()
{
    WorkerStage stage;
    QObject::connect(stage.agent.get(), &Agent::failed, &stage.log, [&] { stage.agent.reset(); });
    stage.agent->start();
    stage.channel->send([](QObject &) { throw std::runtime_error("one"); });
    QTRY_VERIFY_WITH_TIMEOUT(!stage.agent, longWait);

    WorkerStage other;
    QObject::connect(other.agent.get(), &Agent::ready, &other.log, [&] { other.agent.reset(); });
    other.agent->start();
    QTRY_VERIFY_WITH_TIMEOUT(!other.agent, longWait);
    QTRY_COMPARE_WITH_TIMEOUT(other.channel->destroyedCount(), 1, longWait);
}

void WorkerAgentTest::slotMayStartAgain()
{
    WorkerStage stage;
    int left = 2;
    const auto again = [&] {
        if (left-- > 0)
            stage.agent->start();
    };
    QObject::connect(stage.agent.get(), &Agent::failed, &stage.log, again);
    QObject::connect(stage.agent.get(), &Agent::stopped, &stage.log, again);
    stage.agent->start();
    stage.channel->send([](QObject &) { throw std::runtime_error("one"); });
    TRY_TEXT(stage, "started ready failed:UnhandledException(one) started ready");
    stage.agent->stop();
    TRY_TEXT(stage,
             "started ready failed:UnhandledException(one) started ready stopped started ready");
    QCOMPARE(stage.channel->destroyedCount(), 2);
}

// A factory may own the object that stores the contexts of its starts.
void WorkerAgentTest::releasesFactory()
{
    std::weak_ptr<WorkerChannel> channel;
    {
        WorkerStage stage;
        channel = stage.channel;
        stage.agent->start();
        TRY_TEXT(stage, "started ready");
        stage.agent->stop();
        TRY_TEXT(stage, "started ready stopped");
    }
    QVERIFY(channel.expired());
}

void WorkerAgentTest::runsHundredWorkers()
{
    constexpr int count = 100;
    std::vector<std::unique_ptr<WorkerStage>> stages;
    for (int i = 0; i < count; ++i) {
        stages.push_back(std::make_unique<WorkerStage>());
        stages.back()->agent->start();
    }
    for (const auto &stage : stages)
        TRY_TEXT(*stage, "started ready");
    for (const auto &stage : stages)
        stage->agent->stop();
    for (const auto &stage : stages) {
        TRY_TEXT(*stage, "started ready stopped");
        QCOMPARE(stage->channel->destroyedCount(), 1);
    }
}

void WorkerAgentTest::reportsMissingThread()
{
    // Qt refuses to start a thread whose stack is smaller than the system allows. Its message is
    // critical or a warning, depending on the version.
    static QStringList messages;
    messages.clear();
    const auto before = qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext &, const QString &text) { messages << text; });
    const auto restored = qScopeGuard([before] { qInstallMessageHandler(before); });
    WorkerStage stage({.stackSize = 1});
    stage.agent->start();
    QCOMPARE(stage.text(), QStringLiteral("failed:ResourceExhaustion(no thread could be started)"));
    QVERIFY(!stage.agent->isAlive());
    QVERIFY(messages.value(0).startsWith(QLatin1String("QThread::start: Thread stack size")));
}

REKINDLE_TEST(WorkerAgentTest)
#include "workeragenttest.moc"
