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

/// What is counted of the host as a whole, not of one agent: its licence, its custom evaluators,
/// its subscribers.
class HostSeries
{
public:
    explicit HostSeries(MetricFamilies &families);
    Q_DISABLE_COPY_MOVE(HostSeries)

    /// The first call makes the series.
    void setTier(LicenseTier tier);

    void count(const EvaluatorFault &fault);
    void countShadow(const QString &evaluator, bool agreed);

    /// `total` counts since the subscriber's beginning.
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
    /// The one of a name; one of all names beyond the limit.
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
