// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/metrics/metricscollector.h>
#include <rekindle/telemetry/telemetrystore.h>

#include <benchmark/benchmark.h>

#include <QCoreApplication>
#include <QLoggingCategory>
#include <QTemporaryDir>

#include <memory>
#include <vector>

// The cost of metrics in the engine's thread, and of a scrape in the thread that creates the text.
// An iteration is a failure of an agent and its restart: a decision, six events and three state
// changes. `ns/event` without a collector is the cost of the engine.

namespace {

using namespace Rekindle;
using namespace std::chrono_literals;

class Fleet
{
public:
    explicit Fleet(int count)
        : m_evaluator(m_scheduler, [](const QUuid &) { return 0.5; })
    {
        QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
        RestartPolicy policy;
        policy.type = RestartPolicyType::Immediate;
        policy.maxRetries.reset();
        policy.circuitBreaker.reset();
        policy.stableAfter = 1h;
        for (int i = 0; i < count; ++i) {
            const QUuid id = QUuid::createUuid();
            m_evaluator.add(id, QStringLiteral("agent-%1").arg(i), policy);
            m_evaluator.start(id);
            launch(id);
            m_ids.push_back(id);
        }
        QObject::connect(&m_evaluator, &RestartPolicyEvaluator::lifecycleEvent, &m_evaluator,
                         [this] { ++m_events; });
    }

    void failAndComeBack()
    {
        const QUuid &id = m_ids[m_next];
        m_next = (m_next + 1) % m_ids.size();
        EvaluatorPort(m_evaluator)
            .reportFailed(id, m_evaluator.snapshot(id)->generation,
                          {FailureReason::ProcessCrash, {}});
        launch(id);
    }

    void collect(MetricsCollector &collector) const
    {
        for (const QUuid &id : m_ids)
            collector.track(id);
    }

    [[nodiscard]] RestartPolicyEvaluator &policyEvaluator() { return m_evaluator; }
    [[nodiscard]] double events() const { return static_cast<double>(m_events); }

private:
    void launch(const QUuid &id)
    {
        const quint64 generation = EvaluatorPort(m_evaluator).beginLaunch(id).value();
        EvaluatorPort(m_evaluator).reportStarted(id, generation, 1);
        EvaluatorPort(m_evaluator).reportReady(id, generation);
    }

    VirtualClock m_clock;
    VirtualScheduler m_scheduler{m_clock};
    RestartPolicyEvaluator m_evaluator;
    std::vector<QUuid> m_ids;
    std::size_t m_next = 0;
    std::int64_t m_events = 0;
};

void run(benchmark::State &state, Fleet &fleet)
{
    const double before = fleet.events();
    for (auto _ : state)
        fleet.failAndComeBack();
    const double events = fleet.events() - before;
    // Seconds per event, which the report shows with an SI prefix.
    state.counters["s/event"] =
        benchmark::Counter(events, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["events"] = benchmark::Counter(events, benchmark::Counter::kAvgIterations);
}

void withoutMetrics(benchmark::State &state)
{
    Fleet fleet(static_cast<int>(state.range(0)));
    run(state, fleet);
}
BENCHMARK(withoutMetrics)->Arg(1)->Arg(1000);

void withMetrics(benchmark::State &state)
{
    Fleet fleet(static_cast<int>(state.range(0)));
    MetricsCollector collector(fleet.policyEvaluator());
    fleet.collect(collector);
    run(state, fleet);
}
BENCHMARK(withMetrics)->Arg(1)->Arg(1000)->Arg(10'000); // 9,000 of the last share _other

// Both subscribers of `rekindle up`, with the store's thread on another core. Bursts fit in its
// queue and are written in between. `s/event` is the time of the engine's thread.
void withMetricsAndStore(benchmark::State &state)
{
    constexpr int burst = 1000;
    const QTemporaryDir folder;
    Fleet fleet(static_cast<int>(state.range(0)));
    MetricsCollector collector(fleet.policyEvaluator());
    fleet.collect(collector);
    TelemetryStore store({.path = folder.filePath(QStringLiteral("s.sqlite"))});
    store.attach(fleet.policyEvaluator());
    const SystemClock clock;
    double events = 0;
    Duration engine{0};
    for (auto _ : state) {
        const double before = fleet.events();
        const Instant begun = clock.now();
        for (int i = 0; i < burst; ++i)
            fleet.failAndComeBack();
        const Duration taken = clock.now() - begun;
        state.SetIterationTime(std::chrono::duration<double>(taken).count());
        engine += taken;
        events += fleet.events() - before;
        bool isWritten = false;
        store.flush([&isWritten](bool) { isWritten = true; });
        while (!isWritten)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    if (store.droppedCount() != 0)
        state.SkipWithError("something was dropped");
    state.counters["s/event"] = std::chrono::duration<double>(engine).count() / events;
}
BENCHMARK(withMetricsAndStore)->Arg(1)->Arg(1000)->UseManualTime()->Iterations(50);

void textOfAllSeries(benchmark::State &state)
{
    Fleet fleet(static_cast<int>(state.range(0)));
    MetricsCollector collector(fleet.policyEvaluator());
    fleet.collect(collector);
    for (int i = 0; i < 3000; ++i)
        fleet.failAndComeBack();
    qsizetype size = 0;
    for (auto _ : state)
        size = collector.text().size();
    state.counters["bytes"] = static_cast<double>(size);
}
BENCHMARK(textOfAllSeries)->Arg(10)->Arg(1000)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
