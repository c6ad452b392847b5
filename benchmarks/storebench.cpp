// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/clock.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/telemetry/telemetrystore.h>

#include <QCoreApplication>
#include <QTemporaryDir>

#include <benchmark/benchmark.h>

#include <variant>
#include <vector>

// The throughput of the telemetry store, and its cost in the engine's thread.

namespace {

using namespace Rekindle;
using namespace std::chrono_literals;

LifecycleEvent scheduled(quint64 sequence)
{
    static const QUuid id = QUuid::createUuid();
    RestartScheduled event;
    event.instanceId = id;
    event.agent = QStringLiteral("agent");
    event.sequence = sequence;
    event.monotonicTime = Instant(sequence * 10us);
    event.time = UtcTime(std::chrono::days(20'000));
    event.attemptNumber = 3;
    event.maxAttempts = 10;
    event.delay = 1234ms;
    event.calculatedDelay = 1s;
    return event;
}

// A failure with 20 lines of stderr: the largest event.
LifecycleEvent failed(quint64 sequence)
{
    AgentFailed event;
    static_cast<EventHeader &>(event) = header(scheduled(sequence));
    event.reason = FailureReason::ProcessCrash;
    event.detail.message = QStringLiteral("exit code 1");
    event.detail.exitCode = 1;
    for (int i = 0; i < 20; ++i)
        event.detail.stderrTail.append(
            QStringLiteral("2026-11-21 error: cannot reach the database"));
    return event;
}

void waitUntilWritten(TelemetryStore &store)
{
    bool isDone = false;
    store.flush([&isDone](bool) { isDone = true; });
    while (!isDone)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

// Events of several agents, because one agent may use only half of the queue.
template<LifecycleEvent (*make)(quint64)>
std::vector<LifecycleEvent> eventsOfAgents()
{
    std::vector<LifecycleEvent> events;
    for (int i = 0; i < 16; ++i) {
        events.push_back(make(1));
        std::visit(
            [i](auto &event) {
                event.agent = QStringLiteral("agent-%1").arg(i);
                event.instanceId = QUuid::createUuid();
            },
            events.back());
    }
    return events;
}

// Fills the queue and waits until everything is on the disk: sustained throughput without drops.
template<LifecycleEvent (*make)(quint64)>
void throughput(benchmark::State &state)
{
    constexpr quint64 round = 40'000;
    const QTemporaryDir folder;
    TelemetryStore store({.path = folder.filePath(QStringLiteral("s.sqlite"))});
    waitUntilWritten(store);
    const std::vector<LifecycleEvent> events = eventsOfAgents<make>();
    for (auto _ : state) {
        for (quint64 i = 0; i < round; ++i)
            store.append(events[i % events.size()]);
        waitUntilWritten(store);
    }
    if (store.droppedCount() != 0)
        state.SkipWithError("something was dropped");
    state.SetItemsProcessed(static_cast<int64_t>(round) * state.iterations());
}
BENCHMARK(throughput<scheduled>)->UseRealTime()->Unit(benchmark::kMillisecond)->MinTime(5);
BENCHMARK(throughput<failed>)->UseRealTime()->Unit(benchmark::kMillisecond)->MinTime(5);

// The cost of append() in the engine's thread at 20,000 events per second, at most half of the
// throughput, while the writer is working.
void costOnTheEnginesThread(benchmark::State &state)
{
    constexpr quint64 burst = 1'000;
    constexpr auto pace = 50ms;
    const QTemporaryDir folder;
    TelemetryStore store({.path = folder.filePath(QStringLiteral("s.sqlite"))});
    waitUntilWritten(store);
    const SystemClock clock;
    const LifecycleEvent event = scheduled(1);
    for (auto _ : state) {
        const Instant begun = clock.now();
        for (quint64 i = 0; i < burst; ++i)
            store.append(event);
        const Duration taken = clock.now() - begun;
        state.SetIterationTime(std::chrono::duration<double>(taken).count() / burst);
        while (clock.now() - begun < pace)
            QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
    }
    if (store.droppedCount() != 0)
        state.SkipWithError("something was dropped");
}
BENCHMARK(costOnTheEnginesThread)->UseManualTime()->Iterations(100);

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
