// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"

#include "processes.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>

using namespace Rekindle;

/// `rekindle up` without a terminal.
class UpTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void exitsAfterTheLastAgent_data();
    void exitsAfterTheLastAgent();
    void continuesWhileAnAgentRearms();
    void stopsAfterOptionFor();
    void reportsAgentsNotRunningAtStop();
    void signalReportsRunningAgents();
    void rejectsMissingFolder_data();
    void rejectsMissingFolder();
    void prefixesOutputLinesWithAgentName();
    void writesTextLineForEachEvent();
    void optionLogSelectsLines_data();
    void optionLogSelectsLines();
    void refusesSecondHost();
    void warnsIfSecondHostIsNotDetected();
    void endsTornLineOfEvents();
    void closedStdoutDoesNotStopAgents();
    void slowReaderDoesNotBlock();
    void raisesSoftDescriptorLimit();
    void startsAsManyAgentsAsDescriptorsAllow();

private:
    QString config(const QList<QStringList> &agents, const QJsonObject &policy = {})
    {
        return writeFile(m_folder.path(), QStringLiteral("%1.json").arg(++m_files),
                         configuration(agents, policy));
    }

    QTemporaryDir m_folder;
    int m_files = 0;
};

namespace {

QJsonObject immediate(int maxRetries)
{
    return {{QStringLiteral("type"), QStringLiteral("immediate")},
            {QStringLiteral("maxRetries"), maxRetries},
            {QStringLiteral("circuitBreaker"), QStringLiteral("off")}};
}

} // namespace

void UpTest::exitsAfterTheLastAgent_data()
{
    const Rows<QList<QStringList>, int, int, QByteArray> row("agents", "retries", "code",
                                                             "message");
    const QStringList clean = words("exit", "0");
    const QStringList crash = words("exit", "1");
    row("all are given up", {crash, words("exit", "78")}, 1, 1, "2 of 2 agents given up");
    row("one is given up", {clean, crash}, 0, 1, "1 of 2 agents given up");
    row("all exit cleanly", {clean, clean}, 0, 0, "");
}

void UpTest::exitsAfterTheLastAgent()
{
    QFETCH(QList<QStringList>, agents);
    QFETCH(int, retries);
    QFETCH(int, code);
    QFETCH(QByteArray, message);
    CompletedRun run(words("up", config(agents, immediate(retries))), code);
    VERIFY_CONTAINS(run.error(), message);
}

void UpTest::continuesWhileAnAgentRearms()
{
    QJsonObject policy = immediate(0);
    policy[QStringLiteral("maxRetries")] = 1;
    policy[QStringLiteral("rearmAfter")] = QStringLiteral("100ms");
    StartedRun run(words("up", config({words("exit", "1")}, policy)));
    QVERIFY(waitUntil([&] { return run.output().count("restart.exhausted") >= 2; }));
    QCOMPARE(run.state(), QProcess::Running);
    QCOMPARE(run.endBy(SIGTERM), 0);
}

void UpTest::stopsAfterOptionFor()
{
    const QString file = m_folder.filePath(QStringLiteral("for"));
    CompletedRun run(words("up", config({words("append", file, "hang")}), "--for", "200ms"));
    QCOMPARE(eventTypes(run.output()).last(), QStringLiteral("a agent.stopped"));
    QVERIFY(!isAnyLiving(numbersIn(file)));
}

// No event reports the stop of an agent whose breaker is open, because nothing is pending.
void UpTest::reportsAgentsNotRunningAtStop()
{
    QJsonObject policy = immediate(3);
    policy[QStringLiteral("circuitBreaker")] = QJsonObject{
        {QStringLiteral("threshold"), 1}, {QStringLiteral("timeout"), QStringLiteral("1h")}};
    StartedRun run(
        words("up", config({words("exit", "1"), words("hang"), words("exit", "0")}, policy)));
    QVERIFY(waitUntil([&] {
        const QByteArray lines = run.output();
        return lines.contains("circuit.changed") && lines.contains("agent.stopped")
            && eventTypes(lines, QStringLiteral("b")).contains(QLatin1String("agent.ready"));
    }));
    QCOMPARE(run.endBy(SIGINT), 0);
    QVERIFY2(run.error().endsWith("\nrekindle: not running at the stop: a (CircuitOpen)\n"),
             run.error().constData());
}

// On stderr, not among the events.
void UpTest::signalReportsRunningAgents()
{
    const QStringList stubborn = words("ignore-term", "out", "here", "hang");
    StartedRun run(words("up", config({stubborn, stubborn, words("exit", "0")})));
    QVERIFY(run.waitForError("a| here"));
    QVERIFY(run.waitForError("b| here"));
    QVERIFY(waitUntil([&] { return run.output().contains("agent.stopped.v1"); }));
    run.signal(SIGINT);
    QVERIFY(run.waitForError("\nrekindle: stopping 2 agents (SIGINT); repeat to kill\n"));
    QCOMPARE(run.state(), QProcess::Running);
    QCOMPARE(run.endBy(SIGTERM), 0);
    VERIFY_CONTAINS(run.error(),
                    "\nrekindle: killing 2 agents (SIGTERM); repeat to exit without waiting\n");
    QVERIFY(!jsonLines(run.output()).isEmpty());
    QVERIFY(!run.output().contains("rekindle: "));
}

// No option creates a folder.
void UpTest::rejectsMissingFolder_data()
{
    const Rows<QStringList, QString> row("command", "option");
    const QStringList up = words("up", config({words("exit", "0")}));
    row("events", up, "--events");
    row("store", up, "--store");
    row("state", up, "--state");
    row("run, events", words("run"), "--events");
    row("mcp, store", words("mcp"), "--store");
}

void UpTest::rejectsMissingFolder()
{
    QFETCH(QStringList, command);
    QFETCH(QString, option);
    const QString folder = m_folder.filePath(QStringLiteral("mistyped"));
    const QString file = folder + QStringLiteral("/file");
    QStringList arguments = command + QStringList{option, file};
    if (command.front() != QLatin1String("up"))
        arguments += words("--", REKINDLE_CHAOSAGENT, "exit", "0");
    CompletedRun run(arguments, 64);
    QCOMPARE(
        QString::fromLocal8Bit(run.error()),
        QStringLiteral("rekindle: %1: %2: folder %3 does not exist\n").arg(option, file, folder));
    QVERIFY(!QFile::exists(folder));
}

void UpTest::prefixesOutputLinesWithAgentName()
{
    CompletedRun run(words(
        "up",
        config({words("out", "to stdout", "err", "to stderr", "partial", "rest", "exit", "0")})));
    const QByteArray error = run.error();
    VERIFY_CONTAINS(error, "a| to stdout\n");
    VERIFY_CONTAINS(error, "a| to stderr\n");
    VERIFY_CONTAINS(error, "a| rest\n");
    QVERIFY(!jsonLines(run.output()).isEmpty());
}

void UpTest::writesTextLineForEachEvent()
{
    CompletedRun run(words("up", config({words("exit", "3")}, immediate(1))), 1);
    const QByteArrayList lines = run.error().split('\n');
    const QList<QJsonObject> events = jsonLines(run.output());
    qsizetype count = 0;
    for (const QByteArray &line : lines)
        count += line.startsWith("rekindle: a: ") ? 1 : 0;
    QCOMPARE(count, events.size());
    const QByteArray process = QByteArray::number(startedIn(run.output()).value(0));
    QCOMPARE(lines.value(0), "rekindle: a: start 1, process " + process);
    VERIFY_CONTAINS(run.error(), "rekindle: a: failed (ProcessCrash: exit code 3)\n");
    VERIFY_CONTAINS(run.error(), "rekindle: a: restart 1 of 1 in 0s\n");
}

void UpTest::optionLogSelectsLines_data()
{
    const Rows<bool, bool> row("text", "json");
    row("text", true, false);
    row("json", false, true);
    row("both", true, true);
    row("none", false, false);
}

void UpTest::optionLogSelectsLines()
{
    QFETCH(bool, text);
    QFETCH(bool, json);
    CompletedRun run(words("up", config({words("out", "hello", "exit", "0")}), "--log",
                           QTest::currentDataTag()));
    QCOMPARE(run.error().contains("rekindle: a: finished\n"), text);
    QCOMPARE(run.output().contains("rekindle.agent.stopped.v1"), json);
    VERIFY_CONTAINS(run.error(), "a| hello\n");
}

void UpTest::refusesSecondHost()
{
    const QString file = config({words("hang")});
    const QStringList arguments = words("up", file, "--store", "off", "--state", "off");
    StartedRun first(arguments);
    QVERIFY(first.waitForOutput("agent.ready"));
    CompletedRun second(arguments, 75);
    QCOMPARE(second.output(), QByteArray());
    QCOMPARE(
        second.error(),
        QStringLiteral("rekindle: %1: used by another host (process %2); nothing was started; to "
                       "apply changes, run `rekindle reload --config %1`\n")
            .arg(file)
            .arg(first.processId())
            .toUtf8());
    // A link is the same configuration; a file with another suffix is not.
    const QString link = m_folder.filePath(QStringLiteral("link.json"));
    QVERIFY(QFile::link(file, link));
    CompletedRun linked(words("up", link, "--store", "off", "--state", "off"), 75);
    CommandRun elsewhere(arguments); // with another lock, and the same control socket
    elsewhere.setStateFolder(m_folder.filePath(QStringLiteral("elsewhere")));
    QCOMPARE(elsewhere.complete(), 75);
    VERIFY_CONTAINS(elsewhere.error(), "used by another host, which listens on /");
    const QString other = file + QLatin1Char('c');
    QVERIFY(QFile::copy(file, other));
    CompletedRun beside(words("up", other, "--store", "off", "--state", "off", "--for", "10ms"));
    first.endBy(SIGKILL);
    CompletedRun next(arguments + words("--for", "10ms"));
}

void UpTest::warnsIfSecondHostIsNotDetected()
{
    const QString file = config({words("exit", "0")});
    const QString folder = writeFile(m_folder.path(), QStringLiteral("no-folder"), "file");
    CommandRun run(words("up", file, "--store", "off", "--state", "off", "--log", "json"));
    run.setStateFolder(folder);
    QCOMPARE(run.complete(), 0);
    QVERIFY2(run.error().startsWith(QStringLiteral("rekindle: %1: warning: cannot be locked (%2")
                                        .arg(file, folder)
                                        .toUtf8()),
             run.error().constData());
    QCOMPARE(run.error().count('\n'), 1);
}

void UpTest::endsTornLineOfEvents()
{
    const QByteArray torn = R"({"specversion":"1.0","id")";
    const QString file = writeFile(m_folder.path(), QStringLiteral("torn.jsonl"), torn);
    CompletedRun first(words("up", config({words("exit", "0")}), "--events", file));
    QCOMPARE(readFile(file), QByteArray(torn + '\n' + first.output()));
    CompletedRun second(words("up", config({words("exit", "0")}), "--events", file));
    QCOMPARE(readFile(file), QByteArray(torn + '\n' + first.output() + second.output()));
}

void UpTest::closedStdoutDoesNotStopAgents()
{
    ShellRun run("sh",
                 words("-c", "{ \"$0\" up \"$1\"; echo \"code $?\" >&2; } | head -n 1",
                       REKINDLE_COMMAND, config({words("exit", "1")}, immediate(1000))));
    QCOMPARE(run.complete(), 0);
    QCOMPARE(run.output().count('\n'), 1);
    const QByteArray error = run.error();
    VERIFY_CONTAINS(error, "events: stdout: Broken pipe; continuing");
    VERIFY_CONTAINS(error, "1 of 1 agent given up");
    VERIFY_CONTAINS(error, "code 1\n");
}

// The reader starts after the end; events that were dropped until then are reported as a gap.
void UpTest::slowReaderDoesNotBlock()
{
    const QString file = m_folder.filePath(QStringLiteral("all.jsonl"));
    ShellRun run("sh",
                 words("-c",
                       "\"$0\" up \"$1\" --events \"$2\" | "
                       "{ until grep -q restart.exhausted \"$2\"; do sleep 0.1; done; cat; }",
                       REKINDLE_COMMAND, config({words("exit", "1")}, immediate(1000)), file));
    QCOMPARE(run.complete(), 0);
    const QList<QJsonObject> all = jsonLines(readFile(file));
    const QList<QJsonObject> read = jsonLines(run.output());
    QVERIFY(read.size() > 100);
    QVERIFY(read.size() < all.size());
    const QByteArray error = run.error();
    VERIFY_CONTAINS(error, "events: stdout: reader too slow; continuing");
    VERIFY_CONTAINS(error, " events lost");
}

void UpTest::raisesSoftDescriptorLimit()
{
    ShellRun run("sh",
                 words("-c", "ulimit -S -n 40 && exec \"$0\" up \"$1\"", REKINDLE_COMMAND,
                       config(QList<QStringList>(60, words("hang")))));
    QVERIFY(run.begin());
    QVERIFY(waitUntil([&] { return run.output().count("agent.ready.v1") == 60; }));
    QVERIFY(!run.output().contains("agent.failed.v1"));
    // The agents have the limit that the command was started with.
    const QList<pid_t> agents = startedIn(run.wholeLines());
    QCOMPARE(agents.size(), 60);
    for (const pid_t agent : agents) {
        const QByteArray limits =
            readFile(QStringLiteral("/proc/%1/limits").arg(agent)).simplified();
        VERIFY_CONTAINS(limits, "Max open files 40 ");
    }
    QCOMPARE(run.endBy(SIGTERM), 0);
}

void UpTest::startsAsManyAgentsAsDescriptorsAllow()
{
    const QString path = config(QList<QStringList>(20, words("hang")));
    const auto arguments = [&](const char *command, int limit) {
        return words("-c", "ulimit -n $1 && exec \"$0\" $2 \"$3\"", REKINDLE_COMMAND,
                     QString::number(limit), command, path);
    };
    constexpr int needed = 64 + 20 * 3; // docs/configuration.md
    for (const char *command : {"check", "up"}) {
        ShellRun run("sh", arguments(command, needed - 1));
        QCOMPARE(run.complete(), 78);
        QCOMPARE(run.output(), QByteArray());
        VERIFY_CONTAINS(run.error(),
                        ": /agents/19: expected at most 123 descriptors (the hard limit, ulimit "
                        "-Hn), found 124: 60 for 20 agents and 64 for the host\n");
    }
    QFile watching(path); // each list of patterns needs one
    QVERIFY(watching.open(QIODevice::ReadOnly));
    const QByteArray text =
        watching.readAll().replace("\"kind\":", R"("watch": ["none"], "kind":)");
    const QString watchingPath = writeFile(QFileInfo(path).path(), QStringLiteral("w.json"), text);
    ShellRun watched("sh",
                     words("-c", "ulimit -n $1 && exec \"$0\" check \"$2\"", REKINDLE_COMMAND,
                           QString::number(needed), watchingPath));
    QCOMPARE(watched.complete(), 78);
    VERIFY_CONTAINS(watched.error(), "found 125: 60 for 20 agents and 65 for the host\n");
    constexpr int connections = 64;
    ShellRun refused("sh", arguments("up --metrics 0", needed + connections - 1));
    QCOMPARE(refused.complete(), 78);
    VERIFY_CONTAINS(refused.error(), "found 188: 60 for 20 agents and 128 for the host\n");
    for (const auto &[command, limit] :
         {std::pair("up", needed), std::pair("up --metrics 0", needed + connections)}) {
        ShellRun run("sh", arguments(command, limit));
        QVERIFY(run.begin());
        QVERIFY(waitUntil([&] { return run.output().count("agent.ready.v1") == 20; }));
        QVERIFY(!run.output().contains("agent.failed.v1"));
        QCOMPARE(run.endBy(SIGTERM), 0);
    }
}

REKINDLE_TEST(UpTest)
#include "uptest.moc"
