// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "metricfamilies_p.h"

#include <map>
#include <string>

namespace Rekindle {

struct ToolCallFinished;

/// The series of the tool calls of an agent. They are created on demand. Clients choose the names
/// of tools, so the number and the length of the names are limited.
class ToolCallSeries
{
public:
    ToolCallSeries(MetricFamilies &families, SeriesLabels agent);

    void count(const ToolCallFinished &call);

private:
    struct Tool
    {
        std::map<std::string, Series<prometheus::Counter>> calls{}; ///< by outcome
        Series<prometheus::Counter> retries{};
    };

    [[nodiscard]] std::string labelOf(const QString &tool) const;

    MetricFamilies &m_families;
    const SeriesLabels m_agent;
    Series<prometheus::Histogram> m_duration;
    std::map<std::string, Tool> m_tools; ///< by label
    Tool m_otherTools;                   ///< does not count as a tool
};

} // namespace Rekindle
