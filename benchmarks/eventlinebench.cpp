// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allocations.h"

#include <rekindle/policy/lifecycleevent.h>

#include <benchmark/benchmark.h>

// The cost of a line of CloudEvents JSON for each kind of event.

namespace {

using namespace Rekindle;
using namespace std::chrono_literals;

template<typename Event>
Event example()
{
    Event event{};
    event.instanceId = QUuid(QStringLiteral("6F9619FF-8B86-D011-B42D-00CF4FC964FF"));
    event.agent = QStringLiteral("child-417");
    event.sequence = 4711;
    event.monotonicTime = Instant(81234567890ns);
    event.time = UtcTime{1763687989261ms};
    if constexpr (std::is_same_v<Event, AgentFailed>) {
        event.detail.message = QStringLiteral("killed by SIGKILL");
        event.detail.signal = 9;
        event.detail.stderrTail = {QStringLiteral("Traceback (most recent call last):"),
                                   QStringLiteral("ValueError: found \"x\"")};
    }
    if constexpr (std::is_same_v<Event, RestartScheduled>) {
        event.delay = 1234567890ns;
        event.scheduledAt = event.time + 1235ms;
    }
    return event;
}

template<typename Event>
void line(benchmark::State &state)
{
    const LifecycleEvent event = example<Event>();
    const QString source = QStringLiteral("urn:uuid:6f9619ff-8b86-d011-b42d-00cf4fc964ff");
    const std::uint64_t before = allocationCount();
    for (auto _ : state)
        benchmark::DoNotOptimize(toCloudEvent(event, source));
    state.counters["allocs/op"] = benchmark::Counter(
        static_cast<double>(allocationCount() - before), benchmark::Counter::kAvgIterations);
}

template<typename Event>
void appendedLine(benchmark::State &state)
{
    const LifecycleEvent event = example<Event>();
    const QString source = QStringLiteral("urn:uuid:6f9619ff-8b86-d011-b42d-00cf4fc964ff");
    QByteArray buffer;
    appendCloudEvent(buffer, event, source);
    const std::uint64_t before = allocationCount();
    for (auto _ : state) {
        buffer.resize(0);
        appendCloudEvent(buffer, event, source);
        benchmark::DoNotOptimize(buffer.constData());
    }
    state.counters["allocs/op"] = benchmark::Counter(
        static_cast<double>(allocationCount() - before), benchmark::Counter::kAvgIterations);
}

BENCHMARK(line<RestartScheduled>);
BENCHMARK(line<AgentFailed>);
BENCHMARK(appendedLine<AgentStarted>);
BENCHMARK(appendedLine<AgentReady>);
BENCHMARK(appendedLine<AgentStable>);
BENCHMARK(appendedLine<AgentStopped>);
BENCHMARK(appendedLine<AgentFailed>);
BENCHMARK(appendedLine<RestartRequested>);
BENCHMARK(appendedLine<RestartScheduled>);
BENCHMARK(appendedLine<RestartStarted>);
BENCHMARK(appendedLine<RestartSucceeded>);
BENCHMARK(appendedLine<RestartFailed>);
BENCHMARK(appendedLine<RestartExhausted>);
BENCHMARK(appendedLine<RestartCancelled>);
BENCHMARK(appendedLine<CircuitBreakerStateChanged>);

} // namespace

BENCHMARK_MAIN();
