// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "scriptedevaluators.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;
using Evaluator = RestartPolicyEvaluator;
using Kind = EvaluatorVerdict::Kind;

/// RestartPolicyEvaluator::evaluate() decides about units of the host as about its own instances.
class StandaloneUnitsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void becomesHalfOpenAtResetTime();
    void appliesTier();
    void appliesTierWithoutProvider();
    void requestsCustomEvaluator();
    void usesBuiltInDecisionWithoutAnswer();
    void usesBuiltInDecisionIfEvaluatorIsReplaced();
    void usesBuiltInDecisionIfEvaluatorIsMissing();
    void openBreakerOfEvaluatorBecomesHalfOpen();
    void shadowDecidesAtOnce();
    void removeCancelsEvaluation();
    void nextFailureCancelsEvaluation();
    void previewsAddedInstanceWithoutEvaluator();
    void rejectsAttemptsBelowOne();

private:
    QFuture<RestartDecision> evaluate(int attempt, const QString &policy = {});
    [[nodiscard]] Evaluator &policyEvaluator() { return m_stage->supervisor.policyEvaluator(); }

    QUuid m_id;
    std::unique_ptr<EvaluatorStage> m_stage;
};

void StandaloneUnitsTest::init()
{
    m_stage = std::make_unique<EvaluatorStage>();
    m_id = QUuid::createUuid();
}

QFuture<RestartDecision> StandaloneUnitsTest::evaluate(int attempt, const QString &policy)
{
    RestartContext context;
    context.instanceId = m_id;
    context.policy = policyOf(policy);
    context.currentAttempt = attempt;
    context.reason = FailureReason::ProcessCrash;
    return policyEvaluator().evaluate(context);
}

void StandaloneUnitsTest::becomesHalfOpenAtResetTime()
{
    const QString policy = QStringLiteral("'circuitBreaker':{'threshold':2,'timeout':'10s',"
                                          "'growth':2}");
    QSignalSpy changed(&policyEvaluator(), &Evaluator::circuitBreakerStateChanged);
    evaluate(0, policy);
    QVERIFY(evaluate(1, policy).result().circuitBreakerTripped);
    m_stage->advance(9999ms);
    QVERIFY(policyEvaluator().circuitBreakerState(m_id).state == CircuitBreakerState::Open);
    m_stage->advance(1ms);
    QVERIFY(policyEvaluator().circuitBreakerState(m_id).state == CircuitBreakerState::HalfOpen);
    QCOMPARE(changed.size(), 2);
    QVERIFY(changed[1][0].value<CircuitBreakerStateChanged>().newState
            == CircuitBreakerState::HalfOpen);
    // The trial fails, and the next one succeeds.
    QCOMPARE(evaluate(2, policy).result().delay, Duration(20s));
    m_stage->advance(20s);
    policyEvaluator().recordSuccess(m_id);
    QVERIFY(policyEvaluator().circuitBreakerState(m_id).state == CircuitBreakerState::Closed);
    QCOMPARE(changed.size(), 5);
}

void StandaloneUnitsTest::appliesTier()
{
    FixedLicenseProvider license(LicenseTier::Core);
    m_stage->supervisor.featureGate().setProvider(&license);
    QSignalSpy downgraded(&policyEvaluator(), &Evaluator::policyDowngraded);
    QVERIFY(evaluate(0).result().rule == DecisionRule::PolicyNone);
    QVERIFY(evaluate(0).result().rule == DecisionRule::PolicyNone);
    QCOMPARE(downgraded.size(), 1);
    const auto event = downgraded[0][0].value<PolicyDowngraded>();
    QCOMPARE(event.instanceId, m_id);
    QCOMPARE(event.tier, QStringLiteral("Core"));
    QVERIFY(event.requestedType == RestartPolicyType::Exponential);
    QVERIFY(event.effectiveType == RestartPolicyType::None);

    license.setTier(LicenseTier::WriterPro);
    const RestartDecision linear = evaluate(2).result();
    QVERIFY(linear.inputs.policyType == RestartPolicyType::Linear);
    QCOMPARE(linear.delay, Duration(3s));
    QCOMPARE(downgraded.size(), 2);
    license.setTier(LicenseTier::Teams);
    QCOMPARE(evaluate(2).result().delay, Duration(4s));
    QCOMPARE(downgraded.size(), 2);
}

void StandaloneUnitsTest::appliesTierWithoutProvider()
{
    m_stage->supervisor.featureGate().setProvider(nullptr);
    QVERIFY(evaluate(0).result().rule == DecisionRule::PolicyNone);
    Evaluator withoutGate(m_stage->scheduler, [](const QUuid &) { return 0.5; });
    RestartContext context;
    context.instanceId = m_id;
    QVERIFY(withoutGate.evaluate(context).result().shouldRestart);
}

void StandaloneUnitsTest::requestsCustomEvaluator()
{
    QSignalSpy decided(&policyEvaluator(), &Evaluator::decided);
    const QFuture<RestartDecision> future = evaluate(1, activePolicy());
    QVERIFY(!future.isFinished());
    QCOMPARE(decided.size(), 0);
    const EvaluatorRequest request = m_stage->evaluators.requests.value(0);
    QCOMPARE(request.context.instanceId, m_id);
    QCOMPARE(request.context.currentAttempt, 1);
    QCOMPARE(request.builtIn.delay, Duration(2s));
    QVERIFY(request.beforeReady);
    QVERIFY(m_stage->evaluators.attached.contains(m_id));
    m_stage->evaluators.answer(Kind::Delay, 1h, QStringLiteral("night"));
    QVERIFY(future.isFinished());
    const RestartDecision decision = future.result();
    QVERIFY(decision.shouldRestart);
    QCOMPARE(decision.delay, Duration(1h));
    QCOMPARE(decision.attemptNumber, 2);
    QCOMPARE(decision.evaluator,
             std::optional(EvaluatorOpinion{QStringLiteral("test"), Kind::Delay,
                                            QStringLiteral("night"), 2s}));
    QCOMPARE(decided.size(), 1);
    QCOMPARE(decided[0][1].value<RestartDecision>(), decision);
    m_stage->advance(1h); // the time budget is no longer armed
    QCOMPARE(m_stage->evaluators.withdrawn, QStringList{});
}

void StandaloneUnitsTest::usesBuiltInDecisionWithoutAnswer()
{
    const QFuture<RestartDecision> future = evaluate(0, activePolicy());
    m_stage->advance(InstanceTable::evaluatorBudget);
    QCOMPARE(m_stage->evaluators.withdrawn, QStringList{QStringLiteral("1:late")});
    QVERIFY(future.isFinished());
    QCOMPARE(future.result().delay, Duration(1s));
    QCOMPARE(future.result().evaluator->reason, QStringLiteral("no answer within 1s"));
    QVERIFY(!future.result().evaluator->answer);
}

void StandaloneUnitsTest::usesBuiltInDecisionIfEvaluatorIsReplaced()
{
    const QFuture<RestartDecision> future = evaluate(0, activePolicy());
    ScriptedEvaluators others;
    policyEvaluator().setCustomEvaluators(&others);
    QVERIFY(future.isFinished());
    QCOMPARE(future.result().evaluator->reason,
             QStringLiteral("the evaluator was replaced during the request"));
    QVERIFY(m_stage->evaluators.attached.isEmpty());
    evaluate(1, activePolicy());
    QCOMPARE(others.attached, QList<QUuid>{m_id});
    others.answer(Kind::Accept);
}

void StandaloneUnitsTest::usesBuiltInDecisionIfEvaluatorIsMissing()
{
    m_stage->evaluators.available = false;
    const RestartDecision decision = evaluate(0, activePolicy()).result();
    QVERIFY(decision.shouldRestart);
    QCOMPARE(decision.evaluator->reason, QStringLiteral("not available"));
    QVERIFY(m_stage->evaluators.requests.isEmpty());
}

void StandaloneUnitsTest::openBreakerOfEvaluatorBecomesHalfOpen()
{
    const QFuture<RestartDecision> future = evaluate(0, activePolicy());
    m_stage->evaluators.answer(Kind::OpenBreaker);
    QVERIFY(future.result().rule == DecisionRule::CircuitOpen);
    QVERIFY(policyEvaluator().circuitBreakerState(m_id).state == CircuitBreakerState::Open);
    m_stage->advance(5min);
    QVERIFY(policyEvaluator().circuitBreakerState(m_id).state == CircuitBreakerState::HalfOpen);
}

void StandaloneUnitsTest::shadowDecidesAtOnce()
{
    QSignalSpy shadow(&policyEvaluator(), &Evaluator::shadowDecided);
    const QFuture<RestartDecision> future = evaluate(0, shadowPolicy());
    QVERIFY(future.isFinished());
    QCOMPARE(future.result().delay, Duration(1s));
    QVERIFY(!future.result().evaluator);
    m_stage->evaluators.answer(Kind::Refuse);
    QCOMPARE(shadow.size(), 1);
    QCOMPARE(shadow[0][0].toUuid(), m_id);
    QVERIFY(shadow[0][2].value<RestartDecision>().rule == DecisionRule::EvaluatorRefused);
}

void StandaloneUnitsTest::removeCancelsEvaluation()
{
    const QFuture<RestartDecision> future = evaluate(0, activePolicy());
    policyEvaluator().remove(m_id);
    QVERIFY(future.isCanceled() && future.isFinished());
    QVERIFY(m_stage->evaluators.attached.isEmpty());
    m_stage->evaluators.answer(Kind::Refuse); // too late
    QCOMPARE(policyEvaluator().circuitBreakerState(m_id), CircuitBreakerInfo::closed());
}

void StandaloneUnitsTest::nextFailureCancelsEvaluation()
{
    const QFuture<RestartDecision> first = evaluate(0, activePolicy());
    const QFuture<RestartDecision> second = evaluate(1, activePolicy());
    QVERIFY(first.isCanceled());
    QCOMPARE(m_stage->evaluators.withdrawn, QStringList{QStringLiteral("1:superseded")});
    m_stage->evaluators.answer(Kind::Accept);
    QCOMPARE(second.result().attemptNumber, 2);
}

void StandaloneUnitsTest::previewsAddedInstanceWithoutEvaluator()
{
    m_id = m_stage->addFailing(QStringLiteral("a"), activePolicy());
    QVERIFY(evaluate(0, activePolicy()).result().shouldRestart);
    QVERIFY(m_stage->evaluators.requests.isEmpty());
}

void StandaloneUnitsTest::rejectsAttemptsBelowOne()
{
    QTest::ignoreMessage(QtCriticalMsg, "evaluate(): currentAttempt: expected 0 or more, found -1");
    QVERIFY(evaluate(-1).isCanceled());
    QCOMPARE(policyEvaluator().circuitBreakerState(m_id), CircuitBreakerInfo::closed());
    for (const int attempt : {0, -1})
        QVERIFY(!policyEvaluator().calculateDelay({}, attempt));
    QVERIFY(policyEvaluator().calculateDelay({}, 1));
}

REKINDLE_TEST(StandaloneUnitsTest)
#include "standaloneunitstest.moc"
