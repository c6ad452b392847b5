// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "valuetraits.h"

#include <rekindle/policy/agenthealthstatus.h>
#include <rekindle/policy/backoff.h>
#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/healthschedule.h>
#include <rekindle/policy/instancetable.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartcontext.h>
#include <rekindle/policy/restartdecision.h>
#include <rekindle/policy/validation.h>

#include <type_traits>

using namespace Rekindle;

namespace {

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
template<typename... Events>
constexpr bool areRecords(const std::variant<Events...> *)
{
    return (Record<Events> && ...);
}
static_assert(areRecords(static_cast<const LifecycleEvent *>(nullptr)));
static_assert(Value<LifecycleEvent>);

static_assert(static_cast<int>(CircuitBreakerState::Closed) == 0);
static_assert(static_cast<int>(CircuitBreakerState::Open) == 1);
static_assert(static_cast<int>(CircuitBreakerState::HalfOpen) == 2);

// Deciding allocates nothing: these own nothing.
static_assert(std::is_trivially_copyable_v<CircuitBreaker>);
static_assert(std::is_trivially_copyable_v<DecisionInputs>);
static_assert(std::is_trivially_copyable_v<InstanceEvent>);
// A decision with an answer of a custom evaluator owns texts; no rule writes it.
static_assert(std::is_nothrow_move_constructible_v<RestartDecision>);
static_assert(std::is_nothrow_move_constructible_v<Outcome>);
static_assert(std::is_aggregate_v<Outcome> && std::is_aggregate_v<InstanceInput>);
static_assert(std::is_aggregate_v<DecisionQuestion> && std::is_aggregate_v<Backoff::Draw>);
// Containers of instances move them.
static_assert(std::is_nothrow_move_constructible_v<Instance>);
static_assert(std::is_nothrow_move_assignable_v<Instance>);

// Numbers and policies are not converted implicitly.
static_assert(!std::is_convertible_v<int, SlidingWindow>);
static_assert(!std::is_convertible_v<std::optional<CircuitBreakerPolicy>, CircuitBreaker>);
static_assert(!std::is_convertible_v<std::shared_ptr<const RestartPolicy>, Instance>);

} // namespace

class PolicyConstraintsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void defaultsMatchTheSpecification();
};

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
    QVERIFY(policy.requestLimit == (RequestLimit{10, 1min}));
    QVERIFY(policy.healthWindow == 30s && !policy.stopTimeout);
    QVERIFY(policy.circuitBreaker == (CircuitBreakerPolicy{5, 5min, 1.0, 1h}));
    QVERIFY(policy.permanentExitCodes == (QList<int>{126, 127}));
    QVERIFY(policy.permanentReasons.isEmpty());
}

REKINDLE_TEST(PolicyConstraintsTest)
#include "policyconstraintstest.moc"
