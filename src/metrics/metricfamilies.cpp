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
