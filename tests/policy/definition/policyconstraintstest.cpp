// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/policy/agenthealthstatus.h>
#include <rekindle/policy/backoff.h>
#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/healthschedule.h>
#include <rekindle/policy/instancetable.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartcontext.h>
#include <rekindle/policy/restartdecision.h>
#include <rekindle/policy/validation.h>

#include <QtTest>

#include <concepts>
#include <type_traits>

using namespace Rekindle;

namespace {

// A value: it can be put anywhere, moved without a fault and compared.
template<typename T>
concept Value = std::copyable<T> && std::equality_comparable<T> && std::default_initializable<
    T> && std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T> && std::
    is_nothrow_destructible_v<T>;

// A value that is written as {...}, with every part in sight.
template<typename T>
concept Record = Value<T> && std::is_aggregate_v<T>;

static_assert(Record<AgentHealthStatus>);
static_assert(Record<CircuitBreakerInfo>);
static_assert(Record<CircuitBreakerPolicy>);
static_assert(Record<DecisionInputs>);
static_assert(Record<EvaluatorReference>);
static_assert(Record<Failure>);
static_assert(Record<FailureDetail>);
static_assert(Record<Fault>);
static_assert(Record<HealthSchedule>);
static_assert(Record<Jitter>);
static_assert(Record<ProbeResult>);
static_assert(Record<RestartContext>);
static_assert(Record<RestartDecision>);
static_assert(Record<RestartPolicy>);
static_assert(Record<RestartWindow>);

static_assert(Record<EventHeader>);
static_assert(Record<AgentStarted>);
static_assert(Record<AgentReady>);
static_assert(Record<AgentStable>);
static_assert(Record<AgentStopped>);
static_assert(Record<AgentFailed>);
static_assert(Record<RestartRequested>);
static_assert(Record<RestartScheduled>);
static_assert(Record<RestartStarted>);
static_assert(Record<RestartSucceeded>);
static_assert(Record<RestartFailed>);
static_assert(Record<RestartExhausted>);
static_assert(Record<RestartCancelled>);
static_assert(Record<CircuitBreakerStateChanged>);
static_assert(Record<PolicyDowngraded>);
static_assert(Record<HealthChanged>);
static_assert(Record<AgentOutput>);
static_assert(Value<LifecycleEvent>);

// Deciding allocates nothing: these own nothing.
static_assert(std::is_trivially_copyable_v<CircuitBreaker>);
static_assert(std::is_trivially_copyable_v<DecisionInputs>);
static_assert(std::is_trivially_copyable_v<InstanceEvent>);
// A decision does once a custom evaluator has had its say; no rule writes that down.
static_assert(std::is_nothrow_move_constructible_v<RestartDecision>);
static_assert(std::is_nothrow_move_constructible_v<Outcome>);
static_assert(std::is_aggregate_v<Outcome> && std::is_aggregate_v<InstanceInput>);
static_assert(std::is_aggregate_v<DecisionQuestion> && std::is_aggregate_v<Backoff::Draw>);
// A thousand waiting agents are moved about.
static_assert(std::is_nothrow_move_constructible_v<Instance>);
static_assert(std::is_nothrow_move_assignable_v<Instance>);

// No number becomes a thing by accident.
static_assert(!std::is_convertible_v<int, SlidingWindow>);
static_assert(!std::is_convertible_v<std::optional<CircuitBreakerPolicy>, CircuitBreaker>);
static_assert(!std::is_convertible_v<std::shared_ptr<const RestartPolicy>, Instance>);

} // namespace

class PolicyConstraintsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void enumNumbersAreStable();
    void defaultsMatchTheSpecification();
    void everyPairHasARule();
};

void PolicyConstraintsTest::enumNumbersAreStable()
{
    QCOMPARE(static_cast<int>(CircuitBreakerState::Closed), 0);
    QCOMPARE(static_cast<int>(CircuitBreakerState::Open), 1);
    QCOMPARE(static_cast<int>(CircuitBreakerState::HalfOpen), 2);
}

void PolicyConstraintsTest::defaultsMatchTheSpecification()
{
    using namespace std::chrono_literals;
    const RestartPolicy policy;
    QVERIFY(policy.type == RestartPolicyType::Exponential);
    QVERIFY(policy.maxRetries == 10);
    QVERIFY(!policy.window && !policy.rearmAfter && !policy.evaluator && !policy.immediateFirst);
    QVERIFY(policy.restartOn == RestartOn::Failure);
    QVERIFY(policy.initialDelay == 1s && policy.multiplier == 2.0 && policy.maxDelay == 60s);
    QVERIFY(policy.jitter == (Jitter{JitterKind::Symmetric, 0.25, true}));
    QVERIFY(policy.stableAfter == 60s && policy.startTimeout == 30s);
    QVERIFY(policy.minInterval == 0s && policy.requestedDelay == 0s);
    QVERIFY(policy.circuitBreaker == (CircuitBreakerPolicy{5, 5min, 1.0, 1h}));
    QVERIFY(policy.permanentExitCodes == (QList<int>{126, 127}));
    QVERIFY(policy.permanentReasons.isEmpty());
}

void PolicyConstraintsTest::everyPairHasARule()
{
    for (int state = 0; state < instanceStateCount; ++state) {
        const auto asState = static_cast<InstanceState>(state);
        QVERIFY(!toText(asState).isEmpty());
        for (int input = 0; input < inputKindCount; ++input)
            QVERIFY(!InstanceTable::ruleName(asState, static_cast<InputKind>(input)).isEmpty());
    }
}

REKINDLE_TEST(PolicyConstraintsTest)
#include "policyconstraintstest.moc"
