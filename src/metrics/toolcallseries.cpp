// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "toolcallseries_p.h"

#include <rekindle/policy/toolcallfinished.h>

#include <utility>

namespace Rekindle {

namespace {

constexpr std::size_t maxTools = 100;
constexpr qsizetype maxToolName = 128; // as MCP recommends
constexpr char otherTools[] = "_other";

// In seconds.
using Buckets = prometheus::Histogram::BucketBoundaries;
Buckets callBuckets()
{
    return {0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300};
}

std::string outcomeOf(const ToolCallFinished &call)
{
    if (call.end == ToolCallEnd::Answered && !call.failure.isEmpty())
        return "answered_with_error";
    return labelValue(toText(call.end));
}

SeriesLabels with(SeriesLabels labels, const char *name, const std::string &value)
{
    labels.push_back({name, value});
    return labels;
}

} // namespace

ToolCallSeries::ToolCallSeries(MetricFamilies &families, SeriesLabels agent)
    : m_families(families)
    , m_agent(std::move(agent))
{
}

void ToolCallSeries::count(const ToolCallFinished &call)
{
    const std::string label = labelOf(call.tool);
    const SeriesLabels labels = with(m_agent, "tool", label);
    Tool &tool = label == otherTools ? m_otherTools : m_tools[label];
    if (!tool.retries)
        tool.retries = m_families.toolCallRetries.own(labels);
    tool.retries->Increment(call.retries());
    const std::string outcome = outcomeOf(call);
    Series<prometheus::Counter> &calls = tool.calls[outcome];
    if (!calls)
        calls = m_families.toolCalls.own(with(labels, "outcome", outcome));
    calls->Increment();
    if (call.attempts.isEmpty())
        return; // rejected before the first attempt
    if (!m_duration)
        m_duration = m_families.toolCallDuration.own(m_agent, callBuckets());
    m_duration->Observe(std::chrono::duration<double>(call.duration).count());
}

std::string ToolCallSeries::labelOf(const QString &tool) const
{
    const std::string label = tool.size() <= maxToolName ? tool.toStdString() : otherTools;
    return m_tools.size() < maxTools || m_tools.contains(label) ? label : otherTools;
}

} // namespace Rekindle
