// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <wire/lineframer_p.h>
#include <wire/messagepeek_p.h>

#include <benchmark/benchmark.h>

// The cost of scanning the top level of a message, and of splitting a stream into lines.

namespace {

using namespace Rekindle;

// A response with a text of this size; `escapes`: with a line feed every 64 characters.
QByteArray answer(qsizetype size, bool escapes)
{
    QByteArray text;
    while (text.size() < size)
        text += escapes ? QByteArray(62, 'x') + "\\n" : QByteArray(64, 'x');
    return R"({"result":{"content":[{"type":"text","text":")" + text
        + R"("}]},"jsonrpc":"2.0","id":4711})";
}

void peek(benchmark::State &state)
{
    const QByteArray line = answer(state.range(0), state.range(1) != 0);
    for (auto _ : state) {
        const MessagePeek peek = MessagePeek::at(line);
        benchmark::DoNotOptimize(peek);
    }
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * line.size());
}
BENCHMARK(peek)
    ->ArgNames({"bytes", "escapes"})
    ->Args({64, 0})
    ->Args({1 << 20, 0})
    ->Args({1 << 20, 1});

void frame(benchmark::State &state)
{
    const QByteArray stream = answer(state.range(0), false) + '\n';
    for (auto _ : state) {
        LineFramer framer;
        std::vector<FramedLine> lines;
        for (qsizetype at = 0; at < stream.size(); at += 65536)
            framer.add(
                QByteArrayView(stream).sliced(at, std::min<qsizetype>(65536, stream.size() - at)),
                lines);
        benchmark::DoNotOptimize(lines.data());
    }
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * stream.size());
}
BENCHMARK(frame)->ArgName("bytes")->Arg(64)->Arg(1 << 20);

} // namespace

BENCHMARK_MAIN();
