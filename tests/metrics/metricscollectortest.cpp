// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "exposition.h"
#include "lifecycle/internal/evaluatorport.h"
#include "noevaluators.h"
#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/toolcallfinished.h>

#include <atomic>
#include <thread>

#include <concepts>
#include <type_traits>

using namespace Rekindle;
using namespace std::chrono_literals;

static_assert(std::is_aggregate_v<MetricsOptions> && std::is_trivially_copyable_v<MetricsOptions>);

/// The metrics of an engine.
class MetricsCollectorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void matchesGoldenFile();
    void documentationListsEveryMetric();
    void attemptsEqualOutcomesPlusInFlight();
    void observesDelaysOfStartedAttempts();
    void countsTripsByReason_data();
    void countsTripsByReason();
    void cancelledTrialIsNoTrip();
    void countsExhaustionByLimit();
    void setsExactlyOneState();
    void startTimeIsZeroUnlessRunning();
    void countsLateResults();
    void isReadableFromOtherThreads();
};

namespace {

QByteArray contents(const char *path)
{
    QFile file(QString::fromUtf8(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void playEverything(CollectedStage &stage)
{
    auto &evaluators = *new NoEvaluators(&stage.supervisor);
    stage.collector.attach(evaluators);
    stage.supervisor.policyEvaluator().setCustomEvaluators(&evaluators);
    auto &license = *new FixedLicenseProvider(LicenseTier::Enterprise, &stage.supervisor);
    stage.supervisor.featureGate().setProvider(&license);
    stage.add(text("web"), runs("started ready +100s fail|fail:Timeout|+250ms started ready"));
    stage.add(text("worker"), runs("started ready fail"), text("'maxRetries':2"));
    stage.add(text("breaker"), runs("fail"),
              text("'type':'immediate','maxRetries':'unlimited',"
                   "'circuitBreaker':{'threshold':3,'timeout':'10s'}"));
    stage.add(text("window"), runs("fail:ResourceExhaustion"),
              text("'type':'linear','initialDelay':'500ms','circuitBreaker':'off','maxRetries':'"
                   "unlimited',"
                   "'window':{'restarts':2,'period':'1m'}"));
    stage.add(text("once"), runs("started stopped"));
    stage.add(text("reloader"), runs("started ready +5s exit42|started ready"));
    stage.add(text("never"), runs("started ready"));
    stage.add(text("gated"), runs("started ready"),
              text("'type':'custom','evaluator':{'id':'quiet-hours','base':'linear'}"));
    stage.add(text("shadowed"), runs("started ready fail|started ready"),
              text("'type':'custom','evaluator':{'id':'night-watch','base':'linear',"
                   "'mode':'shadow'}"));
    stage.play(text("start:shadowed"));
    Q_EMIT evaluators.answered(evaluators.lastToken, {EvaluatorVerdict::Kind::Refuse, {}}, {});
    stage.play(text("start:web start:worker start:breaker start:window start:once start:reloader "
                    "+30s isolate:once +100s restart:web +2500ms stop:reloader +1s"));
    license.setTier(LicenseTier::Teams);
    Q_EMIT evaluators.faulted({text("quiet-hours"), {}, text("an exception"), true});
    stage.collector.setDropped(text("store"), 3);
    stage.collector.setQueuedStarts(7);
    stage.collector.setQueuedStarts(2);
    ToolCallFinished call;
    call.agent = text("web");
    call.tool = text("search");
    call.duration = 120ms;
    call.attempts.resize(2);
    stage.collector.count(call);
    RestartPolicyEvaluator &evaluator = stage.supervisor.policyEvaluator();
    const QUuid web = stage.supervisor.idOf(text("web"));
    GroupRestarting restarting;
    GroupExhausted exhausted;
    restarting.group = exhausted.group = text("backend");
    evaluator.announce(web, restarting);
    evaluator.announce(web, restarting);
    evaluator.announce(web, exhausted);
    SharedBreakerStateChanged changed;
    changed.breaker = text("api");
    changed.newState = CircuitBreakerState::Open;
    evaluator.announce(web, changed);
    changed.restored = true;
    evaluator.announce(web, changed);
}

// Leaves out the series of agents other than "web" that are 0, because all agents have the same.
QList<QByteArray> withoutZeros(QList<QByteArray> lines)
{
    lines.removeIf([](const QByteArray &line) {
        return line.endsWith(" 0") && line.contains("agent=\"") && !line.contains("agent=\"web\"");
    });
    return lines;
}

} // namespace

// Set UPDATE_GOLDEN to write the file; then review the difference.
void MetricsCollectorTest::matchesGoldenFile()
{
    CollectedStage stage;
    playEverything(stage);
    const QList<QByteArray> lines = withoutZeros(stage.collector.text().split('\n'));
    if (qEnvironmentVariableIsSet("UPDATE_GOLDEN")) {
        QFile file(QStringLiteral(EXPOSITION));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(lines.join('\n'));
    }
    const QList<QByteArray> expected = contents(EXPOSITION).split('\n');
    for (qsizetype i = 0; i < std::min(lines.size(), expected.size()); ++i)
        QCOMPARE(lines[i], expected[i]);
    QCOMPARE(lines.size(), expected.size());
}

void MetricsCollectorTest::documentationListsEveryMetric()
{
    CollectedStage stage;
    playEverything(stage);
    QStringList families;
    for (const QByteArray &line : stage.collector.text().split('\n')) {
        if (line.startsWith("# TYPE "))
            families.append(QString::fromUtf8(line.split(' ')[2] + ' ' + line.split(' ')[3]));
    }
    QStringList listed;
    static const QRegularExpression row(
        QStringLiteral("^\\| `([a-z_]+)` \\| (counter|gauge|histogram) "),
        QRegularExpression::MultilineOption);
    auto match = row.globalMatch(QString::fromUtf8(contents(REFERENCE)));
    while (match.hasNext()) {
        const QRegularExpressionMatch each = match.next();
        listed.append(each.captured(1) + u' ' + each.captured(2));
    }
    listed.sort();
    QCOMPARE(listed, families);
}

void MetricsCollectorTest::attemptsEqualOutcomesPlusInFlight()
{
    CollectedStage stage;
    stage.add(text("a"),
              runs("started fail|started fail|started +1s ready +1s fail|started +10s ready"),
              text("'type':'immediate'"));
    const auto open = [&] {
        return stage.sum("restart_attempts_total") - stage.sum("restart_outcomes_total");
    };
    stage.play(text("start +1500ms"));
    QCOMPARE(stage.value("restart_attempts_total{agent=\"a\",policy=\"immediate\"}"), 2);
    QCOMPARE(stage.value("restart_outcomes_total{agent=\"a\",outcome=\"failure\"}"), 1);
    QCOMPARE(stage.value("restart_outcomes_total{agent=\"a\",outcome=\"success\"}"), 1);
    QCOMPARE(open(), 0);
    stage.play(text("+2s"));
    QCOMPARE(stage.value("restart_attempts_total{agent=\"a\",policy=\"immediate\"}"), 3);
    QCOMPARE(open(), 1);
    stage.play(text("stop"));
    QCOMPARE(stage.value("restart_outcomes_total{agent=\"a\",outcome=\"cancelled\"}"), 1);
    QCOMPARE(open(), 0);
}

// A scheduled restart that was cancelled is not an attempt.
void MetricsCollectorTest::observesDelaysOfStartedAttempts()
{
    CollectedStage stage;
    stage.add(text("a"), runs("fail"),
              text("'initialDelay':'4s','jitter':{'kind':'symmetric','ratio':0.5}"));
    stage.play(text("start +1s"));
    QCOMPARE(stage.value("restart_delay_actual_seconds_count{policy=\"exponential\"}"), absent);
    stage.play(text("stop +1s"));
    QCOMPARE(stage.sum("restart_outcomes_total"), 0);
    stage.play(text("start +4s"));
    QCOMPARE(stage.value("restart_delay_actual_seconds_count{policy=\"exponential\"}"), 1);
    QCOMPARE(stage.value("restart_delay_calculated_seconds_sum{policy=\"exponential\"}"), 4);
    QCOMPARE(stage.value("restart_delay_lateness_seconds_sum"), 0);
    QCOMPARE(stage.value("restart_delay_lateness_seconds_count"), 1);
}

void MetricsCollectorTest::countsTripsByReason_data()
{
    const Rows<QString, QString, QByteArray> row("runs", "script", "reason");
    row("consecutive", text("started fail"), text("start +1s"), "consecutive");
    row("probe failed", text("started fail"), text("start +11s"), "probe_failed");
    row("probe timeout", text("started fail|started fail|started"), text("start +41s"),
        "probe_timeout");
    row("manual", text("started ready"), text("start isolate"), "manual");
}

void MetricsCollectorTest::countsTripsByReason()
{
    QFETCH(const QString, runs);
    QFETCH(const QString, script);
    QFETCH(const QByteArray, reason);
    CollectedStage stage;
    stage.add(text("a"), {.runs = runs},
              text("'type':'immediate','circuitBreaker':{'threshold':2,'timeout':'10s'}"));
    stage.play(script);
    const QByteArray series = "circuit_breaker_trips_total{agent=\"a\",reason=\"";
    QCOMPARE(stage.value(series + reason + "\"}"), 1);
    QCOMPARE(stage.sum(series), reason.startsWith("probe") ? 2 : 1);
    QCOMPARE(stage.value("circuit_breaker_state{agent=\"a\",state=\"open\"}"), 1);
}

void MetricsCollectorTest::cancelledTrialIsNoTrip()
{
    CollectedStage stage;
    stage.add(text("a"), runs("started fail|started fail|started"),
              text("'type':'immediate','circuitBreaker':{'threshold':2,'timeout':'10s'}"));
    stage.play(text("start +11s"));
    QCOMPARE(stage.value("circuit_breaker_state{agent=\"a\",state=\"half_open\"}"), 1);
    stage.play(text("stop"));
    QCOMPARE(stage.value("circuit_breaker_state{agent=\"a\",state=\"open\"}"), 1);
    QCOMPARE(stage.sum("circuit_breaker_trips_total"), 1);
}

void MetricsCollectorTest::countsExhaustionByLimit()
{
    CollectedStage stage;
    stage.add(text("a"), runs("fail"), text("'type':'immediate','maxRetries':2"));
    stage.add(text("b"), runs("fail"),
              text("'type':'immediate','window':{'restarts':2,'period':'1m'}"));
    stage.play(text("startAll +1s"));
    QCOMPARE(stage.value("restart_exhausted_total{agent=\"a\",reason=\"attempts\"}"), 1);
    QCOMPARE(stage.value("restart_exhausted_total{agent=\"b\",reason=\"window\"}"), 1);
    QCOMPARE(stage.sum("restart_exhausted_total"), 2);
    QCOMPARE(stage.value("restart_decisions_total{rule=\"restart\"}"), 4);
    QCOMPARE(stage.value("restart_decisions_total{rule=\"window_exhausted\"}"), 1);
}

void MetricsCollectorTest::setsExactlyOneState()
{
    CollectedStage stage;
    stage.add(text("a"),
              {.runs = text("started +1s ready +1s fail"), .onStop = text("+1s stopped")},
              text("'circuitBreaker':{'threshold':2,'timeout':'10s'}"));
    stage.play(text("start"));
    for (int step = 0; step < 200; ++step) {
        const QByteArray state = toText(stage.state()).toLower().toUtf8();
        const QByteArray snake = state == "circuitopen" ? "circuit_open" : state;
        QCOMPARE(stage.value("agent_state{agent=\"a\",state=\"" + snake + "\"}"), 1);
        QCOMPARE(stage.sum("agent_state"), 1);
        QCOMPARE(stage.sum("circuit_breaker_state"), 1);
        stage.play(step % 50 == 40       ? text("stop")
                       : step % 50 == 45 ? text("start")
                                         : text("+400ms"));
    }
}

void MetricsCollectorTest::startTimeIsZeroUnlessRunning()
{
    CollectedStage stage;
    const QByteArray series = "agent_start_time_seconds{agent=\"a\"}";
    stage.add(text("a"), runs("started ready +5s fail"));
    QCOMPARE(stage.value(series), 0);
    stage.play(text("+2500ms start +1s"));
    QCOMPARE(stage.value(series), 1767225602.5); // the virtual clock starts at 2026-01-01
    stage.play(text("+4s"));
    QCOMPARE(stage.value(series), 0);
    stage.play(text("+1s"));
    QCOMPARE(stage.value(series), 1767225608.5);
    stage.play(text("stop"));
    QCOMPARE(stage.value(series), 0);
    QCOMPARE(stage.value("agent_starts_total{agent=\"a\"}"), 2);
}

void MetricsCollectorTest::countsLateResults()
{
    CollectedStage stage;
    const QUuid id = stage.add(text("web"), runs("started ready fail|started ready"));
    stage.play(text("start +1s"));
    const char *const series = "circuit_breaker_late_results_total{agent=\"web\"}";
    QCOMPARE(stage.value(series), 0);
    EvaluatorPort(stage.supervisor.policyEvaluator()).reportReady(id, 1);
    EvaluatorPort(stage.supervisor.policyEvaluator()).reportFailed(id, 1, {});
    QCOMPARE(stage.value(series), 2);
    QCOMPARE(stage.value("agent_failures_total{agent=\"web\",reason=\"process_crash\"}"), 1);
}

// Mainly for ThreadSanitizer.
void MetricsCollectorTest::isReadableFromOtherThreads()
{
    CollectedStage stage;
    std::atomic<bool> ends = false;
    std::atomic<int> reads = 0;
    std::thread reader([&] {
        while (!ends) {
            if (stage.collector.text().contains("agent_state"))
                ++reads;
        }
    });
    for (int round = 0; round < 1000 || reads < 10; ++round) {
        const QString name = QString::number(round % 7);
        const QUuid id = stage.add(name, runs("fail"), text("'type':'immediate'"));
        stage.supervisor.start(id);
        stage.advance(1s);
        stage.supervisor.remove(id);
        stage.advance(0s);
    }
    ends = true;
    reader.join();
    QCOMPARE(stage.sum("agents"), 0);
}

REKINDLE_TEST(MetricsCollectorTest)
#include "metricscollectortest.moc"
