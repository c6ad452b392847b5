// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "cli/toolsrun.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

/// `rekindle tools` with the sample server.
class ToolsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void listsTools();
    void listsToolsAsJson();
    void callsTool();
    void readsArgumentsFromStdin();
    void callsToolAsJson();
    void reportsRetries();
    void quietReportsNoRetries();
    void restartOnExitRepeatsTheCall();
    void breakerOpens();
    void retriesFailedStart();
    void sanitizesTextOfServer();
    void writesEvents();
    void recordsCallsInStore();
    void offRecordsNothing();
    void reportsInvalidLines();
    void reportsSlowHandshake();
};

namespace {

// The tool creates `file` before it exits.
QString fileArgument(const QString &path) { return QStringLiteral(R"({"file": "%1"})").arg(path); }

QStringList soon() { return words("--initial-delay", "1ms", "--max-delay", "1ms"); }

} // namespace

void ToolsTest::listsTools()
{
    CompletedRun run(onServer(words("list")));
    QCOMPARE(run.error(), QByteArray());
    const QList<QByteArray> lines = run.output().split('\n');
    QVERIFY(lines.first().startsWith("NAME"));
    const auto line = [&lines](const char *tool) {
        for (const QByteArray &candidate : lines) {
            if (candidate.startsWith(tool))
                return candidate.simplified();
        }
        return QByteArray();
    };
    QCOMPARE(line("echo "), QByteArray("echo - says `message`"));
    QCOMPARE(line("lookup "), QByteArray("lookup read-only says `message`; only reads"));
    QCOMPARE(line("set "), QByteArray("set idempotent the same; annotated as idempotent"));
}

void ToolsTest::listsToolsAsJson()
{
    CompletedRun run(onServer(words("list", "--json"), words("--page-size", "3")));
    const QJsonArray tools = QJsonDocument::fromJson(run.output()).array();
    QVERIFY(tools.size() > 20);
    // The keys have the order of the server.
    const QByteArray text = run.output().simplified().replace(' ', "");
    QVERIFY2(text.contains(R"({"name":"lookup","description":)"), run.output().constData());
    QCOMPARE(
        tools.at(1),
        QJsonValue(QJsonObject{
            {QStringLiteral("name"), QStringLiteral("lookup")},
            {QStringLiteral("description"), QStringLiteral("says `message`; only reads")},
            {QStringLiteral("inputSchema"),
             QJsonObject{{QStringLiteral("type"), QStringLiteral("object")}}},
            {QStringLiteral("annotations"), QJsonObject{{QStringLiteral("readOnlyHint"), true}}}}));
}

void ToolsTest::callsTool()
{
    CompletedRun run(onServer(words("call", "echo", R"({"message": "grüß\ngott"})")));
    QCOMPARE(run.output(), QByteArray("grüß\ngott\n"));
    QCOMPARE(run.error(), QByteArray());

    // No arguments, and {}, which the parser must not read as a list.
    for (const QStringList &arguments : {QStringList(), words("{}")}) {
        CompletedRun empty(onServer(words("call", "echo") + arguments));
        QCOMPARE(empty.output(), QByteArray());
        QCOMPARE(empty.error(), QByteArray());
    }
    CompletedRun three(onServer(words("call", "echo", R"({"message": "m"})", "--repeat", "3")));
    QCOMPARE(three.output(), QByteArray("m\nm\nm\n"));
}

void ToolsTest::readsArgumentsFromStdin()
{
    StartedRun run(onServer(words("call", "echo", "-")));
    run.write("{\n  \"message\": \"by pipe\"\n}\n");
    QCOMPARE(run.endInput(), 0);
    QCOMPARE(run.output(), QByteArray("by pipe\n"));
}

void ToolsTest::callsToolAsJson()
{
    CompletedRun run(onServer(words("call", "echo", R"({"message": "m"})", "--json")));
    QJsonObject outcome = jsonLines(run.output()).value(0);
    QVERIFY(outcome.take(QStringLiteral("durationMs")).toDouble() > 0);
    QCOMPARE(outcome[QLatin1String("end")].toString(), QStringLiteral("Answered"));
    QCOMPARE(outcome[QLatin1String("attempts")].toInt(), 1);
    QCOMPARE(outcome[QLatin1String("result")][QLatin1String("content")][0][QLatin1String("text")],
             QJsonValue(QStringLiteral("m")));

    CompletedRun lost(onServer(words("call", "crash", "--json", "--quiet")), 69);
    outcome = jsonLines(lost.output()).value(0);
    QCOMPARE(outcome[QLatin1String("end")].toString(), QStringLiteral("NotRetryable"));
    QCOMPARE(outcome[QLatin1String("error")][QLatin1String("kind")].toString(),
             QStringLiteral("Lost"));
    QCOMPARE(outcome[QLatin1String("error")][QLatin1String("signal")].toInt(), SIGKILL);
}

void ToolsTest::reportsRetries()
{
    const QTemporaryDir folder;
    CompletedRun run(
        onServer(words("call", "die_once", fileArgument(folder.filePath(QStringLiteral("died"))))));
    QCOMPARE(run.output(), QByteArray("survived\n"));
    const QByteArray said = run.error();
    const qsizetype failed = said.indexOf("rekindle: die_once: attempt 1 failed (Lost: ");
    const qsizetype retry = said.indexOf("rekindle: die_once: attempt 2 in 1"); // 100 to 150 ms
    QVERIFY2(failed >= 0 && retry > failed, said.constData());
    VERIFY_CONTAINS(said, "rekindle: mcpserver: failed (ProcessCrash: SIGKILL)\n");
}

void ToolsTest::quietReportsNoRetries()
{
    const QTemporaryDir folder;
    CompletedRun run(onServer(words(
        "call", "die_once", fileArgument(folder.filePath(QStringLiteral("died"))), "--quiet")));
    QCOMPARE(run.output(), QByteArray("survived\n"));
    QCOMPARE(run.error(), QByteArray());
}

void ToolsTest::restartOnExitRepeatsTheCall()
{
    // The respawn does not count as a retry of the policy, which has none.
    const QTemporaryDir folder;
    const QStringList arguments =
        words("call", "die_once", fileArgument(folder.filePath(QStringLiteral("died"))),
              "--max-retries", "0");
    CompletedRun on(onServer(arguments + words("--restart-on-exit")));
    QCOMPARE(on.output(), QByteArray("survived\n"));
    VERIFY_CONTAINS(on.error(), "die_once: restarting the server to retry the call");

    QVERIFY(QFile::remove(folder.filePath(QStringLiteral("died"))));
    CompletedRun off(onServer(arguments), 69);
    VERIFY_CONTAINS(off.error(), "die_once: given up after 1 attempt\n");
}

void ToolsTest::breakerOpens()
{
    CompletedRun run(onServer(words("call", "fail", "--retry", "always", "--max-retries", "1",
                                    "--circuit-breaker", "2:1m", "--repeat", "4")
                              + soon()),
                     75);
    const QByteArray said = run.error();
    QVERIFY2(said.count("fail: attempt 1 failed (ToolError: it did not work)\n") == 2,
             said.constData());
    QVERIFY2(said.count("fail: attempt 2 in ") == 2, said.constData());
    QVERIFY2(said.count("fail: given up after 2 attempts") == 2, said.constData());
    QVERIFY2(said.count("fail: circuit breaker open; calls are rejected for ") == 1,
             said.constData());
    QVERIFY2(said.count("fail: not called: circuit breaker open for ") == 2, said.constData());
    QCOMPARE(run.output().count("it did not work\n"), 2);
}

void ToolsTest::retriesFailedStart()
{
    const QTemporaryDir folder;
    const QStringList once = words("--starts", folder.filePath(QStringLiteral("starts")), "--until",
                                   "1", "--exit-in-handshake", "3");
    CompletedRun run(onServer(words("call", "echo", R"({"message": "m"})"), once));
    QCOMPARE(run.output(), QByteArray("m\n"));
    VERIFY_CONTAINS(run.error(),
                    "rekindle: mcpserver: failed (ProcessCrash: exit code 3); start 2 of 6 in ");
}

void ToolsTest::sanitizesTextOfServer()
{
    // The server repeats the name.
    CompletedRun run(onServer(words("call", "no\x1b[2J\nsuch")), 69);
    const QByteArray said = run.error();
    VERIFY_CONTAINS(said, "Unknown tool: no such");
    QVERIFY2(!said.contains('\x1b'), said.constData());
    for (const QByteArray &line : said.trimmed().split('\n'))
        QVERIFY2(line.startsWith("rekindle: "), said.constData());
}

void ToolsTest::writesEvents()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("events"));
    CompletedRun run(onServer(words("call", "echo", "--events", path)));
    const QStringList types = eventTypes(readFile(path), QStringLiteral("mcpserver"));
    QVERIFY(types.contains(QStringLiteral("agent.started")));
    QVERIFY(types.contains(QStringLiteral("agent.ready")));
    QVERIFY(types.contains(QStringLiteral("agent.stopped")));
    CompletedRun mistyped(onServer(words("call", "echo", "--events", "/nowhere/events")), 64);
}

void ToolsTest::recordsCallsInStore()
{
    const QTemporaryDir folder;
    const QString store = folder.filePath(QStringLiteral("calls.sqlite"));
    const QString died = folder.filePath(QStringLiteral("died"));
    CompletedRun retried(onServer(words("call", "die_once", fileArgument(died), "--store", store)));
    CompletedRun opens(onServer(words("call", "fail", "--retry", "always", "--max-retries", "0",
                                      "--circuit-breaker", "1:1m", "--store", store)),
                       2);

    CompletedRun history(words("history", "--calls", "--store", store));
    const QByteArray shown = history.output();
    QVERIFY2(shown.contains("mcpserver  call of die_once: answered after ")
                 && shown.contains(", retries: 1\n"),
             shown.constData());
    QVERIFY2(shown.contains("mcpserver  call of fail: ToolError (it did not work) after ")
                 && shown.contains("; circuit breaker opened\n"),
             shown.constData());
    QVERIFY2(!shown.contains("host process"), shown.constData());
    CompletedRun mistyped(onServer(words("call", "echo", "--store", "/nowhere/calls.sqlite")), 64);
}

void ToolsTest::offRecordsNothing()
{
    const QTemporaryDir folder;
    CommandRun run(onServer(words("call", "echo", R"({"message": "m"})", "--store", "off")));
    run.setWorkingDirectory(folder.path());
    QCOMPARE(run.complete(), 0);
    QCOMPARE(run.output(), QByteArray("m\n"));
    QVERIFY(QDir(folder.path()).isEmpty());
}

void ToolsTest::reportsInvalidLines()
{
    CompletedRun run(onServer(words("list"), words("--noise")));
    VERIFY_CONTAINS(run.error(),
                    "rekindle: mcpserver: invalid line on stdout (it is not JSON): "
                    "noise before an answer\n");
    CompletedRun quiet(onServer(words("list", "--quiet"), words("--noise")));
    QCOMPARE(quiet.error(), QByteArray());
}

void ToolsTest::reportsSlowHandshake()
{
    StartedRun run(onServer(words("list"), words("--silent", "initialize")));
    QVERIFY(run.waitForError(
        "rekindle: mcpserver: not ready after 5s; the handshake timeout is 30s per "
        "response\n"));
    QCOMPARE(run.endBy(SIGINT), 128 + SIGINT);
}

REKINDLE_TEST(ToolsTest)
#include "toolstest.moc"
