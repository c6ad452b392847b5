// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/healthstage.h"
#include "testprogram.h"

#include <rekindle/lifecycle/heartbeatprobe.h>

using namespace Rekindle;
using namespace std::chrono_literals;

/// When a monitor runs probes, and the effects of their results.
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
    void requestedHeartbeat_data();
    void requestedHeartbeat();
    void statusSurvivesNewProbes();
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
                                                 << "5s run:2s healthy 15s run:2s 25s run:2s";
    QTest::newRow("late answers keep the rhythm") << "ok@1s"
                                                  << "start ready +22s"
                                                  << "run:2s 1s healthy 10s run:2s 20s run:2s";
    QTest::newRow("a miss, and well again")
        << "no no ok"
        << "start ready +20s"
        << "run:2s unhealthy:1 10s run:2s unhealthy:2 20s run:2s healthy";
    QTest::newRow("only misses in a row count")
        << "no no ok no no ok"
        << "start ready +50s"
        << "run:2s unhealthy:1 10s run:2s unhealthy:2 20s run:2s healthy "
           "30s run:2s unhealthy:1 40s run:2s unhealthy:2 50s run:2s healthy";
    QTest::newRow("unhealthy: no answers")
        << "never"
        << "start ready +1h"
        << "run:2s 2s cancel unhealthy:1 10s run:2s 12s cancel unhealthy:2 20s run:2s "
           "22s cancel unhealthy:3 run:6s 28s cancel unhealthy:4 FAILED:1";
    QTest::newRow("unhealthy: bad answers")
        << "no"
        << "start ready +1h"
        << "run:2s unhealthy:1 10s run:2s unhealthy:2 20s run:2s unhealthy:3 run:6s unhealthy:4 "
           "FAILED:1";
    QTest::newRow("busy, not unhealthy")
        << "never never never ok@5s ok"
        << "start ready +30s"
        << "run:2s 2s cancel unhealthy:1 10s run:2s 12s cancel unhealthy:2 20s run:2s "
           "22s cancel unhealthy:3 run:6s 27s healthy 30s run:2s";
    QTest::newRow("ends in the middle of a run") << "never"
                                                 << "start ready +1s fail +1h"
                                                 << "run:2s 1s cancel";
    QTest::newRow("stops between two runs") << "ok"
                                            << "start ready +1s stopped +1h"
                                            << "run:2s healthy";
    QTest::newRow("health ended") << "never"
                                  << "start ready +1s endHealth +1h"
                                  << "run:2s 1s cancel";
    QTest::newRow("a new start is a new beginning")
        << "no"
        << "start ready +10s fail +5s start +1s ready +7s"
        << "run:2s unhealthy:1 10s run:2s unhealthy:2 15s unknown "
           "22.18034s run:2s unhealthy:1";
    QTest::newRow("a second ready says nothing") << "ok"
                                                 << "ready +1h"
                                                 << "";
}

void HealthTest::schedule()
{
    QFETCH(QString, answers);
    QFETCH(QString, script);
    HealthStage stage;
    stage.setProbes({answers});
    stage.play(script);
    QTEST(stage.log(), "log");
}

// Every 10 s, with 2 s; half a minute of grace.
void HealthTest::grace_data()
{
    QTest::addColumn<QString>("answers");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("no run before its end") << "no"
                                           << "start ready +29999ms"
                                           << "";
    QTest::newRow("from ready on") << "ok"
                                   << "start +5s ready +1m"
                                   << "35s run:2s healthy 45s run:2s 55s run:2s 65s run:2s";
    QTest::newRow("a miss brings no second one") << "no ok"
                                                 << "start ready +45s"
                                                 << "30s run:2s unhealthy:1 40s run:2s healthy";
    QTest::newRow("ends within it") << "ok"
                                    << "start ready +10s fail +1h"
                                    << "";
    // The places in the interval: 0 s, then 6.18 s.
    QTest::newRow("again after a restart")
        << "ok"
        << "start ready +31s fail +1s start ready +40s"
        << "30s run:2s healthy 32s unknown 68.18034s run:2s healthy";
    QTest::newRow("again after a restart within it") << "ok"
                                                     << "start ready +20s fail start ready +40s"
                                                     << "56.18034s run:2s healthy";
}

void HealthTest::grace()
{
    QFETCH(QString, answers);
    QFETCH(QString, script);
    HealthStage stage;
    HealthSchedule schedule;
    schedule.grace = 30s;
    stage.setProbes({answers}, schedule);
    stage.play(script);
    QTEST(stage.log(), "log");
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
        << "run:2s 3601s cancel 3607.18034s run:2s healthy";
    QTest::newRow("shorter, and noticed by the tick") << "never ok"
                                                      << "start ready +500ms stall:1s +500ms +7s"
                                                      << "run:2s 2s cancel 8.18034s run:2s healthy";
    QTest::newRow("too short to matter") << "never ok"
                                         << "start ready +500ms stall:400ms +3s"
                                         << "run:2s 2s cancel unhealthy:1";
    QTest::newRow("a bad answer of the span does not count") << "no@1s ok"
                                                             << "start ready stall:30s +7s"
                                                             << "run:2s 36.18034s run:2s healthy";
    QTest::newRow("a good one does") << "ok@1s"
                                     << "start ready stall:30s"
                                     << "run:2s 30s healthy";
    QTest::newRow("stopped between two runs") << "ok"
                                              << "start ready +5s stall:1h +7s"
                                              << "run:2s healthy 3611.18034s run:2s";
    QTest::newRow("stopped in its last chance")
        << "no no no never never"
        << "start ready +21s stall:10s +7s +10s"
        << "run:2s unhealthy:1 10s run:2s unhealthy:2 20s run:2s unhealthy:3 run:6s 31s cancel "
           "37.18034s run:6s 43.18034s cancel unhealthy:4 FAILED:1";
    QTest::newRow("the machine slept in the middle of a run")
        << "never ok"
        << "start ready +1s utc:1d +10s"
        << "run:2s 2s cancel 8.18034s run:2s healthy";
    QTest::newRow("the clock was set back") << "never ok"
                                            << "start ready +1s utc:-1d +10s"
                                            << "run:2s 2s cancel 8.18034s run:2s healthy";
    QTest::newRow("the clock was set between two runs")
        << "ok never"
        << "start ready +1s utc:1d +12s"
        << "run:2s healthy 10s run:2s 12s cancel unhealthy:1";
    QTest::newRow("the clock is slewed") << "never"
                                         << "start ready +1s utc:1s +1s"
                                         << "run:2s 2s cancel unhealthy:1";
    QTest::newRow("misses from before stay")
        << "no no never no no"
        << "start ready +21s stall:10s +7s"
        << "run:2s unhealthy:1 10s run:2s unhealthy:2 20s run:2s 31s cancel "
           "37.18034s run:2s unhealthy:3 run:6s unhealthy:4 FAILED:1";
}

void HealthTest::stalls() { schedule(); }

// Every 10 s, with 2 s, one miss; the last chance has 6 s.
void HealthTest::heartbeat_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("beating") << "start ready beat +8s beat +8s beat +8s beat +8s"
                             << "healthy";
    QTest::newRow("late in each interval") << "start ready +9s beat +9s beat +9s beat +9s beat"
                                           << "healthy";
    QTest::newRow("in time within the run") << "start ready +11s beat +8s"
                                            << "healthy";
    QTest::newRow("silent") << "start ready beat +30s"
                            << "healthy 22s unhealthy:1 28s "
                               "unhealthy:2 FAILED:1";
    QTest::newRow("silent from the start") << "start ready +18s"
                                           << "healthy 12s unhealthy:1 18s unhealthy:2 "
                                              "FAILED:1";
    QTest::newRow("late, but there") << "start ready +17s beat"
                                     << "healthy 12s unhealthy:1 17s healthy";
    QTest::newRow("an old one is no sign of life")
        << "start ready beat beat beat fail +1s start ready +19s"
        << "healthy 1s unknown 7.18034s healthy 19.18034s unhealthy:1";
    QTest::newRow("gives up at once") << "start ready beat +1s giveUp +1h"
                                      << "healthy 1s unhealthy FAILED:1";
    QTest::newRow("gives up before it is ready") << "start giveUp +1h"
                                                 << "unhealthy FAILED:1";
    QTest::newRow("gives up twice") << "start ready giveUp giveUp +1h"
                                    << "healthy unhealthy FAILED:1";
    QTest::newRow("gives up when it has ended") << "start ready fail giveUp +1h"
                                                << "healthy";
}

void HealthTest::heartbeat()
{
    QFETCH(QString, script);
    HealthStage stage;
    std::vector<HealthCheck> checks;
    HealthSchedule schedule;
    schedule.misses = 1;
    checks.push_back(
        {QStringLiteral("heartbeat"), schedule, std::make_unique<HeartbeatProbe>(stage.agent)});
    QVERIFY(stage.monitor.setHealth(stage.id, std::move(checks)).isEmpty());
    stage.play(script);
    QTEST(stage.log(), "log");
}

// The default schedule of a worker. The agent emits a heartbeat on request ("beat").
void HealthTest::requestedHeartbeat_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("first request after the grace period") << "start ready +9999ms"
                                                          << "";
    QTest::newRow("answered") << "start ready +10s beat +10s beat"
                              << "10s request healthy 20s request";
    QTest::newRow("never answered")
        << "start ready +1h"
        << "10s request 12s unhealthy:1 20s request 22s unhealthy:2 30s request "
           "32s unhealthy:3 request 42s unhealthy:4 FAILED:1";
    QTest::newRow("late answer between two runs resets the count")
        << "start ready +15s beat +15s"
        << "10s request 12s unhealthy:1 20s healthy 30s request";
    QTest::newRow("answer in the last run")
        << "start ready +41s beat +9s"
        << "10s request 12s unhealthy:1 20s request 22s unhealthy:2 30s request "
           "32s unhealthy:3 request 41s healthy 50s request";
}

void HealthTest::requestedHeartbeat()
{
    QFETCH(QString, script);
    HealthStage stage;
    stage.answerRequests();
    std::vector<HealthCheck> checks;
    checks.push_back({QStringLiteral("heartbeat"),
                      {.grace = 10s, .lastChance = 10s},
                      std::make_unique<HeartbeatProbe>(stage.agent)});
    QVERIFY(stage.monitor.setHealth(stage.id, std::move(checks)).isEmpty());
    stage.play(script);
    QTEST(stage.log(), "log");
}

// A reload may replace the probes between two starts.
void HealthTest::statusSurvivesNewProbes()
{
    HealthStage stage;
    stage.setProbes({QStringLiteral("no")});
    stage.play(QStringLiteral("start ready fail"));
    stage.setProbes({QStringLiteral("ok")});
    const AgentHealthStatus health = stage.monitor.health(stage.id);
    QCOMPARE(health.state, AgentHealthStatus::State::Unhealthy);
    QCOMPARE(health.consecutiveMisses, 1);
    QCOMPARE(health.history.size(), 1);
}

// The slot advances the time, as a nested event loop does.
void HealthTest::removedInASlotThatTakesItsTime()
{
    HealthStage stage;
    stage.setProbes({QStringLiteral("no no no no no"), QStringLiteral("no no no no no")});
    int emitted = 0;
    QObject::connect(&stage.monitor, &AgentMonitor::healthChanged, &stage.monitor, [&] {
        ++emitted;
        stage.monitor.unwatch(stage.id);
        stage.scheduler.advance(1h);
    });
    stage.play(QStringLiteral("start ready +1h"));
    QCOMPARE(emitted, 1);
    QVERIFY(!stage.log().contains(QLatin1String("FAILED")));
}

REKINDLE_TEST(HealthTest)
#include "healthtest.moc"
