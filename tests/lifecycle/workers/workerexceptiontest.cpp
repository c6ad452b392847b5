// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"
#include "workertest.h"

using namespace Rekindle;
using namespace std::chrono_literals;

// Exceptions that leave a factory, a slot or an event handler of a worker.
class WorkerExceptionTest : public WorkerTest
{
    Q_OBJECT

private Q_SLOTS:
    void reportsFactoryFailure_data();
    void reportsFactoryFailure();
    void reportsException_data();
    void reportsException();
    void deliversNothingAfterException();
    void handlerMayCatchException();
    void keepsDeferredDeletion();
};

namespace {
struct Custom
{
};
struct Silent : std::exception
{
    [[nodiscard]] const char *what() const noexcept override { return ""; }
};

// Throws in the slot of a timer without a parent, such as a member of a worker.
void throwFromTimer(QObject &worker)
{
    auto *timer = new QTimer;
    QObject::connect(&worker, &QObject::destroyed, timer, [timer] { delete timer; });
    QObject::connect(timer, &QTimer::timeout, timer,
                     [] { throw std::runtime_error("from a timer"); });
    timer->start(1ms);
}
} // namespace

void WorkerExceptionTest::reportsFactoryFailure_data()
{
    const Rows<int, QString> row("kind", "log");
    const QString failed = QStringLiteral("started failed:InitializationFailed(%1)");
    row("throws", 0, failed.arg(QStringLiteral("no database")));
    row("throws a number", 1, failed.arg(QStringLiteral("int")));
    row("nullptr", 2, failed.arg(QStringLiteral("the factory returned no worker")));
    row("reports and returns", 3, "started failed:DependencyFailure(no server)");
    row("reports and throws", 4, "started failed:DependencyFailure(no server)");
}

void WorkerExceptionTest::reportsFactoryFailure()
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

void WorkerExceptionTest::reportsException_data()
{
    using Job = WorkerChannel::Job;
    const Rows<Job, QString> row("job", "text");
    const auto runNested = [](QObject &worker) {
        throwFromTimer(worker);
        QEventLoop().exec();
    };
    row("event handler", Job([](QObject &) { throw std::runtime_error("from an event"); }),
        "from an event");
    row("queued slot", Job([](QObject &worker) {
            QMetaObject::invokeMethod(&worker, "throwFromSlot", Qt::QueuedConnection);
        }),
        "from a slot");
    row("timer", Job(throwFromTimer), "from a timer");
    row("single shot", Job([](QObject &worker) {
            QTimer::singleShot(1ms, &worker,
                               [] { throw std::runtime_error("from a single shot"); });
        }),
        "from a single shot");
    row("number", Job([](QObject &) { throw 42; }), "int");
    row("type without a text", Job([](QObject &) { throw Custom(); }),
        "(anonymous namespace)::Custom");
    row("empty text", Job([](QObject &) { throw Silent(); }), "(anonymous namespace)::Silent");
    row("nested event loop", Job(runNested), "from a timer");
    row("after a nested event loop", Job([runNested](QObject &worker) {
            runNested(worker);
            throw std::runtime_error("the second");
        }),
        "from a timer");
    row("outside of events", Job([](QObject &worker) {
            QObject::connect(
                QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock,
                &worker, [] { throw std::runtime_error("from the dispatcher"); },
                Qt::DirectConnection);
        }),
        "from the dispatcher");
}

void WorkerExceptionTest::reportsException()
{
    QFETCH(WorkerChannel::Job, job);
    QFETCH(QString, text);
    WorkerStage stage;
    if (text == QLatin1String("from the dispatcher")) {
        QTest::ignoreMessage(QtWarningMsg,
                             QRegularExpression(QStringLiteral("Qt has caught an exception")));
    }
    stage.agent->start();
    stage.channel->send(job);
    QTRY_COMPARE_WITH_TIMEOUT(
        stage.text(), QStringLiteral("started ready failed:UnhandledException(%1)").arg(text),
        longWait);
    QCOMPARE(stage.channel->destroyedCount(), 1);
    QVERIFY(stage.channel->alwaysInItsThread());
    QVERIFY(!stage.agent->isAlive());
    QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
}

// The state of the object is unknown after an exception.
void WorkerExceptionTest::deliversNothingAfterException()
{
    WorkerStage stage;
    std::atomic<int> ran = 0;
    std::atomic<bool> deletedLater = false;
    start(stage);
    const Gate gate;
    stage.channel->send([gate](QObject &) { gate.pass(); });
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

void WorkerExceptionTest::handlerMayCatchException()
{
    WorkerStage stage;
    start(stage);
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

// As without the barrier: an object with a deferred deletion lives until the handler has returned
// to the event loop.
void WorkerExceptionTest::keepsDeferredDeletion()
{
    WorkerStage stage;
    start(stage);
    std::atomic<bool> isGone = false;
    std::atomic<bool> wentTooEarly = false;
    std::atomic<bool> returned = false;
    stage.channel->send([&](QObject &) {
        auto *other = new QObject;
        QObject::connect(other, &QObject::destroyed, other, [&] { isGone = true; });
        other->deleteLater();
        QCoreApplication::processEvents();
        wentTooEarly = isGone.load();
        returned = true;
    });
    QTRY_VERIFY_WITH_TIMEOUT(returned, longWait);
    // After processEvents(), Qt deletes the object with the next event.
    stage.channel->send([](QObject &) {});
    QTRY_VERIFY_WITH_TIMEOUT(isGone, longWait);
    QVERIFY(!wentTooEarly);
    stage.agent->stop();
    TRY_TEXT(stage, "started ready stopped");
}

REKINDLE_TEST(WorkerExceptionTest)
#include "workerexceptiontest.moc"
