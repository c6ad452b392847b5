// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "expositiontext_p.h"

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

class ExpositionWriter
{
public:
    void add(const MetricFamily &family);

    [[nodiscard]] QByteArray text() const { return QByteArray::fromStdString(m_text); }

private:
    void addMetric(const MetricFamily &family, const ClientMetric &metric);
    void addSummary(const MetricFamily &family, const ClientMetric &metric);
    void addHistogram(const MetricFamily &family, const ClientMetric &metric);

    void beginLine(const MetricFamily &family, const ClientMetric &metric,
                   std::string_view suffix = {});
    /// A line with a further label, whose value is a number.
    void beginLine(const MetricFamily &family, const ClientMetric &metric, std::string_view suffix,
                   std::string_view label, double value);
    void addHead(const MetricFamily &family, const ClientMetric &metric, std::string_view suffix);
    void addLabelValue(std::string_view value);
    template<typename Number>
    void endLine(const ClientMetric &metric, Number value);

    void add(std::string_view text) { m_text += text; }
    void add(double value);
    void add(std::uint64_t value) { addDigits(value); }
    template<typename... Format>
    void addDigits(Format... format);

    std::string m_text; // appends faster than a QByteArray
};

// The standard comparison of two vectors compares each string up to four times.
bool isBefore(const ClientMetric *left, const ClientMetric *right)
{
    const auto compare = [](const ClientMetric::Label &one, const ClientMetric::Label &other) {
        const std::strong_ordering byName = one.name <=> other.name;
        return std::is_neq(byName) ? byName : one.value <=> other.value;
    };
    return std::is_lt(std::lexicographical_compare_three_way(
        left->label.begin(), left->label.end(), right->label.begin(), right->label.end(), compare));
}

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

void ExpositionWriter::add(const MetricFamily &family)
{
    if (!family.help.empty()) {
        add("# HELP ");
        add(family.name);
        add(" ");
        add(family.help);
        add("\n");
    }
    add("# TYPE ");
    add(family.name);
    add(" ");
    add(nameOf(family.type));
    add("\n");
    // A metric is large, so pointers are sorted.
    std::vector<const ClientMetric *> metrics;
    metrics.reserve(family.metric.size());
    for (const ClientMetric &metric : family.metric)
        metrics.push_back(&metric);
    std::ranges::sort(metrics, isBefore);
    for (const ClientMetric *metric : metrics)
        addMetric(family, *metric);
}

void ExpositionWriter::addMetric(const MetricFamily &family, const ClientMetric &metric)
{
    switch (family.type) {
    case MetricType::Summary:
        addSummary(family, metric);
        return;
    case MetricType::Histogram:
        addHistogram(family, metric);
        return;
    case MetricType::Counter:
        beginLine(family, metric);
        endLine(metric, metric.counter.value);
        return;
    case MetricType::Gauge:
        beginLine(family, metric);
        endLine(metric, metric.gauge.value);
        return;
    default:
        beginLine(family, metric);
        endLine(metric, metric.untyped.value);
        return;
    }
}

void ExpositionWriter::addSummary(const MetricFamily &family, const ClientMetric &metric)
{
    beginLine(family, metric, "_count");
    endLine(metric, metric.summary.sample_count);
    beginLine(family, metric, "_sum");
    endLine(metric, metric.summary.sample_sum);
    for (const ClientMetric::Quantile &each : metric.summary.quantile) {
        beginLine(family, metric, {}, "quantile", each.quantile);
        endLine(metric, each.value);
    }
}

void ExpositionWriter::addHistogram(const MetricFamily &family, const ClientMetric &metric)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const ClientMetric::Histogram &histogram = metric.histogram;
    beginLine(family, metric, "_count");
    endLine(metric, histogram.sample_count);
    beginLine(family, metric, "_sum");
    endLine(metric, histogram.sample_sum);
    for (const ClientMetric::Bucket &bucket : histogram.bucket) {
        beginLine(family, metric, "_bucket", "le", bucket.upper_bound);
        endLine(metric, bucket.cumulative_count);
    }
    if (histogram.bucket.empty() || histogram.bucket.back().upper_bound != infinity) {
        beginLine(family, metric, "_bucket", "le", infinity);
        endLine(metric, histogram.sample_count);
    }
}

// Does not write the closing brace of the labels.
void ExpositionWriter::addHead(const MetricFamily &family, const ClientMetric &metric,
                               std::string_view suffix)
{
    add(family.name);
    add(suffix);
    std::string_view separator = "{";
    for (const ClientMetric::Label &label : metric.label) {
        add(separator);
        add(label.name);
        add("=\"");
        addLabelValue(label.value);
        add("\"");
        separator = ",";
    }
}

void ExpositionWriter::beginLine(const MetricFamily &family, const ClientMetric &metric,
                                 std::string_view suffix)
{
    addHead(family, metric, suffix);
    add(metric.label.empty() ? " " : "} ");
}

void ExpositionWriter::beginLine(const MetricFamily &family, const ClientMetric &metric,
                                 std::string_view suffix, std::string_view label, double value)
{
    addHead(family, metric, suffix);
    add(metric.label.empty() ? "{" : ",");
    add(label);
    add("=\"");
    add(value);
    add("\"} ");
}

void ExpositionWriter::addLabelValue(std::string_view value)
{
    while (!value.empty()) {
        const std::size_t plain = std::min(value.find_first_of("\\\"\n"), value.size());
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
void ExpositionWriter::endLine(const ClientMetric &metric, Number value)
{
    add(value);
    if (metric.timestamp_ms != 0) {
        add(" ");
        addDigits(metric.timestamp_ms);
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

} // namespace

QByteArray expositionText(std::vector<MetricFamily> families)
{
    std::ranges::sort(families, {}, &MetricFamily::name);
    ExpositionWriter writer;
    for (const MetricFamily &family : families)
        writer.add(family);
    return writer.text();
}

} // namespace Rekindle
