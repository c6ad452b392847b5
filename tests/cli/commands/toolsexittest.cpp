// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/toolsrun.h"
#include "testprogram.h"

#include <QTest>

using namespace Rekindle;

/// What `rekindle tools` ends with, and what it says where it was called in a wrong way.
class ToolsExitTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void exitCodes_data();
    void exitCodes();
    void rejectsArguments_data();
    void rejectsArguments();
    void rejectsUsage_data();
    void rejectsUsage();
    void rejectsStdin_data();
    void rejectsStdin();
    void reportsFailedStdout_data();
    void reportsFailedStdout();
};

void ToolsExitTest::exitCodes_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char *name, const QStringList &arguments, int code,
                        const char *said) {
        QTest::newRow(name) << arguments << code << QByteArray(said);
    };
    row("the tool has failed", onServer(words("call", "fail")), 2,
        "rekindle: fail: the tool reported an error\n");
    row("no such tool", onServer(words("call", "nosuch")), 69,
        "nosuch: attempt 1 failed (Refused: ");
    row("the server died", onServer(words("call", "crash")), 69, "SIGKILL");
    row("deadline", onServer(words("call", "silent", "--deadline", "500ms")), 124,
        "silent: deadline exceeded after 5");
    row("attempt", onServer(words("call", "silent", "--attempt-timeout", "200ms")), 69,
        "silent: not retried, because it may have been executed\n");
    row("breaker",
        onServer(words("call", "fail", "--retry", "always", "--max-retries", "0",
                       "--circuit-breaker", "1:1m", "--repeat", "2")),
        75, "fail: not called: circuit breaker open for ");
    row("not found", words("tools", "call", "echo", "--", "no-such-mcp-server"), 127,
        "no-such-mcp-server");
    row("not executable", words("tools", "list", "--", "/etc/passwd"), 126, "/etc/passwd");
    row("quiet", onServer(words("call", "crash", "--quiet")), 69,
        "rekindle: crash: not retried, because it may have been executed (Lost: ");
    row("policy", onServer(words("call", "echo", "--policy", "nosuch")), 78,
        "unknown policy \"nosuch\"");
    row("list, deadline",
        onServer(words("list", "--deadline", "300ms"), words("--silent", "initialize")), 124,
        "tools/list: deadline exceeded after ");
    row("list, silent server",
        onServer(words("list", "--deadline", "2s"), words("--silent", "initialize")), 124,
        "tools/list: attempt 1 failed (NotReady: mcpserver was started but did not answer the "
        "handshake within ");
}

void ToolsExitTest::exitCodes()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, said);
    CommandRun run(arguments);
    QTEST(run.complete(), "code");
    QVERIFY2(run.error().contains(said), run.error().constData());
}

void ToolsExitTest::rejectsArguments_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char *json, const char *said) {
        QTest::newRow(json) << QString::fromLatin1(json) << QByteArray(said);
    };
    row("", "JSON: empty, expected a JSON value\n");
    row("{\"message\": hi}", "JSON:1:13: ");
    row("{\n\"message\": 'hi'}", "JSON:2:12: ");
    row("[1]", "JSON:1:1: expected an object such as {\"message\": \"hi\"}\n");
}

void ToolsExitTest::rejectsArguments()
{
    QFETCH(QString, json);
    QFETCH(QByteArray, said);
    CommandRun run(onServer(words("call", "echo", json)));
    QCOMPARE(run.complete(), 64);
    QCOMPARE(run.output(), QByteArray());
    QVERIFY2(run.error().startsWith(said), run.error().constData());
    QCOMPARE(run.error().count('\n'), 1);
}

void ToolsExitTest::rejectsUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char *name, const QStringList &arguments, const char *said) {
        QTest::newRow(name) << arguments << QByteArray(said);
    };
    row("no command", words("tools"), "rekindle tools: ");
    row("no server", words("tools", "list"),
        "rekindle tools list: missing server; specify it after --: rekindle tools list -- SERVER");
    row("no tool", onServer(words("call")), "rekindle tools call: ");
    row("an empty tool", onServer(words("call", "")), "expected a name, found an empty value");
    row("repeat", onServer(words("call", "echo", "--repeat", "0")), "--repeat");
    row("retry", onServer(words("call", "echo", "--retry", "maybe")), "--retry");
    row("deadline", onServer(words("call", "echo", "--deadline", "0s")),
        "--deadline: expected more than 0, found 0");
    row("attempt", onServer(words("list", "--attempt-timeout", "soon")),
        "--attempt-timeout: expected a duration");
    row("list a tool", onServer(words("list", "echo")), "unexpected argument echo");
}

void ToolsExitTest::rejectsUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, said);
    CommandRun run(arguments);
    QCOMPARE(run.complete(), 64);
    QCOMPARE(run.output(), QByteArray());
    QVERIFY2(run.error().contains(said), run.error().constData());
    QCOMPARE(run.error().count('\n'), 1);
}

void ToolsExitTest::rejectsStdin_data()
{
    QTest::addColumn<QString>("input");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("folder") << QStringLiteral("</")
                            << QByteArray("rekindle: stdin: cannot read: Is a directory\n");
    QTest::newRow("closed") << QStringLiteral("<&-")
                            << QByteArray("rekindle: stdin: cannot read: closed\n");
    QTest::newRow("empty") << QStringLiteral("</dev/null")
                           << QByteArray("stdin: empty, expected a JSON value\n");
}

void ToolsExitTest::rejectsStdin()
{
    QFETCH(QString, input);
    CommandRun run({});
    run.setProgram(QStringLiteral("/bin/sh"));
    run.setArguments(
        words("-c",
              QLatin1String("'" REKINDLE_COMMAND "' tools call echo - -- '" REKINDLE_MCPSERVER "' ")
                  + input));
    QCOMPARE(run.complete(), 64);
    QCOMPARE(run.output(), QByteArray());
    QTEST(run.error(), "said");
}

void ToolsExitTest::reportsFailedStdout_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QByteArray>("said");
    const QString server = QStringLiteral(" -- '" REKINDLE_MCPSERVER "'");
    for (const QString &command :
         words("tools list", "tools list --json", "tools call state", "tools call state --json")) {
        QTest::addRow("full: %s", qPrintable(command))
            << command + server + QLatin1String(" >/dev/full")
            << QByteArray("rekindle: stdout: No space left on device\n");
        QTest::addRow("closed: %s", qPrintable(command))
            << command + server + QLatin1String(" >&-") << QByteArray("rekindle: stdout: closed\n");
    }
}

void ToolsExitTest::reportsFailedStdout()
{
    QFETCH(QString, command);
    CommandRun run({});
    run.setProgram(QStringLiteral("/bin/sh"));
    run.setArguments(words("-c", QLatin1String("'" REKINDLE_COMMAND "' ") + command));
    QCOMPARE(run.complete(), 1);
    QTEST(run.error(), "said");
}

REKINDLE_TEST(ToolsExitTest)
#include "toolsexittest.moc"
