// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/usage/cpushare_p.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

class CpuShareTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    static void isUnknownBeforeThePeriod();
    static void isTheAverageOfThePeriod();
    static void ignoresLosses();
    static void keepsFewPoints();
};

namespace {

constexpr Instant begin{1h};

} // namespace

void CpuShareTest::isUnknownBeforeThePeriod()
{
    CpuShare share(30s, begin);
    QVERIFY(!share.average());
    share.add(begin + 29s, 29s);
    QVERIFY(!share.average());
    share.add(begin + 30s, 30s);
    QCOMPARE(share.average().value(), 1.0);
}

void CpuShareTest::isTheAverageOfThePeriod()
{
    CpuShare share(10s, begin);
    for (int i = 1; i <= 20; ++i)
        share.add(begin + i * 1s, std::chrono::milliseconds(0));
    QCOMPARE(share.average().value(), 0.0);
    // Two cores from the 20th second on: half of the period is five seconds.
    for (int i = 1; i <= 5; ++i)
        share.add(begin + 20s + i * 1s, i * 2s);
    QCOMPARE(share.average().value(), 1.0);
    for (int i = 6; i <= 10; ++i)
        share.add(begin + 20s + i * 1s, i * 2s);
    QCOMPARE(share.average().value(), 2.0);
    // A late sample covers a longer time.
    share.add(begin + 60s, 20s);
    QVERIFY(share.average().value() < 0.1);
}

void CpuShareTest::ignoresLosses()
{
    CpuShare share(10s, begin);
    share.add(begin + 5s, 5s);
    share.add(begin + 6s, 1s); // a process with four seconds has exited
    share.add(begin + 10s, 5s);
    QCOMPARE(share.average().value(), 0.9);
}

void CpuShareTest::keepsFewPoints()
{
    CpuShare share(1h, begin);
    for (int i = 1; i <= 72'000; ++i) // two hours
        share.add(begin + i * 100ms, i * 50ms);
    QVERIFY(qAbs(share.average().value() - 0.5) < 1e-6);
}

REKINDLE_TEST(CpuShareTest)
#include "cpusharetest.moc"
