// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "scriptedevaluators.h"
#include "testprogram.h"

#include <QSignalSpy>
#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;
using Kind = EvaluatorVerdict::Kind;

/// An evaluator in shadow mode gets requests and changes nothing.
class ShadowEvaluationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shadowActsAtOnce();
    void shadowDisagrees_data();
    void shadowDisagrees();
    void shadowIsSilent();
    void shadowOfARemovedInstance();
};

void ShadowEvaluationTest::shadowActsAtOnce()
{
    EvaluatorStage stage;
    QSignalSpy shadowed(&stage.supervisor.evaluator(), &RestartPolicyEvaluator::shadowDecided);
    stage.begin(shadowPolicy(), QStringLiteral("start"));
    QCOMPARE(stage.state(), InstanceState::Waiting);
    QCOMPARE(stage.evaluators.requests.size(), 1);
    stage.evaluators.answer(Kind::Accept);
    QCOMPARE(shadowed.size(), 1);
    const auto builtIn = shadowed[0][1].value<RestartDecision>();
    const auto wouldBe = shadowed[0][2].value<RestartDecision>();
    QVERIFY(builtIn.agreesWith(wouldBe));
    QVERIFY(!builtIn.evaluator);
    QCOMPARE(wouldBe.evaluator,
             std::optional(EvaluatorOpinion{QStringLiteral("test"), Kind::Accept, {}, 1s}));
    QCOMPARE(stage.supervisor.evaluator().shadowTally(stage.first()), (ShadowTally{1, 0}));
    QCOMPARE(stage.log.text(), QStringLiteral("START started failed scheduled:1"));
}

void ShadowEvaluationTest::shadowDisagrees_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("rule");
    QTest::addColumn<int>("seconds");
    const auto row = [](const char *name, Kind kind, DecisionRule rule, int seconds) {
        QTest::newRow(name) << static_cast<int>(kind) << static_cast<int>(rule) << seconds;
    };
    row("delay", Kind::Delay, DecisionRule::Restart, 30);
    row("refuse", Kind::Refuse, DecisionRule::EvaluatorRefused, 1);
    row("open", Kind::OpenBreaker, DecisionRule::CircuitOpen, 300);
}

void ShadowEvaluationTest::shadowDisagrees()
{
    EvaluatorStage stage;
    QFETCH(const int, kind);
    QFETCH(const int, rule);
    QFETCH(const int, seconds);
    QSignalSpy shadowed(&stage.supervisor.evaluator(), &RestartPolicyEvaluator::shadowDecided);
    stage.begin(shadowPolicy(), QStringLiteral("start"));
    stage.evaluators.answer(static_cast<Kind>(kind), 30s);
    QCOMPARE(shadowed.size(), 1);
    const auto wouldBe = shadowed[0][2].value<RestartDecision>();
    QCOMPARE(static_cast<int>(wouldBe.rule), rule);
    QCOMPARE(wouldBe.delay, Duration(std::chrono::seconds(seconds)));
    QCOMPARE(stage.supervisor.evaluator().shadowTally(stage.first()), (ShadowTally{1, 1}));
    // The instance itself has not noticed.
    QCOMPARE(stage.state(), InstanceState::Waiting);
    QCOMPARE(stage.supervisor.snapshot(stage.first())->circuitBreaker.state,
             CircuitBreakerState::Closed);
}

void ShadowEvaluationTest::shadowIsSilent()
{
    EvaluatorStage stage;
    stage.begin(shadowPolicy() + QStringLiteral(",'initialDelay':'5s'"),
                QStringLiteral("start +1s"));
    QCOMPARE(stage.evaluators.withdrawn.size(), 1);
    QVERIFY(stage.evaluators.withdrawn[0].endsWith(QLatin1String("late")));
    stage.evaluators.answer(Kind::Refuse);
    QCOMPARE(stage.supervisor.evaluator().shadowTally(stage.first()), ShadowTally{});
}

void ShadowEvaluationTest::shadowOfARemovedInstance()
{
    EvaluatorStage stage;
    QSignalSpy shadowed(&stage.supervisor.evaluator(), &RestartPolicyEvaluator::shadowDecided);
    stage.begin(shadowPolicy(), QStringLiteral("start remove"));
    stage.evaluators.answer(Kind::Refuse);
    QVERIFY(shadowed.isEmpty());
    stage.play(QStringLiteral("+2s"));
    QCOMPARE(stage.evaluators.withdrawn.size(), 1);
}

REKINDLE_TEST(ShadowEvaluationTest)
#include "shadowevaluationtest.moc"
