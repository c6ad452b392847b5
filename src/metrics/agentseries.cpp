// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentseries_p.h"

namespace Rekindle {

namespace {

template<typename Enum, std::size_t count>
std::string nameIn(const std::array<const char *, count> &names, Enum value)
{
    return names[static_cast<std::size_t>(value)];
}

} // namespace

std::string labelOf(AttemptOutcome outcome)
{
    return nameIn(std::array{"success", "failure", "cancelled"}, outcome);
}

std::string labelOf(ExhaustedBy limit) { return nameIn(std::array{"attempts", "window"}, limit); }

std::string labelOf(TripReason reason)
{
    return nameIn(std::array{"consecutive", "probe_failed", "probe_timeout", "manual"}, reason);
}

std::string labelOf(FailureReason reason)
{
    const bool isKnown = reason <= FailureReason::ProcessCrash;
    return labelValue(toText(isKnown ? reason : FailureReason::Unknown));
}

AgentSeries::AgentSeries(MetricFamilies &families, const std::string &agent)
    : starts(makeSeries(families.agentStarts, {{"agent", agent}}))
    , requests(makeSeries(families.requests, {{"agent", agent}}))
    , lateResults(makeSeries(families.lateResults, {{"agent", agent}}))
    , downgrades(makeSeries(families.downgrades, {{"agent", agent}}))
    , startTime(makeSeries(families.agentStartTime, {{"agent", agent}}))
    , attempts(families.attempts, agent, "policy")
    , outcomes(families.outcomes, agent, "outcome")
    , exhausted(families.exhausted, agent, "reason")
    , trips(families.breakerTrips, agent, "reason")
    , states(families.agentState, agent, "state")
    , breakers(families.breakerState, agent, "state")
    , m_failures(families.agentFailures, agent, "reason")
{
    outcomes.createAll();
    exhausted.createAll();
    trips.createAll();
    states.createAll();
    breakers.createAll();
}

} // namespace Rekindle
