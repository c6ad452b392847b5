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
    : attempts(counter(registry, "restart_attempts_total", "Automatic restarts begun."))
    , outcomes(
          counter(registry, "restart_outcomes_total",
                  "Automatic restarts ended, by outcome; attempts less outcomes are under way."))
    , calculatedDelay(histogram(registry, "restart_delay_calculated_seconds",
                                "Delay before an automatic restart by its policy, before jitter."))
    , actualDelay(histogram(registry, "restart_delay_actual_seconds",
                            "Delay before an automatic restart as it was planned, after jitter."))
    , exhausted(counter(registry, "restart_exhausted_total", "Agents given up, by limit."))
    , breakerState(gauge(registry, "circuit_breaker_state",
                         "Circuit breakers in each state: 1 for the agent's, 0 for all others."))
    , breakerTrips(
          counter(registry, "circuit_breaker_trips_total", "Circuit breakers opened, by reason."))
    , lateResults(counter(registry, "circuit_breaker_late_results_total",
                          "Reports of an older start, which change nothing."))
    , lateness(histogram(registry, "restart_delay_lateness_seconds",
                         "From the moment a restart was due until it began."))
    , requests(counter(registry, "restart_requests_total",
                       "Restarts that an agent or an operator asked for; no attempts."))
    , decisions(counter(registry, "restart_decisions_total",
                        "Decisions about failures, by the rule they came from."))
    , agentState(gauge(registry, "agent_state",
                       "Agents in each state: 1 for the agent's, 0 for all others."))
    , agentStarts(counter(registry, "agent_starts_total", "Starts, by whatever cause."))
    , agentStartTime(gauge(registry, "agent_start_time_seconds",
                           "Start of what runs since the Unix epoch, 0 where nothing runs."))
    , agentFailures(counter(registry, "agent_failures_total", "Failures, by reason."))
    , agentReadyDuration(
          histogram(registry, "agent_ready_duration_seconds", "From a start until ready."))
    , agents(gauge(registry, "agents",
                   "Agents with series of their own, and those that share the agent _other."))
    , downgrades(counter(registry, "policy_downgrades_total",
                         "Policies that the licence tier made weaker."))
    , licenseTier(
          gauge(registry, "license_tier", "Licence tier in force: 1 for it, 0 for all others."))
    , evaluatorFaults(counter(registry, "evaluator_faults_total",
                              "Custom evaluators that gave no usable answer, by evaluator."))
    , evaluatorQuarantines(counter(registry, "evaluator_quarantines_total",
                                   "Custom evaluators set aside after too many faults."))
    , shadowDecisions(counter(registry, "evaluator_shadow_decisions_total",
                              "Answers of custom evaluators in shadow mode, by whether they agree "
                              "with what was decided."))
    , eventsDropped(counter(registry, "event_dropped_total",
                            "Events that a subscriber lost, as it was too slow."))
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
