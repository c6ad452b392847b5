// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "expositionwriter_p.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>

#include <QtGlobal>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace Rekindle {

/// All series with one name.
class MetricFamilyBase
{
public:
    virtual ~MetricFamilyBase() = default;
    Q_DISABLE_COPY_MOVE(MetricFamilyBase)

    /// Adds the text of all series, sorted by labels. Thread-safe.
    virtual void write(ExpositionWriter &writer) const = 0;

    /// Returns a copy of all series. Thread-safe.
    [[nodiscard]] virtual prometheus::MetricFamily collect() const = 0;

protected:
    MetricFamilyBase() = default;
};

/// Sorted by name.
using FamiliesByName = std::map<std::string, const MetricFamilyBase *>;

/// The series of a family, with the metrics of prometheus-cpp. prometheus::Family is not used,
/// because a scrape would copy all its series with their labels, which takes longer than to write
/// them, and because it removes a series in linear time.
template<typename Metric>
class SeriesFamily : public MetricFamilyBase
{
    using SeriesByLabels = std::map<SeriesLabels, Metric, SeriesLabelsLess>;

    struct Remove
    {
        SeriesFamily *family = nullptr;
        typename SeriesByLabels::iterator position{};

        void operator()(Metric * /*series*/) const
        {
            const std::lock_guard lock(family->m_mutex);
            family->m_series.erase(position);
        }
    };

public:
    /// A series that is removed with its owner.
    using Owned = std::unique_ptr<Metric, Remove>;

    SeriesFamily(FamiliesByName &all, const char *name, const char *help)
        : m_name(name)
        , m_help(help)
    {
        all.emplace(m_name, this);
    }

    /// Returns the series with these labels, and creates it on demand with the arguments of the
    /// metric's constructor.
    template<typename... Arguments>
    Metric &add(SeriesLabels labels, Arguments &&...arguments)
    {
        return find(std::move(labels), std::forward<Arguments>(arguments)...)->second;
    }

    /// The same, with an owner. A series has at most one.
    template<typename... Arguments>
    [[nodiscard]] Owned own(SeriesLabels labels, Arguments &&...arguments)
    {
        const auto position = find(std::move(labels), std::forward<Arguments>(arguments)...);
        return {&position->second, {this, position}};
    }

    void write(ExpositionWriter &writer) const override
    {
        const std::lock_guard lock(m_mutex);
        if (m_series.empty())
            return;
        writer.beginFamily(m_name, m_help, Metric::metric_type);
        for (const auto &[labels, metric] : m_series) {
            if constexpr (Metric::metric_type == prometheus::MetricType::Histogram)
                writer.addHistogram(labels, metric.Collect().histogram);
            else
                writer.addValue(labels, metric.Value());
        }
    }

    [[nodiscard]] prometheus::MetricFamily collect() const override
    {
        const std::lock_guard lock(m_mutex);
        prometheus::MetricFamily result{m_name, m_help, Metric::metric_type, {}};
        result.metric.reserve(m_series.size());
        for (const auto &[labels, metric] : m_series)
            result.metric.emplace_back(metric.Collect()).label = labels;
        return result;
    }

private:
    template<typename... Arguments>
    typename SeriesByLabels::iterator find(SeriesLabels labels, Arguments &&...arguments)
    {
        std::ranges::sort(labels, {}, &prometheus::ClientMetric::Label::name);
        const std::lock_guard lock(m_mutex);
        return m_series.try_emplace(std::move(labels), std::forward<Arguments>(arguments)...).first;
    }

    const std::string m_name;
    const std::string m_help;
    mutable std::mutex m_mutex;
    SeriesByLabels m_series;
};

/// A series that is removed with its owner.
template<typename Metric>
using Series = typename SeriesFamily<Metric>::Owned;

} // namespace Rekindle
