// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"

#include "processes.h"
#include "testprogram.h"

#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

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
    void stopCancelsPendingRestart();
    void exitCode42RequestsRestart();
    void writesEventsToFile();
    void writesEventsToStderr();
    void fullDiskDoesNotStopTheProgram();
    void closedStderrDoesNotStopTheProgram();
    void leavesNoOrphansWhenKilled();
    void programHasDefaultSignalsAndCleanEnvironment();
    void passesArgumentsUnchanged();
    void rejectsContradictoryOptions_data();
    void rejectsContradictoryOptions();
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
    CommandRun run({QStringLiteral("run"), QStringLiteral("--"), QStringLiteral("cat")});
    QVERIFY(run.begin());
    QCOMPARE(run.write(sent), sent.size());
    run.closeWriteChannel();
    QCOMPARE(run.end(), 0);
    QVERIFY(run.output() == sent);
    QCOMPARE(run.error(), QByteArray());
}

void RunTest::forwardsLinesWithReadinessByLine()
{
    CommandRun run(
        arguments(words("--ready", "line:up"), words("out", "getting", "out", "up", "exit", "0")));
    QCOMPARE(run.complete(), 0);
    QCOMPARE(run.output(), QByteArray("getting\nup\n"));
}

void RunTest::reportsFailuresAndDecisions()
{
    CommandRun run(
        arguments(words("--max-retries", "1", "--initial-delay", "10ms", "--jitter", "none"),
                  words("exit", "3")));
    QCOMPARE(run.complete(), 3);
    QCOMPARE(
        run.error(),
        QByteArray("rekindle: chaosagent: failed (ProcessCrash: exit code 3); restart 1 of 1 in "
                   "10ms\n"
                   "rekindle: chaosagent: failed (ProcessCrash: exit code 3); given up after 1 "
                   "restart\n"));
}

void RunTest::signalStopsTheProgram_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGHUP") << SIGHUP;
}

void RunTest::signalStopsTheProgram()
{
    QFETCH(int, number);
    const QString file = m_folder.filePath(QStringLiteral("pids-%1").arg(number));
    CommandRun run(
        arguments(words(), words("exit-on-term", "5", "append", file, "out", "up", "hang")));
    QVERIFY(run.begin());
    QVERIFY(run.waitForOutput("up\n"));
    run.signal(number);
    QCOMPARE(run.end(), 0);
    QVERIFY(!isAnyLiving(numbersIn(file)));
    QVERIFY(!run.error().contains("failed"));
}

void RunTest::secondSignalKills()
{
    CommandRun run(arguments(words(), words("ignore-term", "out", "up", "hang")));
    QVERIFY(run.begin());
    QVERIFY(run.waitForOutput("up\n"));
    run.signal(SIGTERM);
    QVERIFY(run.waitForError("chaosagent: stopping (SIGTERM); repeat to kill\n"));
    run.signal(SIGTERM);
    QVERIFY(run.waitForError("chaosagent: killing (SIGTERM)\n"));
    QCOMPARE(run.end(), 0);
}

void RunTest::stopCancelsPendingRestart()
{
    CommandRun run(
        arguments(words("--initial-delay", "1h", "--max-delay", "1h"), words("exit", "1")));
    QVERIFY(run.begin());
    QVERIFY(run.waitForError("restart 1 of 10 in "));
    run.signal(SIGTERM);
    QCOMPARE(run.end(), 0);
}

void RunTest::exitCode42RequestsRestart()
{
    const QString file = m_folder.filePath(QStringLiteral("starts"));
    CommandRun run(arguments(words("--policy", "none"), words("append", file, "exit", "42")));
    QVERIFY(run.begin());
    QVERIFY(run.waitForError("restart requested"));
    // At most ten requested restarts per minute are accepted; then the request is a failure.
    QCOMPARE(run.end(), 42);
    QCOMPARE(numbersIn(file).size(), 11);
}

void RunTest::writesEventsToFile()
{
    const QString file = m_folder.filePath(QStringLiteral("events.jsonl"));
    CommandRun run(arguments(words("--policy", "immediate", "--max-retries", "2",
                                   "--circuit-breaker", "off", "--events", file),
                             words("exit", "3")));
    QCOMPARE(run.complete(), 3);
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
    CommandRun run(
        arguments(words("--quiet", "--policy", "none", "--events", "-"), words("exit", "3")));
    QCOMPARE(run.complete(), 3);
    QCOMPARE(run.output(), QByteArray());
    QCOMPARE(eventTypes(run.error(), QStringLiteral("chaosagent")),
             words("agent.started", "agent.failed"));
}

void RunTest::fullDiskDoesNotStopTheProgram()
{
    CommandRun run(arguments(words("--policy", "immediate", "--max-retries", "2",
                                   "--circuit-breaker", "off", "--events", "/dev/full"),
                             words("exit", "3")));
    QCOMPARE(run.complete(), 3);
    const QByteArray error = run.error();
    QCOMPARE(error.count("No space left on device"), 1);
    QVERIFY2(error.contains("events: /dev/full: 13 events lost"), error.constData());
    QVERIFY2(error.contains("given up after 2 restarts"), error.constData());
}

void RunTest::closedStderrDoesNotStopTheProgram()
{
    CommandRun run({});
    run.setProgram(QStringLiteral("sh"));
    run.setArguments({QStringLiteral("-c"),
                      QStringLiteral("\"$0\" run --policy immediate --max-retries 3 "
                                     "--circuit-breaker off -- \"$1\" out start exit 4 2>&-"),
                      QStringLiteral(REKINDLE_COMMAND), QStringLiteral(REKINDLE_CHAOSAGENT)});
    QCOMPARE(run.complete(), 4);
    QCOMPARE(run.output(), QByteArray("start\nstart\nstart\nstart\n"));
}

void RunTest::leavesNoOrphansWhenKilled()
{
    const QString file = m_folder.filePath(QStringLiteral("orphans"));
    CommandRun run(arguments(words(),
                             words("append", file, "fork", "group-ignoring-term", file, "fork",
                                   "session-ignoring-term", file, "out", "up", "hang")));
    QVERIFY(run.begin());
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
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("QT_NO_GLIB"));
    run.setProcessEnvironment(environment);
    QCOMPARE(run.complete(), 0);
    const QByteArray output = run.output();
    QVERIFY2(output.contains("QT_NO_GLIB unset"), output.constData());
    QVERIFY2(output.contains("ignored blocked\n"), output.constData());
}

void RunTest::passesArgumentsUnchanged()
{
    CommandRun run(
        words("run", "--", "printf", "%s\n", "--quiet", "-x", "", "[a,b]", "a b", "--", "-"));
    QCOMPARE(run.complete(), 0);
    QCOMPARE(run.output(), QByteArray("--quiet\n-x\n\n[a,b]\na b\n--\n-\n"));
}

void RunTest::rejectsContradictoryOptions_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("twice") << words("--max-retries", "1", "--max-retries", "2")
                           << QByteArray("--max-retries: given more than once;");
    QTest::newRow("no jitter of a ratio")
        << words("--jitter", "none:0.3") << QByteArray("found \"none:0.3\"");
    QTest::newRow("full jitter of a ratio")
        << words("--jitter", "full:0.3") << QByteArray("found \"full:0.3\"");
}

void RunTest::rejectsContradictoryOptions()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, says);
    CommandRun run(arguments(options, words("exit", "0")));
    QCOMPARE(run.complete(), 64);
    QVERIFY2(run.error().contains(says), run.error().constData());
}

void RunTest::warnsIfReadyTimeExceedsStartTimeout()
{
    CommandRun run(arguments(words("--ready", "alive:60s"), words("exit", "0")));
    QCOMPARE(run.complete(), 0);
    QVERIFY2(run.error().contains("--ready: warning: alive:1m is not reached, because the policy's "
                                  "startTimeout is 30s"),
             run.error().constData());
}

REKINDLE_TEST(RunTest)
#include "runtest.moc"
