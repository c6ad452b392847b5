// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "metrics/expositionwriter_p.h"
#include "testprogram.h"

#include <prometheus/text_serializer.h>

#include <cmath>
#include <limits>
#include <sstream>

using namespace Rekindle;
using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

/// The text format, compared with prometheus::TextSerializer.
class ExpositionWriterTest : public QObject
{
    Q_OBJECT

    static QByteArray textOfLibrary(const std::vector<MetricFamily> &families)
    {
        std::ostringstream out;
        prometheus::TextSerializer().Serialize(out, families);
        return QByteArray::fromStdString(out.str());
    }

    static QByteArray textOf(const std::vector<MetricFamily> &families)
    {
        ExpositionWriter writer;
        for (const MetricFamily &family : families)
            writer.add(family);
        return writer.text();
    }

    static ClientMetric metric(std::vector<ClientMetric::Label> labels)
    {
        ClientMetric result;
        result.label = std::move(labels);
        return result;
    }

private Q_SLOTS:
    void writesNumbersLikeLibrary()
    {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        MetricFamily family{"value", "Any number.", MetricType::Gauge, {}};
        char name = 'a';
        for (const double value :
             {0., 1., -1., 0.1, 1.0 / 3, 100'000., 1e15, 123'456'789'012'345., 1e16, 1e17, 1.5e300,
              -2.5e-7, 1'767'225'730.25, 5e-324, infinity, -infinity, std::nan("")}) {
            family.metric.push_back(metric({{"name", std::string(1, name++)}}));
            family.metric.back().gauge.value = value;
        }
        QCOMPARE(textOf({family}), textOfLibrary({family}));
    }

    void writesLabelsLikeLibrary()
    {
        MetricFamily family{"labels_total", "", MetricType::Counter, {}};
        family.metric.push_back(metric({}));
        family.metric.push_back(metric({{"a", ""}}));
        family.metric.push_back(metric({{"a", "\"quoted\" \\ back\nline\\"}, {"b", "\xc3\xa4"}}));
        family.metric.back().timestamp_ms = 1'767'225'730'250;
        QCOMPARE(textOf({family}), textOfLibrary({family}));
    }

    // A host may add series of all types.
    void writesAllTypesLikeLibrary()
    {
        std::vector<MetricFamily> families;
        for (const MetricType type : {MetricType::Counter, MetricType::Gauge, MetricType::Summary,
                                      MetricType::Untyped, MetricType::Histogram}) {
            MetricFamily family{std::string("family_") + static_cast<char>('a' + families.size()),
                                "Help.",
                                type,
                                {}};
            for (ClientMetric each : {metric({}), metric({{"agent", "web"}})}) {
                each.counter.value = 1;
                each.gauge.value = 2;
                each.untyped.value = 3;
                each.summary = {4, 0.5, {{0.5, 0.25}, {0.99, 7}}};
                each.histogram = {5, 0.75, {{2, 0.01}, {3, 1e-4}}};
                family.metric.push_back(each);
            }
            families.push_back(family);
        }
        QCOMPARE(textOf(families), textOfLibrary(families));
    }

    void sortsByLabels()
    {
        MetricFamily family{"b", "", MetricType::Gauge, {}};
        family.metric = {metric({{"x", "a b"}}), metric({{"x", "b"}}), metric({{"x", "a"}})};
        QCOMPARE(textOf({family}), "# TYPE b gauge\nb{x=\"a\"} 0\nb{x=\"a b\"} 0\nb{x=\"b\"} 0\n");
    }
};

REKINDLE_TEST(ExpositionWriterTest)
#include "expositionwritertest.moc"
