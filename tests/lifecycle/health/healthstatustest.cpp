// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/healthstage.h"
#include "stage.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

/// The health that a monitor reports, and how a supervisor uses it.
class HealthStatusTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsLimitedHistoryAcrossRestart();
    void spreadsProbesOverInterval();
    void rejectsInvalidSchedules();
    void slotMayUnwatch();
    void slotMayReplaceProbes();
    void supervisorRestartsUnhealthyAgent();
    void noProbesWhileStopping();
    void failedLaunchHasUnknownHealth();
    void slotMayRemoveAgentOnReset();
    void probesSetDuringStart();
    void probesSetAfterEndRunNextStart();
    void decisionContainsHealth();
    void probeFailureDelaysStable();
    void limitsResultToOneLine();
    void failureContainsReason();
    void combinesProbesByWorst();
};

void HealthStatusTest::keepsLimitedHistoryAcrossRestart()
{
    HealthStage stage;
    stage.setProbes({QStringLiteral("no ok")});
    stage.play(QStringLiteral("start ready +95s"));
    AgentHealthStatus status = stage.monitor.health(stage.id);
    QCOMPARE(status.history.size(), AgentHealthStatus::longestHistory);
    QVERIFY(!status.history.first().ok);
    stage.play(QStringLiteral("+10s"));
    status = stage.monitor.health(stage.id);
    QCOMPARE(status.history.size(), AgentHealthStatus::longestHistory);
    QVERIFY(status.history.first().ok);
    // The status is still available while the failure is decided.
    stage.play(QStringLiteral("fail"));
    QCOMPARE(stage.monitor.health(stage.id), status);
    stage.play(QStringLiteral("start"));
    QCOMPARE(stage.monitor.health(stage.id).state, AgentHealthStatus::State::Unknown);
    QCOMPARE(stage.monitor.health(stage.id).history, status.history);
}

// Of 1000 agents that become ready together, about ten run their probe in each 100 ms.
void HealthStatusTest::spreadsProbesOverInterval()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    AgentMonitor monitor(scheduler);
    std::vector<std::unique_ptr<PassiveAgent>> agents;
    std::array<int, 100> runs{};
    for (int i = 0; i < 1000; ++i) {
        agents.push_back(std::make_unique<PassiveAgent>());
        const QUuid id = QUuid::createUuid();
        monitor.watch(id, agents.back().get());
        std::vector<HealthCheck> checks;
        checks.push_back(
            {QStringLiteral("probe"),
             {},
             std::make_unique<ScriptedProbe>(scheduler, QStringLiteral("ok"), [&](const QString &) {
                 const auto at = clock.now().time_since_epoch() / 100ms;
                 ++runs[static_cast<std::size_t>(at % 100)];
             })});
        QVERIFY(monitor.setHealth(id, std::move(checks)).isEmpty());
        Q_EMIT agents.back()->started();
        Q_EMIT agents.back()->ready();
    }
    scheduler.advance(9999ms);
    for (const int count : runs)
        QVERIFY2(count >= 8 && count <= 12, qPrintable(QString::number(count)));
}

void HealthStatusTest::rejectsInvalidSchedules()
{
    HealthStage stage;
    stage.setProbes({QStringLiteral("ok")});
    std::vector<HealthCheck> checks;
    checks.push_back({QStringLiteral("good"), {}, std::make_unique<HeartbeatProbe>(stage.agent)});
    checks.push_back({QStringLiteral("bad"), {}, nullptr});
    checks.back().schedule.misses = 0;
    checks.back().schedule.lastChance = 1s;
    QStringList texts;
    for (const Fault &fault : stage.monitor.setHealth(stage.id, std::move(checks)))
        texts.append(fault.toString());
    QCOMPARE(texts,
             (QStringList{QStringLiteral("/1: missing probe"),
                          QStringLiteral("/1/misses: expected 1 to 1000, found 0"),
                          QStringLiteral("/1/lastChance: expected 2s to 1h, found 1s")}));
    // The previous probes are kept.
    stage.play(QStringLiteral("start ready"));
    QCOMPARE(stage.log(), QStringLiteral("run:2s healthy"));
}

void HealthStatusTest::slotMayUnwatch()
{
    HealthStage stage;
    stage.setProbes({QStringLiteral("no"), QStringLiteral("no")});
    connect(&stage.monitor, &AgentMonitor::healthChanged, &stage.monitor,
            [&] { stage.monitor.unwatch(stage.id); });
    stage.play(QStringLiteral("start ready"));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    stage.play(QStringLiteral("+1h"));
    QCOMPARE(stage.log(), QStringLiteral("run:2s unhealthy:1"));
}

void HealthStatusTest::slotMayReplaceProbes()
{
    HealthStage stage;
    stage.setProbes({QStringLiteral("no")});
    const QMetaObject::Connection once =
        connect(&stage.monitor, &AgentMonitor::healthChanged, &stage.monitor, [&] {
            disconnect(once);
            stage.setProbes({QStringLiteral("ok")});
        });
    stage.play(QStringLiteral("start ready +7s"));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    // The agent is ready, so the new probe begins at once.
    QCOMPARE(stage.log(), QStringLiteral("run:2s unhealthy:1 unknown 6.18034s run:2s healthy"));
    stage.play(QStringLiteral("fail start ready +7s"));
    QVERIFY(stage.log().endsWith(QLatin1String(" healthy")));
}

void HealthStatusTest::supervisorRestartsUnhealthyAgent()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {});
    setProbe(stage.supervisor, id, QStringLiteral("no no no no ok"));
    stage.play(QStringLiteral("start +100s"));
    QCOMPARE(
        stage.log.text(),
        QStringLiteral("START started ready unhealthy:1 10s unhealthy:2 20s unhealthy:3 "
                       "unhealthy:4 failed:HealthCheckFailed scheduled#1 KILL "
                       "21s attempt#1 unknown START started ready succeeded#1 27.18034s healthy "
                       "81s stable"));
    QVERIFY(stage.log.isWithoutGaps());
}

// The probes do not run while the agent stops.
void HealthStatusTest::noProbesWhileStopping()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {.onStop = QStringLiteral("+1h stopped")});
    setProbe(stage.supervisor, id, QStringLiteral("ok no"));
    stage.play(QStringLiteral("start +5s stop +1m"));
    QCOMPARE(stage.supervisor.monitor().health(id).state, AgentHealthStatus::State::Healthy);
}

// In the decision, and in a snapshot while the restart is pending.
void HealthStatusTest::failedLaunchHasUnknownHealth()
{
    Stage stage;
    const QUuid id =
        stage.add(QStringLiteral("web"), {QStringLiteral("started ready +15s fail|fail")});
    setProbe(stage.supervisor, id, QStringLiteral("no"));
    QList<AgentHealthStatus::State> seen;
    connect(&stage.supervisor.policyEvaluator(), &RestartPolicyEvaluator::decided, this,
            [&] { seen.append(stage.supervisor.snapshot(id)->health.state); });
    stage.play(QStringLiteral("start +17s"));
    QCOMPARE(seen, (QList{AgentHealthStatus::State::Unhealthy, AgentHealthStatus::State::Unknown}));
    QVERIFY2(stage.log.text().endsWith(QLatin1String("attempt#1 unknown START "
                                                     "failed unsuccessful#1+ scheduled#2")),
             qPrintable(stage.log.text()));
    QCOMPARE(stage.supervisor.snapshot(id)->health.state, AgentHealthStatus::State::Unknown);
    QCOMPARE(stage.supervisor.snapshot(id)->health.history.size(), 2);
}

void HealthStatusTest::slotMayRemoveAgentOnReset()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {QStringLiteral("started ready +15s fail")});
    setProbe(stage.supervisor, id, QStringLiteral("no"));
    connect(&stage.supervisor.policyEvaluator(), &RestartPolicyEvaluator::healthChanged, this,
            [&](const HealthChanged &event) {
                if (event.health.state == AgentHealthStatus::State::Unknown)
                    stage.supervisor.remove(id);
            });
    stage.play(QStringLiteral("start +17s"));
    QVERIFY2(stage.log.text().endsWith(QLatin1String("attempt#1 unknown")),
             qPrintable(stage.log.text()));
    QVERIFY(stage.supervisor.ids().isEmpty());
}

void HealthStatusTest::probesSetDuringStart()
{
    HealthStage stage;
    stage.play(QStringLiteral("start +5s"));
    stage.setProbes({QStringLiteral("ok")});
    stage.play(QStringLiteral("+5s ready +1s"));
    QCOMPARE(stage.log(), QStringLiteral("10s run:2s healthy"));
}

void HealthStatusTest::probesSetAfterEndRunNextStart()
{
    HealthStage stage;
    stage.play(QStringLiteral("start endHealth"));
    stage.setProbes({QStringLiteral("no")});
    stage.play(QStringLiteral("ready +1h"));
    QCOMPARE(stage.log(), QString());
}

// For any reason of the failure; the history is kept across starts.
void HealthStatusTest::decisionContainsHealth()
{
    Stage stage;
    const QUuid id =
        stage.add(QStringLiteral("web"), {QStringLiteral("started ready +15s fail|started fail")});
    setProbe(stage.supervisor, id, QStringLiteral("ok no"));
    QList<AgentHealthStatus> seen;
    connect(&stage.supervisor.policyEvaluator(), &RestartPolicyEvaluator::decided, this,
            [&] { seen.append(stage.supervisor.snapshot(id)->health); });
    stage.play(QStringLiteral("start +17s"));
    QCOMPARE(seen.size(), 2);
    QCOMPARE(seen[0].state, AgentHealthStatus::State::Unhealthy);
    QCOMPARE(seen[0].consecutiveMisses, 1);
    QCOMPARE(seen[0].detail, QStringLiteral("bad"));
    QCOMPARE(seen[0].history.size(), 2);
    QCOMPARE(seen[1].state, AgentHealthStatus::State::Unknown);
    QCOMPARE(seen[1].history, seen[0].history);
    QCOMPARE(seen[1].latest().text, QStringLiteral("bad"));
}

// The text of an agent is shown on terminals and written to logs.
void HealthStatusTest::probeFailureDelaysStable()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {},
                               QStringLiteral("'stableAfter':'15s','healthWindow':'20s'"));
    setProbe(stage.supervisor, id, QStringLiteral("ok no ok"));
    stage.play(QStringLiteral("start +1h"));
    // The probe fails after 10 s.
    QCOMPARE(stage.log.text(),
             QStringLiteral("START started ready healthy 10s unhealthy:1 20s healthy 30s stable"));
}

void HealthStatusTest::limitsResultToOneLine()
{
    HealthStage stage;
    stage.setHeartbeat();
    stage.play(QStringLiteral("start"));
    Q_EMIT stage.agent.reportedUnhealthy(QStringLiteral("lost\n\x1b[31m") + QString(1000, u'x'));
    const QString detail = stage.monitor.health(stage.id).detail;
    QCOMPARE(detail.size(), 200);
    QVERIFY(detail.startsWith(QLatin1String("lost xxx")));
}

void HealthStatusTest::failureContainsReason()
{
    HealthStage stage;
    stage.setProbes({QStringLiteral("never")});
    stage.play(QStringLiteral("start ready +1m"));
    QCOMPARE(stage.failure.reason, FailureReason::HealthCheckFailed);
    QCOMPARE(stage.failure.detail.message,
             QStringLiteral("health probe probe failed 3 times in a row and with a timeout of 6s: "
                            "no answer within 6s"));
    const AgentHealthStatus status = stage.monitor.health(stage.id);
    QCOMPARE(status.history.size(), 4);
    const ProbeResult expected{UtcTime{1767225600s + 28s}, false, 6s,
                               QStringLiteral("no answer within 6s"), QStringLiteral("probe")};
    QCOMPARE(status.history.last(), expected);
    QCOMPARE(status.detail, expected.text);
}

// The second probe runs 6.18 s later.
void HealthStatusTest::combinesProbesByWorst()
{
    HealthStage stage;
    stage.setProbes({QStringLiteral("ok"), QStringLiteral("no no ok")});
    stage.play(QStringLiteral("start ready +30s"));
    QCOMPARE(stage.log(),
             QStringLiteral("run:2s healthy 6.18034s run:2s unhealthy:1 10s run:2s "
                            "16.18034s run:2s unhealthy:2 20s run:2s 26.18034s run:2s "
                            "healthy 30s run:2s"));
}

REKINDLE_TEST(HealthStatusTest)
#include "healthstatustest.moc"
