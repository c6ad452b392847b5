// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allocations.h"
#include "lifecycle/internal/evaluatorport.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>

#include <benchmark/benchmark.h>

// The cost of the events of one restart with N subscribers of lifecycleEvent(). An iteration is a
// start, ready and a failure, which emit six events. `items_per_second` is the number of events.

namespace {

using namespace Rekindle;

void subscribers(benchmark::State &state)
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    RestartPolicyEvaluator evaluator(scheduler, [](const QUuid &) { return 0.5; });
    RestartPolicy policy;
    policy.type = RestartPolicyType::Immediate;
    policy.maxRetries.reset();
    policy.circuitBreaker.reset();
    const QUuid id = QUuid::createUuid();
    evaluator.add(id, QStringLiteral("agent"), policy);

    std::uint64_t received = 0;
    for (int i = 0; i < state.range(0); ++i) {
        QObject::connect(&evaluator, &RestartPolicyEvaluator::lifecycleEvent, &evaluator,
                         [&received](const LifecycleEvent &event) {
                             benchmark::DoNotOptimize(header(event).sequence);
                             ++received;
                         });
    }
    std::uint64_t events = 0;
    const auto cycle = [&] {
        const quint64 generation = EvaluatorPort(evaluator).beginLaunch(id).value();
        EvaluatorPort(evaluator).reportStarted(id, generation, 0);
        EvaluatorPort(evaluator).reportReady(id, generation);
        EvaluatorPort(evaluator).reportFailed(id, generation, {FailureReason::ProcessCrash, {}});
    };
    evaluator.start(id);
    cycle();
    // RestartStarted, AgentStarted, AgentReady, RestartSucceeded, AgentFailed, RestartScheduled
    constexpr std::uint64_t eventsPerCycle = 6;
    const std::uint64_t before = allocationCount();
    received = 0;
    for (auto _ : state) {
        cycle();
        events += eventsPerCycle;
    }
    if (received != events * static_cast<std::uint64_t>(state.range(0)))
        state.SkipWithError("not every event was received");
    state.SetItemsProcessed(static_cast<std::int64_t>(events));
    state.counters["allocs/restart"] = benchmark::Counter(
        static_cast<double>(allocationCount() - before), benchmark::Counter::kAvgIterations);
}
BENCHMARK(subscribers)->Arg(0)->Arg(1)->Arg(8)->Arg(32);

} // namespace

BENCHMARK_MAIN();
