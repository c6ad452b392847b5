// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "seriesfamily_p.h"

#include <QString>

#include <string>

namespace Rekindle {

/// All families of the collector. Names, units and labels follow the conventions of Prometheus;
/// docs/metrics.md describes them.
struct MetricFamilies
{
    MetricFamilies() = default;
    Q_DISABLE_COPY_MOVE(MetricFamilies)

    using Counters = SeriesFamily<prometheus::Counter>;
    using Gauges = SeriesFamily<prometheus::Gauge>;
    using Histograms = SeriesFamily<prometheus::Histogram>;

    FamiliesByName all;

    Counters attempts{all, "restart_attempts_total", "Automatic restarts started."};
    Counters outcomes{all, "restart_outcomes_total", "Automatic restarts finished, by outcome."};
    Histograms calculatedDelay{all, "restart_delay_calculated_seconds",
                               "Delay of automatic restarts by their policy, before jitter."};
    Histograms actualDelay{all, "restart_delay_actual_seconds",
                           "Scheduled delay of automatic restarts, after jitter."};
    Counters exhausted{all, "restart_exhausted_total", "Agents given up, by limit."};
    Gauges breakerState{all, "circuit_breaker_state",
                        "1 for the state of the circuit breaker, 0 for the others."};
    Counters breakerTrips{all, "circuit_breaker_trips_total",
                          "Trips of circuit breakers, by reason."};
    Counters lateResults{all, "circuit_breaker_late_results_total",
                         "Ignored reports of an older generation."};

    // Further families
    Histograms lateness{all, "restart_delay_lateness_seconds",
                        "Time from when a restart was due until it started."};
    Counters requests{all, "restart_requests_total",
                      "Restarts requested by an agent or an operator."};
    Counters decisions{all, "restart_decisions_total", "Decisions about failures, by rule."};
    Gauges agentState{all, "agent_state", "1 for the state of the agent, 0 for the others."};
    Counters agentStarts{all, "agent_starts_total", "Starts, automatic or not."};
    Gauges agentStartTime{all, "agent_start_time_seconds",
                          "Start time since the Unix epoch; 0 if nothing is running."};
    Counters agentFailures{all, "agent_failures_total", "Failures, by reason."};
    Histograms agentReadyDuration{all, "agent_ready_duration_seconds",
                                  "Time from a start until ready."};
    Gauges agents{all, "agents", "Agents with series of their own, and agents that share _other."};
    Gauges queuedStarts{all, "governor_queued_starts", "Starts that wait for the governor."};
    Counters groupRestarts{all, "group_restarts_total",
                           "Failures of members that their group tolerated."};
    Counters groupsExhausted{all, "group_exhausted_total", "Groups given up."};
    Gauges sharedBreakerState{all, "shared_breaker_state",
                              "1 for the state of the shared breaker, 0 for the others."};
    Counters sharedBreakerTrips{all, "shared_breaker_trips_total", "Trips of shared breakers."};
    Counters downgrades{all, "policy_downgrades_total",
                        "Policy downgrades because of the license tier."};
    Gauges licenseTier{all, "license_tier", "1 for the current license tier, 0 for the others."};
    Counters evaluatorFaults{all, "evaluator_faults_total", "Faults of custom evaluators."};
    Counters evaluatorQuarantines{all, "evaluator_quarantines_total",
                                  "Quarantines of custom evaluators."};
    Counters shadowDecisions{all, "evaluator_shadow_decisions_total",
                             "Answers of custom evaluators in shadow mode."};
    Counters toolCalls{all, "tool_calls_total", "Tool calls ended, by outcome."};
    Counters toolCallRetries{all, "tool_call_retries_total", "Retries of tool calls."};
    Histograms toolCallDuration{all, "tool_call_duration_seconds",
                                "Duration of tool calls with all attempts, except rejected ones."};
    Counters eventsDropped{all, "event_dropped_total", "Events that a slow subscriber lost."};
    Counters events{all, "lifecycle_events_total", "Events of the engine, by type."};
    Gauges buildInfo{all, "rekindle_build_info", "Always 1; the version is a label."};
};

/// Converts a name of the engine to a label value: "CircuitOpen" to "circuit_open".
[[nodiscard]] std::string labelValue(const QString &name);

} // namespace Rekindle
