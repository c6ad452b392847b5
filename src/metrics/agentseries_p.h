// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "toolcallseries_p.h"

#include <rekindle/policy/instance.h>

#include <array>
#include <string>

namespace Rekindle {

/// The outcome of an attempt.
enum class AttemptOutcome { Success, Failure, Cancelled };
/// The limit because of which an agent was given up.
enum class ExhaustedBy { Attempts, Window };
/// Why a breaker opened.
enum class TripReason { Consecutive, ProbeFailed, ProbeTimeout, Manual };

/// The values of labels.
[[nodiscard]] std::string labelOf(AttemptOutcome outcome);
[[nodiscard]] std::string labelOf(ExhaustedBy limit);
[[nodiscard]] std::string labelOf(TripReason reason);
[[nodiscard]] std::string labelOf(FailureReason reason);
template<typename Enum>
[[nodiscard]] std::string labelOf(Enum value)
{
    return labelValue(toText(value));
}

/// The series of an agent in one family, one for each of the first `count` values of an enum.
template<typename Metric, typename Enum, std::size_t count>
class EnumSeries
{
public:
    EnumSeries(SeriesFamily<Metric> &family, std::string agent, std::string label)
        : m_family(family)
        , m_agent(std::move(agent))
        , m_label(std::move(label))
    {
    }

    /// Creates the series on demand.
    [[nodiscard]] Metric &operator[](Enum value)
    {
        Series<Metric> &series = m_series[static_cast<std::size_t>(value)];
        if (!series)
            series = m_family.own({{"agent", m_agent}, {m_label, labelOf(value)}});
        return *series;
    }

    void createAll()
    {
        for (std::size_t i = 0; i < count; ++i)
            static_cast<void>((*this)[static_cast<Enum>(i)]);
    }

private:
    SeriesFamily<Metric> &m_family;
    const std::string m_agent;
    const std::string m_label;
    std::array<Series<Metric>, count> m_series{};
};

/// All series with one value of the label `agent`. They are looked up once, so that an event costs
/// no lookup by label. Series of policies, failure reasons and tool calls are created on demand.
class AgentSeries
{
public:
    AgentSeries(MetricFamilies &families, const std::string &agent);

    /// Reasons after ProcessCrash count as Unknown.
    [[nodiscard]] prometheus::Counter &failures(FailureReason reason)
    {
        return m_failures[std::min(reason, afterLastReason)];
    }

    const Series<prometheus::Counter> starts;
    const Series<prometheus::Counter> requests;
    const Series<prometheus::Counter> lateResults;
    const Series<prometheus::Counter> downgrades;
    const Series<prometheus::Gauge> startTime;
    EnumSeries<prometheus::Counter, RestartPolicyType,
               static_cast<std::size_t>(RestartPolicyType::Custom) + 1>
        attempts;
    EnumSeries<prometheus::Counter, AttemptOutcome, 3> outcomes;
    EnumSeries<prometheus::Counter, ExhaustedBy, 2> exhausted;
    EnumSeries<prometheus::Counter, TripReason, 4> trips;
    // The number of instances in a state: at most one, unless the label is shared.
    EnumSeries<prometheus::Gauge, InstanceState, static_cast<std::size_t>(instanceStateCount)>
        states;
    EnumSeries<prometheus::Gauge, CircuitBreakerState, 3> breakers;
    ToolCallSeries calls;

private:
    static constexpr auto afterLastReason =
        static_cast<FailureReason>(static_cast<int>(FailureReason::ProcessCrash) + 1);
    EnumSeries<prometheus::Counter, FailureReason, static_cast<std::size_t>(afterLastReason) + 1>
        m_failures;
};

} // namespace Rekindle
