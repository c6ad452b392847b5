// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/metrics/export.h>

#include <prometheus/metric_family.h>

#include <QByteArray>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace Rekindle {

/// Sorted by name.
using SeriesLabels = std::vector<prometheus::ClientMetric::Label>;

/// The order of the series of a family.
struct SeriesLabelsLess
{
    [[nodiscard]] REKINDLE_METRICS_EXPORT bool operator()(const SeriesLabels &left,
                                                          const SeriesLabels &right) const;
};

/// Writes metrics in the text format of Prometheus (version 0.0.4). The lines are
/// equal to those from prometheus::TextSerializer, which formats with streams and takes several
/// times as long.
class REKINDLE_METRICS_EXPORT ExpositionWriter
{
public:
    /// Adds a family with its metrics, sorted by labels.
    void add(const prometheus::MetricFamily &family);

    /// Adds the first lines of a family. Its metrics follow, each with one call of the next
    /// functions. `name` must outlive these calls.
    void beginFamily(std::string_view name, std::string_view help, prometheus::MetricType type);
    void addValue(const SeriesLabels &labels, double value);
    void addHistogram(const SeriesLabels &labels,
                      const prometheus::ClientMetric::Histogram &histogram);

    [[nodiscard]] QByteArray text() const { return QByteArray::fromStdString(m_text); }

private:
    void addMetric(prometheus::MetricType type, const prometheus::ClientMetric &metric);
    void addSummary(const SeriesLabels &labels, const prometheus::ClientMetric::Summary &summary);

    void beginLine(const SeriesLabels &labels, std::string_view suffix = {});
    /// A line with a further label, whose value is a number.
    void beginLine(const SeriesLabels &labels, std::string_view suffix, std::string_view label,
                   double value);
    void addNameAndLabels(const SeriesLabels &labels, std::string_view suffix);
    void addLabelValue(std::string_view value);
    template<typename Number>
    void endLine(Number value);

    template<typename... Parts>
    void addAll(const Parts &...parts)
    {
        (add(parts), ...);
    }
    void add(std::string_view text) { m_text += text; }
    void add(double value);
    void add(std::uint64_t value) { addDigits(value); }
    template<typename... Format>
    void addDigits(Format... format);

    std::string_view m_name;      ///< of the family
    std::int64_t m_timestamp = 0; ///< of the metric, in ms; 0 if there is none
    std::string m_text;           ///< appends faster than a QByteArray
};

} // namespace Rekindle
