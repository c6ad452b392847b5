// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/toolsrun.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

/// Exit codes and usage errors.
class ExitCodeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void exitCodes_data();
    void exitCodes();
    void rejectsUsage_data();
    void rejectsUsage();
    void rejectsPolicyOptions_data();
    void rejectsPolicyOptions();
    void rejectsEmptyName_data();
    void rejectsEmptyName();
    void printsHelp_data();
    void printsHelp();
    void printsVersion();
    void reportsFailedStdout_data();
    void reportsFailedStdout();
    void rejectsToolArguments_data();
    void rejectsToolArguments();
    void rejectsStdin_data();
    void rejectsStdin();
    void readsPolicyFromOption();
};

namespace {

const QString chaos = QStringLiteral(REKINDLE_CHAOSAGENT);
const QString separator = QStringLiteral("--");

QStringList split(const char *text)
{
    return QString::fromLatin1(text).split(u' ', Qt::SkipEmptyParts);
}

} // namespace

void ExitCodeTest::exitCodes_data()
{
    const Rows<QStringList, int, QByteArray> row("arguments", "code", "said");
    const auto run = [](const char *options, const QStringList &program) {
        return split("run --quiet") + split(options) + QStringList(separator) + program;
    };
    row("ended well", run("", words(chaos, "exit", "0")), 0, "");
    row("not found", run("", {QStringLiteral("/nowhere/program")}), 127, "");
    row("not found in PATH", run("", {QStringLiteral("no-such-program-here")}), 127, "");
    row("not executable", run("", {QStringLiteral("/etc/passwd")}), 126, "");
    row("a folder", run("", {QStringLiteral("/")}), 126, "");
    row("policy none", run("--policy none", words(chaos, "exit", "7")), 7, "");
    row("exhausted", run("--policy immediate --max-retries 2", words(chaos, "exit", "9")), 9, "");
    row("by a signal", run("--policy none", words(chaos, "signal", "11")), 128 + 11, "");
    row("permanent", run("", words(chaos, "exit", "78")), 78, "");
    row("policy in place", run("--policy {\"type\":\"none\"}", words(chaos, "exit", "5")), 5, "");
    row("unknown policy", run("--policy nosuch", words(chaos)), 78, "");
    row("policy with a fault", run("--policy {\"type\":1}", words(chaos)), 78, "");
    row("options that do not fit", run("--initial-delay 2m --max-delay 1m", words(chaos)), 64, "");
    row("events cannot be written", run("--events /nowhere/events.jsonl", words(chaos)), 64, "");
    row("check of nothing", split("check /nowhere/rekindle.json"), 78, "");
    row("mcp, policy", split("mcp --policy nosuch -- x"), 78, "");
    row("mcp, missing servers", split("mcp --config /nowhere/mcp.json"), 78, "/nowhere/mcp.json");
    row("mcp, watch a folder", split("mcp --watch src/ -- x"), 64,
        "src/: expected files, found a folder; add /**/*");
    row("mcp, watch nothing", words("mcp", "--watch", "", "--", "x"), 64, "");
    row("only mcp has --watch", split("run --watch x -- x"), 64, "");
    row("up of nothing", split("up /nowhere/rekindle.json"), 78, "");
    row("plan of nothing", split("plan nosuch"), 78, "");
    row("the tool has failed", onServer(words("call", "fail")), 2,
        "rekindle: fail: the tool reported an error\n");
    row("no such tool", onServer(words("call", "nosuch")), 69,
        "nosuch: attempt 1 failed (Refused: ");
    row("the server died", onServer(words("call", "crash")), 69, "SIGKILL");
    row("call, deadline", onServer(words("call", "silent", "--deadline", "500ms")), 124,
        "silent: deadline exceeded after 5");
    row("attempt timeout", onServer(words("call", "silent", "--attempt-timeout", "200ms")), 69,
        "silent: not retried, because it may have been executed\n");
    row("breaker",
        onServer(words("call", "fail", "--retry", "always", "--max-retries", "0",
                       "--circuit-breaker", "1:1m", "--repeat", "2")),
        75, "fail: not called: circuit breaker open for ");
    row("server not found", words("tools", "call", "echo", "--", "no-such-mcp-server"), 127,
        "no-such-mcp-server");
    row("server not executable", words("tools", "list", "--", "/etc/passwd"), 126, "/etc/passwd");
    row("quiet", onServer(words("call", "crash", "--quiet")), 69,
        "rekindle: crash: not retried, because it may have been executed (Lost: ");
    row("call, policy", onServer(words("call", "echo", "--policy", "nosuch")), 78,
        "unknown policy \"nosuch\"");
    row("list, deadline",
        onServer(words("list", "--deadline", "300ms"), words("--silent", "initialize")), 124,
        "tools/list: deadline exceeded after ");
    row("list, silent server",
        onServer(words("list", "--deadline", "2s"), words("--silent", "initialize")), 124,
        "tools/list: attempt 1 failed (NotReady: mcpserver was started but did not answer the "
        "handshake within ");
}

void ExitCodeTest::exitCodes()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QByteArray, said);
    CompletedRun run(arguments, code);
    VERIFY_CONTAINS(run.error(), said);
    if (code == 78 && arguments.front() != QLatin1String("run"))
        QVERIFY(!run.error().isEmpty());
    if (arguments.front() != QLatin1String("tools"))
        QCOMPARE(run.output(), QByteArray());
}

void ExitCodeTest::rejectsUsage_data()
{
    const Rows<QStringList, QByteArray> row("arguments", "said");
    row("nothing", QStringList(), "rekindle --help");
    row("command", split("frobnicate"), "unknown command frobnicate; see");
    row("mistyped command", split("stauts"), "unknown command stauts; did you mean \"status\"?");
    row("mistyped command of a group", split("tools cal"),
        "rekindle tools: unknown command cal; did you mean \"call\"?");
    row("mistyped option", split("up --detatch x"),
        "unknown option --detatch; did you mean \"--detach\"?");
    row("option", split("run --frob -- x"), "unknown option --frob");
    row("no program", split("run"), "rekindle run -- PROGRAM");
    row("empty program", split("run --"), "rekindle run -- PROGRAM");
    row("no separator", split("run sleep 1"),
        "unexpected argument sleep; specify the program "
        "after --: rekindle run [OPTIONS] -- sleep ...;");
    row("no separator, tools list", split("tools list node x"),
        "after --: rekindle tools list [OPTIONS] -- node ...;");
    row("no separator, tools call", split("tools call echo {} node x"),
        "after --: rekindle tools call [OPTIONS] NAME [JSON] -- SERVER [ARG...];");
    row("flag", split("run --quiet=3 -- x"), "rekindle run: --quiet: unexpected value;");
    row("flag, mcp", split("mcp --no-inject=yes -- x"), "--no-inject: unexpected value;");
    row("flag, tools list", split("tools list --json=0 -- x"), "--json: unexpected value;");
    const auto empty = [](const char *command, const char *option, const char *expected) {
        QTest::addRow("empty: %s %s", command, option)
            << (split(command) << QString::fromLatin1(option) << QString())
            << QByteArray(option) + ": expected " + expected + ", found an empty value";
    };
    row("empty: --events=", split("run --events= --quiet -- x"),
        "--events=: missing value after '='");
    empty("run", "--events", "FILE|-");
    empty("run", "--store", "FILE|off");
    empty("mcp", "--events", "FILE|-");
    empty("mcp", "--store", "FILE|off");
    empty("mcp", "--marker", "FILE");
    empty("mcp", "--config", "FILE");
    empty("up x", "--events", "FILE|-");
    empty("up x", "--store", "FILE|off");
    empty("up x", "--state", "FILE|off");
    empty("tools call x", "--store", "FILE|off");
    empty("history", "--store", "FILE");
    row("bare number", split("run --max-delay 5 -- x"),
        "--max-delay: expected a duration such as 500ms, 5s or 1m, found \"5\"");
    row("not a number", split("run --max-retries many -- x"),
        "--max-retries: expected 0 to 1000000 or unlimited, found \"many\"");
    row("given twice", split("run --max-retries 1 --max-retries 2 -- x"),
        "--max-retries: given more than once;");
    row("jitter without a ratio", split("run --jitter none:0.3 -- x"), "found \"none:0.3\"");
    row("jitter", split("run --jitter wild -- x"), "found \"wild\"");
    row("ratio", split("run --jitter full:x -- x"), "found \"full:x\"");
    row("breaker", split("run --circuit-breaker 5:1 -- x"), "found \"5:1\"");
    row("ready", split("run --ready soon -- x"), "found \"soon\"");
    row("pattern", split("run --ready line:( -- x"), "invalid pattern in \"line:(\"");
    row("no value", split("run --events"), "--events");
    row("no configuration", split("up"), "CONFIG");
    row("two configurations", split("check a b"), "unexpected argument b");
    row("a configuration without --config", split("down /dev/null"),
        "unexpected argument /dev/null; did you mean --config /dev/null?");
    row("for", split("up x --for ever"), "found \"ever\"");
    row("for too long", split("up x --for 10001d"),
        "expected a duration such as 500ms, 5s or 1m, at most "
        "10000d, found \"10001d\";");
    row("attempts", split("plan default --attempts 0"), "--attempts");
    row("since", split("history --since ever"), "--since: expected a duration");
    row("limit", split("history --limit 0"), "--limit");
    row("head", split("history verify --head 1:2"),
        "--head: expected ROW:HASH as printed by verify, found \"1:2\"");
    row("explain nothing", split("explain"), "AGENT, --tag, --group or --all is required");
    row("explain nothing of a store", split("explain --store x"),
        "rekindle explain: AGENT is required");
    row("none of several names", split("up x --log all"),
        "--log: expected both, json, none or text, found \"all\";");
    row("abbreviated command", split("stat"), "unknown command stat; did you mean \"status\"?");
    for (const char *command : {"up x", "check x", "plan default", "run"}) {
        QTest::addRow("plugins that are not there, %s", command)
            << split(command) + split("--plugins /nowhere/plugins")
            << QByteArray("--plugins: expected a folder with plug-ins, found no such folder: "
                          "\"/nowhere/plugins\"");
    }
    row("plugins in a file", split("up x --plugins /etc/passwd"),
        "--plugins: expected a folder with plug-ins, found a file: \"/etc/passwd\"");
    row("plugins without a name", (split("check x --plugins") + QStringList(QString())),
        "--plugins: expected a folder with plug-ins, found no such folder: \"\"");
    row("mcp: no server", split("mcp"), "rekindle mcp -- SERVER");
    row("mcp: --list-wait", split("mcp --list-wait 1s -- x"), "--list-wait requires --config");
    row("mcp: --config and a server", split("mcp --config x node"),
        "--config excludes a server: node");
    row("mcp: option before the server", split("mcp --frob node"), "unknown option --frob");
    row("mcp: --marker", split("mcp --config x --marker y"), "--config excludes --marker");
    row("mcp: --watch", split("mcp --config x --watch y"), "--config excludes --watch");
    row("separator", split("check x -- y"), "only run, mcp and tools accept a program");
    row("tools: no command", words("tools"), "rekindle tools: ");
    row("tools: no server", words("tools", "list"),
        "rekindle tools list: missing server; specify it after --: rekindle tools list -- SERVER");
    row("tools: no tool", onServer(words("call")), "rekindle tools call: ");
    row("tools: an empty tool", onServer(words("call", "")),
        "expected a name, found an empty value");
    row("tools: repeat", onServer(words("call", "echo", "--repeat", "0")), "--repeat");
    row("tools: retry", onServer(words("call", "echo", "--retry", "maybe")), "--retry");
    row("tools: deadline", onServer(words("call", "echo", "--deadline", "0s")),
        "--deadline: expected more than 0, found 0");
    row("tools: attempt", onServer(words("list", "--attempt-timeout", "soon")),
        "--attempt-timeout: expected a duration");
    row("tools: list a tool", onServer(words("list", "echo")), "unexpected argument echo");
}

void ExitCodeTest::rejectsUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, said);
    CompletedRun run(arguments, 64);
    QCOMPARE(run.output(), QByteArray());
    const QByteArray error = run.error();
    VERIFY_CONTAINS(error, said);
    VERIFY_CONTAINS(error, "--help");
    QCOMPARE(error.count('\n'), 1);
}

// Values that are out of range: the message names the option instead of the JSON pointer.
void ExitCodeTest::rejectsPolicyOptions_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char *options, const char *said) {
        QTest::newRow(options) << split(options) << QByteArray(said);
    };
    row("--max-retries -1", "--max-retries: expected 0 to 1000000 or unlimited, found -1");
    row("--max-retries 1000001",
        "--max-retries: expected 0 to 1000000 or unlimited, found 1000001");
    row("--initial-delay 2d --max-delay 3d", "--initial-delay: expected 0s to 1d, found 2d");
    row("--initial-delay 2m",
        "--initial-delay: expected 0s to 1m (the policy's maxDelay), found 2m; set a larger "
        "--max-delay");
    row("--initial-delay 2m --max-delay 1m",
        "--max-delay: expected 2m (initialDelay) to 7d, found 1m");
    row("--max-delay 8d", "--max-delay: expected 0s to 7d, found 8d");
    row("--multiplier 0.5", "--multiplier: expected 1 to 100, found 0.5");
    row("--jitter symmetric:2", "--jitter: ratio: expected 0 to 1, found 2");
    row("--circuit-breaker 0:1m",
        "--circuit-breaker: threshold: expected 1 to 1000 or off, found 0");
    row("--start-timeout 0s", "--start-timeout: expected 1ms to 1d, found 0s");
    row("--stable-after 2d", "--stable-after: expected 0s to 1d, found 2d");
    row("--policy {\"type\":\"linear\",\"initialDelay\":\"5m\",\"maxDelay\":\"10m\"} --max-retries "
        "1 --max-delay 2m",
        "--max-delay: expected 5m (initialDelay) to 7d, found 2m");
}

void ExitCodeTest::rejectsPolicyOptions()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, said);
    CompletedRun run(split("run") + options + split("-- x"), 64);
    QCOMPARE(run.output(), QByteArray());
    QCOMPARE(run.error(), QByteArray("rekindle: " + said + '\n'));
}

// Empty names, for example from a script.
void ExitCodeTest::rejectsEmptyName_data()
{
    const Rows<QStringList, QByteArray> row("arguments", "said");
    for (const char *command : {"check", "up"}) {
        row(command, (split(command) + QStringList(QString())),
            "rekindle: expected a file name, found an empty one\n");
    }
    row("policy", (split("plan") + QStringList(QString())),
        "rekindle: unknown policy \"\"; expected ");
    for (const char *id : {"nosuch", ""}) {
        QTest::addRow("evaluator \"%s\"", id)
            << (split("plan") << QStringLiteral(R"({"type": "custom", "evaluator": {"id": "%1"}})")
                                     .arg(QLatin1String(id)))
            << QByteArray(" /evaluator/id: ");
    }
}

void ExitCodeTest::rejectsEmptyName()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, said);
    CompletedRun run(arguments, 78);
    QCOMPARE(run.output(), QByteArray());
    const QByteArray error = run.error();
    QVERIFY2(error.startsWith("rekindle: ") && error.contains(said), error.constData());
    QCOMPARE(error.count('\n'), 1);
}

void ExitCodeTest::printsHelp_data()
{
    const Rows<QStringList> row("arguments");
    row("rekindle", split("--help"));
    for (const char *command :
         {"run", "mcp", "tools list", "tools call", "up", "check", "plan", "history", "explain",
          "license", "license keygen", "license issue", "license verify"})
        row(command, split(command) + split("--help"));
}

void ExitCodeTest::printsHelp()
{
    QFETCH(QStringList, arguments);
    CompletedRun run(arguments);
    QCOMPARE(run.error(), QByteArray());
    const QByteArray help = run.output();
    QVERIFY(help.contains("Usage: rekindle"));
    QVERIFY(help.contains("Examples:\n  rekindle "));
    QVERIFY(help.contains("Exit codes:"));
}

void ExitCodeTest::printsVersion()
{
    CompletedRun run({QStringLiteral("--version")});
    QCOMPARE(run.output(), QByteArray("rekindle 0.1.0\n"));
}

void ExitCodeTest::reportsFailedStdout_data()
{
    const Rows<QString, QByteArray> row("command", "said");
    const QString check =
        QStringLiteral("check '" REKINDLE_SOURCE "/examples/1-quickstart/quickstart.json'");
    QStringList commands = words("--help", "--version", "plan --help", "plan default", check);
    for (const QString &command :
         words("tools list", "tools list --json", "tools call state", "tools call state --json"))
        commands.append(command + QLatin1String(" -- '" REKINDLE_MCPSERVER "'"));
    for (const QString &command : std::as_const(commands)) {
        QTest::addRow("full: %s", qPrintable(command))
            << command + QLatin1String(" >/dev/full")
            << QByteArray("rekindle: stdout: No space left on device\n");
        QTest::addRow("closed: %s", qPrintable(command))
            << command + QLatin1String(" >&-") << QByteArray("rekindle: stdout: closed\n");
    }
    row("closed, and closed stderr", "plan default >&- 2>&-", {});
}

void ExitCodeTest::reportsFailedStdout()
{
    QFETCH(QString, command);
    ShellRun run("sh", words("-c", QLatin1String("'" REKINDLE_COMMAND "' ") + command));
    QCOMPARE(run.complete(), 1);
    QTEST(run.error(), "said");
}

void ExitCodeTest::rejectsToolArguments_data()
{
    const Rows<QString, QByteArray> row("json", "said");
    row("", "JSON:1:1: expected a value, found the end of the text\n");
    row("{\"message\": hi}", "JSON:1:13: ");
    row("{\n\"message\": 'hi'}", "JSON:2:12: ");
    row("[1]", "JSON:1:1: expected an object such as {\"message\": \"hi\"}\n");
}

void ExitCodeTest::rejectsToolArguments()
{
    QFETCH(QString, json);
    QFETCH(QByteArray, said);
    CompletedRun run(onServer(words("call", "echo", json)), 64);
    QCOMPARE(run.output(), QByteArray());
    QVERIFY2(run.error().startsWith(said), run.error().constData());
    QCOMPARE(run.error().count('\n'), 1);
}

void ExitCodeTest::rejectsStdin_data()
{
    const Rows<QString, QByteArray> row("input", "said");
    row("folder", "</", "rekindle: stdin: cannot read: Is a directory\n");
    row("closed", "<&-", "rekindle: stdin: cannot read: closed\n");
    row("empty", "</dev/null", "stdin:1:1: expected a value, found the end of the text\n");
}

void ExitCodeTest::rejectsStdin()
{
    QFETCH(QString, input);
    ShellRun run(
        "sh",
        words("-c",
              QLatin1String("'" REKINDLE_COMMAND "' tools call echo - -- '" REKINDLE_MCPSERVER "' ")
                  + input));
    QCOMPARE(run.complete(), 64);
    QCOMPARE(run.output(), QByteArray());
    QTEST(run.error(), "said");
}

void ExitCodeTest::readsPolicyFromOption()
{
    CompletedRun run(words("run", "--policy", "{", "--", chaos), 78);
    QCOMPARE(run.error(),
             QByteArray("rekindle: --policy: 1:2: expected a name in double quotes or \"}\", found "
                        "the end of the text\n"));
    CompletedRun unknown(words("run", "--policy", "nosuch", "--", chaos), 78);
    QVERIFY2(unknown.error().startsWith("rekindle: --policy: unknown policy \"nosuch\""),
             unknown.error().constData());
    CompletedRun plan(words("plan", " {\"type\": \"linear\"}"));
    QVERIFY2(plan.output().startsWith("policy: linear, "), plan.output().constData());
}

REKINDLE_TEST(ExitCodeTest)
#include "exitcodetest.moc"
