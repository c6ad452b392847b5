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

/// Every family that the collector makes, registered once. Names, units and labels follow the
/// conventions of Prometheus; docs/metrics.md says which metric of S1 6.2 each one is.
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

    // and more
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

/// Where delays are counted, in seconds; the first bucket is "at once".
[[nodiscard]] prometheus::Histogram::BucketBoundaries delayBuckets();
[[nodiscard]] prometheus::Histogram::BucketBoundaries latenessBuckets();

/// A name of the engine as the value of a label: "CircuitOpen" is "circuit_open".
[[nodiscard]] std::string labelValue(const QString &name);

} // namespace Rekindle
