// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/policy/slidingwindow.h>

using namespace Rekindle;
using namespace std::chrono_literals;

class SlidingWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isFullIfAllInstantsAreWithinThePeriod();
    void includesBothEndsOfThePeriod();
    void isNeverFullWithoutCapacity();
    void resizeToLessKeepsTheNewest();
    void resizeToMoreKeepsAll();
    void freeFromIsTheFirstInstantThatIsNotFull();
    void recentReturnsInstantsWithinThePeriod();
};

namespace {
constexpr Instant t0{1h};
}

void SlidingWindowTest::isFullIfAllInstantsAreWithinThePeriod()
{
    SlidingWindow window(3, 10s);
    for (const Duration after : {0s, 4s, 8s}) {
        QVERIFY(!window.isFull(t0 + after));
        window.add(t0 + after);
    }
    QVERIFY(window.isFull(t0 + 9s));
    window.add(t0 + 12s); // replaces the first one
    QVERIFY(window.isFull(t0 + 14s));
    QVERIFY(!window.isFull(t0 + 15s));
}

void SlidingWindowTest::includesBothEndsOfThePeriod()
{
    SlidingWindow window(1, 10s);
    window.add(t0);
    QVERIFY(window.isFull(t0));
    QVERIFY(window.isFull(t0 + 10s));
    QVERIFY(!window.isFull(t0 + 10s + 1ns));
}

void SlidingWindowTest::isNeverFullWithoutCapacity()
{
    SlidingWindow window;
    window.add(t0);
    QVERIFY(!window.isFull(t0));
    QCOMPARE(window.freeFrom(), Instant::min());
}

void SlidingWindowTest::resizeToLessKeepsTheNewest()
{
    SlidingWindow window(3, 10s);
    for (int second = 0; second < 5; ++second)
        window.add(t0 + std::chrono::seconds(second)); // the ring has turned: 2, 3, 4 s
    window.resize(2, 5s);
    QCOMPARE(window.freeFrom(), t0 + 8s + 1ns);
    window.add(t0 + 6s);
    QCOMPARE(window.freeFrom(), t0 + 9s + 1ns);
    window.resize(0, 5s);
    QVERIFY(!window.isFull(t0 + 6s));
}

void SlidingWindowTest::resizeToMoreKeepsAll()
{
    SlidingWindow window(2, 10s);
    for (int second = 0; second < 3; ++second)
        window.add(t0 + std::chrono::seconds(second));
    window.resize(3, 10s);
    QVERIFY(!window.isFull(t0 + 3s));
    window.add(t0 + 3s);
    QVERIFY(window.isFull(t0 + 3s));
    QCOMPARE(window.freeFrom(), t0 + 11s + 1ns);
    window.add(t0 + 4s);
    QCOMPARE(window.freeFrom(), t0 + 12s + 1ns);
}

void SlidingWindowTest::freeFromIsTheFirstInstantThatIsNotFull()
{
    SlidingWindow window(2, 10s);
    window.add(t0);
    QVERIFY(window.freeFrom() <= t0);
    window.add(t0 + 1s);
    QVERIFY(window.isFull(window.freeFrom() - 1ns));
    QVERIFY(!window.isFull(window.freeFrom()));
}

void SlidingWindowTest::recentReturnsInstantsWithinThePeriod()
{
    SlidingWindow window(3, 10s);
    QVERIFY(window.recent(t0).empty());
    for (int second = 0; second < 5; ++second)
        window.add(t0 + std::chrono::seconds(second)); // the ring has turned
    QVERIFY(window.recent(t0 + 5s) == (std::vector<Instant>{t0 + 2s, t0 + 3s, t0 + 4s}));
    QVERIFY(window.recent(t0 + 13s) == (std::vector<Instant>{t0 + 3s, t0 + 4s}));
    QVERIFY(window.recent(t0 + 15s).empty());
}

REKINDLE_TEST(SlidingWindowTest)
#include "slidingwindowtest.moc"
