// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/usage/usagecontrol_p.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/virtualscheduler.h>

using namespace Rekindle;
using namespace std::chrono_literals;

class RecyclingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    static void beginsWithinTheSpread_data();
    static void beginsWithinTheSpread();
    static void waitsUntilTheAgentIsReady();
    static void isRequestedAgainEachMinute();
};

namespace {

// An agent with a recycling by age, which needs no process.
struct Aging
{
    explicit Aging(double draw = 0.5)
        : control({}, {.maxAge = 10h, .spread = 0.2}, 1, scheduler.now(), draw, scheduler,
                  {[](const QString &) { QFAIL("exceeds a limit"); },
                   [this](const QString &reason) { requests.append(reason); }})
    {
    }

    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    QStringList requests;
    UsageControl control;
};

} // namespace

void RecyclingTest::beginsWithinTheSpread_data()
{
    const Rows<double, int> row("draw", "hours");
    row("earliest", 0.0, 8);
    row("middle", 0.5, 10);
    row("latest", 1.0, 12);
}

void RecyclingTest::beginsWithinTheSpread()
{
    QFETCH(const double, draw);
    QFETCH(const int, hours);
    Aging aging(draw);
    QCOMPARE(aging.control.recyclingAt(), aging.scheduler.now() + hours * 1h);
    aging.control.ready();
    aging.scheduler.advance(hours * 1h - 1ms);
    QCOMPARE(aging.requests.size(), 0);
    aging.scheduler.advance(1ms);
    QCOMPARE(aging.requests,
             QStringList{QStringLiteral("recycling: it has run for %1h").arg(hours)});
}

void RecyclingTest::waitsUntilTheAgentIsReady()
{
    Aging aging;
    aging.scheduler.advance(11h);
    QCOMPARE(aging.requests.size(), 0);
    aging.control.ready();
    QCOMPARE(aging.requests.size(), 0); // not in the call
    aging.scheduler.advance(0ms);
    QCOMPARE(aging.requests.size(), 1);
}

void RecyclingTest::isRequestedAgainEachMinute()
{
    Aging aging;
    aging.control.ready();
    aging.scheduler.advance(10h + 59s);
    QCOMPARE(aging.requests.size(), 1);
    aging.scheduler.advance(1s);
    QCOMPARE(aging.requests.size(), 2);
}

REKINDLE_TEST(RecyclingTest)
#include "recyclingtest.moc"
