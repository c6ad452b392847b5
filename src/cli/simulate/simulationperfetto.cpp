// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "simulationperfetto_p.h"

#include "phasenames_p.h"

#include "json/jsontext.h"

namespace Rekindle {

namespace {

// The unit of the format.
double microseconds(Duration duration)
{
    return std::chrono::duration<double, std::micro>(duration).count();
}

Json eventOf(const char *type, qsizetype track, const std::string &name)
{
    return {{"ph", type}, {"pid", 1}, {"tid", track}, {"name", name}};
}

} // namespace

QByteArray simulationPerfetto(const SimulationResult &result)
{
    Json events = Json::array();
    for (qsizetype i = 0; i < result.agents.size(); ++i) {
        const SimulationResult::Agent &agent = result.agents.at(i);
        const qsizetype track = i + 1; // 0 is the idle task of a processor
        Json name = eventOf("M", track, "thread_name");
        name["args"] = {{"name", agent.name.toStdString()}};
        events.push_back(std::move(name));
        for (qsizetype j = 0; j < agent.spans.size(); ++j) {
            const SimulationResult::Span &span = agent.spans.at(j);
            const Duration end =
                j + 1 < agent.spans.size() ? agent.spans.at(j + 1).begin : result.length;
            if (end == span.begin)
                continue;
            Json slice = eventOf("X", track, nameOf(phaseNames, span.phase).toStdString());
            slice["ts"] = microseconds(span.begin);
            slice["dur"] = microseconds(end - span.begin);
            events.push_back(std::move(slice));
        }
        for (const Duration at : agent.failedAt) {
            Json instant = eventOf("i", track, "failure");
            instant["ts"] = microseconds(at);
            instant["s"] = "t"; // drawn on the track only
            events.push_back(std::move(instant));
        }
    }
    // The first member distinguishes the file from those of other programs.
    return compactJson(
        {{"otherData", {{"producer", "rekindle"}}}, {"traceEvents", std::move(events)}});
}

} // namespace Rekindle
