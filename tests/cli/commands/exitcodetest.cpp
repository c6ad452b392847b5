// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <QTest>

using namespace Rekindle;

/// Exit exitCodes and usage errors.
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
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    const auto run = [](const char *options, const QStringList &program) {
        return split("run --quiet") + split(options) + QStringList(separator) + program;
    };
    QTest::newRow("ended well") << run("", words(chaos, "exit", "0")) << 0;
    QTest::newRow("not found") << run("", {QStringLiteral("/nowhere/program")}) << 127;
    QTest::newRow("not found in PATH") << run("", {QStringLiteral("no-such-program-here")}) << 127;
    QTest::newRow("not executable") << run("", {QStringLiteral("/etc/passwd")}) << 126;
    QTest::newRow("a folder") << run("", {QStringLiteral("/")}) << 126;
    QTest::newRow("policy none") << run("--policy none", words(chaos, "exit", "7")) << 7;
    QTest::newRow("exhausted") << run("--policy immediate --max-retries 2",
                                      words(chaos, "exit", "9"))
                               << 9;
    QTest::newRow("by a signal") << run("--policy none", words(chaos, "signal", "11")) << 128 + 11;
    QTest::newRow("permanent") << run("", words(chaos, "exit", "78")) << 78;
    QTest::newRow("policy in place")
        << run("--policy {\"type\":\"none\"}", words(chaos, "exit", "5")) << 5;
    QTest::newRow("unknown policy") << run("--policy nosuch", words(chaos)) << 78;
    QTest::newRow("policy with a fault") << run("--policy {\"type\":1}", words(chaos)) << 78;
    QTest::newRow("options that do not fit")
        << run("--initial-delay 2m --max-delay 1m", words(chaos)) << 64;
    QTest::newRow("events cannot be written")
        << run("--events /nowhere/events.jsonl", words(chaos)) << 64;
    QTest::newRow("check of nothing") << split("check /nowhere/rekindle.json") << 78;
    QTest::newRow("up of nothing") << split("up /nowhere/rekindle.json") << 78;
    QTest::newRow("plan of nothing") << split("plan nosuch") << 78;
}

void ExitCodeTest::exitCodes()
{
    QFETCH(QStringList, arguments);
    CommandRun run(arguments);
    const int code = run.complete();
    QTEST(code, "code");
    if (code == 78 && arguments.front() != QLatin1String("run"))
        QVERIFY(!run.error().isEmpty());
    QCOMPARE(run.output(), QByteArray());
}

void ExitCodeTest::rejectsUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("nothing") << QStringList() << QByteArray("rekindle --help");
    QTest::newRow("command") << split("frobnicate") << QByteArray("unknown command frobnicate");
    QTest::newRow("option") << split("run --frob -- x") << QByteArray("unknown option --frob");
    QTest::newRow("no program") << split("run") << QByteArray("rekindle run -- PROGRAM");
    QTest::newRow("empty program") << split("run --") << QByteArray("rekindle run -- PROGRAM");
    QTest::newRow("no separator") << split("run sleep 1")
                                  << QByteArray("unexpected argument sleep; specify the program "
                                                "after --: rekindle run [OPTIONS] -- sleep ...;");
    QTest::newRow("no separator, mcp")
        << split("mcp --call-timeout 2m node x")
        << QByteArray("unexpected argument node; specify the server after --: rekindle mcp "
                      "[OPTIONS] -- node ...;");
    QTest::newRow("no separator, tools list")
        << split("tools list node x")
        << QByteArray("after --: rekindle tools list [OPTIONS] -- node ...;");
    QTest::newRow("no separator, tools call")
        << split("tools call echo {} node x")
        << QByteArray("after --: rekindle tools call [OPTIONS] NAME [JSON] -- SERVER [ARG...];");
    QTest::newRow("flag") << split("run --quiet=3 -- x")
                          << QByteArray("rekindle run: --quiet: unexpected value;");
    QTest::newRow("flag, mcp") << split("mcp --no-inject=yes -- x")
                               << QByteArray("--no-inject: unexpected value;");
    QTest::newRow("flag, tools list")
        << split("tools list --json=0 -- x") << QByteArray("--json: unexpected value;");
    const auto empty = [](const char *command, const char *option, const char *expected) {
        QTest::addRow("empty: %s %s", command, option)
            << (split(command) << QString::fromLatin1(option) << QString())
            << QByteArray(option) + ": expected " + expected + ", found an empty value";
    };
    QTest::newRow("empty: --events=")
        << split("run --events= --quiet -- x") << QByteArray("--events=: missing value after '='");
    empty("run", "--events", "FILE|-");
    empty("mcp", "--events", "FILE|-");
    empty("mcp", "--store", "FILE|off");
    empty("mcp", "--marker", "FILE");
    empty("mcp", "--config", "FILE");
    empty("up x", "--events", "FILE|-");
    empty("up x", "--store", "FILE|off");
    empty("up x", "--state", "FILE|off");
    empty("tools call x", "--store", "FILE|off");
    empty("history", "--store", "FILE");
    QTest::newRow("bare number")
        << split("run --max-delay 5 -- x")
        << QByteArray("--max-delay: expected a duration such as 500ms, 5s or 1m, found \"5\"");
    QTest::newRow("not a number")
        << split("run --max-retries many -- x")
        << QByteArray("--max-retries: expected 0 to 1000000 or unlimited, found \"many\"");
    QTest::newRow("jitter") << split("run --jitter wild -- x") << QByteArray("found \"wild\"");
    QTest::newRow("ratio") << split("run --jitter full:x -- x") << QByteArray("found \"full:x\"");
    QTest::newRow("breaker") << split("run --circuit-breaker 5:1 -- x")
                             << QByteArray("found \"5:1\"");
    QTest::newRow("ready") << split("run --ready soon -- x") << QByteArray("found \"soon\"");
    QTest::newRow("pattern") << split("run --ready line:( -- x")
                             << QByteArray("invalid pattern in \"line:(\"");
    QTest::newRow("no value") << split("run --events") << QByteArray("--events");
    QTest::newRow("no configuration") << split("up") << QByteArray("CONFIG");
    QTest::newRow("two configurations")
        << split("check a b") << QByteArray("unexpected argument b");
    QTest::newRow("for") << split("up x --for ever") << QByteArray("found \"ever\"");
    QTest::newRow("for too long") << split("up x --for 10001d")
                                  << QByteArray(
                                         "expected a duration such as 500ms, 5s or 1m, at most "
                                         "10000d, found \"10001d\";");
    QTest::newRow("attempts") << split("plan default --attempts 0") << QByteArray("--attempts");
    QTest::newRow("since") << split("history --since ever")
                           << QByteArray("--since: expected a duration");
    QTest::newRow("limit") << split("history --limit 0") << QByteArray("--limit");
    QTest::newRow("head") << split("history verify --head 1:2")
                          << QByteArray(
                                 "--head: expected ROW:HASH as printed by verify, found \"1:2\"");
    QTest::newRow("nobody") << split("explain") << QByteArray("NAME");
    for (const char *command : {"up x", "check x", "plan default", "run", "plugins"}) {
        QTest::addRow("plugins that are not there, %s", command)
            << split(command) + split("--plugins /nowhere/plugins")
            << QByteArray("--plugins: expected a folder with plug-ins, found no such folder: "
                          "\"/nowhere/plugins\"");
    }
    QTest::newRow("plugins in a file")
        << split("up x --plugins /etc/passwd")
        << QByteArray("--plugins: expected a folder with plug-ins, found a file: \"/etc/passwd\"");
    QTest::newRow("plugins without a name")
        << (split("check x --plugins") + QStringList(QString()))
        << QByteArray("--plugins: expected a folder with plug-ins, found no such folder: \"\"");
    QTest::newRow("separator") << split("check x -- y")
                               << QByteArray("only run, mcp and tools accept a program");
}

void ExitCodeTest::rejectsUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, said);
    CommandRun run(arguments);
    QCOMPARE(run.complete(), 64);
    QCOMPARE(run.output(), QByteArray());
    const QByteArray error = run.error();
    QVERIFY2(error.contains(said), error.constData());
    QVERIFY2(error.contains("--help"), error.constData());
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
    row("--stable-after 2d", "--stable-after: expected 0s to 1d, found 2d");
    row("--policy {\"type\":\"linear\",\"initialDelay\":\"5m\",\"maxDelay\":\"10m\"} --max-retries "
        "1 --max-delay 2m",
        "--max-delay: expected 5m (initialDelay) to 7d, found 2m");
}

void ExitCodeTest::rejectsPolicyOptions()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, said);
    CommandRun run(split("run") + options + split("-- x"));
    QCOMPARE(run.complete(), 64);
    QCOMPARE(run.output(), QByteArray());
    QCOMPARE(run.error(), QByteArray("rekindle: " + said + '\n'));
}

// Empty names, for example from a script.
void ExitCodeTest::rejectsEmptyName_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("said");
    for (const char *command : {"check", "up"}) {
        QTest::newRow(command) << (split(command) + QStringList(QString()))
                               << QByteArray(
                                      "rekindle: expected a file name, found an empty one\n");
    }
    QTest::newRow("policy") << (split("plan") + QStringList(QString()))
                            << QByteArray("rekindle: unknown policy \"\", allowed");
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
    CommandRun run(arguments);
    QCOMPARE(run.complete(), 78);
    QCOMPARE(run.output(), QByteArray());
    const QByteArray error = run.error();
    QVERIFY2(error.startsWith("rekindle: ") && error.contains(said), error.constData());
    QCOMPARE(error.count('\n'), 1);
}

void ExitCodeTest::printsHelp_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("rekindle") << split("--help");
    for (const char *command :
         {"run", "mcp", "tools list", "tools call", "up", "check", "plan", "history", "explain"})
        QTest::newRow(command) << split(command) + split("--help");
}

void ExitCodeTest::printsHelp()
{
    QFETCH(QStringList, arguments);
    CommandRun run(arguments);
    QCOMPARE(run.complete(), 0);
    QCOMPARE(run.error(), QByteArray());
    const QByteArray help = run.output();
    QVERIFY(help.contains("Usage: rekindle"));
    QVERIFY(help.contains("Examples:\n  rekindle "));
    QVERIFY(help.contains("Exit codes:"));
}

void ExitCodeTest::printsVersion()
{
    CommandRun run({QStringLiteral("--version")});
    QCOMPARE(run.complete(), 0);
    QCOMPARE(run.output(), QByteArray("rekindle 0.1.0\n"));
}

void ExitCodeTest::reportsFailedStdout_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QByteArray>("said");
    const QString check =
        QStringLiteral("check '" REKINDLE_SOURCE "/examples/1-quickstart/quickstart.json'");
    for (const QString &command :
         words("--help", "--version", "plan --help", "plan default", check)) {
        QTest::addRow("full: %s", qPrintable(command))
            << command + QLatin1String(" >/dev/full")
            << QByteArray("rekindle: stdout: No space left on device\n");
        QTest::addRow("closed: %s", qPrintable(command))
            << command + QLatin1String(" >&-") << QByteArray("rekindle: stdout: closed\n");
    }
    QTest::newRow("nobody hears it") << QStringLiteral("plan default >&- 2>&-") << QByteArray();
}

void ExitCodeTest::reportsFailedStdout()
{
    QFETCH(QString, command);
    CommandRun run({});
    run.setProgram(QStringLiteral("/bin/sh"));
    run.setArguments(words("-c", QLatin1String("'" REKINDLE_COMMAND "' ") + command));
    QCOMPARE(run.complete(), 1);
    QTEST(run.error(), "said");
}

void ExitCodeTest::readsPolicyFromOption()
{
    CommandRun run(words("run", "--policy", "{", "--", chaos));
    QCOMPARE(run.complete(), 78);
    QCOMPARE(run.error(),
             QByteArray("rekindle: --policy: 1:2: expected a name in double quotes or \"}\", found "
                        "the end of the text\n"));
    CommandRun unknown(words("run", "--policy", "nosuch", "--", chaos));
    QCOMPARE(unknown.complete(), 78);
    QVERIFY2(unknown.error().startsWith("rekindle: --policy: unknown policy \"nosuch\""),
             unknown.error().constData());
    CommandRun plan(words("plan", " {\"type\": \"linear\"}"));
    QCOMPARE(plan.complete(), 0);
    QVERIFY2(plan.output().startsWith("policy: linear, "), plan.output().constData());
}

REKINDLE_TEST(ExitCodeTest)
#include "exitcodetest.moc"
