// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fleetworld.h"
#include "sanitizer.h"
#include "testprogram.h"

using namespace Rekindle;

// Random machines under random faults. REKINDLE_FLEET_SEEDS sets the number of seeds.
class FleetSimulationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void copiesNeverOverlap();
    void overlapIsFoundIfClockRatesDifferTooMuch();
    void seedDeterminesTheRun();
};

namespace {

int seedCount()
{
    bool isNumber = false;
    const int count = qEnvironmentVariableIntValue("REKINDLE_FLEET_SEEDS", &isNumber);
    return isNumber ? count : runsHere(300);
}

} // namespace

void FleetSimulationTest::copiesNeverOverlap()
{
    for (int seed = 1; seed <= seedCount(); ++seed) {
        FleetWorld world({.seed = static_cast<quint64>(seed)});
        const QString fault = world.play();
        if (fault.isEmpty())
            continue;
        FleetWorld traced({.seed = static_cast<quint64>(seed), .trace = true});
        static_cast<void>(traced.play());
        for (const QString &line : traced.trace())
            qInfo("%s", qPrintable(line));
        QFAIL(qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(fault)));
    }
}

// 1.25 / 0.75 is more than D / H = 1.25.
void FleetSimulationTest::overlapIsFoundIfClockRatesDifferTooMuch()
{
    QString fault;
    for (quint64 seed = 1; seed <= 100 && fault.isEmpty(); ++seed) {
        FleetWorld world({.seed = seed, .rateDeviation = 250});
        fault = world.play();
    }
    QCOMPARE(fault, QStringLiteral("two copies of an agent never overlap"));
}

void FleetSimulationTest::seedDeterminesTheRun()
{
    FleetWorld first({.seed = 7, .trace = true});
    FleetWorld second({.seed = 7, .trace = true});
    QCOMPARE(first.play(), QString());
    QCOMPARE(second.play(), QString());
    QVERIFY(first.trace().size() > 10);
    QCOMPARE(first.trace(), second.trace());
}

REKINDLE_TEST(FleetSimulationTest)
#include "fleetsimulationtest.moc"
