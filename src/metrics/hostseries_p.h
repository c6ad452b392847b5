// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "metricfamilies_p.h"

#include <rekindle/lifecycle/customevaluators.h>
#include <rekindle/policy/licensetier.h>

#include <map>
#include <set>
#include <string>

namespace Rekindle {

/// The series of the host: license, custom evaluators and subscribers. Their events are rare, so
/// that each one looks up its series by label.
class HostSeries
{
public:
    explicit HostSeries(MetricFamilies &families);
    Q_DISABLE_COPY_MOVE(HostSeries)

    /// The first call creates the series.
    void setTier(LicenseTier tier);

    void count(const EvaluatorFault &fault);
    void countShadow(const QString &evaluator, bool agreed);

    /// `total` counts since the construction of the subscriber.
    void setDropped(const QString &subscriber, quint64 total);

private:
    MetricFamilies &m_families;
    std::set<std::string> m_evaluators;
    std::set<std::string> m_shadows;
    std::map<std::string, quint64> m_dropped; ///< totals by subscriber
};

} // namespace Rekindle
