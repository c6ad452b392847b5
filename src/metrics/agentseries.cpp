// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentseries_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr std::array<const char *, 3> outcomeNames = {"success", "failure", "cancelled"};
constexpr std::array<const char *, 2> limitNames = {"attempts", "window"};
constexpr std::array<const char *, 4> tripNames = {"consecutive", "probe_failed", "probe_timeout",
                                                   "manual"};

template<typename Family, typename Series>
void removeAll(Family &family, const Series &series)
{
    for (auto *each : series) {
        if (each)
            family.Remove(each);
    }
}

} // namespace

AgentSeries::AgentSeries(MetricFamilies &families, std::string agent)
    : m_families(families)
    , m_agent(std::move(agent))
    , m_starts(&families.agentStarts.Add(labels()))
    , m_requests(&families.requests.Add(labels()))
    , m_lateResults(&families.lateResults.Add(labels()))
    , m_downgrades(&families.downgrades.Add(labels()))
    , m_startTime(&families.agentStartTime.Add(labels()))
{
    for (std::size_t i = 0; i < m_outcomes.size(); ++i)
        m_outcomes[i] = &families.outcomes.Add(labels("outcome", outcomeNames[i]));
    for (std::size_t i = 0; i < m_exhausted.size(); ++i)
        m_exhausted[i] = &families.exhausted.Add(labels("reason", limitNames[i]));
    for (std::size_t i = 0; i < m_trips.size(); ++i)
        m_trips[i] = &families.breakerTrips.Add(labels("reason", tripNames[i]));
    for (std::size_t i = 0; i < m_states.size(); ++i) {
        const QString name = toText(static_cast<InstanceState>(i));
        m_states[i] = &families.agentState.Add(labels("state", labelValue(name)));
    }
    for (std::size_t i = 0; i < m_breaker.size(); ++i) {
        const QString name = toText(static_cast<CircuitBreakerState>(i));
        m_breaker[i] = &families.breakerState.Add(labels("state", labelValue(name)));
    }
}

AgentSeries::~AgentSeries()
{
    removeAll(m_families.attempts, m_attempts);
    removeAll(m_families.agentFailures, m_failures);
    removeAll(m_families.outcomes, m_outcomes);
    removeAll(m_families.exhausted, m_exhausted);
    removeAll(m_families.breakerTrips, m_trips);
    removeAll(m_families.agentState, m_states);
    removeAll(m_families.breakerState, m_breaker);
    m_families.agentStarts.Remove(m_starts);
    m_families.requests.Remove(m_requests);
    m_families.lateResults.Remove(m_lateResults);
    m_families.downgrades.Remove(m_downgrades);
    m_families.agentStartTime.Remove(m_startTime);
}

prometheus::Counter &AgentSeries::attempts(RestartPolicyType policy)
{
    prometheus::Counter *&series = m_attempts[static_cast<std::size_t>(policy)];
    if (!series)
        series = &m_families.attempts.Add(labels("policy", labelValue(toText(policy))));
    return *series;
}

prometheus::Counter &AgentSeries::failures(FailureReason reason)
{
    const std::size_t index = std::min(static_cast<std::size_t>(reason), reasonCount - 1);
    prometheus::Counter *&series = m_failures[index];
    if (!series) {
        const FailureReason shown = index < reasonCount - 1 ? reason : FailureReason::Unknown;
        series = &m_families.agentFailures.Add(labels("reason", labelValue(toText(shown))));
    }
    return *series;
}

} // namespace Rekindle
