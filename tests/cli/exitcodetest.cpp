// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandrun.h"

#include <QTest>

using namespace Rekindle;

/// What the command ends with, and what it says where it was called in a wrong way (spec 10).
class ExitCodeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void codes_data();
    void codes();
    void usage_data();
    void usage();
    void helpIsOnStdout_data();
    void helpIsOnStdout();
    void version();
};

namespace {

const QString chaos = QStringLiteral(REKINDLE_CHAOSAGENT);
const QString separator = QStringLiteral("--");

QStringList split(const char *text)
{
    return QString::fromLatin1(text).split(u' ', Qt::SkipEmptyParts);
}

} // namespace

void ExitCodeTest::codes_data()
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

void ExitCodeTest::codes()
{
    QFETCH(QStringList, arguments);
    CommandRun run(arguments);
    const int code = run.complete();
    QTEST(code, "code");
    if (code == 78 && arguments.front() != QLatin1String("run"))
        QVERIFY(!run.error().isEmpty());
    QCOMPARE(run.output(), QByteArray());
}

void ExitCodeTest::usage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("nothing") << QStringList() << QByteArray("rekindle --help");
    QTest::newRow("command") << split("frobnicate") << QByteArray("unknown command frobnicate");
    QTest::newRow("option") << split("run --frob -- x") << QByteArray("unknown option --frob");
    QTest::newRow("no program") << split("run") << QByteArray("rekindle run -- PROGRAM");
    QTest::newRow("empty program") << split("run --") << QByteArray("rekindle run -- PROGRAM");
    QTest::newRow("no separator") << split("run sleep 1")
                                  << QByteArray("unexpected argument sleep");
    QTest::newRow("bare number") << split("run --max-delay 5 -- x")
                                 << QByteArray("--max-delay: found \"5\", allowed a duration");
    QTest::newRow("not a number") << split("run --max-retries many -- x")
                                  << QByteArray("--max-retries: found \"many\"");
    QTest::newRow("jitter") << split("run --jitter wild -- x") << QByteArray("found \"wild\"");
    QTest::newRow("ratio") << split("run --jitter full:x -- x") << QByteArray("found \"full:x\"");
    QTest::newRow("breaker") << split("run --circuit-breaker 5:1 -- x")
                             << QByteArray("found \"5:1\"");
    QTest::newRow("ready") << split("run --ready soon -- x") << QByteArray("found \"soon\"");
    QTest::newRow("pattern") << split("run --ready line:( -- x") << QByteArray("found \"line:(\"");
    QTest::newRow("no value") << split("run --events") << QByteArray("--events");
    QTest::newRow("no configuration") << split("up") << QByteArray("CONFIG");
    QTest::newRow("two configurations")
        << split("check a b") << QByteArray("unexpected argument b");
    QTest::newRow("for") << split("up x --for ever") << QByteArray("found \"ever\"");
    QTest::newRow("attempts") << split("plan default --attempts 0") << QByteArray("--attempts");
    QTest::newRow("since") << split("history --since ever")
                           << QByteArray("--since: found \"ever\"");
    QTest::newRow("limit") << split("history --limit 0") << QByteArray("--limit");
    QTest::newRow("head") << split("history verify --head 1:2")
                          << QByteArray("--head: found \"1:2\"");
    QTest::newRow("nobody") << split("explain") << QByteArray("NAME");
    QTest::newRow("separator") << split("check x -- y") << QByteArray("which only run takes");
}

void ExitCodeTest::usage()
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

void ExitCodeTest::helpIsOnStdout_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("rekindle") << split("--help");
    for (const char *command : {"run", "up", "check", "plan", "history", "explain"})
        QTest::newRow(command) << split(command) + split("--help");
}

void ExitCodeTest::helpIsOnStdout()
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

void ExitCodeTest::version()
{
    CommandRun run({QStringLiteral("--version")});
    QCOMPARE(run.complete(), 0);
    QCOMPARE(run.output(), QByteArray("rekindle 0.1.0\n"));
}

QTEST_GUILESS_MAIN(ExitCodeTest)
#include "exitcodetest.moc"
