// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "exposition.h"
#include "noevaluators.h"
#include "stage.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

/// The metrics of licenses, custom evaluators and subscribers.
class MetricsHostTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void setsCurrentTier();
    void countsDowngrades();
    void countsFaultsOfEvaluators();
    void limitsEvaluators();
    void countsShadowAnswers();
    void countsDroppedEvents();
    void limitsSubscribers();
    void countsOneDecisionPerFailure_data();
    void countsOneDecisionPerFailure();
    void policyChangeIsNoSecondDecision();
};

namespace {

const QString custom =
    QStringLiteral("'type':'custom','evaluator':{'id':'test','base':'exponential'}");

double tier(const MetricsCollector &collector, const char *name)
{
    return valueOf(collector, QByteArray("license_tier{tier=\"") + name + "\"}");
}

} // namespace

void MetricsHostTest::setsCurrentTier()
{
    Stage stage;
    FixedLicenseProvider license(LicenseTier::WriterPro);
    stage.supervisor.featureGate().setProvider(&license);
    const MetricsCollector collector(stage.supervisor);
    QCOMPARE(tier(collector, "writer_pro"), 1);
    QCOMPARE(sumOf(collector, "license_tier"), 1);
    license.setTier(LicenseTier::Teams);
    QCOMPARE(tier(collector, "writer_pro"), 0);
    QCOMPARE(tier(collector, "teams"), 1);
    stage.supervisor.featureGate().setProvider(nullptr);
    QCOMPARE(tier(collector, "core"), 1);
    QCOMPARE(sumOf(collector, "license_tier"), 1);
}

void MetricsHostTest::countsDowngrades()
{
    Stage stage;
    FixedLicenseProvider license(LicenseTier::WriterPro);
    stage.supervisor.featureGate().setProvider(&license);
    const MetricsCollector collector(stage.supervisor);
    stage.add(text("a"), runs("started ready"));
    stage.add(text("b"), runs("started ready"), text("'type':'linear'"));
    stage.play(text("startAll"));
    QCOMPARE(valueOf(collector, "policy_downgrades_total{agent=\"a\"}"), 1);
    QCOMPARE(valueOf(collector, "policy_downgrades_total{agent=\"b\"}"), 0);
    license.setTier(LicenseTier::Core);
    stage.advance(0s);
    QCOMPARE(valueOf(collector, "policy_downgrades_total{agent=\"a\"}"), 2);
    QCOMPARE(valueOf(collector, "policy_downgrades_total{agent=\"b\"}"), 1);
    QCOMPARE(valueOf(collector, "lifecycle_events_total{type=\"policy.downgraded\"}"), 3);
}

void MetricsHostTest::countsFaultsOfEvaluators()
{
    Stage stage;
    NoEvaluators evaluators;
    MetricsCollector collector(stage.supervisor);
    collector.attach(evaluators);
    QCOMPARE(valueOf(collector, "evaluator_faults_total{evaluator=\"bucket\"}"), absent);
    for (const bool isLast : {false, false, true})
        Q_EMIT evaluators.faulted({text("bucket"), {}, text("no answer in 1 s"), isLast});
    Q_EMIT evaluators.faulted({text("hours"), {}, text("an exception"), false});
    QCOMPARE(valueOf(collector, "evaluator_faults_total{evaluator=\"bucket\"}"), 3);
    QCOMPARE(valueOf(collector, "evaluator_quarantines_total{evaluator=\"bucket\"}"), 1);
    QCOMPARE(valueOf(collector, "evaluator_faults_total{evaluator=\"hours\"}"), 1);
    QCOMPARE(valueOf(collector, "evaluator_quarantines_total{evaluator=\"hours\"}"), 0);
    QVERIFY(!collector.text().contains("no answer"));
}

void MetricsHostTest::limitsEvaluators()
{
    Stage stage;
    NoEvaluators evaluators;
    MetricsCollector collector(stage.supervisor);
    collector.attach(evaluators);
    for (int i = 0; i < 150; ++i)
        Q_EMIT evaluators.faulted({QString::number(i), {}, text("an exception"), false});
    Q_EMIT evaluators.faulted({text("99"), {}, text("an exception"), false});
    QCOMPARE(collector.text().count("\nevaluator_faults_total{"), 101);
    QCOMPARE(valueOf(collector, "evaluator_faults_total{evaluator=\"99\"}"), 2);
    QCOMPARE(valueOf(collector, "evaluator_faults_total{evaluator=\"_other\"}"), 50);
}

// Summed over all agents of the evaluator. A missing answer is not counted.
void MetricsHostTest::countsShadowAnswers()
{
    using Kind = EvaluatorVerdict::Kind;
    NoEvaluators evaluators;
    Stage stage;
    stage.supervisor.policyEvaluator().setCustomEvaluators(&evaluators);
    const MetricsCollector collector(stage.supervisor);
    const auto fail = [&](const char *name, const QString &policy, std::optional<Kind> answer) {
        stage.add(text(name), runs("started fail|started ready"), policy);
        stage.play(text("start:") + text(name));
        if (answer)
            Q_EMIT evaluators.answered(evaluators.lastToken, {*answer, 1h}, {});
    };
    const QString shadow =
        text("'type':'custom','evaluator':{'id':'test','base':'linear','mode':'shadow'}");
    fail("a", shadow, Kind::Accept);
    fail("b", shadow, Kind::Refuse);
    fail("c", shadow, Kind::Delay);
    fail("d", shadow, {});
    fail("e", custom, Kind::Refuse); // active mode
    const QByteArray name = "evaluator_shadow_decisions_total{evaluator=\"test\",outcome=";
    QCOMPARE(valueOf(collector, name + "\"agreed\"}"), 1);
    QCOMPARE(valueOf(collector, name + "\"disagreed\"}"), 2);
    QCOMPARE(sumOf(collector, "evaluator_shadow_decisions_total"), 3);
}

void MetricsHostTest::countsDroppedEvents()
{
    CollectedStage stage;
    const QByteArray series = "event_dropped_total{subscriber=\"store\"}";
    QCOMPARE(stage.value(series), absent);
    stage.collector.setDropped(text("store"), 0);
    QCOMPARE(stage.value(series), 0);
    stage.collector.setDropped(text("store"), 5);
    stage.collector.setDropped(text("store"), 5);
    stage.collector.setDropped(text("store"), 4);
    QCOMPARE(stage.value(series), 5);
    stage.collector.setDropped(text("store"), 7);
    QCOMPARE(stage.value(series), 7);
}

void MetricsHostTest::limitsSubscribers()
{
    CollectedStage stage;
    for (int i = 0; i < 150; ++i)
        stage.collector.setDropped(QString::number(i), 1);
    QCOMPARE(stage.sum("event_dropped_total{"), 100);
}

void MetricsHostTest::countsOneDecisionPerFailure_data()
{
    using Kind = EvaluatorVerdict::Kind;
    QTest::addColumn<std::optional<Kind>>("answer");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArray>("rule");
    const auto row = [](const char *name, std::optional<Kind> answer, const char *script,
                        const char *rule) {
        QTest::newRow(name) << answer << text(script) << QByteArray(rule);
    };
    row("accept", Kind::Accept, "", "restart");
    row("delay", Kind::Delay, "", "restart");
    row("refuse", Kind::Refuse, "", "evaluator_refused");
    row("open", Kind::OpenBreaker, "", "circuit_open");
    row("no answer", {}, "+1s", "restart");
    row("isolated meanwhile", {}, "isolate", "circuit_open");
    row("stopped meanwhile", {}, "stop +10s", "");
}

void MetricsHostTest::countsOneDecisionPerFailure()
{
    QFETCH(const std::optional<EvaluatorVerdict::Kind>, answer);
    QFETCH(const QString, script);
    QFETCH(const QByteArray, rule);
    NoEvaluators evaluators;
    Stage stage;
    stage.supervisor.policyEvaluator().setCustomEvaluators(&evaluators);
    const MetricsCollector collector(stage.supervisor);
    stage.add(text("a"), runs("started ready +1s fail"),
              custom + text(",'initialDelay':'1h','maxDelay':'2h'"));
    stage.play(text("start +1s"));
    QCOMPARE(stage.state(), InstanceState::Evaluating);
    QCOMPARE(sumOf(collector, "restart_decisions_total"), 0);
    if (answer)
        Q_EMIT evaluators.answered(evaluators.lastToken, {*answer, 3h}, {});
    stage.play(script);
    QCOMPARE(sumOf(collector, "restart_decisions_total"), rule.isEmpty() ? 0 : 1);
    if (!rule.isEmpty())
        QCOMPARE(valueOf(collector, "restart_decisions_total{rule=\"" + rule + "\"}"), 1);
    QCOMPARE(valueOf(collector, "agent_failures_total{agent=\"a\",reason=\"process_crash\"}"), 1);
}

// The pending restart is rescheduled after one failure.
void MetricsHostTest::policyChangeIsNoSecondDecision()
{
    CollectedStage stage;
    stage.add(text("a"), runs("started ready +1s fail|started ready"));
    stage.play(text("start +1s policy:'initialDelay':'5s' policy:'initialDelay':'7s'"));
    QCOMPARE(stage.state(), InstanceState::Waiting);
    stage.play(text("+7s"));
    QCOMPARE(stage.state(), InstanceState::Running);
    QCOMPARE(stage.sum("restart_decisions_total"), 1);
    QCOMPARE(stage.sum("restart_attempts_total"), 1);
    QCOMPARE(stage.value("restart_delay_calculated_seconds_sum{policy=\"exponential\"}"), 7);
}

REKINDLE_TEST(MetricsHostTest)
#include "metricshosttest.moc"
