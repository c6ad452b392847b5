// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>

#include <QSignalSpy>
#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;
using Evaluator = RestartPolicyEvaluator;

namespace {

RestartPolicy plainPolicy()
{
    RestartPolicy policy;
    policy.jitter.kind = JitterKind::None;
    return policy;
}

} // namespace

// Decisions for a host that restarts its agents itself: S1 4.1.
class EvaluateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void CircuitBreaker_TripsAfterThreshold();
    void aKnownInstanceIsOnlyAsked();
    void aStrangersBreakerIsTold();
    void aBreakerThatIsOpenElsewhere();
    void evaluateWithoutBreaker();
    void successClosesTheBreaker();
    void forgottenWithItsBreaker();
    void delaysAreJittered();

private:
    RestartContext context(const QUuid &id, int attempt) const;

    VirtualClock m_clock;
    VirtualScheduler m_scheduler{m_clock};
    std::unique_ptr<Evaluator> m_evaluator;
    QUuid m_id;
};

void EvaluateTest::init()
{
    m_evaluator = std::make_unique<Evaluator>(m_scheduler, [] { return 0.5; });
    m_id = QUuid::createUuid();
    QVERIFY(m_evaluator->add(m_id, QStringLiteral("web"), plainPolicy()).isEmpty());
}

RestartContext EvaluateTest::context(const QUuid &id, int attempt) const
{
    RestartContext context;
    context.instanceId = id;
    context.policy = plainPolicy();
    context.currentAttempt = attempt;
    context.reason = FailureReason::ProcessCrash;
    return context;
}

// S1 9.1: five consecutive failures, and the fifth decision is "circuit open".
void EvaluateTest::CircuitBreaker_TripsAfterThreshold()
{
    const QUuid stranger = QUuid::createUuid();
    for (int failure = 1; failure <= 4; ++failure) {
        const RestartDecision decision = m_evaluator->evaluate(context(stranger, failure - 1));
        QVERIFY(decision.shouldRestart);
        QCOMPARE(decision.attemptNumber, failure);
        QCOMPARE(decision.delay, Duration(1s * (1 << (failure - 1))));
    }
    const RestartDecision fifth = m_evaluator->evaluate(context(stranger, 4));
    QVERIFY(!fifth.shouldRestart);
    QVERIFY(fifth.circuitBreakerTripped);
    QVERIFY(fifth.rule == DecisionRule::CircuitOpen);
    QCOMPARE(fifth.delay, Duration(5min));
    const CircuitBreakerInfo info = m_evaluator->circuitBreakerState(stranger);
    QVERIFY(info.state == CircuitBreakerState::Open);
    QCOMPARE(info.failureCount, 5);
    QCOMPARE(info.resetAt, std::optional(m_clock.utcNow() + 5min));
    QVERIFY(!m_evaluator->contains(stranger));
}

// Only the state table changes an instance.
void EvaluateTest::aKnownInstanceIsOnlyAsked()
{
    QSignalSpy changed(m_evaluator.get(), &Evaluator::circuitBreakerStateChanged);
    QSignalSpy decided(m_evaluator.get(), &Evaluator::decided);
    for (int failure = 0; failure < 6; ++failure)
        QVERIFY(m_evaluator->evaluate(context(m_id, failure)).shouldRestart);
    QCOMPARE(decided.count(), 0);
    QCOMPARE(changed.count(), 0);
    QCOMPARE(m_evaluator->circuitBreakerState(m_id), CircuitBreakerInfo::closed());

    // The result is what would be decided now.
    m_evaluator->start(m_id);
    for (int failure = 0; failure < 4; ++failure) {
        m_scheduler.advance(1min);
        m_evaluator->reportFailed(m_id, m_evaluator->beginLaunch(m_id).value_or(0), {});
    }
    QCOMPARE(m_evaluator->circuitBreakerState(m_id).failureCount, 4);
    QVERIFY(m_evaluator->evaluate(context(m_id, 4)).circuitBreakerTripped);
    QCOMPARE(m_evaluator->circuitBreakerState(m_id).failureCount, 4);
}

void EvaluateTest::aStrangersBreakerIsTold()
{
    const QUuid stranger = QUuid::createUuid();
    QSignalSpy changed(m_evaluator.get(), &Evaluator::circuitBreakerStateChanged);
    QSignalSpy decided(m_evaluator.get(), &Evaluator::decided);
    QSignalSpy scheduled(m_evaluator.get(), &Evaluator::restartScheduled);
    for (int failure = 0; failure < 5; ++failure)
        m_evaluator->evaluate(context(stranger, failure));
    QCOMPARE(decided.count(), 5);
    QCOMPARE(scheduled.count(), 0);
    QCOMPARE(changed.count(), 1);
    const auto opened = changed[0][0].value<CircuitBreakerStateChanged>();
    QCOMPARE(opened.instanceId, stranger);
    QCOMPARE(opened.agent, QString());
    QCOMPARE(opened.resetDelay, std::optional<Duration>(5min));
    QCOMPARE(m_scheduler.armedCount(), std::size_t{0});
    m_evaluator->resetCircuitBreaker(stranger);
    QCOMPARE(changed.count(), 2);
    QVERIFY(changed[1][0].value<CircuitBreakerStateChanged>().newState
            == CircuitBreakerState::Closed);
    QCOMPARE(m_evaluator->circuitBreakerState(stranger).failureCount, 0);
}

void EvaluateTest::aBreakerThatIsOpenElsewhere()
{
    RestartContext open = context(QUuid::createUuid(), 0);
    open.circuitBreakerOpen = true;
    const RestartDecision decision = m_evaluator->evaluate(open);
    QVERIFY(decision.rule == DecisionRule::CircuitOpen);
    QCOMPARE(decision.delay, Duration(5min));
    QVERIFY(decision.inputs.reason == FailureReason::ProcessCrash);
    open.policy.type = RestartPolicyType::None;
    QVERIFY(m_evaluator->evaluate(open).rule == DecisionRule::PolicyNone);
}

void EvaluateTest::evaluateWithoutBreaker()
{
    RestartContext open = context(QUuid::createUuid(), 0);
    open.policy.circuitBreaker.reset();
    for (int failure = 0; failure < 9; ++failure) {
        open.currentAttempt = failure;
        QVERIFY(m_evaluator->evaluate(open).shouldRestart);
    }
    open.currentAttempt = 10;
    QVERIFY(m_evaluator->evaluate(open).rule == DecisionRule::AttemptsExhausted);
}

void EvaluateTest::successClosesTheBreaker()
{
    const QUuid stranger = QUuid::createUuid();
    for (int failure = 0; failure < 5; ++failure)
        m_evaluator->evaluate(context(stranger, failure));
    m_scheduler.advance(5min);
    // A failed probe opens it again, a success closes it.
    QVERIFY(m_evaluator->evaluate(context(stranger, 5)).circuitBreakerTripped);
    m_scheduler.advance(5min);
    m_evaluator->recordSuccess(stranger);
    const CircuitBreakerInfo info = m_evaluator->circuitBreakerState(stranger);
    QVERIFY(info.state == CircuitBreakerState::Closed);
    QCOMPARE(info.failureCount, 0);
    QCOMPARE(info.lastSuccessAt, std::optional(m_clock.utcNow()));
}

void EvaluateTest::forgottenWithItsBreaker()
{
    const QUuid stranger = QUuid::createUuid();
    m_evaluator->evaluate(context(stranger, 0));
    QCOMPARE(m_evaluator->circuitBreakerState(stranger).failureCount, 1);
    m_evaluator->remove(stranger);
    QCOMPARE(m_evaluator->circuitBreakerState(stranger), CircuitBreakerInfo::closed());
}

void EvaluateTest::delaysAreJittered()
{
    RestartPolicy policy;
    policy.initialDelay = 10s;
    policy.type = RestartPolicyType::Linear;
    QCOMPARE(m_evaluator->calculateDelay(policy, 1), Duration(10s)); // u = 0.5 is the middle
    Evaluator random(m_scheduler);
    Duration least = 1h;
    Duration greatest{0};
    for (int i = 0; i < 1000; ++i) {
        const Duration delay = random.calculateDelay(policy, 1);
        QVERIFY(delay >= 7500ms && delay < 12500ms);
        least = std::min(least, delay);
        greatest = std::max(greatest, delay);
    }
    QVERIFY(greatest - least > 4s);
}

REKINDLE_TEST(EvaluateTest)
#include "evaluatetest.moc"
