// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/shellblocks.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

/// `rekindle up` and its state file.
class StateCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void defaultFileIsBesideTheStore();
    void offWritesNoFile();
    void resumesAfterKilledHost();
    void givenUpUntilNormalExit();
    void exitsIfAllAreGivenUp();
    void answeredCommandsOutliveAKill();
    void stoppedAgentStaysStoppedUntilNormalExit();
    void commandsOfThePageWork();

private:
    [[nodiscard]] QString write(const QList<QStringList> &agents, const QJsonObject &policy) const;
    [[nodiscard]] QStringList files(const QString &folder) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_state;
};

namespace {

QJsonObject fast(int maxRetries)
{
    return {{QStringLiteral("initialDelay"), QStringLiteral("20ms")},
            {QStringLiteral("multiplier"), 1},
            {QStringLiteral("maxRetries"), maxRetries},
            {QStringLiteral("circuitBreaker"), QStringLiteral("off")}};
}

} // namespace

void StateCommandTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_state = m_folder->filePath(QStringLiteral("a.state"));
}

QString StateCommandTest::write(const QList<QStringList> &agents, const QJsonObject &policy) const
{
    return writeFile(m_folder->path(), QStringLiteral("agents.json"),
                     configuration(agents, policy));
}

QStringList StateCommandTest::files(const QString &folder) const
{
    return QDir(m_folder->filePath(folder)).entryList(QDir::Files, QDir::Name);
}

void StateCommandTest::defaultFileIsBesideTheStore()
{
    CommandRun run(words("up", write({words("exit", "1")}, fast(3))));
    run.setStateFolder(m_folder->path());
    QCOMPARE(run.complete(), 1);
    const QStringList found = files(QStringLiteral("rekindle"));
    const QRegularExpression name(QStringLiteral("^agents-[0-9a-f]{8}\\.state$"));
    QCOMPARE(found.filter(name).size(), 1);
    QVERIFY(found.contains(
        found.filter(name).front().replace(QLatin1String(".state"), QLatin1String(".sqlite"))));
}

void StateCommandTest::offWritesNoFile()
{
    CompletedRun run(words("up", write({words("exit", "1")}, fast(1)), "--state", "off"), 1);
    QVERIFY(!QFile::exists(QStringLiteral("off")));
    QVERIFY(!run.error().contains("state"));
}

void StateCommandTest::resumesAfterKilledHost()
{
    const QStringList arguments = words("up", write({words("exit", "3")}, fast(1000)), "--state",
                                        m_state, "--store", "off", "--log", "json");
    {
        StartedRun killed(arguments);
        QVERIFY(waitUntil([&] { return readFile(m_state).contains("\"Waiting\""); }));
        killed.endBy(SIGKILL);
    }
    StartedRun next(arguments);
    QVERIFY(next.waitForOutput("restart.started"));
    QCOMPARE(next.endBy(SIGTERM), 0);
    QVERIFY2(next.error().startsWith(
                 "rekindle: state: the previous host did not exit normally; resuming "
                 "the restart sequence of 1 agent\n"),
             next.error().constData());
}

void StateCommandTest::givenUpUntilNormalExit()
{
    const QString config = write({words("exit", "3"), words("hang")}, fast(2));
    const QStringList arguments = words("up", config, "--state", m_state, "--store", "off");
    {
        StartedRun killed(arguments);
        QVERIFY(killed.waitForOutput("restart.exhausted"));
        QVERIFY(waitUntil([&] { return readFile(m_state).contains("\"Exhausted\""); }));
        killed.endBy(SIGKILL);
    }
    StartedRun next(arguments);
    QVERIFY(next.waitForOutput("agent.ready"));
    const QRegularExpression stillGivenUp(
        QStringLiteral("^rekindle: a: still given up, failed at 20[0-9:.TZ-]+ "
                       "\\(ProcessCrash: exit code 3, before the host was restarted\\); "
                       "to start it now, run `rekindle start a --config \\S+`$"),
        QRegularExpression::MultilineOption);
    QVERIFY2(QString::fromUtf8(next.error()).contains(stillGivenUp), next.error().constData());
    QVERIFY2(!next.error().contains("did not exit normally"), next.error().constData());
    QCOMPARE(next.endBy(SIGTERM), 0);
    QVERIFY(eventTypes(next.output(), QStringLiteral("a")).isEmpty());

    StartedRun fresh(arguments);
    QVERIFY(fresh.waitForOutput("restart.exhausted"));
    QCOMPARE(
        eventTypes(fresh.output(), QStringLiteral("a")).count(QLatin1String("restart.started")), 2);
    QCOMPARE(fresh.endBy(SIGTERM), 0);
}

// If all agents were given up, the next host reports this and exits normally.
void StateCommandTest::exitsIfAllAreGivenUp()
{
    const QStringList arguments =
        words("up", write({words("exit", "3")}, fast(0)), "--state", m_state, "--store", "off");
    {
        StartedRun both(
            words("up",
                  writeFile(m_folder->path(), QStringLiteral("both.json"),
                            configuration({words("exit", "3"), words("hang")}, fast(0))),
                  "--state", m_state, "--store", "off"));
        QVERIFY(both.waitForOutput("restart.exhausted"));
        QVERIFY(waitUntil([&] { return readFile(m_state).contains("\"Exhausted\""); }));
        both.endBy(SIGKILL);
    }
    CompletedRun next(arguments, 1);
    QCOMPARE(next.output(), QByteArray());
    VERIFY_CONTAINS(next.error(), "1 of 1 agent given up");
    CompletedRun fresh(arguments, 1);
    QVERIFY(fresh.output().contains("agent.failed"));
}

// Killed at once after the answer, ten times, so that it hits each part of the interval in which
// changes are collected.
void StateCommandTest::answeredCommandsOutliveAKill()
{
    const QString config = write({words("hang")}, hourlyRetries());
    const QString store = m_folder->filePath(QStringLiteral("a.sqlite"));
    for (int i = 0; i < 10; ++i) {
        const QString reason = QStringLiteral("kill %1").arg(i);
        StartedRun up(words("up", config, "--state", m_state, "--store", store, "--log", "json"));
        QVERIFY(i == 0 ? up.waitForOutput("agent.ready")
                       : up.waitForError("rekindle: a: still isolated"));
        CompletedRun release(words("release", "a", "--config", config), i == 0 ? 1 : 0);
        CompletedRun isolate(words("isolate", "a", "--config", config, "--reason", reason));
        up.endBy(SIGKILL);
        VERIFY_CONTAINS(readFile(m_state), "\"isolated\":true");
        CompletedRun history(words("history", "--store", store, "--json"));
        VERIFY_CONTAINS(history.output(), reason.toUtf8());
        CompletedRun trail(words("history", "verify", "--store", store));
    }
}

void StateCommandTest::stoppedAgentStaysStoppedUntilNormalExit()
{
    const QString config = write({words("hang"), words("hang")}, fast(0));
    const QStringList arguments =
        words("up", config, "--state", m_state, "--store", "off", "--log", "json");
    {
        StartedRun killed(arguments);
        QVERIFY(waitUntil([&] { return killed.output().count("agent.ready") == 2; }));
        CompletedRun stop(words("stop", "a", "--config", config));
        killed.endBy(SIGKILL);
    }
    StartedRun next(arguments);
    QVERIFY(next.waitForOutput("agent.ready"));
    VERIFY_CONTAINS(next.error(),
                    "rekindle: a: still stopped by an operator; to start it now, run `rekindle "
                    "start a --config ");
    CompletedRun status(words("status", "a", "--config", config));
    VERIFY_CONTAINS(status.output(), "Stopped");
    QCOMPARE(next.endBy(SIGTERM), 0);
    QVERIFY(eventTypes(next.output(), QStringLiteral("a")).isEmpty());

    StartedRun fresh(arguments);
    QVERIFY(waitUntil([&] { return fresh.output().count("agent.ready") == 2; }));
    QCOMPARE(fresh.endBy(SIGTERM), 0);
}

void StateCommandTest::commandsOfThePageWork()
{
    const ShellBlocks blocks = runShellBlocks(QStringLiteral("state.md"), m_folder->path());
    QVERIFY2(blocks.fault.isEmpty(), qPrintable(blocks.fault));
    const QByteArrayList &outputs = blocks.outputs;
    const QStringList &errors = blocks.errors;
    QCOMPARE(outputs.size(), 10);
    VERIFY_CONTAINS(outputs[0], "\"agent\":\"worker\"");
    const QRegularExpression attempt(QStringLiteral("\"attempt\":([0-9]+)"));
    const int made = attempt.match(QString::fromUtf8(outputs[0])).captured(1).toInt();
    QVERIFY(made > 0);
    const QJsonObject next = jsonLines(outputs[1]).value(0);
    QCOMPARE(next[QLatin1String("data")][QLatin1String("attemptNumber")].toInt(), made + 1);
    const QJsonObject fresh = jsonLines(outputs[2]).value(0);
    QCOMPARE(fresh[QLatin1String("data")][QLatin1String("attemptNumber")].toInt(), 1);
    const QRegularExpression second(
        QStringLiteral("^rekindle: state: agents.state: used by another host \\(process [0-9]+\\); "
                       "continuing without a state file$"),
        QRegularExpression::MultilineOption);
    VERIFY_CONTAINS(errors[7], second);
    VERIFY_CONTAINS(errors[7], "rekindle: agents.json: used by another host");
    VERIFY_CONTAINS(errors[5], "torn.state.bad-1, starting a new file");
}

REKINDLE_TEST(StateCommandTest)
#include "statecommandtest.moc"
