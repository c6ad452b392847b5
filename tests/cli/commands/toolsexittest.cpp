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
    void codes_data();
    void codes();
    void badArguments_data();
    void badArguments();
    void usage_data();
    void usage();
    void stdinThatGivesNothing_data();
    void stdinThatGivesNothing();
    void stdoutThatTakesNothing_data();
    void stdoutThatTakesNothing();
};

void ToolsExitTest::codes_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char *name, const QStringList &arguments, int code,
                        const char *said) {
        QTest::newRow(name) << arguments << code << QByteArray(said);
    };
    row("the tool has failed", onServer(words("call", "fail")), 2,
        "rekindle: fail: the tool says that it has failed\n");
    row("no such tool", onServer(words("call", "nosuch")), 69,
        "nosuch: attempt 1 failed (Refused: ");
    row("the server died", onServer(words("call", "crash")), 69, "SIGKILL");
    row("deadline", onServer(words("call", "silent", "--deadline", "500ms")), 124,
        "silent: the deadline has passed after 5");
    row("attempt", onServer(words("call", "silent", "--attempt-timeout", "200ms")), 69,
        "silent: not tried again, for it may have been carried out\n");
    row("breaker",
        onServer(words("call", "fail", "--retry", "always", "--max-retries", "0",
                       "--circuit-breaker", "1:1m", "--repeat", "2")),
        75, "fail: not called: its circuit breaker is open for ");
    row("not found", words("tools", "call", "echo", "--", "no-such-mcp-server"), 127,
        "no-such-mcp-server");
    row("not executable", words("tools", "list", "--", "/etc/passwd"), 126, "/etc/passwd");
    row("quiet", onServer(words("call", "crash", "--quiet")), 69,
        "rekindle: crash: not tried again, for it may have been carried out (Lost: ");
    row("policy", onServer(words("call", "echo", "--policy", "nosuch")), 78,
        "unknown policy \"nosuch\"");
    row("list, deadline",
        onServer(words("list", "--deadline", "300ms"), words("--silent", "initialize")), 124,
        "tools/list: the deadline has passed after ");
    row("list, silent server",
        onServer(words("list", "--deadline", "2s"), words("--silent", "initialize")), 124,
        "tools/list: attempt 1 failed (NotReady: mcpserver was started but did not answer the "
        "handshake within ");
}

void ToolsExitTest::codes()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, said);
    CommandRun run(arguments);
    QTEST(run.complete(), "code");
    QVERIFY2(run.error().contains(said), run.error().constData());
}

void ToolsExitTest::badArguments_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char *json, const char *said) {
        QTest::newRow(json) << QString::fromLatin1(json) << QByteArray(said);
    };
    row("", "JSON: empty, expected a JSON value\n");
    row("{\"message\": hi}", "JSON:1:13: ");
    row("{\n\"message\": 'hi'}", "JSON:2:12: ");
    row("[1]", "JSON:1:1: found no object, allowed one such as {\"message\": \"hi\"}\n");
}

void ToolsExitTest::badArguments()
{
    QFETCH(QString, json);
    QFETCH(QByteArray, said);
    CommandRun run(onServer(words("call", "echo", json)));
    QCOMPARE(run.complete(), 64);
    QCOMPARE(run.output(), QByteArray());
    QVERIFY2(run.error().startsWith(said), run.error().constData());
    QCOMPARE(run.error().count('\n'), 1);
}

void ToolsExitTest::usage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char *name, const QStringList &arguments, const char *said) {
        QTest::newRow(name) << arguments << QByteArray(said);
    };
    row("no command", words("tools"), "rekindle tools: ");
    row("no server", words("tools", "list"),
        "rekindle tools list: found no server, it comes after --, as in: rekindle tools list -- "
        "SERVER");
    row("no tool", onServer(words("call")), "rekindle tools call: ");
    row("an empty tool", onServer(words("call", "")), "found no name");
    row("repeat", onServer(words("call", "echo", "--repeat", "0")), "--repeat");
    row("retry", onServer(words("call", "echo", "--retry", "maybe")), "--retry");
    row("deadline", onServer(words("call", "echo", "--deadline", "0s")),
        "--deadline: found 0, allowed more than that");
    row("attempt", onServer(words("list", "--attempt-timeout", "soon")),
        "--attempt-timeout: found \"soon\", allowed a duration");
    row("list a tool", onServer(words("list", "echo")), "unexpected argument echo");
}

void ToolsExitTest::usage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, said);
    CommandRun run(arguments);
    QCOMPARE(run.complete(), 64);
    QCOMPARE(run.output(), QByteArray());
    QVERIFY2(run.error().contains(said), run.error().constData());
    QCOMPARE(run.error().count('\n'), 1);
}

void ToolsExitTest::stdinThatGivesNothing_data()
{
    QTest::addColumn<QString>("input");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("folder") << QStringLiteral("</")
                            << QByteArray("rekindle: stdin: it cannot be read: Is a directory\n");
    QTest::newRow("closed") << QStringLiteral("<&-")
                            << QByteArray("rekindle: stdin: it cannot be read: it is closed\n");
    QTest::newRow("empty") << QStringLiteral("</dev/null")
                           << QByteArray("stdin: empty, expected a JSON value\n");
}

void ToolsExitTest::stdinThatGivesNothing()
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

void ToolsExitTest::stdoutThatTakesNothing_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QByteArray>("said");
    const QString server = QStringLiteral(" -- '" REKINDLE_MCPSERVER "'");
    for (const QString &command :
         words("tools list", "tools list --json", "tools call state", "tools call state --json")) {
        QTest::addRow("full: %s", qPrintable(command))
            << command + server + QLatin1String(" >/dev/full")
            << QByteArray("rekindle: stdout: No space left on device\n");
        QTest::addRow("closed: %s", qPrintable(command)) << command + server
                + QLatin1String(" >&-") << QByteArray("rekindle: stdout: it is closed\n");
    }
}

void ToolsExitTest::stdoutThatTakesNothing()
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
