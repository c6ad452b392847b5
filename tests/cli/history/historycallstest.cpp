// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <rekindle/telemetry/telemetrystore.h>

using namespace Rekindle;

/// `history --calls`; `history` alone shows no tool calls.
class HistoryCallsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsToolCalls();
    void reportsNoToolCalls();
    void suggestsCallsIfThereAreNoEvents();

private:
    QTemporaryDir m_folder;
};

void HistoryCallsTest::showsToolCalls()
{
    const QString path = m_folder.filePath(QStringLiteral("calls.sqlite"));
    {
        ToolCallFinished call;
        call.agent = QStringLiteral("files");
        call.tool = QStringLiteral("read_file");
        call.duration = std::chrono::milliseconds(1500);
        call.attempts = {{.failure = QStringLiteral("Refused")}, {}};
        ToolCallFinished bad = call;
        bad.end = ToolCallEnd::AttemptsExhausted;
        bad.failure = QStringLiteral("Refused");
        bad.message = QStringLiteral("no\ndisk");
        bad.breakerOpened = true;
        AgentStopped stopped;
        stopped.agent = QStringLiteral("files");
        stopped.sequence = 1;
        TelemetryStore store({.path = path});
        store.appendToolCall(call);
        store.append(stopped);
        store.appendToolCall(bad);
    }
    CompletedRun all(words("history", "--store", path));
    QVERIFY(all.output().contains("  files  stopped\n"));
    QVERIFY(!all.output().contains("call of read_file"));
    CompletedRun newest(words("history", "--store", path, "--limit", "1"));
    QVERIFY(newest.output().contains("  files  stopped\n"));
    CompletedRun calls(words("history", "--store", path, "--calls"));
    QVERIFY(!calls.output().contains("stopped"));
    VERIFY_CONTAINS(calls.output(),
                    "  files  call of read_file: answered after 1.5s, retries: 1\n");
    VERIFY_CONTAINS(calls.output(),
                    "  files  call of read_file: Refused (no disk) after 1.5s,"
                    " retries: 1, ended by AttemptsExhausted; circuit breaker"
                    " opened\n");
    CompletedRun json(words("history", "files", "--store", path, "--calls", "--json"));
    const QList<QJsonObject> lines = jsonLines(json.output());
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines[0][QLatin1String("id")].toString(), QStringLiteral("call-1"));
    QCOMPARE(lines[1][QLatin1String("id")].toString(), QStringLiteral("call-2"));
    QCOMPARE(lines[1][QLatin1String("type")].toString(),
             QStringLiteral("rekindle.tool.finished.v1"));
}

void HistoryCallsTest::reportsNoToolCalls()
{
    const QString path = m_folder.filePath(QStringLiteral("none.sqlite"));
    {
        AgentStopped stopped;
        stopped.agent = QStringLiteral("files");
        stopped.sequence = 1;
        TelemetryStore store({.path = path});
        store.append(stopped);
    }
    CompletedRun none(words("history", "--store", path, "--calls"));
    QCOMPARE(none.output(), QByteArray());
    QVERIFY(none.error().contains(": no tool calls\n"));
}

void HistoryCallsTest::suggestsCallsIfThereAreNoEvents()
{
    const QString path = m_folder.filePath(QStringLiteral("only.sqlite"));
    {
        ToolCallFinished call;
        call.agent = QStringLiteral("files");
        call.tool = QStringLiteral("read_file");
        TelemetryStore store({.path = path});
        store.appendToolCall(call);
    }
    CompletedRun all(words("history", "--store", path));
    QCOMPARE(all.output(), QByteArray());
    VERIFY_CONTAINS(all.error(), ": no events; use --calls to show tool calls\n");
    CompletedRun files(words("history", "files", "--store", path));
    VERIFY_CONTAINS(files.error(), ": no events of files; use --calls to show tool calls\n");
    CompletedRun later(words("history", "--store", path, "--since", "2100-01-01T00:00:00Z"));
    VERIFY_CONTAINS(later.error(), ": no events since 2100-01-01T00:00:00.000Z");
    QVERIFY(!later.error().contains("--calls"));
}

REKINDLE_TEST(HistoryCallsTest)
#include "historycallstest.moc"
