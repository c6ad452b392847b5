// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "metricfamilies_p.h"

#include <rekindle/lifecycle/customevaluators.h>
#include <rekindle/policy/licensetier.h>

#include <array>
#include <string>
#include <unordered_map>
#include <utility>

namespace Rekindle {

/// The series of the host: license, custom evaluators and subscribers.
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
    struct EvaluatorSeries
    {
        prometheus::Counter *faults = nullptr;
        prometheus::Counter *quarantines = nullptr;
    };
    struct ShadowSeries
    {
        prometheus::Counter *agreed = nullptr;
        prometheus::Counter *disagreed = nullptr;
    };
    struct Dropped
    {
        prometheus::Counter *series = nullptr;
        quint64 total = 0;
    };
    /// Returns the entry of a name. Names beyond the limit share one entry.
    template<typename Series>
    [[nodiscard]] static std::pair<const std::string, Series> &
    entryOf(std::unordered_map<std::string, Series> &all, const QString &evaluator);

    MetricFamilies &m_families;
    std::array<prometheus::Gauge *, licenseTiers.size()> m_tiers{};
    std::unordered_map<std::string, EvaluatorSeries> m_evaluators;
    std::unordered_map<std::string, ShadowSeries> m_shadows;
    std::unordered_map<std::string, Dropped> m_dropped;
};

} // namespace Rekindle
