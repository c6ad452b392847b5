// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentseries_p.h"

namespace Rekindle {

std::string labelOf(AttemptOutcome outcome)
{
    return std::array{"success", "failure", "cancelled"}[static_cast<std::size_t>(outcome)];
}

std::string labelOf(ExhaustedBy limit)
{
    return limit == ExhaustedBy::Attempts ? "attempts" : "window";
}

std::string labelOf(TripReason reason)
{
    constexpr std::array names{"consecutive", "probe_failed", "probe_timeout", "manual"};
    return names[static_cast<std::size_t>(reason)];
}

std::string labelOf(FailureReason reason)
{
    const bool isKnown = reason <= FailureReason::ProcessCrash;
    return labelValue(toText(isKnown ? reason : FailureReason::Unknown));
}

AgentSeries::AgentSeries(MetricFamilies &families, const std::string &agent)
    : starts(families.agentStarts.own({{"agent", agent}}))
    , requests(families.requests.own({{"agent", agent}}))
    , lateResults(families.lateResults.own({{"agent", agent}}))
    , downgrades(families.downgrades.own({{"agent", agent}}))
    , startTime(families.agentStartTime.own({{"agent", agent}}))
    , attempts(families.attempts, agent, "policy")
    , outcomes(families.outcomes, agent, "outcome")
    , exhausted(families.exhausted, agent, "reason")
    , trips(families.breakerTrips, agent, "reason")
    , states(families.agentState, agent, "state")
    , breakers(families.breakerState, agent, "state")
    , calls(families, {{"agent", agent}})
    , m_failures(families.agentFailures, agent, "reason")
{
    outcomes.createAll();
    exhausted.createAll();
    trips.createAll();
    states.createAll();
    breakers.createAll();
}

} // namespace Rekindle
