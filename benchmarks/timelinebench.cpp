// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/timelinepaint.h>

#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <map>
#include <random>
#include <utility>
#include <vector>

// The paint model of a timeline: a frame of 50 rows and 1,600 columns at three zooms, adding an
// event live, and the memory of an entry.
//
// Arguments: agents, events, and the visible part of the history as a divisor.

namespace {

using namespace Rekindle;
using State = InstanceState;
using std::chrono::milliseconds;

constexpr qint64 history = 24LL * 3600 * 1000;

UtcTime at(qint64 time) { return UtcTime(milliseconds(time)); }

// Each agent fails and is restarted at random times; a fifth of the events are marks.
const TimelineData &dataOf(int agents, int events)
{
    static std::map<std::pair<int, int>, TimelineData> all;
    TimelineData &data = all.try_emplace({agents, events}).first->second;
    if (data.rowCount() > 0)
        return data;
    constexpr std::array states{State::Waiting, State::Starting, State::Running, State::Failed};
    std::mt19937_64 random(1);
    for (int i = 0; i < agents; ++i)
        data.insert(QUuid::createUuid(), {});
    std::vector<std::size_t> next(static_cast<std::size_t>(agents));
    for (qint64 i = 0; i < events; ++i) {
        const auto agent = random() % static_cast<std::uint64_t>(agents);
        const UtcTime time = at(i * history / events);
        data.edit(static_cast<int>(agent), [&](TimelineRow &row) {
            const std::size_t step = next[agent]++ % 5;
            if (step < states.size())
                row.addState(states[step], time);
            else
                row.addMark(TimelineRow::MarkKind::Failure, {time, 0});
        });
    }
    return data;
}

void frame(benchmark::State &state)
{
    const TimelineData &data =
        dataOf(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
    const qint64 span = history / state.range(2);
    qint64 from = 0;
    TimelinePaint paint;
    for (auto _ : state) {
        from = (from + 1'234'567) % (history - span + 1); // as if it was moved
        paint.paint(data, {at(from), at(from + span), at(history), 1600, 0, 50});
        benchmark::DoNotOptimize(paint.bars.data());
    }
    state.counters["boxes"] = static_cast<double>(paint.bars.size() + paint.marks.size());
}
BENCHMARK(frame)
    ->Unit(benchmark::kMicrosecond)
    ->Args({1000, 100'000, 1})
    ->Args({1000, 100'000, 24})
    ->Args({1000, 100'000, 1440})
    ->Args({1000, 5'000'000, 1})
    ->Args({1000, 5'000'000, 24})
    ->Args({1000, 5'000'000, 1440})
    ->Args({50, 5'000'000, 1})
    ->Args({50, 5'000'000, 24});

// At the limit, so that the oldest entries are dropped meanwhile.
void addLive(benchmark::State &state)
{
    TimelineData data = dataOf(1000, 5'000'000);
    qint64 time = history;
    for (auto _ : state) {
        ++time;
        data.edit(static_cast<int>(time * 7919 % 1000), [&](TimelineRow &row) {
            row.addState(static_cast<State>(time % instanceStateCount), at(time));
        });
    }
    state.counters["bytes/entry"] =
        static_cast<double>(data.bytes()) / static_cast<double>(data.size());
}
BENCHMARK(addLive)->Iterations(2'000'000);

} // namespace

BENCHMARK_MAIN();
