// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/testterminal.h"
#include "testprogram.h"

#include <csignal>
#include <memory>

using namespace Rekindle;

/// `rekindle logs` with a real `up`.
class LogsCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void printsNewestLines();
    void selectsLines();
    void namesAgentsOfSeveral();
    void ordersLinesOfAgentsByTime();
    void marksProcessesOnTerminal();
    void followsNewLines();
    void followEndsWithHost();
    void readsAndFollowsFiles();
    void reportsMissingFile();
    void rejectsInvalidOptions();

private:
    [[nodiscard]] QStringList with(QStringList arguments) const
    {
        return arguments << QStringLiteral("--config") << m_configuration;
    }

    QTemporaryDir m_folder;
    QString m_configuration;
    std::unique_ptr<StartedRun> m_up;
};

void LogsCommandTest::init()
{
    for (const char *each : {"out.log", "err.log", "go"})
        QFile::remove(m_folder.filePath(QLatin1String(each)));
    QByteArray text = R"({"agents": [
        {"name": "web", "kind": "process", "program": "sh",
         "arguments": ["-c", "echo one; echo two >&2; echo three; exec sleep 1000"]},
        {"name": "late", "kind": "process", "program": "sh", "start": "manual",
         "arguments": ["-c", "echo between; exec sleep 1000"]},
        {"name": "silent", "kind": "process", "program": "sleep", "arguments": ["1000"]},
        {"name": "filer", "kind": "process", "program": "sh", "stdout": {"file": "out.log"},
         "stderr": {"file": "err.log", "maxSize": "10kB"},
         "environment": {"GO": "FOLDER/go"},
         "arguments": ["-c", "echo first; until test -e $GO; do sleep 0.01; done; echo second; echo third; exec sleep 1000"]}]})";
    text.replace("FOLDER", m_folder.path().toUtf8());
    m_configuration = writeFile(m_folder.path(), QStringLiteral("logs.json"), text);
    m_up = std::make_unique<StartedRun>(
        words("up", m_configuration, "--store", "off", "--state", "off", "--log", "json"));
    QVERIFY(waitUntil([this] { return m_up->output().count("agent.ready") == 3; }));
    QVERIFY(waitUntil([this] {
        CompletedRun logs(with(words("logs", "web")));
        return logs.output().contains("three");
    }));
}

void LogsCommandTest::cleanup() { QCOMPARE(m_up->endBy(SIGTERM), 0); }

// The host may read stdout and stderr in any order.
void LogsCommandTest::printsNewestLines()
{
    CompletedRun output(with(words("logs", "web", "--stream", "stdout")));
    QCOMPARE(output.output(), QByteArray("one\nthree\n"));
    CompletedRun last(with(words("logs", "web", "--stream", "stdout", "-n", "1")));
    QCOMPARE(last.output(), QByteArray("three\n"));
    CompletedRun timed(with(words("logs", "web", "--stream", "stdout", "-n", "1", "-t")));
    const QRegularExpression time(QStringLiteral(R"(^\d{4}-\d\d-\d\dT[\d:.]+Z three\n$)"));
    QVERIFY2(QString::fromUtf8(timed.output()).contains(time), timed.output().constData());
    CompletedRun silent(with(words("logs", "silent")));
    QCOMPARE(silent.output(), QByteArray());
    VERIFY_CONTAINS(silent.error(), "silent: no lines yet, or ");
    QCOMPARE(last.error(), QByteArray());
}

void LogsCommandTest::selectsLines()
{
    CompletedRun errors(with(words("logs", "web", "--stream", "stderr")));
    QCOMPARE(errors.output(), QByteArray("two\n"));
    CompletedRun match(with(words("logs", "web", "--grep", "hre")));
    QCOMPARE(match.output(), QByteArray("three\n"));
    CompletedRun json(with(words("logs", "web", "--grep", "two", "--json")));
    const QJsonDocument line = QJsonDocument::fromJson(json.output());
    QCOMPARE(line[QLatin1String("stream")], QStringLiteral("stderr"));
    QCOMPARE(line[QLatin1String("agent")], QStringLiteral("web"));
}

void LogsCommandTest::namesAgentsOfSeveral()
{
    CompletedRun logs(with(words("logs", "web", "silent", "--grep", "one")));
    QCOMPARE(logs.output(), QByteArray("web| one\n"));
}

// The lines of `web` are older than those of its later start and of `late`, which is started
// between them.
void LogsCommandTest::ordersLinesOfAgentsByTime()
{
    const auto waitForLines = [this](const char *agent, const char *text, int count) {
        return waitUntil([&] {
            CompletedRun logs(with(words("logs", agent)));
            return logs.output().count(text) == count;
        });
    };
    CompletedRun start(with(words("start", "late")));
    QVERIFY(waitForLines("late", "between", 1));
    CompletedRun restart(with(words("restart", "web")));
    QVERIFY(waitForLines("web", "three", 2));
    CompletedRun logs(with(words("logs", "web", "late", "--stream", "stdout")));
    QCOMPARE(logs.output(),
             QByteArray("web| one\nweb| three\nlate| between\nweb| one\nweb| three\n"));
}

void LogsCommandTest::marksProcessesOnTerminal()
{
    const auto pids = [this] {
        CompletedRun logs(with(words("logs", "web", "--json")));
        QStringList all;
        for (const QByteArray &line : logs.output().trimmed().split('\n')) {
            const qint64 pid = QJsonDocument::fromJson(line)[QLatin1String("pid")].toInteger();
            all.append(QString::number(pid));
        }
        all.removeDuplicates();
        return all;
    };
    QCOMPARE(pids().size(), 1);
    CompletedRun restart(with(words("restart", "web")));
    QVERIFY(waitUntil([&] { return pids().size() == 2; }));
    const QByteArray second = pids().constLast().toLatin1();
    CompletedRun piped(with(words("logs", "web")));
    QVERIFY(!piped.output().contains("--"));
    TestTerminal terminal(m_folder.path());
    CommandRun logs(with(words("logs", "web", "late", "--stream", "stdout", "--follow")));
    QVERIFY(terminal.begin(logs));
    QVERIFY(terminal.waitFor("web| one\r\nweb| three\r\nweb| -- process " + second
                             + " --\r\nweb| one"));
    QCOMPARE(terminal.shown().count("-- process"), 1);
    logs.endBy(SIGINT);
}

void LogsCommandTest::followsNewLines()
{
    StartedRun logs(with(words("logs", "web", "-f", "--lines", "0", "--stream", "stdout")));
    // The first lines that are followed are those of a later start.
    QVERIFY(waitUntil([&] {
        CompletedRun restart(with(words("restart", "web")));
        return logs.output().contains("one\nthree\n");
    }));
    logs.endBy(SIGINT);
}

void LogsCommandTest::followEndsWithHost()
{
    StartedRun logs(with(words("logs", "web", "silent", "--follow")));
    QVERIFY(logs.waitForOutput("web| three"));
    m_up->endBy(SIGTERM);
    QCOMPARE(logs.end(), 0);
    QCOMPARE(logs.error(), QByteArray("rekindle: the host exited\n"));
    init(); // for cleanup()
}

void LogsCommandTest::readsAndFollowsFiles()
{
    CompletedRun logs(with(words("logs", "filer")));
    QCOMPARE(logs.output(), QByteArray("first\n"));
    CompletedRun errors(with(words("logs", "filer", "--stream", "stderr", "--json")));
    QCOMPARE(errors.output(), QByteArray());
    QCOMPARE(errors.error(), QByteArray());
    StartedRun follow(with(words("logs", "filer", "-f", "--grep", "i")));
    QVERIFY(follow.waitForOutput("first\n"));
    const QString path = m_folder.filePath(QStringLiteral("out.log"));
    static_cast<void>(writeFile(m_folder.path(), QStringLiteral("go"), ""));
    QVERIFY(follow.waitForOutput("third\n"));
    QVERIFY(QFile::rename(path, path + QLatin1String(".1")));
    CompletedRun restart(with(words("restart", "filer")));
    QVERIFY(waitUntil([&] { return follow.output().count("third\n") == 2; }));
    QCOMPARE(follow.output(), QByteArray("first\nthird\nfirst\nthird\n"));
    QCOMPARE(m_up->endBy(SIGTERM), 0);
    QCOMPARE(follow.end(), 0);
    init(); // for cleanup()
}

void LogsCommandTest::reportsMissingFile()
{
    QVERIFY(QFile::remove(m_folder.filePath(QStringLiteral("out.log"))));
    CompletedRun logs(with(words("logs", "filer", "--stream", "stdout")));
    VERIFY_CONTAINS(logs.error(), "out.log: No such file or directory");
}

void LogsCommandTest::rejectsInvalidOptions()
{
    CompletedRun unknown(with(words("logs", "wed")), 64);
    VERIFY_CONTAINS(unknown.error(), "did you mean \"web\"?");
    CompletedRun lines(with(words("logs", "web", "--lines", "1001")), 64);
    CompletedRun stream(with(words("logs", "web", "--stream", "out")), 64);
}

REKINDLE_TEST(LogsCommandTest)
#include "logscommandtest.moc"
