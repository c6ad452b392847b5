// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "simulationtext_p.h"

#include "cli/output/svgdrawing_p.h"
#include "cli/output/tracefile_p.h"

#include <rekindle/policy/enums.h>

#include <array>

namespace Rekindle {

namespace {

// In drawings and traces.
constexpr std::array<EnumName<SimulationResult::Phase>, 5> phaseNames = {{
    {SimulationResult::Phase::Stopped, QLatin1String("stopped")},
    {SimulationResult::Phase::Up, QLatin1String("up")},
    {SimulationResult::Phase::Down, QLatin1String("down")},
    {SimulationResult::Phase::Open, QLatin1String("breaker open")},
    {SimulationResult::Phase::GaveUp, QLatin1String("given up")},
}};

constexpr int left = 150;
constexpr int top = 50;
constexpr int rowHeight = 28;
constexpr int barHeight = 18;
constexpr int plotWidth = 900;
constexpr int right = 90;
constexpr int footer = 60;
// A shorter outage would not be visible.
constexpr double leastWidth = 0.5;

using Phase = SimulationResult::Phase;

const char *colorOf(Phase phase)
{
    switch (phase) {
    case Phase::Stopped:
        return "#eeeeee";
    case Phase::Up:
        return "#66bb6a";
    case Phase::Down:
        return "#ffb300";
    case Phase::Open:
        return "#c62828";
    case Phase::GaveUp:
        return "#222222";
    }
    Q_UNREACHABLE();
}

void drawLegend(SvgDrawing &svg, double y)
{
    double x = left;
    for (const EnumName<Phase> &each : phaseNames) {
        if (each.value == Phase::Stopped) // as visible as the background
            continue;
        constexpr int box = 12;
        constexpr int entryWidth = 130;
        svg.rectangle(x, y - box + 2, box, box, colorOf(each.value));
        svg.text(x + box + 6, y, "start", 12, "#222222", each.name);
        x += entryWidth;
    }
}

} // namespace

QByteArray simulationSvg(const SimulationResult &result)
{
    const auto rows = static_cast<int>(result.agents.size());
    const int bottom = top + rows * rowHeight;
    SvgDrawing svg(left + plotWidth + right, bottom + footer);
    const auto xOf = [&result](Duration at) {
        return left
            + plotWidth * static_cast<double>(at.count())
            / static_cast<double>(result.length.count());
    };
    svg.text(
        left, 28, "start", 16, "#222222",
        QStringLiteral("Simulation of %1, seed %2").arg(readable(result.length)).arg(result.seed));
    for (int row = 0; row < rows; ++row) {
        const SimulationResult::Agent &agent = result.agents.at(row);
        const double y = top + row * rowHeight;
        svg.text(left - 10, y + barHeight - 4, "end", 12, "#222222", agent.name);
        // Outages last, so that their least width is visible.
        for (const bool isOutage : {false, true}) {
            for (qsizetype i = 0; i < agent.spans.size(); ++i) {
                const SimulationResult::Span &span = agent.spans.at(i);
                if ((span.phase != Phase::Up && span.phase != Phase::Stopped) != isOutage)
                    continue;
                const double begin = xOf(span.begin);
                const double end =
                    xOf(i + 1 < agent.spans.size() ? agent.spans.at(i + 1).begin : result.length);
                svg.rectangle(begin, y, std::max(end - begin, isOutage ? leastWidth : 0), barHeight,
                              colorOf(span.phase));
            }
        }
        svg.text(left + plotWidth + 10, y + barHeight - 4, "start", 12, "#222222",
                 QStringLiteral("%1 %").arg(agent.upPercent(), 0, 'f', 2));
    }
    svg.line(left, bottom + 2, left + plotWidth, bottom + 2, "#222222");
    svg.text(left, bottom + 18, "middle", 12, "#222222", QStringLiteral("0"));
    svg.text(left + plotWidth, bottom + 18, "middle", 12, "#222222", readable(result.length));
    drawLegend(svg, bottom + 44);
    return svg.finish();
}

void writeTrace(const SimulationResult &result, TraceFile &trace)
{
    for (qsizetype i = 0; i < result.agents.size(); ++i) {
        const SimulationResult::Agent &agent = result.agents.at(i);
        const TraceFile::Track track{.thread = i + 1};
        trace.nameTrack(track, agent.name);
        for (qsizetype j = 0; j < agent.spans.size(); ++j) {
            const SimulationResult::Span &span = agent.spans.at(j);
            const Duration end =
                j + 1 < agent.spans.size() ? agent.spans.at(j + 1).begin : result.length;
            trace.slice(track, nameOf(phaseNames, span.phase), span.begin, end);
        }
        for (const Duration at : agent.failedAt)
            trace.instant(track, QStringLiteral("failure"), at);
    }
}

} // namespace Rekindle
