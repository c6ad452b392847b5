// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/usage/usagewatch_p.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

class UsageWatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    static void findsExcess_data();
    static void findsExcess();
    static void waitsUntilNext_data();
    static void waitsUntilNext();
    static void findsReasonToRecycle();
};

namespace {

constexpr Instant startOfWatch{1h};

} // namespace

void UsageWatchTest::findsExcess_data()
{
    // usage: after 30 s
    const Rows<UsageLimits, GroupUsage, QString> row("limits", "usage", "excess");
    row("no limits", {}, {qint64{1} << 40, 1h, 1000}, "");
    row("at the limits", {.memory = 5000, .cpu = 1, .processes = 3}, {5000, 30s, 3}, "");
    row("memory", {.memory = 100'000'000}, {100'000'001, 0s, 1},
        "uses 100.1 MB of memory; the limit is 100 MB");
    row("memory with a fraction", {.memory = 1'550'000}, {1'550'001, 0s, 1},
        "uses 1.6 MB of memory; the limit is 1.5 MB");
    row("more memory", {.memory = 1'500'000}, {34'560'000, 0s, 1},
        "uses 34.6 MB of memory; the limit is 1.5 MB");
    row("processes", {.processes = 3}, {0, 0s, 4}, "has 4 processes; the limit is 3");
    row("CPU", {.cpu = 1.5}, {0, 46s, 1}, "used 154 % of a CPU core for 30s; the limit is 150 %");
    row("little more CPU", {.cpu = 0.29}, {0, 8701ms, 1},
        "used 30 % of a CPU core for 30s; the limit is 29 %");
    row("CPU over a longer time", {.cpu = 1.5, .cpuFor = 31s}, {0, 46s, 1}, "");
    row("memory first", {.memory = 4096, .cpu = 0.1, .processes = 1}, {8192, 30s, 2},
        "uses 0.1 MB of memory; the limit is 0.0 MB");
}

void UsageWatchTest::findsExcess()
{
    QFETCH(const UsageLimits, limits);
    QFETCH(const GroupUsage, usage);
    UsageWatch watch(limits, {}, startOfWatch);
    watch.add(startOfWatch + 30s, usage);
    QTEST(watch.excess().value_or(QString()), "excess");
}

void UsageWatchTest::waitsUntilNext_data()
{
    // samples: one each second
    const Rows<UsageLimits, QList<GroupUsage>, Duration> row("limits", "samples", "wait");
    const auto megabytes = [](qint64 count) { return GroupUsage{count * 1'000'000, {}, 1}; };
    const UsageLimits large{.memory = 2'000'000'000};
    const UsageLimits small{.memory = 100'000'000};
    row("first", large, {}, 100ms);
    row("first, but the interval is shorter", {.memory = 1, .interval = 50ms}, {}, 50ms);
    row("CPU alone", {.cpu = 1}, {}, 5s);
    row("far from the limit", large, {megabytes(10), megabytes(10)}, 5s);
    row("a sudden growth could exceed it soon", small, {megabytes(10), megabytes(10)}, 1s);
    row("shrinks", large, {megabytes(900), megabytes(400)}, 5s);
    row("half of the time to the limit", large, {megabytes(1000), megabytes(1500)}, 500ms);
    row("nearly at the limit", small, {megabytes(10), megabytes(99)}, 100ms);
    row("exactly at the limit", small, {megabytes(10), megabytes(100)}, 100ms);
    row("no longer than the interval", {.memory = 2'000'000'000, .interval = 200ms},
        {megabytes(10), megabytes(10)}, 200ms);
    row("processes", {.processes = 10}, {{0, {}, 1}, {0, {}, 7}}, 333ms);
    row("constant number of processes", {.processes = 10}, {{0, {}, 7}, {0, {}, 7}}, 5s);
}

void UsageWatchTest::waitsUntilNext()
{
    QFETCH(const UsageLimits, limits);
    QFETCH(const QList<GroupUsage>, samples);
    QFETCH(const Duration, wait);
    UsageWatch watch(limits, {}, startOfWatch);
    for (qsizetype i = 0; i < samples.size(); ++i)
        watch.add(startOfWatch + std::chrono::seconds(i + 1), samples[i]);
    QCOMPARE(std::chrono::floor<std::chrono::milliseconds>(watch.untilNext()),
             std::chrono::floor<std::chrono::milliseconds>(wait));
}

void UsageWatchTest::findsReasonToRecycle()
{
    UsageWatch watch({}, {.memory = 2'000'000}, startOfWatch);
    QVERIFY(!watch.recyclingReason());
    watch.add(startOfWatch + 1s, {2'000'000, 0s, 1});
    QVERIFY(!watch.recyclingReason());
    watch.add(startOfWatch + 2s, {2'500'000, 0s, 1});
    QCOMPARE(watch.recyclingReason().value_or(QString()),
             QStringLiteral("recycling: it uses 2.5 MB of memory; the threshold is 2 MB"));
    QVERIFY(!watch.excess());
}

REKINDLE_TEST(UsageWatchTest)
#include "usagewatchtest.moc"
