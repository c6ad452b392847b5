// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "workerstage.h"

#include <QAbstractEventDispatcher>
#include <QEventLoop>
#include <QTimer>
#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

#define TRY_TEXT(stage, expected)                                                                  \
    QTRY_COMPARE_WITH_TIMEOUT((stage).text(), QStringLiteral(expected), longWait)

class WorkerAgentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup();

    void livesAndStops();
    void readyWhenItSaysSo();
    void nothingAfterItsStop();
    void factoryFails_data();
    void factoryFails();
    void exceptions_data();
    void exceptions();
    void nothingRunsAfterAnException();
    void handlersMayCatchThemselves();
    void failsByItself();
    void endsItsOwnEventLoop();
    void asksForARestart();
    void stopsWhileItIsMade();
    void everyStartIsItsOwn();
    void destroyedWhileItRuns();
    void destroyedFromASlot();
    void hundredWorkers();
    void noThreadLeft();
};

namespace {
struct Custom
{
};
struct Silent : std::exception
{
    [[nodiscard]] const char *what() const noexcept override { return ""; }
};

// Throws out of a timer that has no parent, as members of workers have none.
void throwFromTimer(QObject &worker)
{
    auto *timer = new QTimer;
    QObject::connect(&worker, &QObject::destroyed, timer, [timer] { delete timer; });
    QObject::connect(timer, &QTimer::timeout, timer,
                     [] { throw std::runtime_error("from a timer"); });
    timer->start(1ms);
}
} // namespace

// No test leaves a thread behind.
void WorkerAgentTest::cleanup()
{
    QTRY_COMPARE_WITH_TIMEOUT(WorkerAgent::strandedThreads(), 0, longWait);
}

void WorkerAgentTest::livesAndStops()
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

void WorkerAgentTest::readyWhenItSaysSo()
{
    WorkerStage stage({.ready = WorkerReady::Reported});
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

void WorkerAgentTest::nothingAfterItsStop()
{
    WorkerStage stage({.ready = WorkerReady::Reported});
    stage.agent->start();
    QTRY_COMPARE_WITH_TIMEOUT(stage.channel->madeCount(), 1, longWait);
    const WorkerContext context = stage.channel->context(0);
    QVERIFY(!context.stopRequested());
    stage.agent->stop();
    QVERIFY(context.stopRequested());
    // Said in time, but after it was told to stop: not a failure, and neither ready nor a wish.
    context.fail(FailureReason::Unknown, QStringLiteral("too late"));
    context.ready();
    context.requestRestart(QStringLiteral("too late"));
    TRY_TEXT(stage, "started stopped");
    const quint64 before = stage.agent->lateReports();
    context.ready();
    QCOMPARE(stage.agent->lateReports(), before + 1);
    QCOMPARE(stage.text(), QStringLiteral("started stopped"));
}

void WorkerAgentTest::factoryFails_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("log");
    const QString failed = QStringLiteral("started failed:InitializationFailed(%1)");
    QTest::newRow("throws") << 0 << failed.arg(QStringLiteral("no database"));
    QTest::newRow("throws a number") << 1 << failed.arg(QStringLiteral("int"));
    QTest::newRow("nullptr") << 2 << failed.arg(QStringLiteral("the factory made no worker"));
    QTest::newRow("says so and returns")
        << 3 << QStringLiteral("started failed:DependencyFailure(no server)");
    QTest::newRow("says so and throws")
        << 4 << QStringLiteral("started failed:DependencyFailure(no server)");
}

void WorkerAgentTest::factoryFails()
{
    QFETCH(int, kind);
    QFETCH(QString, log);
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerStage stage({}, [&](const WorkerContext &context) -> std::unique_ptr<QObject> {
        if (kind == 0)
            throw std::runtime_error("no database");
        if (kind == 1)
            throw 42;
        if (kind == 2)
            return nullptr;
        context.fail(FailureReason::DependencyFailure, QStringLiteral("no server"));
        if (kind == 4)
            throw std::runtime_error("second");
        return std::make_unique<ChannelWorker>(channel);
    });
    stage.agent->start();
    QTRY_COMPARE_WITH_TIMEOUT(stage.text(), log, longWait);
    QVERIFY(!stage.agent->isAlive());
    QCOMPARE(channel->destroyedCount(), channel->madeCount());
    QVERIFY(channel->alwaysInItsThread());
}

void WorkerAgentTest::exceptions_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("text");
    QTest::newRow("event handler") << 0 << QStringLiteral("from an event");
    QTest::newRow("queued slot") << 1 << QStringLiteral("from a slot");
    QTest::newRow("timer") << 2 << QStringLiteral("from a timer");
    QTest::newRow("single shot") << 3 << QStringLiteral("from a single shot");
    QTest::newRow("a number") << 4 << QStringLiteral("int");
    QTest::newRow("a type") << 5 << QStringLiteral("(anonymous namespace)::Custom");
    QTest::newRow("nothing said") << 6 << QStringLiteral("(anonymous namespace)::Silent");
    QTest::newRow("nested loop") << 7 << QStringLiteral("from a timer");
    QTest::newRow("after a nested loop") << 8 << QStringLiteral("from a timer");
    QTest::newRow("outside of events") << 9 << QStringLiteral("from the dispatcher");
}

void WorkerAgentTest::exceptions()
{
    QFETCH(int, kind);
    QFETCH(QString, text);
    WorkerStage stage;
    stage.agent->start();
    stage.channel->send([kind](QObject &worker) {
        const auto nested = [&worker] {
            throwFromTimer(worker);
            QEventLoop().exec();
        };
        switch (kind) {
        case 0:
            throw std::runtime_error("from an event");
        case 1:
            QMetaObject::invokeMethod(&worker, "throwFromSlot", Qt::QueuedConnection);
            break;
        case 2:
            throwFromTimer(worker);
            break;
        case 3:
            QTimer::singleShot(1ms, &worker,
                               [] { throw std::runtime_error("from a single shot"); });
            break;
        case 4:
            throw 42;
        case 5:
            throw Custom();
        case 6:
            throw Silent();
        case 7:
            nested();
            break;
        case 8:
            nested();
            throw std::runtime_error("the second");
        default:
            QObject::connect(
                QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock,
                &worker, [] { throw std::runtime_error("from the dispatcher"); },
                Qt::DirectConnection);
        }
    });
    if (kind == 9) {
        QTest::ignoreMessage(QtWarningMsg,
                             QRegularExpression(QStringLiteral("Qt has caught an exception")));
    }
    QTRY_COMPARE_WITH_TIMEOUT(
        stage.text(), QStringLiteral("started ready failed:UnhandledException(%1)").arg(text),
        longWait);
    QCOMPARE(stage.channel->destroyedCount(), 1);
    QVERIFY(stage.channel->alwaysInItsThread());
    QVERIFY(!stage.agent->isAlive());
    QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
}

// The object is in no known state after it.
void WorkerAgentTest::nothingRunsAfterAnException()
{
    WorkerStage stage;
    std::atomic<int> ran = 0;
    std::atomic<bool> deletedLater = false;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    Gate gate;
    stage.channel->send([&](QObject &) { gate.pass(); });
    stage.channel->send([&](QObject &) {
        auto *other = new QObject;
        QObject::connect(other, &QObject::destroyed, other, [&] { deletedLater = true; });
        other->deleteLater();
        throw std::runtime_error("first");
    });
    for (int i = 0; i < 10; ++i)
        stage.channel->send([&](QObject &) { ++ran; });
    gate.open();
    TRY_TEXT(stage, "started ready failed:UnhandledException(first)");
    QCOMPARE(ran.load(), 0);
    QVERIFY(deletedLater);
}

void WorkerAgentTest::handlersMayCatchThemselves()
{
    WorkerStage stage;
    stage.agent->start();
    std::atomic<bool> caught = false;
    stage.channel->send([&](QObject &worker) {
        class Thrower : public QObject
        {
            void customEvent(QEvent *) override { throw std::runtime_error("to the caller"); }
        };
        Thrower thrower;
        QEvent event(QEvent::User);
        try {
            QCoreApplication::sendEvent(&thrower, &event);
        } catch (const std::runtime_error &) {
            caught = true;
        }
        Q_UNUSED(worker)
    });
    QTRY_VERIFY_WITH_TIMEOUT(caught, longWait);
    stage.agent->stop();
    TRY_TEXT(stage, "started ready stopped");
}

void WorkerAgentTest::failsByItself()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    stage.channel->context(0).fail(FailureReason::DependencyFailure, QStringLiteral("feed lost"));
    stage.channel->context(0).fail(FailureReason::Unknown, QStringLiteral("and more"));
    TRY_TEXT(stage, "started ready failed:DependencyFailure(feed lost)");
    QCOMPARE(stage.channel->destroyedCount(), 1);
}

void WorkerAgentTest::endsItsOwnEventLoop()
{
    WorkerStage stage;
    stage.agent->start();
    stage.channel->send([](QObject &) { QThread::currentThread()->quit(); });
    TRY_TEXT(stage, "started ready stopped");
}

void WorkerAgentTest::asksForARestart()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    stage.channel->context(0).requestRestart(QStringLiteral("new model"));
    TRY_TEXT(stage, "started ready asked:new model");
    QVERIFY(stage.agent->isAlive());
    stage.agent->stop();
    TRY_TEXT(stage, "started ready asked:new model stopped");
}

void WorkerAgentTest::stopsWhileItIsMade()
{
    Gate gate;
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerStage stage({}, [&](const WorkerContext &context) {
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

void WorkerAgentTest::everyStartIsItsOwn()
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

void WorkerAgentTest::destroyedWhileItRuns()
{
    WorkerStage stage;
    Gate gate;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    stage.channel->send([&](QObject &) { gate.pass(); });
    QTRY_VERIFY_WITH_TIMEOUT(gate.isReached(), longWait);
    stage.agent.reset();
    QCOMPARE(WorkerAgent::strandedThreads(), 1);
    stage.channel->context(0).ready();
    gate.open();
    QTRY_COMPARE_WITH_TIMEOUT(stage.channel->destroyedCount(), 1, longWait);
    QVERIFY(stage.channel->alwaysInItsThread());
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
}

void WorkerAgentTest::destroyedFromASlot()
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

void WorkerAgentTest::hundredWorkers()
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

void WorkerAgentTest::noThreadLeft()
{
    // Qt refuses to start a thread whose stack is smaller than the system allows.
    QTest::ignoreMessage(QtCriticalMsg,
                         QRegularExpression(QStringLiteral("QThread::start: Thread stack size")));
    WorkerStage stage({.stackSize = 1});
    stage.agent->start();
    QCOMPARE(stage.text(), QStringLiteral("failed:ResourceExhaustion(no thread could be started)"));
    QVERIFY(!stage.agent->isAlive());
}

QTEST_GUILESS_MAIN(WorkerAgentTest)
#include "workeragenttest.moc"
