// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allocations.h"
#include "lifecycle/internal/evaluatorport.h"

#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/policy/instancetable.h>

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

// The cost of a decision, of a call through a closed breaker, and of a failure in the engine.

namespace {

using namespace Rekindle;
using namespace std::chrono_literals;

std::shared_ptr<const RestartPolicy> endless()
{
    RestartPolicy policy;
    policy.maxRetries.reset();
    policy.stableAfter = Duration{0}; // each ready is a success, so the breaker stays closed
    return std::make_shared<const RestartPolicy>(policy);
}

void countAllocations(benchmark::State &state, std::uint64_t before)
{
    state.counters["allocs/op"] = benchmark::Counter(
        static_cast<double>(allocationCount() - before), benchmark::Counter::kAvgIterations);
}

// A failure in the state table: recorded, decided (exponential with jitter), scheduled. The return
// to Running is not measured.
void decisionOnFailure(benchmark::State &state)
{
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> draw(0, 1);
    Instance running(endless());
    Instant now{};
    InstanceTable::apply(running, {.kind = InputKind::Start}, now, 0);
    InstanceTable::apply(running, {.kind = InputKind::Launch}, now, 0);
    InstanceTable::apply(running, {.kind = InputKind::Ready, .generation = 1}, now, 0);
    const Failure crash{FailureReason::ProcessCrash, {.exitCode = 1}};
    const InstanceInput failure{.kind = InputKind::Failed, .generation = 1, .failure = &crash};
    const std::uint64_t before = allocationCount();
    for (auto _ : state) {
        now += 1ms;
        benchmark::DoNotOptimize(InstanceTable::apply(running, failure, now, draw(random)));
        // Restores the previous state with a few stores.
        running.breaker.recordSuccess(running.breaker.generation(), now);
        running.state = InstanceState::Running;
        running.attempt =
            static_cast<int>(static_cast<unsigned>(now.time_since_epoch().count()) % 8U);
        running.processAlive = true;
    }
    countAllocations(state, before);
}
BENCHMARK(decisionOnFailure);

// The caller passes the time, so reading the clock is not measured (about 23 ns here).
void breakerClosedAdmitAndRecord(benchmark::State &state)
{
    CircuitBreaker breaker(CircuitBreakerPolicy{});
    Instant now{};
    const std::uint64_t before = allocationCount();
    for (auto _ : state) {
        benchmark::DoNotOptimize(now);
        CircuitBreaker::Admission admission = breaker.admit(now);
        benchmark::DoNotOptimize(admission);
        benchmark::DoNotOptimize(breaker.recordSuccess(admission.generation, now));
        benchmark::ClobberMemory();
    }
    countAllocations(state, before);
}
BENCHMARK(breakerClosedAdmitAndRecord);

void breakerOpenRefuses(benchmark::State &state)
{
    CircuitBreaker breaker(CircuitBreakerPolicy{.threshold = 1});
    Instant now{};
    breaker.recordFailure(breaker.generation(), now);
    for (auto _ : state) {
        benchmark::DoNotOptimize(now);
        benchmark::DoNotOptimize(breaker.admit(now));
    }
}
BENCHMARK(breakerOpenRefuses);

// With the system's clocks, as in a host. Scheduled restarts never become due.
class RealTime final : public Scheduler
{
public:
    explicit RealTime(const Clock &clock)
        : Scheduler(clock)
    {
    }

private:
    void nextDueChanged() override {}
};

// From the failure to RestartScheduled, with one subscriber.
void signalPath(benchmark::State &state)
{
    const SystemClock clock;
    RealTime scheduler(clock);
    RestartPolicyEvaluator evaluator(scheduler, [](const QUuid &) { return 0.5; });
    const QUuid id = QUuid::createUuid();
    evaluator.add(id, QStringLiteral("agent"), *endless());
    benchmark::IterationCount seen = 0;
    QObject::connect(&evaluator, &RestartPolicyEvaluator::restartScheduled, &evaluator,
                     [&seen](const RestartScheduled &event) {
                         benchmark::DoNotOptimize(event.delay);
                         ++seen;
                     });
    const Failure crash{FailureReason::ProcessCrash,
                        {.message = QStringLiteral("exit code 1"), .exitCode = 1}};
    for (auto _ : state) {
        state.PauseTiming();
        evaluator.start(id);
        const quint64 generation = EvaluatorPort(evaluator).beginLaunch(id).value();
        EvaluatorPort(evaluator).reportReady(id, generation);
        state.ResumeTiming();
        EvaluatorPort(evaluator).reportFailed(id, generation, crash);
    }
    if (seen != state.iterations())
        state.SkipWithError("not every failure was scheduled");
}
// PauseTiming itself costs about 200 ns, so the figure is an upper bound.
BENCHMARK(signalPath);

AgentHealthStatus unhealthy()
{
    AgentHealthStatus health;
    health.state = AgentHealthStatus::State::Unhealthy;
    health.consecutiveMisses = 3;
    for (int i = 0; i < 10; ++i) {
        health.history.append(
            {{}, i < 7, 2ms, QStringLiteral("connection refused"), QStringLiteral("tcp")});
    }
    return health;
}

// The same for 1,000 agents, with everything that can be involved: a downgraded policy, a health
// status with ten probe results, and a subscriber that reads both, as the audit trail does. The
// time is for 1,000 failures without the return to Running.
void decisionWithHealthAndGate(benchmark::State &state)
{
    constexpr int agents = 1000;
    const SystemClock clock;
    RealTime scheduler(clock);
    FixedLicenseProvider license(LicenseTier::WriterPro);
    FeatureGate gate;
    gate.setProvider(&license);
    const GatedPolicy gated = gate.gate(*endless());
    RestartPolicyEvaluator evaluator(scheduler, [](const QUuid &) { return 0.5; });
    const AgentHealthStatus health = unhealthy();
    EvaluatorPort(evaluator).setHealthSource([&health](const QUuid &) { return health; });
    std::vector<QUuid> ids;
    for (int i = 0; i < agents; ++i) {
        ids.push_back(QUuid::createUuid());
        evaluator.add(ids.back(), QString::number(i), gated.policy);
    }
    benchmark::IterationCount seen = 0;
    QObject::connect(&evaluator, &RestartPolicyEvaluator::decided, &evaluator,
                     [&](const QUuid &id, const RestartDecision &decision) {
                         const auto snapshot = evaluator.snapshot(id);
                         if (decision.inputs.policyType == RestartPolicyType::Linear
                             && snapshot->health.history.size() == 10)
                             ++seen;
                     });
    const Failure unhealthy{FailureReason::HealthCheckFailed,
                            {.message = QStringLiteral("tcp: connection refused"), .exitCode = 1}};
    std::vector<quint64> generations(agents);
    for (auto _ : state) {
        state.PauseTiming();
        for (std::size_t i = 0; i < ids.size(); ++i) {
            evaluator.start(ids[i]);
            generations[i] = EvaluatorPort(evaluator).beginLaunch(ids[i]).value();
            EvaluatorPort(evaluator).reportReady(ids[i], generations[i]);
        }
        state.ResumeTiming();
        for (std::size_t i = 0; i < ids.size(); ++i)
            EvaluatorPort(evaluator).reportFailed(ids[i], generations[i], unhealthy);
    }
    if (seen != state.iterations() * agents)
        state.SkipWithError("not every failure was decided with health and gate");
}
BENCHMARK(decisionWithHealthAndGate)->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();
