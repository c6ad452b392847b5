// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "exposition.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/toolcallfinished.h>

using namespace Rekindle;
using namespace std::chrono_literals;

/// The metrics of tool calls.
class ToolCallMetricsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsCallsByOutcome_data();
    void countsCallsByOutcome();
    void countsRetries();
    void observesDurations();
    void limitsTools();
    void limitsToolNames_data();
    void limitsToolNames();
    void endsWithTheAgent();
    void unknownServersShareSeries();
};

namespace {

ToolCallFinished callOf(const char *agent, const QString &tool, int attempts = 1)
{
    ToolCallFinished call;
    call.agent = text(agent);
    call.tool = tool;
    call.attempts.resize(attempts);
    return call;
}

} // namespace

void ToolCallMetricsTest::countsCallsByOutcome_data()
{
    QTest::addColumn<ToolCallEnd>("end");
    QTest::addColumn<QString>("failure");
    QTest::addColumn<QByteArray>("outcome");
    const auto row = [](const char *outcome, ToolCallEnd end, const char *failure) {
        QTest::newRow(outcome) << end << text(failure) << QByteArray(outcome);
    };
    row("answered", ToolCallEnd::Answered, "");
    row("answered_with_error", ToolCallEnd::Answered, "ToolError");
    row("attempts_exhausted", ToolCallEnd::AttemptsExhausted, "Refused");
    row("deadline_exceeded", ToolCallEnd::DeadlineExceeded, "Timeout");
    row("not_retryable", ToolCallEnd::NotRetryable, "Lost");
    row("breaker_open", ToolCallEnd::BreakerOpen, "NotReady");
    row("cancelled", ToolCallEnd::Cancelled, "Cancelled");
}

void ToolCallMetricsTest::countsCallsByOutcome()
{
    QFETCH(const ToolCallEnd, end);
    QFETCH(const QString, failure);
    QFETCH(const QByteArray, outcome);
    CollectedStage stage;
    stage.add(text("notes"), runs("started ready"));
    QVERIFY(!stage.collector.text().contains("tool_call"));
    ToolCallFinished call = callOf("notes", text("read"));
    call.end = end;
    call.failure = failure;
    stage.collector.count(call);
    stage.collector.count(call);
    stage.collector.count(callOf("notes", text("write")));
    QCOMPARE(
        stage.value("tool_calls_total{agent=\"notes\",outcome=\"" + outcome + "\",tool=\"read\"}"),
        2);
    QCOMPARE(stage.sum("tool_calls_total"), 3);
}

void ToolCallMetricsTest::countsRetries()
{
    CollectedStage stage;
    stage.add(text("notes"), runs("started ready"));
    const QByteArray series = "tool_call_retries_total{agent=\"notes\",tool=\"read\"}";
    stage.collector.count(callOf("notes", text("read")));
    QCOMPARE(stage.value(series), 0);
    stage.collector.count(callOf("notes", text("read"), 4));
    stage.collector.count(callOf("notes", text("read"), 0));
    QCOMPARE(stage.value(series), 3);
}

// Calls without an attempt would make the server look fast.
void ToolCallMetricsTest::observesDurations()
{
    CollectedStage stage;
    stage.add(text("notes"), runs("started ready"));
    ToolCallFinished call = callOf("notes", text("read"));
    call.duration = 1500ms;
    stage.collector.count(call);
    call.tool = text("write");
    call.duration = 2ms;
    stage.collector.count(call);
    stage.collector.count(callOf("notes", text("read"), 0));
    QCOMPARE(stage.value("tool_call_duration_seconds_count{agent=\"notes\"}"), 2);
    QCOMPARE(stage.value("tool_call_duration_seconds_sum{agent=\"notes\"}"), 1.502);
    QCOMPARE(stage.value("tool_call_duration_seconds_bucket{agent=\"notes\",le=\"0.005\"}"), 1);
}

// A client can invent names.
void ToolCallMetricsTest::limitsTools()
{
    CollectedStage stage;
    for (const char *agent : {"notes", "files"})
        stage.add(text(agent), runs("started ready"));
    stage.collector.count(callOf("notes", QString(129, u'x'))); // counts as _other
    stage.collector.count(callOf("notes", text("_other")));
    for (int i = 0; i < 1000; ++i)
        stage.collector.count(callOf("notes", QString::number(i)));
    stage.collector.count(callOf("notes", text("99")));
    stage.collector.count(callOf("files", text("read")));
    const auto calls = [&stage](const char *agent, const char *tool) {
        return stage.value(QByteArray("tool_calls_total{agent=\"") + agent
                           + "\",outcome=\"answered\",tool=\"" + tool + "\"}");
    };
    QCOMPARE(stage.collector.text().count("\ntool_calls_total{agent=\"notes\""), 101);
    QCOMPARE(stage.collector.text().count("\ntool_call_retries_total{agent=\"notes\""), 101);
    QCOMPARE(calls("notes", "99"), 2);
    QCOMPARE(calls("notes", "_other"), 902);
    QCOMPARE(calls("files", "read"), 1);
}

void ToolCallMetricsTest::limitsToolNames_data()
{
    const Rows<QString, QByteArray> row("tool", "label");
    row("longest", QString(128, u'x'), QByteArray(128, 'x'));
    row("too long", QString(129, u'x'), "_other");
    row("empty", {}, {});
    row("escaped", text("a\"\n\\"), "a\\\"\\n\\\\");
}

void ToolCallMetricsTest::limitsToolNames()
{
    QFETCH(const QString, tool);
    QFETCH(const QByteArray, label);
    CollectedStage stage;
    stage.add(text("notes"), runs("started ready"));
    stage.collector.count(callOf("notes", tool));
    QCOMPARE(stage.value("tool_calls_total{agent=\"notes\",outcome=\"answered\",tool=\"" + label
                         + "\"}"),
             1);
}

void ToolCallMetricsTest::endsWithTheAgent()
{
    CollectedStage stage;
    const QUuid id = stage.add(text("notes"), runs("started ready"));
    stage.collector.count(callOf("notes", text("read")));
    QCOMPARE(stage.sum("tool_calls_total"), 1);
    stage.supervisor.remove(id);
    stage.advance(0s);
    QVERIFY(!stage.collector.text().contains("tool_call"));
}

void ToolCallMetricsTest::unknownServersShareSeries()
{
    CollectedStage stage({.maxAgents = 1});
    for (const char *agent : {"own", "shared"})
        stage.add(text(agent), runs("started ready"));
    for (const char *agent : {"own", "shared", "unknown"})
        stage.collector.count(callOf(agent, text("read")));
    const QByteArray end = "\",outcome=\"answered\",tool=\"read\"}";
    QCOMPARE(stage.value("tool_calls_total{agent=\"own" + end), 1);
    QCOMPARE(stage.value("tool_calls_total{agent=\"_other" + end), 2);
}

REKINDLE_TEST(ToolCallMetricsTest)
#include "toolcallmetricstest.moc"
