// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/lifecycle/timerscheduler.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {
constexpr int longEnough = 30'000;

QTimer *timerOf(const TimerScheduler &scheduler) { return scheduler.findChild<QTimer *>(); }

QStringList warnings;
void keepWarnings(QtMsgType type, const QMessageLogContext &, const QString &text)
{
    if (type != QtDebugMsg)
        warnings.append(text);
}
} // namespace

class TimerSchedulerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neverEarly();
    void runsTimerOnlyIfArmed();
    void armsDelaysOfMonthsWithoutWarning();
    void earlierDeadlineMovesTimer();
    void servesNestedEventLoop();
    void nestedEventLoopSleeps();
    void handlesOtherEventsBetweenCallbacks();
};

void TimerSchedulerTest::neverEarly()
{
    TimerScheduler scheduler;
    int left = 0;
    int early = 0;
    std::vector<std::unique_ptr<Deadline>> deadlines;
    for (int i = 0; i < 200; ++i) {
        const Instant due = scheduler.now() + i * 137us;
        ++left;
        deadlines.push_back(std::make_unique<Deadline>(scheduler, [&, due] {
            early += static_cast<int>(scheduler.now() < due);
            --left;
        }));
        deadlines.back()->arm(due);
    }
    QTRY_COMPARE_WITH_TIMEOUT(left, 0, longEnough);
    QCOMPARE(early, 0);
}

void TimerSchedulerTest::runsTimerOnlyIfArmed()
{
    TimerScheduler scheduler;
    QVERIFY(!timerOf(scheduler)->isActive());
    bool fired = false;
    Deadline deadline(scheduler, [&] { fired = true; });
    deadline.armIn(1h);
    QVERIFY(timerOf(scheduler)->isActive());
    deadline.disarm();
    QVERIFY(!timerOf(scheduler)->isActive());
    deadline.armIn(1ms);
    QTRY_VERIFY_WITH_TIMEOUT(fired, longEnough);
    QVERIFY(!timerOf(scheduler)->isActive());
    deadline.arm(Instant::max());
    QVERIFY(!timerOf(scheduler)->isActive());
}

void TimerSchedulerTest::armsDelaysOfMonthsWithoutWarning()
{
    warnings.clear();
    const QtMessageHandler before = qInstallMessageHandler(keepWarnings);
    TimerScheduler scheduler;
    int fired = 0;
    Deadline month(scheduler, [&] { ++fired; });
    month.armIn(std::chrono::hours(24 * 31)); // more milliseconds than an int holds
    const bool sane = timerOf(scheduler)->intervalAsDuration() > 0ms
        && timerOf(scheduler)->intervalAsDuration() <= 24h;
    Deadline century(scheduler, [&] { ++fired; });
    century.armIn(std::chrono::years(100));
    bool soon = false;
    Deadline now(scheduler, [&] { soon = true; });
    now.armIn(5ms);
    const bool came = QTest::qWaitFor([&] { return soon; }, longEnough);
    qInstallMessageHandler(before);
    QVERIFY(sane);
    QVERIFY(came);
    QCOMPARE(fired, 0);
    QVERIFY(month.isArmed() && century.isArmed());
    QVERIFY(timerOf(scheduler)->isActive());
    QCOMPARE(warnings, QStringList());
}

void TimerSchedulerTest::earlierDeadlineMovesTimer()
{
    TimerScheduler scheduler;
    QString fired;
    Deadline late(scheduler, [&] { fired += u'l'; });
    Deadline early(scheduler, [&] { fired += u'e'; });
    late.armIn(1h);
    early.armIn(2ms);
    QTRY_COMPARE_WITH_TIMEOUT(fired, QStringLiteral("e"), longEnough);
    late.arm(scheduler.now());
    QTRY_COMPARE_WITH_TIMEOUT(fired, QStringLiteral("el"), longEnough);
}

void TimerSchedulerTest::servesNestedEventLoop()
{
    TimerScheduler scheduler;
    QEventLoop nested;
    QString fired;
    Deadline quits(scheduler, [&] {
        fired += u'q';
        nested.quit();
    });
    Deadline armedBefore(scheduler, [&] { fired += u'b'; });
    Deadline armedInside(scheduler, [&] {
        fired += u'i';
        quits.armIn(2ms);
    });
    Deadline last(scheduler, [&] { fired += u'l'; });
    Deadline outer(scheduler, [&] {
        fired += u'(';
        armedInside.armIn(4ms);
        nested.exec();
        fired += u')';
        last.armIn(1ms);
    });
    outer.armIn(1ms);
    armedBefore.armIn(2ms);
    QTRY_COMPARE_WITH_TIMEOUT(fired, QStringLiteral("(biq)l"), longEnough);
    QVERIFY(!timerOf(scheduler)->isActive());
}

void TimerSchedulerTest::nestedEventLoopSleeps()
{
    TimerScheduler scheduler;
    QEventLoop nested;
    bool asleep = false;
    bool done = false;
    Deadline far(scheduler, [] {});
    Deadline outer(scheduler, [&] {
        // After a pass within the nested event loop, the timer waits for the next deadline.
        QTimer look;
        connect(&look, &QTimer::timeout, &look, [&] {
            asleep =
                timerOf(scheduler)->isActive() && timerOf(scheduler)->intervalAsDuration() > 1min;
            if (asleep)
                nested.quit();
        });
        QTimer::singleShot(longEnough, &nested, &QEventLoop::quit);
        look.start(5);
        nested.exec();
        done = true;
    });
    far.armIn(1h);
    outer.armIn(1ms);
    QTRY_VERIFY_WITH_TIMEOUT(done, 2 * longEnough);
    QVERIFY(asleep);
    QVERIFY(timerOf(scheduler)->intervalAsDuration() > 1min);
}

void TimerSchedulerTest::handlesOtherEventsBetweenCallbacks()
{
    TimerScheduler scheduler;
    int fired = 0;
    int firedAtTheirTurn = -1;
    std::vector<std::unique_ptr<Deadline>> deadlines;
    const Instant due = scheduler.now();
    for (int i = 0; i < 20'000; ++i) {
        deadlines.push_back(std::make_unique<Deadline>(scheduler, [&] {
            if (++fired == 1)
                QTimer::singleShot(0, this, [&] { firedAtTheirTurn = fired; });
        }));
        deadlines.back()->arm(due);
    }
    QTRY_COMPARE_WITH_TIMEOUT(fired, 20'000, longEnough);
    QVERIFY(firedAtTheirTurn > 0 && firedAtTheirTurn < 20'000);
}

REKINDLE_TEST(TimerSchedulerTest)
#include "timerschedulertest.moc"
