// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/lifecycle/virtualscheduler.h>

#include <type_traits>

using namespace Rekindle;
using namespace std::chrono_literals;

static_assert(!std::is_copy_constructible_v<Clock> && !std::is_move_constructible_v<Clock>);
static_assert(std::is_base_of_v<Clock, SystemClock> && std::is_base_of_v<Clock, VirtualClock>);

class ClockTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void systemClockNeverGoesBack();
    void virtualClockChangesOnlyByAdvance();
    void virtualClockKeepsFractions();
    void setUtcKeepsMonotonicTime();
    void convertsToUtc();
};

void ClockTest::systemClockNeverGoesBack()
{
    const SystemClock clock;
    Instant last = clock.now();
    for (int i = 0; i < 10'000; ++i) {
        const Instant next = clock.now();
        QVERIFY(next >= last);
        last = next;
    }
    QVERIFY(clock.utcNow() > UtcTime{std::chrono::seconds(1'700'000'000)});
    last = clock.bootNow();
    QVERIFY(clock.bootNow() >= last);
}

void ClockTest::virtualClockChangesOnlyByAdvance()
{
    VirtualClock clock;
    QCOMPARE(clock.now(), Instant{});
    QCOMPARE(toRfc3339(clock.utcNow()), QStringLiteral("2026-01-01T00:00:00.000Z"));
    clock.advance(5min);
    QCOMPARE(clock.now(), Instant{5min});
    QCOMPARE(clock.bootNow(), Instant{5min});
    QCOMPARE(toRfc3339(clock.utcNow()), QStringLiteral("2026-01-01T00:05:00.000Z"));
}

void ClockTest::virtualClockKeepsFractions()
{
    VirtualClock clock;
    const UtcTime begin = clock.utcNow();
    for (int i = 0; i < 10; ++i)
        clock.advance(333'333ns);
    QCOMPARE(clock.now(), Instant{3'333'330ns});
    QCOMPARE(clock.utcNow() - begin, 3ms);
}

void ClockTest::setUtcKeepsMonotonicTime()
{
    VirtualClock clock;
    clock.setUtc(clock.utcNow() - 1h);
    QCOMPARE(clock.now(), Instant{});
    QCOMPARE(toRfc3339(clock.utcNow()), QStringLiteral("2025-12-31T23:00:00.000Z"));
}

void ClockTest::convertsToUtc()
{
    VirtualClock clock;
    clock.advance(1h);
    QCOMPARE(clock.toUtc(clock.now()), clock.utcNow());
    QCOMPARE(clock.toUtc(Instant{}), clock.utcNow() - 1h);
    QCOMPARE(clock.toUtc(Instant{1h + 1500us}), clock.utcNow() + 2ms);
}

REKINDLE_TEST(ClockTest)
#include "clocktest.moc"
