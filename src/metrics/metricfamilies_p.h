// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <QString>

#include <string>

namespace Rekindle {

/// All families of the collector. Names, units and labels follow the conventions of Prometheus;
/// docs/metrics.md describes them.
struct MetricFamilies
{
    explicit MetricFamilies(prometheus::Registry &theRegistry)
        : registry(theRegistry)
    {
    }
    Q_DISABLE_COPY_MOVE(MetricFamilies)

    using Counters = prometheus::Family<prometheus::Counter>;
    using Gauges = prometheus::Family<prometheus::Gauge>;
    using Histograms = prometheus::Family<prometheus::Histogram>;

    prometheus::Registry &registry;

    Counters &attempts = counter("restart_attempts_total", "Automatic restarts started.");
    Counters &outcomes =
        counter("restart_outcomes_total", "Automatic restarts finished, by outcome.");
    Histograms &calculatedDelay =
        histogram("restart_delay_calculated_seconds",
                  "Delay of automatic restarts by their policy, before jitter.");
    Histograms &actualDelay = histogram("restart_delay_actual_seconds",
                                        "Scheduled delay of automatic restarts, after jitter.");
    Counters &exhausted = counter("restart_exhausted_total", "Agents given up, by limit.");
    Gauges &breakerState =
        gauge("circuit_breaker_state", "1 for the state of the circuit breaker, 0 for the others.");
    Counters &breakerTrips =
        counter("circuit_breaker_trips_total", "Trips of circuit breakers, by reason.");
    Counters &lateResults =
        counter("circuit_breaker_late_results_total", "Ignored reports of an older generation.");

    // Further families
    Histograms &lateness = histogram("restart_delay_lateness_seconds",
                                     "Time from when a restart was due until it started.");
    Counters &requests =
        counter("restart_requests_total", "Restarts requested by an agent or an operator.");
    Counters &decisions = counter("restart_decisions_total", "Decisions about failures, by rule.");
    Gauges &agentState = gauge("agent_state", "1 for the state of the agent, 0 for the others.");
    Counters &agentStarts = counter("agent_starts_total", "Starts, automatic or not.");
    Gauges &agentStartTime = gauge("agent_start_time_seconds",
                                   "Start time since the Unix epoch; 0 if nothing is running.");
    Counters &agentFailures = counter("agent_failures_total", "Failures, by reason.");
    Histograms &agentReadyDuration =
        histogram("agent_ready_duration_seconds", "Time from a start until ready.");
    Gauges &agents =
        gauge("agents", "Agents with series of their own, and agents that share _other.");
    Counters &downgrades =
        counter("policy_downgrades_total", "Policy downgrades because of the license tier.");
    Gauges &licenseTier =
        gauge("license_tier", "1 for the current license tier, 0 for the others.");
    Counters &evaluatorFaults = counter("evaluator_faults_total", "Faults of custom evaluators.");
    Counters &evaluatorQuarantines =
        counter("evaluator_quarantines_total", "Quarantines of custom evaluators.");
    Counters &shadowDecisions =
        counter("evaluator_shadow_decisions_total", "Answers of custom evaluators in shadow mode.");
    Counters &toolCalls = counter("tool_calls_total", "Tool calls ended, by outcome.");
    Counters &toolCallRetries = counter("tool_call_retries_total", "Retries of tool calls.");
    Histograms &toolCallDuration =
        histogram("tool_call_duration_seconds",
                  "Duration of tool calls with all attempts, except rejected ones.");
    Counters &eventsDropped = counter("event_dropped_total", "Events that a slow subscriber lost.");
    Counters &events = counter("lifecycle_events_total", "Events of the engine, by type.");
    Gauges &buildInfo = gauge("rekindle_build_info", "Always 1; the version is a label.");

private:
    [[nodiscard]] Counters &counter(const char *name, const char *help) const;
    [[nodiscard]] Gauges &gauge(const char *name, const char *help) const;
    [[nodiscard]] Histograms &histogram(const char *name, const char *help) const;
};

/// Converts a name of the engine to a label value: "CircuitOpen" to "circuit_open".
[[nodiscard]] std::string labelValue(const QString &name);

} // namespace Rekindle
