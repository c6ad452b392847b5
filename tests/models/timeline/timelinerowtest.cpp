// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "timelinestage.h"

#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;
using Breaker = CircuitBreakerState;
using State = InstanceState;

namespace {

TimelineRow rowOf(const std::vector<LifecycleEvent> &events)
{
    TimelineRow row(QUuid::createUuid());
    for (const LifecycleEvent &each : events)
        row.add(each);
    return row;
}

CircuitBreakerStateChanged opened(qint64 time, std::optional<Duration> resetDelay = {})
{
    CircuitBreakerStateChanged event;
    event.newState = Breaker::Open;
    event.resetDelay = resetDelay;
    return at(time, event);
}

RestartScheduled scheduled(qint64 time, qint64 start, bool trial = false)
{
    RestartScheduled event;
    event.attemptNumber = 1;
    event.scheduledAt = ms(start);
    event.delay = std::chrono::milliseconds(start - time);
    event.trial = trial;
    return at(time, event);
}

} // namespace

class TimelineRowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void statesAndMarksOfEvents_data();
    void statesAndMarksOfEvents();
    void plansNextStartWithBand();
    void plansBreakerReset();
    void marksLongHoldWhileItLasts();
    void insertsLateEntries();
    void ignoresEntriesThatPrecedeDroppedOnes();
};

void TimelineRowTest::statesAndMarksOfEvents_data()
{
    QTest::addColumn<std::vector<LifecycleEvent>>("events");
    QTest::addColumn<QString>("states");
    QTest::addColumn<QString>("marks");
    const auto row = [](const char *name, std::vector<LifecycleEvent> events, const char *states,
                        const char *marks) {
        QTest::newRow(name) << std::move(events) << QString::fromLatin1(states)
                            << QString::fromLatin1(marks);
    };
    RestartDeclined gated;
    gated.cause = RestartDeclined::Cause::License;
    CircuitBreakerStateChanged restored = opened(5);
    restored.restored = true;
    SharedBreakerStateChanged shared;
    shared.newState = Breaker::Open;

    row("life", {at<AgentStarted>(1), at<AgentReady>(2), at<AgentStable>(9), at<AgentStopped>(20)},
        "1 Starting, 2 Running, 20 Stopped", "");
    row("restart",
        {at<AgentReady>(2), at<AgentFailed>(5), scheduled(5, 9), at<RestartStarted>(9),
         at<AgentStarted>(9), at<AgentReady>(11)},
        "2 Running, 5 Waiting, 9 Starting, 11 Running", "5 Failure");
    row("trial", {at<AgentReady>(2), at<AgentFailed>(5), opened(5, 4ms), scheduled(5, 9, true)},
        "2 Running, 5 CircuitOpen", "5 Failure, 5 BreakerOpened");
    row("isolated while waiting", {at<AgentFailed>(5), scheduled(5, 9), opened(6)},
        "5 Waiting, 6 CircuitOpen", "5 Failure, 6 BreakerOpened");
    row("isolated while running", {at<AgentReady>(5), opened(6)}, "5 Running", "6 BreakerOpened");
    row("restored breaker", {restored}, "", "");
    row("shared breaker", {at<AgentReady>(5), at(6, shared)}, "5 Running", "6 BreakerOpened");
    row("exhausted", {at<AgentFailed>(5), at<RestartExhausted>(5)}, "5 Exhausted",
        "5 Failure, 5 Exhausted");
    row("declined", {at<AgentFailed>(5), at<RestartDeclined>(5)}, "5 Failed", "5 Failure");
    row("gated", {at<AgentFailed>(5), at(5, gated)}, "5 Gated", "5 Failure");
    row("canceled", {scheduled(5, 9), at<RestartCancelled>(6)}, "5 Waiting, 6 Stopped", "");
    row("canceled while starting", {at<AgentStarted>(5), at<RestartCancelled>(6)}, "5 Starting",
        "");
    row("held initial start", {at<StartHeld>(5), at<AgentStarted>(10'005)},
        "5 Waiting, 10005 Starting", "");
    row("held for long", {at<StartHeld>(5), at<StartHeld>(8'000), at<AgentStarted>(10'006)},
        "5 Waiting, 10006 Starting", "10005 LongHold");
    row("due later", {at<StartHeld>(5), scheduled(6, 30'000), at<AgentStarted>(30'000)},
        "5 Waiting, 6 Waiting, 30000 Starting", "");
    row("output", {at<AgentOutput>(5), at<HealthChanged>(6)}, "", "");
}

void TimelineRowTest::statesAndMarksOfEvents()
{
    QFETCH(const std::vector<LifecycleEvent>, events);
    QFETCH(const QString, states);
    QFETCH(const QString, marks);
    const TimelineRow row = rowOf(events);
    QCOMPARE(Rekindle::states(row), states);
    QCOMPARE(Rekindle::marks(row), marks);
}

void TimelineRowTest::plansNextStartWithBand()
{
    RestartPolicy policy;
    policy.type = RestartPolicyType::Exponential;
    policy.initialDelay = 1000ms;
    policy.jitter = {.kind = JitterKind::Symmetric, .ratio = 0.25};
    policy.minInterval = 800ms;
    TimelineRow row(QUuid::createUuid());
    row.add(scheduled(100, 1200));
    QCOMPARE(row.future(), TimelineRow::Future{.start = ms(1200)});
    row.add(scheduled(100, 1200), policy);
    const TimelineRow::Future expected{
        .start = ms(1200), .earliestStart = ms(900), .latestStart = ms(1350)};
    QCOMPARE(row.future(), expected);
    row.add(at<AgentStopped>(90)); // late
    QCOMPARE(row.future(), expected);
    row.add(at<AgentStarted>(1200));
    QCOMPARE(row.future(), TimelineRow::Future{});
}

void TimelineRowTest::plansBreakerReset()
{
    TimelineRow row = rowOf({at<AgentFailed>(5), opened(5, 100ms), scheduled(5, 105, true)});
    QCOMPARE(row.future(), (TimelineRow::Future{.start = ms(105), .breakerReset = ms(105)}));
    CircuitBreakerStateChanged halfOpen;
    halfOpen.newState = Breaker::HalfOpen;
    row.add(at(105, halfOpen));
    QCOMPARE(row.future(), TimelineRow::Future{.start = ms(105)});
}

void TimelineRowTest::marksLongHoldWhileItLasts()
{
    TimelineRow row = rowOf({at<StartHeld>(5)});
    row.advance(ms(10'005));
    QCOMPARE(marks(row), QString());
    const quint64 before = row.revision();
    row.advance(ms(10'006));
    row.advance(ms(99'000));
    row.add(at<AgentStarted>(99'000));
    QCOMPARE(marks(row), QStringLiteral("10005 LongHold"));
    QCOMPARE(row.marks(TimelineRow::MarkKind::LongHold).front().event, 5U);
    QVERIFY(row.revision() != before);
}

void TimelineRowTest::insertsLateEntries()
{
    TimelineRow row(QUuid::createUuid());
    row.addState(State::Running, ms(10));
    row.addState(State::Failed, ms(30));
    row.addState(State::Waiting, ms(20));
    row.addState(State::Starting, ms(5));
    row.addState(State::Gated, ms(20));
    QCOMPARE(states(row), QStringLiteral("5 Starting, 10 Running, 20 Gated, 30 Failed"));
    row.addMark(TimelineRow::MarkKind::Failure, {ms(9), 1});
    row.addMark(TimelineRow::MarkKind::Failure, {ms(7), 2});
    row.addMark(TimelineRow::MarkKind::Failure, {ms(7), 3});
    const std::vector<TimelineRow::Mark> expected{{ms(7), 2}, {ms(7), 3}, {ms(9), 1}};
    QCOMPARE(row.marks(TimelineRow::MarkKind::Failure), expected);
}

void TimelineRowTest::ignoresEntriesThatPrecedeDroppedOnes()
{
    TimelineRow row =
        rowOf({at<AgentReady>(1), at<AgentFailed>(3), at<AgentStarted>(5), at<AgentFailed>(9)});
    QCOMPARE(row.sizeBefore(ms(6)), 3U);
    row.dropBefore(ms(6));
    QCOMPARE(states(row), QStringLiteral("5 Starting, 9 Failed"));
    QCOMPARE(marks(row), QStringLiteral("9 Failure"));
    row.addState(State::Running, ms(4));
    row.addMark(TimelineRow::MarkKind::Failure, {ms(4), 0});
    row.addState(State::Running, ms(7));
    QCOMPARE(states(row), QStringLiteral("5 Starting, 7 Running, 9 Failed"));
    QCOMPARE(marks(row), QStringLiteral("9 Failure"));
}

REKINDLE_TEST(TimelineRowTest)

#include "timelinerowtest.moc"
