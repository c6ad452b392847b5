// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/workerstage.h"
#include "testprogram.h"

#include <QAbstractEventDispatcher>
#include <QEventLoop>
#include <QTimer>
#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

#define TRY_TEXT(stage, expected)                                                                  \
    QTRY_COMPARE_WITH_TIMEOUT((stage).text(), QStringLiteral(expected), longWait)

// What leaves a factory, a slot or an event handler of a worker.
class WorkerExceptionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void factoryFails_data();
    void factoryFails();
    void exceptions_data();
    void exceptions();
    void nothingRunsAfterAnException();
    void handlersMayCatchThemselves();
    void deletesLaterAsEver();
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

void WorkerExceptionTest::factoryFails_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("log");
    const QString failed = QStringLiteral("started failed:InitializationFailed(%1)");
    QTest::newRow("throws") << 0 << failed.arg(QStringLiteral("no database"));
    QTest::newRow("throws a number") << 1 << failed.arg(QStringLiteral("int"));
    QTest::newRow("nullptr") << 2 << failed.arg(QStringLiteral("the factory returned no worker"));
    QTest::newRow("says so and returns")
        << 3 << QStringLiteral("started failed:DependencyFailure(no server)");
    QTest::newRow("says so and throws")
        << 4 << QStringLiteral("started failed:DependencyFailure(no server)");
}

void WorkerExceptionTest::factoryFails()
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

void WorkerExceptionTest::exceptions_data()
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

void WorkerExceptionTest::exceptions()
{
    QFETCH(int, kind);
    QFETCH(QString, text);
    WorkerStage stage;
    if (kind == 9) {
        QTest::ignoreMessage(QtWarningMsg,
                             QRegularExpression(QStringLiteral("Qt has caught an exception")));
    }
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
    QTRY_COMPARE_WITH_TIMEOUT(
        stage.text(), QStringLiteral("started ready failed:UnhandledException(%1)").arg(text),
        longWait);
    QCOMPARE(stage.channel->destroyedCount(), 1);
    QVERIFY(stage.channel->alwaysInItsThread());
    QVERIFY(!stage.agent->isAlive());
    QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
}

// The object is in no known state after it.
void WorkerExceptionTest::nothingRunsAfterAnException()
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

void WorkerExceptionTest::handlersMayCatchThemselves()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
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

// The barrier takes Qt's own way: what a handler deletes later lives until the handler is back in
// the event loop, and not longer.
void WorkerExceptionTest::deletesLaterAsEver()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
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
    // After a processEvents() Qt comes to it with the next event.
    stage.channel->send([](QObject &) {});
    QTRY_VERIFY_WITH_TIMEOUT(isGone, longWait);
    QVERIFY(!wentTooEarly);
    stage.agent->stop();
    TRY_TEXT(stage, "started ready stopped");
}

REKINDLE_TEST(WorkerExceptionTest)
#include "workerexceptiontest.moc"
