// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "exposition.h"
#include "lifecycle/internal/evaluatorport.h"
#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/metrics/metricscollector.h>
#include <rekindle/policy/instancememory.h>

using namespace Rekindle;
using namespace std::chrono_literals;

/// Labels and the lifetime of series.
class MetricsLabelsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void removesSeriesOfRemovedAgents();
    void agentAddedAgainCountsFromZero();
    void furtherAgentsShareOther();
    void removalFreesSeries();
    void limitsNumberOfSeries();
    void agentNamedOtherSharesSeries();
    void escapesNames();
    void sameNameSharesSeries();
    void worksWithoutSupervisor();
    void unknownInstancesHaveNoLabel();
    void tracksExistingAgents();
    void textSourceOutlivesCollector();
    void restoredBreakerIsNoTrip_data();
    void restoredBreakerIsNoTrip();
};

void MetricsLabelsTest::removesSeriesOfRemovedAgents()
{
    CollectedStage stage;
    stage.add(text("web"), runs("started ready +1s fail"));
    stage.play(text("start +10s"));
    QVERIFY(stage.collector.text().contains("\"web\""));
    QCOMPARE(stage.value("agents{series=\"own\"}"), 1);
    stage.play(text("remove"));
    QVERIFY(!stage.collector.text().contains("\"web\""));
    QCOMPARE(stage.value("agents{series=\"own\"}"), 0);
}

void MetricsLabelsTest::agentAddedAgainCountsFromZero()
{
    CollectedStage stage;
    stage.add(text("web"), runs("fail"));
    stage.play(text("start +10s remove"));
    stage.add(text("web"), runs("started ready"));
    QCOMPARE(stage.value("agent_starts_total{agent=\"web\"}"), 0);
    stage.play(text("start"));
    QCOMPARE(stage.value("agent_starts_total{agent=\"web\"}"), 1);
    QCOMPARE(stage.sum("agent_failures_total"), 0);
}

void MetricsLabelsTest::furtherAgentsShareOther()
{
    CollectedStage stage({.maxAgents = 2});
    for (const char *name : {"a", "b", "c", "d", "e"})
        stage.add(text(name), runs("started ready"));
    stage.play(text("startAll stop:d"));
    QVERIFY(!stage.collector.text().contains("agent=\"c\""));
    QCOMPARE(stage.value("agents{series=\"own\"}"), 2);
    QCOMPARE(stage.value("agents{series=\"shared\"}"), 3);
    QCOMPARE(stage.value("agent_starts_total{agent=\"_other\"}"), 3);
    QCOMPARE(stage.value("agent_state{agent=\"_other\",state=\"running\"}"), 2);
    QCOMPARE(stage.value("agent_state{agent=\"_other\",state=\"stopped\"}"), 1);
    QCOMPARE(stage.value("circuit_breaker_state{agent=\"_other\",state=\"closed\"}"), 3);
    QCOMPARE(stage.value("agent_start_time_seconds{agent=\"_other\"}"), 0);
    stage.play(text("remove:c remove:d"));
    QCOMPARE(stage.value("agents{series=\"shared\"}"), 1);
    QCOMPARE(stage.value("agent_state{agent=\"_other\",state=\"running\"}"), 1);
    QCOMPARE(stage.value("agent_starts_total{agent=\"_other\"}"), 3);
}

void MetricsLabelsTest::removalFreesSeries()
{
    CollectedStage stage({.maxAgents = 1});
    for (int round = 0; round < 100; ++round) {
        const QString name = QString::number(round);
        const QUuid id = stage.add(name, runs("started ready"));
        QCOMPARE(stage.value("agent_starts_total{agent=\"" + name.toUtf8() + "\"}"), 0);
        stage.supervisor.remove(id);
    }
    QVERIFY(!stage.collector.text().contains("\"_other\""));
}

void MetricsLabelsTest::limitsNumberOfSeries()
{
    const auto seriesOf = [](int agents) {
        CollectedStage stage({.maxAgents = 10});
        for (int i = 0; i < agents; ++i)
            stage.add(QString::number(i), runs("fail"), text("'type':'immediate','maxRetries':1"));
        stage.play(text("startAll +1s"));
        const QList<QByteArray> lines = stage.collector.text().split('\n');
        return std::ranges::count_if(
            lines, [](const QByteArray &line) { return line.contains("agent=\""); });
    };
    QCOMPARE(seriesOf(10), 10 * 29);
    QCOMPARE(seriesOf(11), 11 * 29);
    QCOMPARE(seriesOf(500), 11 * 29);
}

void MetricsLabelsTest::agentNamedOtherSharesSeries()
{
    CollectedStage stage;
    stage.add(text("_other"), runs("started ready"));
    stage.play(text("start"));
    QCOMPARE(stage.value("agents{series=\"shared\"}"), 1);
    QCOMPARE(stage.value("agent_starts_total{agent=\"_other\"}"), 1);
}

// Names are escaped, and invalid Unicode is replaced.
// A supervisor accepts no such names.
void MetricsLabelsTest::escapesNames()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    RestartPolicyEvaluator evaluator(scheduler, [](const QUuid &) { return 0.5; });
    MetricsCollector collector(evaluator);
    const QString lone = QStringLiteral("lone") + QChar(0xd800);
    for (const QString &name : {text("a\"b\\c d"), text("\u00e4\u4e2d"), lone, text(" ")}) {
        const QUuid id = QUuid::createUuid();
        evaluator.add(id, name, {});
        collector.track(id);
    }
    const QByteArray text = collector.text();
    QVERIFY(text.contains("agent_starts_total{agent=\"a\\\"b\\\\c d\"} 0"));
    QVERIFY(text.contains(QStringLiteral("agent_starts_total{agent=\"\u00e4\u4e2d\"} 0").toUtf8()));
    QCOMPARE(text.count("agent_starts_total{"), 4);
    QCOMPARE(QString::fromUtf8(text).toUtf8(), text);
}

void MetricsLabelsTest::sameNameSharesSeries()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    RestartPolicyEvaluator evaluator(scheduler, [](const QUuid &) { return 0.5; });
    MetricsCollector collector(evaluator);
    const QUuid first = QUuid::createUuid();
    const QUuid second = QUuid::createUuid();
    for (const QUuid &id : {first, second}) {
        evaluator.add(id, text("twin"), {});
        collector.track(id);
        collector.track(id);
    }
    QCOMPARE(valueOf(collector, "agent_state{agent=\"twin\",state=\"stopped\"}"), 2);
    evaluator.isolateCircuitBreaker(first);
    QCOMPARE(valueOf(collector, "circuit_breaker_state{agent=\"twin\",state=\"open\"}"), 1);
    collector.forget(first);
    collector.forget(first);
    evaluator.isolateCircuitBreaker(second);
    QCOMPARE(valueOf(collector, "circuit_breaker_state{agent=\"twin\",state=\"open\"}"), 1);
    QCOMPARE(valueOf(collector, "circuit_breaker_trips_total{agent=\"twin\",reason=\"manual\"}"),
             2);
    collector.forget(second);
    QVERIFY(!collector.text().contains("twin"));
}

void MetricsLabelsTest::worksWithoutSupervisor()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    RestartPolicyEvaluator evaluator(scheduler, [](const QUuid &) { return 0.5; });
    MetricsCollector collector(evaluator);
    const QUuid id = QUuid::createUuid();
    evaluator.add(id, text("web"), {});
    collector.track(QUuid::createUuid());
    QVERIFY(!collector.text().contains("web"));
    evaluator.start(id);
    const quint64 generation = EvaluatorPort(evaluator).beginLaunch(id).value();
    EvaluatorPort(evaluator).reportStarted(id, generation, 1);
    QCOMPARE(valueOf(collector, "agent_starts_total{agent=\"web\"}"), 1);
    QCOMPARE(valueOf(collector, "agent_state{agent=\"web\",state=\"starting\"}"), 1);
    EvaluatorPort(evaluator).reportReady(id, generation);
    QCOMPARE(valueOf(collector, "agent_state{agent=\"web\",state=\"running\"}"), 1);
    QCOMPARE(valueOf(collector, "agent_ready_duration_seconds_count"), 1);
    evaluator.remove(id);
    collector.forget(id);
    QVERIFY(!collector.text().contains("web"));
}

// An instance that the host restarts itself has no name.
void MetricsLabelsTest::unknownInstancesHaveNoLabel()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    RestartPolicyEvaluator evaluator(scheduler, [](const QUuid &) { return 0.5; });
    const MetricsCollector collector(evaluator);
    RestartContext context;
    context.instanceId = QUuid::createUuid();
    context.policy.circuitBreaker->threshold = 1;
    evaluator.evaluate(context);
    QCOMPARE(valueOf(collector, "restart_decisions_total{rule=\"circuit_open\"}"), 1);
    QCOMPARE(valueOf(collector, "lifecycle_events_total{type=\"circuit.changed\"}"), 1);
    QVERIFY(!collector.text().contains("agent=\""));
}

void MetricsLabelsTest::tracksExistingAgents()
{
    Stage stage;
    stage.add(text("web"), runs("started ready"));
    stage.add(text("held"), runs("started ready"));
    stage.play(text("+10s start:web isolate:held +5s"));
    const MetricsCollector collector(stage.supervisor);
    QCOMPARE(valueOf(collector, "agent_state{agent=\"web\",state=\"running\"}"), 1);
    QCOMPARE(valueOf(collector, "agent_start_time_seconds{agent=\"web\"}"), 1767225610);
    QCOMPARE(valueOf(collector, "circuit_breaker_state{agent=\"held\",state=\"open\"}"), 1);
    QCOMPARE(valueOf(collector, "agent_starts_total{agent=\"web\"}"), 0);
}

void MetricsLabelsTest::textSourceOutlivesCollector()
{
    Stage stage;
    stage.add(text("web"), runs("started ready"));
    auto collector = std::make_unique<MetricsCollector>(stage.supervisor);
    const std::function<QByteArray()> source = collector->textSource();
    QCOMPARE(source(), collector->text());
    collector.reset();
    QVERIFY(source().contains("rekindle_build_info"));
    stage.play(text("start")); // not counted
}

void MetricsLabelsTest::restoredBreakerIsNoTrip_data()
{
    // expectedTrips: of failed trials within a minute
    const Rows<QString, QString, int> row("agent", "before", "expectedTrips");
    row("open", "fail", "start", 1);
    row("half-open trial in flight", "fail|started", "start +60s", 2);
    row("isolated", "started ready", "start isolate", 0);
}

void MetricsLabelsTest::restoredBreakerIsNoTrip()
{
    QFETCH(QString, agent);
    QFETCH(QString, before);
    QFETCH(int, expectedTrips);
    const QString policy = text("'circuitBreaker':{'threshold':1,'timeout':'1m'}");
    InstanceMemory memory;
    {
        Stage stage;
        const QUuid id = stage.add(text("web"), {.runs = agent}, policy);
        stage.play(before);
        memory = stage.supervisor.policyEvaluator().memory(id).value();
    }
    CollectedStage stage;
    const QUuid id = stage.add(text("web"), runs("fail"), policy);
    stage.supervisor.resume(id, memory);
    QCOMPARE(stage.value("circuit_breaker_state{agent=\"web\",state=\"open\"}"), 1);
    QCOMPARE(stage.sum("circuit_breaker_trips_total"), 0);
    stage.play(text("+60s"));
    QCOMPARE(stage.sum("circuit_breaker_trips_total"), expectedTrips);
    QCOMPARE(stage.value("circuit_breaker_trips_total{agent=\"web\",reason=\"probe_failed\"}"),
             expectedTrips);
}

REKINDLE_TEST(MetricsLabelsTest)
#include "metricslabelstest.moc"
