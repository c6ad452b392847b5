// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "metricfamilies_p.h"

namespace Rekindle {

MetricFamilies::Counters &MetricFamilies::counter(const char *name, const char *help) const
{
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}

MetricFamilies::Gauges &MetricFamilies::gauge(const char *name, const char *help) const
{
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
}

MetricFamilies::Histograms &MetricFamilies::histogram(const char *name, const char *help) const
{
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
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
