// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"

#include "processes.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>

using namespace Rekindle;

/// `rekindle run` with the chaos agent.
class RunTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void passesBytesUnchanged();
    void forwardsLinesWithReadinessByLine();
    void reportsFailuresAndDecisions();
    void signalStopsTheProgram_data();
    void signalStopsTheProgram();
    void secondSignalKills();
    void exitCode42RequestsRestart();
    void writesEventsToFile();
    void writesEventsToStderr();
    void recordsEventsInDefaultStore();
    void oneDefaultStoreForAllArguments();
    void quietHidesFaultsOfDefaultStore();
    void storeOffWritesNothing();
    void fullDiskDoesNotStopTheProgram();
    void closedStderrDoesNotStopTheProgram();
    void leavesNoOrphansWhenKilled();
    void programHasDefaultSignalsAndCleanEnvironment();
    void passesArgumentsUnchanged();
    void runsAProgramWithAnyName();
    void warnsIfReadyTimeExceedsStartTimeout();

private:
    static QStringList arguments(const QStringList &options, const QStringList &commands);

    QTemporaryDir m_folder;
};

QStringList RunTest::arguments(const QStringList &options, const QStringList &commands)
{
    return QStringList{QStringLiteral("run")} + options
        + QStringList{QStringLiteral("--"), QStringLiteral(REKINDLE_CHAOSAGENT)} + commands;
}

void RunTest::passesBytesUnchanged()
{
    QByteArray sent(1024 * 1024, Qt::Uninitialized);
    QRandomGenerator generator(1);
    for (char &byte : sent)
        byte = static_cast<char>(generator.bounded(256));
    StartedRun run({QStringLiteral("run"), QStringLiteral("--"), QStringLiteral("cat")});
    QCOMPARE(run.write(sent), sent.size());
    QCOMPARE(run.endInput(), 0);
    QVERIFY(run.output() == sent);
    QCOMPARE(run.error(), QByteArray());
}

void RunTest::forwardsLinesWithReadinessByLine()
{
    CompletedRun run(
        arguments(words("--ready", "line:up"), words("out", "getting", "out", "up", "exit", "0")));
    QCOMPARE(run.output(), QByteArray("getting\nup\n"));
}

void RunTest::reportsFailuresAndDecisions()
{
    CompletedRun run(
        arguments(words("--max-retries", "1", "--initial-delay", "10ms", "--jitter", "none"),
                  words("exit", "3")),
        3);
    QCOMPARE(
        run.error(),
        QByteArray("rekindle: chaosagent: failed (ProcessCrash: exit code 3); restart 1 of 1 in "
                   "10ms\n"
                   "rekindle: chaosagent: failed (ProcessCrash: exit code 3); given up after 1 "
                   "restart\n"));
}

void RunTest::signalStopsTheProgram_data()
{
    const Rows<int> row("number");
    row("SIGINT", SIGINT);
    row("SIGTERM", SIGTERM);
    row("SIGHUP", SIGHUP);
}

void RunTest::signalStopsTheProgram()
{
    QFETCH(int, number);
    const QString file = m_folder.filePath(QStringLiteral("pids-%1").arg(number));
    StartedRun run(
        arguments(words(), words("exit-on-term", "5", "append", file, "out", "up", "hang")));
    QVERIFY(run.waitForOutput("up\n"));
    QCOMPARE(run.endBy(number), 0);
    QVERIFY(!isAnyLiving(numbersIn(file)));
    QVERIFY(!run.error().contains("failed"));
}

void RunTest::secondSignalKills()
{
    StartedRun run(arguments(words(), words("ignore-term", "out", "up", "hang")));
    QVERIFY(run.waitForOutput("up\n"));
    run.signal(SIGTERM);
    QVERIFY(run.waitForError("chaosagent: stopping (SIGTERM); repeat to kill\n"));
    run.signal(SIGTERM);
    QVERIFY(run.waitForError("chaosagent: killing (SIGTERM)\n"));
    QCOMPARE(run.end(), 0);
}

void RunTest::exitCode42RequestsRestart()
{
    const QString file = m_folder.filePath(QStringLiteral("starts"));
    StartedRun run(arguments(words("--policy", "none"), words("append", file, "exit", "42")));
    QVERIFY(run.waitForError("restart requested"));
    // At most ten requested restarts per minute are accepted; then the request is a failure.
    QCOMPARE(run.end(), 42);
    QCOMPARE(numbersIn(file).size(), 11);
}

void RunTest::writesEventsToFile()
{
    const QString file = m_folder.filePath(QStringLiteral("events.jsonl"));
    CompletedRun run(arguments(words("--policy", "immediate", "--max-retries", "2",
                                     "--circuit-breaker", "off", "--events", file),
                               words("exit", "3")),
                     3);
    const QByteArray lines = readFile(file);
    const QStringList expected = words(
        "agent.started", "agent.failed", "restart.scheduled", "restart.started", "agent.started",
        "agent.failed", "restart.failed", "restart.scheduled", "restart.started", "agent.started",
        "agent.failed", "restart.failed", "restart.exhausted");
    QCOMPARE(eventTypes(lines, QStringLiteral("chaosagent")), expected);
    int sequence = 0;
    for (const QJsonObject &event : jsonLines(lines)) {
        QCOMPARE(event[QLatin1String("specversion")].toString(), QStringLiteral("1.0"));
        QCOMPARE(event[QLatin1String("id")].toString(), QString::number(++sequence));
        QVERIFY(event[QLatin1String("source")].toString().startsWith(QLatin1String("urn:uuid:")));
        QCOMPARE(event[QLatin1String("subject")].toString(), QStringLiteral("agent/chaosagent"));
    }
}

void RunTest::writesEventsToStderr()
{
    CompletedRun run(
        arguments(words("--quiet", "--policy", "none", "--events", "-"), words("exit", "3")), 3);
    QCOMPARE(run.output(), QByteArray());
    QCOMPARE(eventTypes(run.error(), QStringLiteral("chaosagent")),
             words("agent.started", "agent.failed", "restart.declined"));
}

void RunTest::recordsEventsInDefaultStore()
{
    const QString state = m_folder.filePath(QStringLiteral("state"));
    CommandRun run(arguments(words("--max-retries", "0", "--quiet"), words("exit", "3")));
    run.setStateFolder(state);
    QCOMPARE(run.complete(), 3);
    const QStringList stores = QDir(state + QLatin1String("/rekindle"))
                                   .entryList({QStringLiteral("*.sqlite")}, QDir::Files);
    QCOMPARE(stores.size(), 1);
    QVERIFY2(stores[0].startsWith(QLatin1String("run-")), qPrintable(stores[0]));
    CommandRun history(words("history", "--json")); // the only store
    history.setStateFolder(state);
    QCOMPARE(history.complete(), 0);
    VERIFY_CONTAINS(history.output(), "rekindle.agent.failed.v1");
}

void RunTest::oneDefaultStoreForAllArguments()
{
    const QString state = m_folder.filePath(QStringLiteral("arguments"));
    const auto countAfter = [&state](const QString &text, const QString &folder) {
        CommandRun run(arguments({}, words("out", text, "exit", "0")));
        run.setStateFolder(state);
        run.setWorkingDirectory(folder);
        return run.complete() == 0 ? QDir(state + QLatin1String("/rekindle"))
                                         .entryList({QStringLiteral("*.sqlite")})
                                         .size()
                                   : -1;
    };
    QCOMPARE(countAfter(QStringLiteral("one"), m_folder.path()), 1);
    QCOMPARE(countAfter(QStringLiteral("two"), m_folder.path()), 1);
    QCOMPARE(countAfter(QStringLiteral("one"), QStringLiteral("/")), 2);
}

// A store that was named is reported.
void RunTest::quietHidesFaultsOfDefaultStore()
{
    CommandRun usual(arguments(words("--quiet"), words("exit", "0")));
    usual.setStateFolder(QStringLiteral("/dev/null"));
    QCOMPARE(usual.complete(), 0);
    QCOMPARE(usual.error(), QByteArray());
    CompletedRun named(arguments(words("--quiet", "--store", m_folder.path()), words("exit", "0")));
    VERIFY_CONTAINS(named.error(), " rows; `rekindle history` is incomplete");
}

void RunTest::storeOffWritesNothing()
{
    const QString state = m_folder.filePath(QStringLiteral("unused"));
    CommandRun run(arguments(words("--store", "off"), words("exit", "0")));
    run.setStateFolder(state);
    QCOMPARE(run.complete(), 0);
    QVERIFY(!QFile::exists(state));
}

void RunTest::fullDiskDoesNotStopTheProgram()
{
    CompletedRun run(arguments(words("--policy", "immediate", "--max-retries", "2",
                                     "--circuit-breaker", "off", "--events", "/dev/full"),
                               words("exit", "3")),
                     3);
    const QByteArray error = run.error();
    QCOMPARE(error.count("No space left on device"), 1);
    VERIFY_CONTAINS(error, "events: /dev/full: 13 events lost");
    VERIFY_CONTAINS(error, "given up after 2 restarts");
}

void RunTest::closedStderrDoesNotStopTheProgram()
{
    ShellRun run("sh",
                 {QStringLiteral("-c"),
                  QStringLiteral("\"$0\" run --policy immediate --max-retries 3 "
                                 "--circuit-breaker off -- \"$1\" out start exit 4 2>&-"),
                  QStringLiteral(REKINDLE_COMMAND), QStringLiteral(REKINDLE_CHAOSAGENT)});
    QCOMPARE(run.complete(), 4);
    QCOMPARE(run.output(), QByteArray("start\nstart\nstart\nstart\n"));
}

void RunTest::leavesNoOrphansWhenKilled()
{
    const QString file = m_folder.filePath(QStringLiteral("orphans"));
    StartedRun run(arguments(words(),
                             words("append", file, "fork", "group-ignoring-term", file, "fork",
                                   "session-ignoring-term", file, "out", "up", "hang")));
    QVERIFY(run.waitForOutput("up\n"));
    // The grandchildren append their process ids themselves.
    QTRY_COMPARE_WITH_TIMEOUT(numbersIn(file).size(), 3, 30000);
    const QList<pid_t> processes = numbersIn(file);
    QVERIFY(isAnyLiving(processes));
    run.kill();
    QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(processes), 30000);
}

void RunTest::programHasDefaultSignalsAndCleanEnvironment()
{
    CommandRun run(arguments(words(), words("signals", "env", "QT_NO_GLIB", "exit", "0")));
    run.setVariable("QT_NO_GLIB");
    QCOMPARE(run.complete(), 0);
    const QByteArray output = run.output();
    VERIFY_CONTAINS(output, "QT_NO_GLIB unset");
    VERIFY_CONTAINS(output, "ignored blocked\n");
}

void RunTest::passesArgumentsUnchanged()
{
    CompletedRun run(
        words("run", "--", "printf", "%s\n", "--quiet", "-x", "", "[a,b]", "a b", "--", "-"));
    QCOMPARE(run.output(), QByteArray("--quiet\n-x\n\n[a,b]\na b\n--\n-\n"));
}

// Its agent cannot have this name.
void RunTest::runsAProgramWithAnyName()
{
    const QTemporaryDir folder;
    const QString program =
        writeFile(folder.path(), QStringLiteral("my g++"), "#!/bin/sh\nexit 3\n");
    QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::ExeOwner | QFile::WriteOwner));
    CompletedRun run(words("run", "--policy", "none", "--", program), 3);
    VERIFY_CONTAINS(run.error(), "rekindle: my_g__: failed");
}

void RunTest::warnsIfReadyTimeExceedsStartTimeout()
{
    CompletedRun run(arguments(words("--ready", "alive:60s"), words("exit", "0")));
    VERIFY_CONTAINS(run.error(),
                    "--ready: warning: alive:1m is not reached, because the policy's "
                    "startTimeout is 30s");
}

REKINDLE_TEST(RunTest)
#include "runtest.moc"
