// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <rekindle/telemetry/telemetrystore.h>

#include <QTemporaryDir>
#include <QTest>

using namespace Rekindle;

/// `history --calls`; `history` alone shows no tool calls.
class HistoryCallsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsToolCalls();
    void reportsNoToolCalls();

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

REKINDLE_TEST(HistoryCallsTest)
#include "historycallstest.moc"
