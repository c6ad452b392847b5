// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/policy/restartdecision.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

constexpr Instant failedAt{1h};

// A question in which each part can prevent the restart.
struct Case
{
    RestartPolicy policy = [] {
        RestartPolicy plain;
        plain.jitter.kind = JitterKind::None;
        return plain;
    }();
    CircuitBreaker breaker{CircuitBreakerPolicy{1, 5min, 1.0, 1h}};
    SlidingWindow window{1, 10s};
    int attemptsMade = 0;
    std::optional<int> exitCode{};
    bool permanent = false;
    bool onceReady = false;
    Instant notBefore = Instant::min();
    double draw = 0.5;

    [[nodiscard]] RestartDecision decide() const
    {
        return Rekindle::decide({.policy = policy,
                                 .breaker = breaker,
                                 .window = policy.window ? &window : nullptr,
                                 .attemptsMade = attemptsMade,
                                 .reason = FailureReason::ProcessCrash,
                                 .exitCode = exitCode,
                                 .permanent = permanent,
                                 .onceReady = onceReady,
                                 .failedAt = failedAt,
                                 .notBefore = notBefore,
                                 .draw = draw});
    }
};

} // namespace

class DecideTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void restartsAfterTheDelay();
    void appliesRulesInOrder();
    void permanentFailures();
    void reportsTheFinalAttempt();
    void openBreakerReturnsTheTimeToHalfOpen();
    void isolatedBreakerReturnsNoTime();
    void restartsNoEarlierThanPermitted();
    void checksTheWindowAtTheTimeOfTheRestart();
    void inputsExplainTheDecision();
};

void DecideTest::restartsAfterTheDelay()
{
    Case c;
    c.attemptsMade = 2;
    const RestartDecision decision = c.decide();
    QCOMPARE(decision.rule, DecisionRule::Restart);
    QVERIFY(decision.shouldRestart);
    QCOMPARE(decision.attemptNumber, 3);
    QCOMPARE(decision.delay, Duration(4s));
    QCOMPARE(decision.restartAt, failedAt + 4s);
    QVERIFY(!decision.isFinalAttempt);
    QVERIFY(!decision.circuitBreakerTripped);
    QCOMPARE(decision.reason(), QStringLiteral("Restart attempt 3"));
}

// All reasons apply at first. They are removed one by one, and the next one determines the
// decision.
void DecideTest::appliesRulesInOrder()
{
    Case c;
    c.policy.type = RestartPolicyType::None;
    c.permanent = true;
    c.attemptsMade = 10;
    c.breaker.recordFailure(c.breaker.generation(), failedAt);
    c.policy.window = RestartWindow{1, 10s};
    c.window.add(failedAt - 1s);

    const auto ruleIs = [&](DecisionRule rule) {
        const RestartDecision decision = c.decide();
        return decision.rule == rule && !decision.reason().isEmpty()
            && decision.shouldRestart == (rule == DecisionRule::Restart)
            && decision.circuitBreakerTripped == (rule == DecisionRule::CircuitOpen);
    };
    QVERIFY(ruleIs(DecisionRule::PolicyNone));
    c.policy.type = RestartPolicyType::Exponential;
    QVERIFY(ruleIs(DecisionRule::PermanentFailure));
    c.permanent = false;
    QVERIFY(ruleIs(DecisionRule::AttemptsExhausted));
    c.attemptsMade = 9;
    QVERIFY(ruleIs(DecisionRule::CircuitOpen)); // the window is free again by then
    c.breaker.reset();
    c.policy.maxDelay = 1s;
    QVERIFY(ruleIs(DecisionRule::WindowExhausted));
    c.window = SlidingWindow(1, 10s);
    QVERIFY(ruleIs(DecisionRule::Restart));

    c.policy.type = RestartPolicyType::Custom;
    c.policy.evaluator = EvaluatorReference{};
    c.policy.evaluator->base = RestartPolicyType::None;
    QVERIFY(ruleIs(DecisionRule::PolicyNone));
}

void DecideTest::permanentFailures()
{
    Case c;
    for (const int code : {126, 127}) {
        c.exitCode = code;
        QCOMPARE(c.decide().rule, DecisionRule::PermanentFailure);
    }
    c.onceReady = true;
    QCOMPARE(c.decide().rule, DecisionRule::Restart);
    c.permanent = true;
    QCOMPARE(c.decide().rule, DecisionRule::Restart);

    c = {};
    c.exitCode = 1;
    QCOMPARE(c.decide().rule, DecisionRule::Restart);
    c.policy.permanentExitCodes = {1};
    QCOMPARE(c.decide().rule, DecisionRule::PermanentFailure);
    c.policy.permanentExitCodes.clear();
    c.policy.permanentReasons = {FailureReason::ProcessCrash};
    QCOMPARE(c.decide().rule, DecisionRule::PermanentFailure);
    c.policy.permanentReasons = {FailureReason::Timeout};
    QCOMPARE(c.decide().rule, DecisionRule::Restart);
}

void DecideTest::reportsTheFinalAttempt()
{
    Case c;
    c.policy.maxRetries = 3;
    for (int made = 0; made < 3; ++made) {
        c.attemptsMade = made;
        QCOMPARE(c.decide().attemptNumber, made + 1);
        QCOMPARE(c.decide().isFinalAttempt, made == 2);
    }
    c.attemptsMade = 3;
    QCOMPARE(c.decide().rule, DecisionRule::AttemptsExhausted);
    QCOMPARE(c.decide().attemptNumber, 0);
    c.policy.maxRetries = 0;
    c.attemptsMade = 0;
    QCOMPARE(c.decide().rule, DecisionRule::AttemptsExhausted);
    c.policy.maxRetries.reset();
    c.attemptsMade = 2'000'000'000;
    QCOMPARE(c.decide().rule, DecisionRule::Restart);
    QVERIFY(!c.decide().isFinalAttempt);
}

void DecideTest::openBreakerReturnsTheTimeToHalfOpen()
{
    Case c;
    c.breaker.recordFailure(c.breaker.generation(), failedAt - 1min);
    const RestartDecision decision = c.decide();
    QCOMPARE(decision.rule, DecisionRule::CircuitOpen);
    QCOMPARE(decision.delay, Duration(4min));
    QCOMPARE(decision.restartAt, failedAt + 4min);
    QCOMPARE(decision.reason(), QStringLiteral("Circuit breaker open"));
}

void DecideTest::isolatedBreakerReturnsNoTime()
{
    Case c;
    c.breaker.isolate();
    QCOMPARE(c.decide().rule, DecisionRule::CircuitOpen);
    QCOMPARE(c.decide().delay, Duration(0));
}

void DecideTest::restartsNoEarlierThanPermitted()
{
    Case c;
    QCOMPARE(c.decide().delay, Duration(1s));
    c.notBefore = failedAt + 7s;
    QCOMPARE(c.decide().delay, Duration(7s));
    c.notBefore = failedAt - 1h;
    QCOMPARE(c.decide().delay, Duration(1s));
    c.breaker = CircuitBreaker(CircuitBreakerPolicy{1, 2s, 1.0, 1h});
    c.breaker.recordFailure(c.breaker.generation(), failedAt);
    c.notBefore = failedAt + 10s;
    QCOMPARE(c.decide().delay, Duration(10s));
}

void DecideTest::checksTheWindowAtTheTimeOfTheRestart()
{
    Case c;
    c.policy.window = RestartWindow{1, 10s};
    c.window.add(failedAt - 9s);
    QCOMPARE(c.decide().rule, DecisionRule::WindowExhausted); // 1 s later it is 10 s, inclusive
    c.attemptsMade = 1;
    QCOMPARE(c.decide().rule, DecisionRule::Restart);
    c.policy.window.reset();
    c.attemptsMade = 0;
    QCOMPARE(c.decide().rule, DecisionRule::Restart);
}

void DecideTest::inputsExplainTheDecision()
{
    Case c;
    c.attemptsMade = 4;
    c.exitCode = 3;
    c.draw = 0.25;
    c.policy.jitter = {};
    c.breaker = CircuitBreaker(CircuitBreakerPolicy{});
    c.breaker.recordFailure(c.breaker.generation(), failedAt);
    const DecisionInputs expected{.policyType = RestartPolicyType::Exponential,
                                  .reason = FailureReason::ProcessCrash,
                                  .exitCode = 3,
                                  .attemptsMade = 4,
                                  .maxRetries = 10,
                                  .breakerState = CircuitBreakerState::Closed,
                                  .breakerFailures = 1,
                                  .calculatedDelay = 16s,
                                  .jitter = JitterKind::Symmetric,
                                  .draw = 0.25};
    QCOMPARE(c.decide().inputs, expected);
    QCOMPARE(c.decide().delay, Duration(14s)); // 16 s (0.75 + 0.125)
}

REKINDLE_TEST(DecideTest)
#include "decidetest.moc"
