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
/// docs/metrics.md maps the metrics of S1 6.2 to them.
struct MetricFamilies
{
    explicit MetricFamilies(prometheus::Registry &registry);

    using Counters = prometheus::Family<prometheus::Counter>;
    using Gauges = prometheus::Family<prometheus::Gauge>;
    using Histograms = prometheus::Family<prometheus::Histogram>;

    // S1 6.2
    Counters &attempts;
    Counters &outcomes;
    Histograms &calculatedDelay;
    Histograms &actualDelay;
    Counters &exhausted;
    Gauges &breakerState;
    Counters &breakerTrips;
    Counters &lateResults;

    // Further families
    Histograms &lateness;
    Counters &requests;
    Counters &decisions;
    Gauges &agentState;
    Counters &agentStarts;
    Gauges &agentStartTime;
    Counters &agentFailures;
    Histograms &agentReadyDuration;
    Gauges &agents;
    Counters &downgrades;
    Gauges &licenseTier;
    Counters &evaluatorFaults;
    Counters &evaluatorQuarantines;
    Counters &shadowDecisions;
    Counters &eventsDropped;
    Counters &events;
    Gauges &buildInfo;
};

/// The buckets of delays in seconds. The first bucket counts restarts without a delay.
[[nodiscard]] prometheus::Histogram::BucketBoundaries delayBuckets();
[[nodiscard]] prometheus::Histogram::BucketBoundaries latenessBuckets();

/// Converts a name of the engine to a label value: "CircuitOpen" to "circuit_open".
[[nodiscard]] std::string labelValue(const QString &name);

} // namespace Rekindle
