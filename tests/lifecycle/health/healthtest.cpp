// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/ward.h"
#include "testprogram.h"

#include <rekindle/lifecycle/heartbeatprobe.h>

using namespace Rekindle;
using namespace std::chrono_literals;

/// When a monitor asks, and what it makes of the answers.
class HealthTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void schedule_data();
    void schedule();
    void grace_data();
    void grace();
    void stalls_data();
    void stalls();
    void removedInASlotThatTakesItsTime();
    void heartbeat_data();
    void heartbeat();
};

// Every 10 s, with 2 s, three misses; the last chance has 6 s.
void HealthTest::schedule_data()
{
    QTest::addColumn<QString>("answers");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("not before ready") << "ok"
                                      << "start +1h"
                                      << "";
    QTest::newRow("at ready and every interval") << "ok"
                                                 << "start +5s ready +20s"
                                                 << "5s run:2s Healthy 15s run:2s 25s run:2s";
    QTest::newRow("late answers keep the rhythm") << "ok@1s"
                                                  << "start ready +22s"
                                                  << "run:2s 1s Healthy 10s run:2s 20s run:2s";
    QTest::newRow("a miss, and well again")
        << "no no ok"
        << "start ready +20s"
        << "run:2s Unhealthy:1 10s run:2s Unhealthy:2 20s run:2s Healthy";
    QTest::newRow("only misses in a row count")
        << "no no ok no no ok"
        << "start ready +50s"
        << "run:2s Unhealthy:1 10s run:2s Unhealthy:2 20s run:2s Healthy "
           "30s run:2s Unhealthy:1 40s run:2s Unhealthy:2 50s run:2s Healthy";
    QTest::newRow("wedged: no answers")
        << "never"
        << "start ready +1h"
        << "run:2s 2s cancel Unhealthy:1 10s run:2s 12s cancel Unhealthy:2 20s run:2s "
           "22s cancel Unhealthy:3 run:6s 28s cancel Unhealthy:4 WEDGED:1";
    QTest::newRow("wedged: bad answers")
        << "no"
        << "start ready +1h"
        << "run:2s Unhealthy:1 10s run:2s Unhealthy:2 20s run:2s Unhealthy:3 run:6s Unhealthy:4 "
           "WEDGED:1";
    QTest::newRow("busy, not wedged")
        << "never never never ok@5s ok"
        << "start ready +30s"
        << "run:2s 2s cancel Unhealthy:1 10s run:2s 12s cancel Unhealthy:2 20s run:2s "
           "22s cancel Unhealthy:3 run:6s 27s Healthy 30s run:2s";
    QTest::newRow("ends in the middle of a run") << "never"
                                                 << "start ready +1s fail +1h"
                                                 << "run:2s 1s cancel";
    QTest::newRow("stops between two runs") << "ok"
                                            << "start ready +1s stopped +1h"
                                            << "run:2s Healthy";
    QTest::newRow("told to end") << "never"
                                 << "start ready +1s endHealth +1h"
                                 << "run:2s 1s cancel";
    QTest::newRow("a new start is a new beginning")
        << "no"
        << "start ready +10s fail +5s start +1s ready +7s"
        << "run:2s Unhealthy:1 10s run:2s Unhealthy:2 15s Unknown "
           "22.18034s run:2s Unhealthy:1";
    QTest::newRow("a second ready says nothing") << "ok"
                                                 << "ready +1h"
                                                 << "";
}

void HealthTest::schedule()
{
    QFETCH(QString, answers);
    QFETCH(QString, script);
    Ward ward;
    ward.setProbes({answers});
    ward.play(script);
    QTEST(ward.log(), "log");
}

// Every 10 s, with 2 s; half a minute of grace.
void HealthTest::grace_data()
{
    QTest::addColumn<QString>("answers");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("nothing is asked before it is over") << "no"
                                                        << "start ready +29999ms"
                                                        << "";
    QTest::newRow("from ready on") << "ok"
                                   << "start +5s ready +1m"
                                   << "35s run:2s Healthy 45s run:2s 55s run:2s 65s run:2s";
    QTest::newRow("a miss brings no second one") << "no ok"
                                                 << "start ready +45s"
                                                 << "30s run:2s Unhealthy:1 40s run:2s Healthy";
    QTest::newRow("ends within it") << "ok"
                                    << "start ready +10s fail +1h"
                                    << "";
    // The places in the interval: 0 s, then 6.18 s.
    QTest::newRow("afresh after a restart")
        << "ok"
        << "start ready +31s fail +1s start ready +40s"
        << "30s run:2s Healthy 32s Unknown 68.18034s run:2s Healthy";
    QTest::newRow("afresh after a restart within it") << "ok"
                                                      << "start ready +20s fail start ready +40s"
                                                      << "56.18034s run:2s Healthy";
}

void HealthTest::grace()
{
    QFETCH(QString, answers);
    QFETCH(QString, script);
    Ward ward;
    HealthSchedule schedule;
    schedule.grace = 30s;
    ward.setProbes({answers}, schedule);
    ward.play(script);
    QTEST(ward.log(), "log");
}

// The first schedule. After a stall the run is repeated at another place in the interval: 6.18 s
// after it was noticed, then 2.36 s.
void HealthTest::stalls_data()
{
    QTest::addColumn<QString>("answers");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("stopped in the middle of a run")
        << "never ok"
        << "start ready +1s stall:1h +7s"
        << "run:2s 3601s cancel 3607.18034s run:2s Healthy";
    QTest::newRow("shorter, and noticed by the tick") << "never ok"
                                                      << "start ready +500ms stall:1s +500ms +7s"
                                                      << "run:2s 2s cancel 8.18034s run:2s Healthy";
    QTest::newRow("too short to matter") << "never ok"
                                         << "start ready +500ms stall:400ms +3s"
                                         << "run:2s 2s cancel Unhealthy:1";
    QTest::newRow("a bad answer of the span does not count") << "no@1s ok"
                                                             << "start ready stall:30s +7s"
                                                             << "run:2s 36.18034s run:2s Healthy";
    QTest::newRow("a good one does") << "ok@1s"
                                     << "start ready stall:30s"
                                     << "run:2s 30s Healthy";
    QTest::newRow("stopped between two runs") << "ok"
                                              << "start ready +5s stall:1h +7s"
                                              << "run:2s Healthy 3611.18034s run:2s";
    QTest::newRow("stopped in its last chance")
        << "no no no never never"
        << "start ready +21s stall:10s +7s +10s"
        << "run:2s Unhealthy:1 10s run:2s Unhealthy:2 20s run:2s Unhealthy:3 run:6s 31s cancel "
           "37.18034s run:6s 43.18034s cancel Unhealthy:4 WEDGED:1";
    QTest::newRow("the machine slept in the middle of a run")
        << "never ok"
        << "start ready +1s utc:1d +10s"
        << "run:2s 2s cancel 8.18034s run:2s Healthy";
    QTest::newRow("the clock was set back") << "never ok"
                                            << "start ready +1s utc:-1d +10s"
                                            << "run:2s 2s cancel 8.18034s run:2s Healthy";
    QTest::newRow("the clock was set between two runs")
        << "ok never"
        << "start ready +1s utc:1d +12s"
        << "run:2s Healthy 10s run:2s 12s cancel Unhealthy:1";
    QTest::newRow("the clock is slewed") << "never"
                                         << "start ready +1s utc:1s +1s"
                                         << "run:2s 2s cancel Unhealthy:1";
    QTest::newRow("misses from before stay")
        << "no no never no no"
        << "start ready +21s stall:10s +7s"
        << "run:2s Unhealthy:1 10s run:2s Unhealthy:2 20s run:2s 31s cancel "
           "37.18034s run:2s Unhealthy:3 run:6s Unhealthy:4 WEDGED:1";
}

void HealthTest::stalls() { schedule(); }

// Every 10 s, with 2 s, one miss; the last chance has 6 s.
void HealthTest::heartbeat_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("beating") << "start ready beat +8s beat +8s beat +8s beat +8s"
                             << "Healthy";
    QTest::newRow("late in each interval") << "start ready +9s beat +9s beat +9s beat +9s beat"
                                           << "Healthy";
    QTest::newRow("in time within the run") << "start ready +11s beat +8s"
                                            << "Healthy";
    QTest::newRow("silent") << "start ready beat +30s"
                            << "Healthy 22s Unhealthy:1 28s "
                               "Unhealthy:2 WEDGED:1";
    QTest::newRow("silent from the start") << "start ready +18s"
                                           << "Healthy 12s Unhealthy:1 18s Unhealthy:2 "
                                              "WEDGED:1";
    QTest::newRow("late, but there") << "start ready +17s beat"
                                     << "Healthy 12s Unhealthy:1 17s Healthy";
    QTest::newRow("an old one is no sign of life")
        << "start ready beat beat beat fail +1s start ready +19s"
        << "Healthy 1s Unknown 7.18034s Healthy 19.18034s Unhealthy:1";
    QTest::newRow("gives up at once") << "start ready beat +1s giveUp +1h"
                                      << "Healthy 1s Unhealthy WEDGED:1";
    QTest::newRow("gives up before it is ready") << "start giveUp +1h"
                                                 << "Unhealthy WEDGED:1";
    QTest::newRow("gives up twice") << "start ready giveUp giveUp +1h"
                                    << "Healthy Unhealthy WEDGED:1";
    QTest::newRow("gives up when it has ended") << "start ready fail giveUp +1h"
                                                << "Healthy";
}

void HealthTest::heartbeat()
{
    QFETCH(QString, script);
    Ward ward;
    std::vector<HealthCheck> checks;
    HealthSchedule schedule;
    schedule.misses = 1;
    checks.push_back(
        {QStringLiteral("heartbeat"), schedule, std::make_unique<HeartbeatProbe>(ward.agent)});
    QVERIFY(ward.monitor.setHealth(ward.id, std::move(checks)).isEmpty());
    ward.play(script);
    QTEST(ward.log(), "log");
}

// A dialog in a slot, so to say: time goes on in it.
void HealthTest::removedInASlotThatTakesItsTime()
{
    Ward ward;
    ward.setProbes({QStringLiteral("no no no no no"), QStringLiteral("no no no no no")});
    int told = 0;
    QObject::connect(&ward.monitor, &AgentMonitor::healthChanged, &ward.monitor, [&] {
        ++told;
        ward.monitor.unwatch(ward.id);
        ward.scheduler.advance(1h);
    });
    ward.play(QStringLiteral("start ready +1h"));
    QCOMPARE(told, 1);
    QVERIFY(!ward.log().contains(QLatin1String("WEDGED")));
}

REKINDLE_TEST(HealthTest)
#include "healthtest.moc"
