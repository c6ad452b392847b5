// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "metricfamilies_p.h"

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

/// All series with one value of the label `agent`. They are looked up once, so that an event costs
/// no lookup by label. Series of policies and failure reasons are created on demand. The destructor
/// removes all series.
class AgentSeries
{
public:
    AgentSeries(MetricFamilies &families, std::string agent);
    ~AgentSeries();
    Q_DISABLE_COPY_MOVE(AgentSeries)

    [[nodiscard]] prometheus::Counter &attempts(RestartPolicyType policy);
    [[nodiscard]] prometheus::Counter &failures(FailureReason reason);
    [[nodiscard]] prometheus::Counter &outcomes(AttemptOutcome outcome)
    {
        return *m_outcomes[static_cast<std::size_t>(outcome)];
    }
    [[nodiscard]] prometheus::Counter &exhausted(ExhaustedBy limit)
    {
        return *m_exhausted[static_cast<std::size_t>(limit)];
    }
    [[nodiscard]] prometheus::Counter &trips(TripReason reason)
    {
        return *m_trips[static_cast<std::size_t>(reason)];
    }
    [[nodiscard]] prometheus::Counter &starts() { return *m_starts; }
    [[nodiscard]] prometheus::Counter &requests() { return *m_requests; }
    [[nodiscard]] prometheus::Counter &lateResults() { return *m_lateResults; }
    [[nodiscard]] prometheus::Counter &downgrades() { return *m_downgrades; }
    [[nodiscard]] prometheus::Gauge &startTime() { return *m_startTime; }

    // Number of instances in this state: at most one, unless the label is shared.
    [[nodiscard]] prometheus::Gauge &state(InstanceState state)
    {
        return *m_states[static_cast<std::size_t>(state)];
    }
    [[nodiscard]] prometheus::Gauge &breaker(CircuitBreakerState state)
    {
        return *m_breaker[static_cast<std::size_t>(state)];
    }

private:
    [[nodiscard]] prometheus::Labels labels() const { return {{"agent", m_agent}}; }
    [[nodiscard]] prometheus::Labels labels(const std::string &name, const std::string &value) const
    {
        return {{"agent", m_agent}, {name, value}};
    }

    template<typename T, std::size_t N>
    using Series = std::array<T *, N>;
    static constexpr std::size_t policyCount =
        static_cast<std::size_t>(RestartPolicyType::Custom) + 1;
    // The reasons up to ProcessCrash; the last element is for Unknown and all later reasons.
    static constexpr std::size_t reasonCount =
        static_cast<std::size_t>(FailureReason::ProcessCrash) + 2;

    MetricFamilies &m_families;
    const std::string m_agent;
    Series<prometheus::Counter, policyCount> m_attempts{};
    Series<prometheus::Counter, reasonCount> m_failures{};
    Series<prometheus::Counter, 3> m_outcomes{};
    Series<prometheus::Counter, 2> m_exhausted{};
    Series<prometheus::Counter, 4> m_trips{};
    Series<prometheus::Gauge, static_cast<std::size_t>(instanceStateCount)> m_states{};
    Series<prometheus::Gauge, 3> m_breaker{};
    prometheus::Counter *m_starts = nullptr;
    prometheus::Counter *m_requests = nullptr;
    prometheus::Counter *m_lateResults = nullptr;
    prometheus::Counter *m_downgrades = nullptr;
    prometheus::Gauge *m_startTime = nullptr;
};

} // namespace Rekindle
