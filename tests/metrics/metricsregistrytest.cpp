// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "exposition.h"
#include "testprogram.h"

#include <rekindle/policy/toolcallfinished.h>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <sstream>

using namespace Rekindle;
using namespace std::chrono_literals;

/// The registry of a collector, as a host uses it.
class MetricsRegistryTest : public QObject
{
    Q_OBJECT

    static QByteArray textOfLibrary(const std::vector<prometheus::MetricFamily> &families)
    {
        std::ostringstream out;
        prometheus::TextSerializer().Serialize(out, families);
        return QByteArray::fromStdString(out.str());
    }

private Q_SLOTS:
    // Names that must be escaped, and names whose order differs from the order of their lines.
    void textEqualsTextOfLibrary()
    {
        CollectedStage stage;
        for (const char *name : {"b", "a-b", "a"})
            stage.add(text(name), runs("started ready fail"));
        stage.play(text("startAll +100s"));
        for (const char *name : {"a", "unknown"}) {
            ToolCallFinished call;
            call.agent = text(name);
            call.tool = text("\"a\"\\ \xc3\xa4");
            call.duration = 120ms;
            call.attempts.resize(2);
            stage.collector.count(call);
        }
        QCOMPARE(stage.value("agent_starts_total{agent=\"a\"}"), 5);
        QCOMPARE(stage.collector.text(), textOfLibrary(stage.collector.registry()->Collect()));
    }

    void hostAddsFamilies()
    {
        CollectedStage stage;
        prometheus::Registry &registry = *stage.collector.registry();
        prometheus::BuildGauge().Name("aaa").Register(registry).Add({}).Set(1);
        prometheus::BuildGauge().Name("host").Help("Help.").Register(registry).Add({}).Set(2);
        prometheus::BuildGauge().Name("zzz").Register(registry).Add({{"a", "b"}}).Set(3);
        const QByteArray text = stage.collector.text();
        QVERIFY(text.startsWith("# TYPE aaa gauge\naaa 1\n# HELP agent_ready_"));
        QVERIFY(
            text.contains("\n# HELP host Help.\n# TYPE host gauge\nhost 2\n# HELP license_tier"));
        QVERIFY(text.endsWith("\n# TYPE zzz gauge\nzzz{a=\"b\"} 3\n"));
        QCOMPARE(text, textOfLibrary(registry.Collect()));
    }

    void hostAddsSeriesToFamilyOfCollector()
    {
        CollectedStage stage;
        prometheus::Registry &registry = *stage.collector.registry();
        prometheus::BuildGauge().Name("agents").Register(registry).Add({{"series", "pool"}}).Set(7);
        QVERIFY(stage.collector.text().contains(
            "\n# HELP agents Agents with series of their own, and agents that share _other.\n"
            "# TYPE agents gauge\n"
            "agents{series=\"own\"} 0\nagents{series=\"pool\"} 7\nagents{series=\"shared\"} 0\n"));
        QCOMPARE(stage.collector.text().count("# TYPE agents gauge"), 1);
    }

    void removesSeriesWithAgent()
    {
        CollectedStage stage;
        const QByteArray before = stage.collector.text();
        const QUuid id = stage.add(text("a"), runs("started ready"));
        QVERIFY(stage.collector.text().contains("agent=\"a\""));
        stage.supervisor.remove(id);
        stage.advance(0s);
        QCOMPARE(stage.collector.text(), before);
    }
};

REKINDLE_TEST(MetricsRegistryTest)
#include "metricsregistrytest.moc"
