// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "metricfamilies_p.h"

namespace Rekindle {

namespace {

MetricFamilies::Counters &counter(prometheus::Registry &registry, const char *name,
                                  const char *help)
{
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}

MetricFamilies::Gauges &gauge(prometheus::Registry &registry, const char *name, const char *help)
{
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
}

MetricFamilies::Histograms &histogram(prometheus::Registry &registry, const char *name,
                                      const char *help)
{
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
}

} // namespace

MetricFamilies::MetricFamilies(prometheus::Registry &registry)
    : attempts(counter(registry, "restart_attempts_total", "Automatic restarts started."))
    , outcomes(
          counter(registry, "restart_outcomes_total", "Automatic restarts finished, by outcome."))
    , calculatedDelay(histogram(registry, "restart_delay_calculated_seconds",
                                "Delay of automatic restarts by their policy, before jitter."))
    , actualDelay(histogram(registry, "restart_delay_actual_seconds",
                            "Scheduled delay of automatic restarts, after jitter."))
    , exhausted(counter(registry, "restart_exhausted_total", "Agents given up, by limit."))
    , breakerState(gauge(registry, "circuit_breaker_state",
                         "1 for the state of the circuit breaker, 0 for the others."))
    , breakerTrips(
          counter(registry, "circuit_breaker_trips_total", "Trips of circuit breakers, by reason."))
    , lateResults(counter(registry, "circuit_breaker_late_results_total",
                          "Ignored reports of an older generation."))
    , lateness(histogram(registry, "restart_delay_lateness_seconds",
                         "Time from when a restart was due until it started."))
    , requests(counter(registry, "restart_requests_total",
                       "Restarts requested by an agent or an operator."))
    , decisions(counter(registry, "restart_decisions_total", "Decisions about failures, by rule."))
    , agentState(gauge(registry, "agent_state", "1 for the state of the agent, 0 for the others."))
    , agentStarts(counter(registry, "agent_starts_total", "Starts, automatic or not."))
    , agentStartTime(gauge(registry, "agent_start_time_seconds",
                           "Start time since the Unix epoch; 0 if nothing is running."))
    , agentFailures(counter(registry, "agent_failures_total", "Failures, by reason."))
    , agentReadyDuration(
          histogram(registry, "agent_ready_duration_seconds", "Time from a start until ready."))
    , agents(gauge(registry, "agents",
                   "Agents with series of their own, and agents that share _other."))
    , downgrades(counter(registry, "policy_downgrades_total",
                         "Policy downgrades because of the license tier."))
    , licenseTier(
          gauge(registry, "license_tier", "1 for the current license tier, 0 for the others."))
    , evaluatorFaults(counter(registry, "evaluator_faults_total", "Faults of custom evaluators."))
    , evaluatorQuarantines(
          counter(registry, "evaluator_quarantines_total", "Quarantines of custom evaluators."))
    , shadowDecisions(counter(registry, "evaluator_shadow_decisions_total",
                              "Answers of custom evaluators in shadow mode."))
    , eventsDropped(counter(registry, "event_dropped_total", "Events that a slow subscriber lost."))
    , events(counter(registry, "lifecycle_events_total", "Events of the engine, by type."))
    , buildInfo(gauge(registry, "rekindle_build_info", "Always 1; the version is a label."))
{
}

prometheus::Histogram::BucketBoundaries delayBuckets()
{
    return {0, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300};
}

prometheus::Histogram::BucketBoundaries latenessBuckets()
{
    return {0, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30};
}

std::string labelValue(const QString &name)
{
    std::string value;
    for (const QChar each : name) {
        if (each.isUpper() && !value.empty())
            value += '_';
        value += each.toLower().toLatin1();
    }
    return value;
}

} // namespace Rekindle
