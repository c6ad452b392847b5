// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "expositionwriter_p.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <compare>
#include <limits>
#include <string>
#include <string_view>

namespace Rekindle {

namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

constexpr double greatestInteger = 1e15; // all integers up to it are exact
constexpr int precision = 16;            // significant digits

std::string_view nameOf(MetricType type)
{
    switch (type) {
    case MetricType::Counter:
        return "counter";
    case MetricType::Gauge:
        return "gauge";
    case MetricType::Summary:
        return "summary";
    case MetricType::Histogram:
        return "histogram";
    default:
        return "untyped";
    }
}

} // namespace

// The standard comparison of two vectors compares each string up to four times.
bool SeriesLabelsLess::operator()(const SeriesLabels &left, const SeriesLabels &right) const
{
    const auto compare = [](const ClientMetric::Label &one, const ClientMetric::Label &other) {
        const std::strong_ordering byName = one.name <=> other.name;
        return std::is_neq(byName) ? byName : one.value <=> other.value;
    };
    return std::is_lt(std::lexicographical_compare_three_way(left.begin(), left.end(),
                                                             right.begin(), right.end(), compare));
}

void ExpositionWriter::add(const MetricFamily &family)
{
    beginFamily(family.name, family.help, family.type);
    // A metric is large, so pointers are sorted.
    std::vector<const ClientMetric *> metrics;
    metrics.reserve(family.metric.size());
    for (const ClientMetric &metric : family.metric)
        metrics.push_back(&metric);
    std::ranges::sort(metrics, SeriesLabelsLess(), &ClientMetric::label);
    for (const ClientMetric *metric : metrics) {
        m_timestamp = metric->timestamp_ms;
        addMetric(family.type, *metric);
    }
    m_timestamp = 0;
}

void ExpositionWriter::beginFamily(std::string_view name, std::string_view help, MetricType type)
{
    m_name = name;
    if (!help.empty())
        addAll("# HELP ", name, " ", help, "\n");
    addAll("# TYPE ", name, " ", nameOf(type), "\n");
}

void ExpositionWriter::addMetric(MetricType type, const ClientMetric &metric)
{
    switch (type) {
    case MetricType::Summary:
        addSummary(metric.label, metric.summary);
        return;
    case MetricType::Histogram:
        addHistogram(metric.label, metric.histogram);
        return;
    case MetricType::Counter:
        addValue(metric.label, metric.counter.value);
        return;
    case MetricType::Gauge:
        addValue(metric.label, metric.gauge.value);
        return;
    default:
        addValue(metric.label, metric.untyped.value);
        return;
    }
}

void ExpositionWriter::addValue(const SeriesLabels &labels, double value)
{
    beginLine(labels);
    endLine(value);
}

void ExpositionWriter::addSummary(const SeriesLabels &labels, const ClientMetric::Summary &summary)
{
    beginLine(labels, "_count");
    endLine(summary.sample_count);
    beginLine(labels, "_sum");
    endLine(summary.sample_sum);
    for (const ClientMetric::Quantile &each : summary.quantile) {
        beginLine(labels, {}, "quantile", each.quantile);
        endLine(each.value);
    }
}

void ExpositionWriter::addHistogram(const SeriesLabels &labels,
                                    const ClientMetric::Histogram &histogram)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    beginLine(labels, "_count");
    endLine(histogram.sample_count);
    beginLine(labels, "_sum");
    endLine(histogram.sample_sum);
    for (const ClientMetric::Bucket &bucket : histogram.bucket) {
        beginLine(labels, "_bucket", "le", bucket.upper_bound);
        endLine(bucket.cumulative_count);
    }
    if (histogram.bucket.empty() || histogram.bucket.back().upper_bound != infinity) {
        beginLine(labels, "_bucket", "le", infinity);
        endLine(histogram.sample_count);
    }
}

// Does not write the closing brace of the labels.
void ExpositionWriter::addNameAndLabels(const SeriesLabels &labels, std::string_view suffix)
{
    addAll(m_name, suffix);
    std::string_view separator = "{";
    for (const ClientMetric::Label &label : labels) {
        addAll(separator, label.name, "=\"");
        addLabelValue(label.value);
        add("\"");
        separator = ",";
    }
}

void ExpositionWriter::beginLine(const SeriesLabels &labels, std::string_view suffix)
{
    addNameAndLabels(labels, suffix);
    add(labels.empty() ? " " : "} ");
}

void ExpositionWriter::beginLine(const SeriesLabels &labels, std::string_view suffix,
                                 std::string_view label, double value)
{
    addNameAndLabels(labels, suffix);
    addAll(labels.empty() ? "{" : ",", label, "=\"", value, "\"} ");
}

void ExpositionWriter::addLabelValue(std::string_view value)
{
    while (!value.empty()) {
        const auto *const special = std::ranges::find_if(
            value, [](char each) { return each == '\\' || each == '"' || each == '\n'; });
        const auto plain = static_cast<std::size_t>(special - value.begin());
        add(value.substr(0, plain));
        value.remove_prefix(plain);
        if (value.empty())
            return;
        add("\\");
        add(value.front() == '\n' ? std::string_view("n") : value.substr(0, 1));
        value.remove_prefix(1);
    }
}

template<typename Number>
void ExpositionWriter::endLine(Number value)
{
    add(value);
    if (m_timestamp != 0) {
        add(" ");
        addDigits(m_timestamp);
    }
    add("\n");
}

void ExpositionWriter::add(double value)
{
    if (std::isnan(value))
        add("Nan");
    else if (std::isinf(value))
        add(value < 0 ? "-Inf" : "+Inf");
    else if (std::abs(value) < greatestInteger && std::trunc(value) == value)
        addDigits(static_cast<std::int64_t>(value));
    else
        addDigits(value, std::chars_format::general, precision);
}

template<typename... Format>
void ExpositionWriter::addDigits(Format... format)
{
    std::array<char, 32> digits{};
    const std::to_chars_result result =
        std::to_chars(digits.data(), digits.data() + digits.size(), format...);
    m_text.append(digits.data(), result.ptr);
}

} // namespace Rekindle
