// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/healthstage.h"
#include "testprogram.h"
#include "testrow.h"

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
    void slotMayUnwatchAndAdvanceTime();
    void heartbeat_data();
    void heartbeat();
    void requestedHeartbeat_data();
    void requestedHeartbeat();
    void newProbesKeepStatus();
};

// The interval is 10 s, the timeout 2 s, and the last timeout 6 s, after three failures.
void HealthTest::schedule_data()
{
    const Rows<QString, QString, QString> row("answers", "script", "log");

    row("not before ready", "ok", "start +1h", "");
    row("at ready and at every interval", "ok", "start +5s ready +20s",
        "5s run:2s healthy 15s run:2s 25s run:2s");
    row("late answers keep the phase", "ok@1s", "start ready +22s",
        "run:2s 1s healthy 10s run:2s 20s run:2s");
    row("recovers after one failure", "no no ok", "start ready +20s",
        "run:2s unhealthy:1 10s run:2s unhealthy:2 20s run:2s healthy");
    row("only consecutive failures count", "no no ok no no ok", "start ready +50s",
        "run:2s unhealthy:1 10s run:2s unhealthy:2 20s run:2s healthy "
        "30s run:2s unhealthy:1 40s run:2s unhealthy:2 50s run:2s healthy");
    row("unhealthy: no answers", "never", "start ready +1h",
        "run:2s 2s cancel unhealthy:1 10s run:2s 12s cancel unhealthy:2 20s run:2s "
        "22s cancel unhealthy:3 run:6s 28s cancel unhealthy:4 FAILED:1");
    row("unhealthy: bad answers", "no", "start ready +1h",
        "run:2s unhealthy:1 10s run:2s unhealthy:2 20s run:2s unhealthy:3 run:6s unhealthy:4 "
        "FAILED:1");
    row("busy, not unhealthy", "never never never ok@5s ok", "start ready +30s",
        "run:2s 2s cancel unhealthy:1 10s run:2s 12s cancel unhealthy:2 20s run:2s "
        "22s cancel unhealthy:3 run:6s 27s healthy 30s run:2s");
    row("fails during a run", "never", "start ready +1s fail +1h", "run:2s 1s cancel");
    row("stops between two runs", "ok", "start ready +1s stopped +1h", "run:2s healthy");
    row("health ended", "never", "start ready +1s endHealth +1h", "run:2s 1s cancel");
    row("next start resets the count", "no", "start ready +10s fail +5s start +1s ready +7s",
        "run:2s unhealthy:1 10s run:2s unhealthy:2 15s unknown "
        "22.18034s run:2s unhealthy:1");
    row("ready without started is ignored", "ok", "ready +1h", "");
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

// The interval is 10 s, the timeout 2 s, and the grace period 30 s.
void HealthTest::grace_data()
{
    const Rows<QString, QString, QString> row("answers", "script", "log");

    row("no run within the grace period", "no", "start ready +29999ms", "");
    row("begins at ready", "ok", "start +5s ready +1m",
        "35s run:2s healthy 45s run:2s 55s run:2s 65s run:2s");
    row("failure causes no immediate second run", "no ok", "start ready +45s",
        "30s run:2s unhealthy:1 40s run:2s healthy");
    row("fails within the grace period", "ok", "start ready +10s fail +1h", "");
    // The phases within the interval are 0 s and 6.18 s.
    row("applies again after a restart", "ok", "start ready +31s fail +1s start ready +40s",
        "30s run:2s healthy 32s unknown 68.18034s run:2s healthy");
    row("restart within the grace period", "ok", "start ready +20s fail start ready +40s",
        "56.18034s run:2s healthy");
}

void HealthTest::grace()
{
    QFETCH(QString, answers);
    QFETCH(QString, script);
    HealthStage stage;
    stage.setProbes({answers}, {.grace = 30s});
    stage.play(script);
    QTEST(stage.log(), "log");
}

// The schedule of schedule_data(). After a stall, the run is repeated 6.18 s later, at another
// phase, then 2.36 s later.
void HealthTest::stalls_data()
{
    const Rows<QString, QString, QString> row("answers", "script", "log");

    row("stopped during a run", "never ok", "start ready +1s stall:1h +7s",
        "run:2s 3601s cancel 3607.18034s run:2s healthy");
    row("short stall detected by the tick", "never ok", "start ready +500ms stall:1s +500ms +7s",
        "run:2s 2s cancel 8.18034s run:2s healthy");
    row("short stall counts", "never ok", "start ready +500ms stall:400ms +3s",
        "run:2s 2s cancel unhealthy:1");
    row("failure during the stall does not count", "no@1s ok", "start ready stall:30s +7s",
        "run:2s 36.18034s run:2s healthy");
    row("success during the stall counts", "ok@1s", "start ready stall:30s", "run:2s 30s healthy");
    row("stopped between two runs", "ok", "start ready +5s stall:1h +7s",
        "run:2s healthy 3611.18034s run:2s");
    row("stopped during the last run", "no no no never never",
        "start ready +21s stall:10s +7s +10s",
        "run:2s unhealthy:1 10s run:2s unhealthy:2 20s run:2s unhealthy:3 run:6s 31s cancel "
        "37.18034s run:6s 43.18034s cancel unhealthy:4 FAILED:1");
    row("suspended during a run", "never ok", "start ready +1s utc:1d +10s",
        "run:2s 2s cancel 8.18034s run:2s healthy");
    row("clock set back", "never ok", "start ready +1s utc:-1d +10s",
        "run:2s 2s cancel 8.18034s run:2s healthy");
    row("clock set between two runs", "ok never", "start ready +1s utc:1d +12s",
        "run:2s healthy 10s run:2s 12s cancel unhealthy:1");
    row("small clock change", "never", "start ready +1s utc:1s +1s",
        "run:2s 2s cancel unhealthy:1");
    row("earlier failures stay counted", "no no never no no", "start ready +21s stall:10s +7s",
        "run:2s unhealthy:1 10s run:2s unhealthy:2 20s run:2s 31s cancel "
        "37.18034s run:2s unhealthy:3 run:6s unhealthy:4 FAILED:1");
}

void HealthTest::stalls() { schedule(); }

// The interval is 10 s, the timeout 2 s, and the last timeout 6 s, after one failure.
void HealthTest::heartbeat_data()
{
    const Rows<QString, QString> row("script", "log");

    row("beating", "start ready beat +8s beat +8s beat +8s beat +8s", "healthy");
    row("late in each interval", "start ready +9s beat +9s beat +9s beat +9s beat", "healthy");
    row("answered within the run", "start ready +11s beat +8s", "healthy");
    row("no heartbeats", "start ready beat +30s",
        "healthy 22s unhealthy:1 28s "
        "unhealthy:2 FAILED:1");
    row("no heartbeat since the start", "start ready +18s",
        "healthy 12s unhealthy:1 18s unhealthy:2 "
        "FAILED:1");
    row("late heartbeat", "start ready +17s beat", "healthy 12s unhealthy:1 17s healthy");
    row("heartbeat of the previous start does not count",
        "start ready beat beat beat fail +1s start ready +19s",
        "healthy 1s unknown 7.18034s healthy 19.18034s unhealthy:1");
    row("unhealthy at once", "start ready beat +1s giveUp +1h", "healthy 1s unhealthy FAILED:1");
    row("reported unhealthy before ready", "start giveUp +1h", "unhealthy FAILED:1");
    row("reported unhealthy twice", "start ready giveUp giveUp +1h", "healthy unhealthy FAILED:1");
    row("reported unhealthy after the exit", "start ready fail giveUp +1h", "healthy");
}

void HealthTest::heartbeat()
{
    QFETCH(QString, script);
    HealthStage stage;
    stage.setHeartbeat({.misses = 1});
    stage.play(script);
    QTEST(stage.log(), "log");
}

// The default schedule of a worker. The agent emits a heartbeat on request ("beat").
void HealthTest::requestedHeartbeat_data()
{
    const Rows<QString, QString> row("script", "log");

    row("first request after the grace period", "start ready +9999ms", "");
    row("answered", "start ready +10s beat +10s beat", "10s request healthy 20s request");
    row("never answered", "start ready +1h",
        "10s request 12s unhealthy:1 20s request 22s unhealthy:2 30s request "
        "32s unhealthy:3 request 42s unhealthy:4 FAILED:1");
    row("late answer between two runs resets the count", "start ready +15s beat +15s",
        "10s request 12s unhealthy:1 20s healthy 30s request");
    row("answer in the last run", "start ready +41s beat +9s",
        "10s request 12s unhealthy:1 20s request 22s unhealthy:2 30s request "
        "32s unhealthy:3 request 41s healthy 50s request");
}

void HealthTest::requestedHeartbeat()
{
    QFETCH(QString, script);
    HealthStage stage;
    stage.answerRequests();
    stage.setHeartbeat({.grace = 10s, .lastChance = 10s});
    stage.play(script);
    QTEST(stage.log(), "log");
}

// A reload may replace the probes between two starts.
void HealthTest::newProbesKeepStatus()
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
void HealthTest::slotMayUnwatchAndAdvanceTime()
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
