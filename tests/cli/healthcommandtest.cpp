// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "commandrun.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace Rekindle;

namespace {

QJsonObject lastOf(const QByteArray &lines, const QString &type)
{
    QJsonObject found;
    for (const QJsonObject &event : jsonLines(lines)) {
        if (event[QLatin1String("type")].toString().contains(type))
            found = event[QLatin1String("data")].toObject();
    }
    return found;
}

} // namespace

/// Health as the command has it.
class HealthCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theExampleIsThatOfTheManual();
    void theExampleShowsWhatItPromises();
    void aStoppedSupervisorDoesNotBlameItsAgents();
};

void HealthCommandTest::theExampleIsThatOfTheManual()
{
    const QString example = QStringLiteral(REKINDLE_SOURCE "/examples/health/health.json");
    CommandRun check(words("check", example));
    QCOMPARE(check.complete(), 0);
    const QByteArray quoted = "```json\n" + readFile(example) + "```\n";
    QVERIFY(readFile(QStringLiteral(REKINDLE_SOURCE "/docs/health.md")).contains(quoted));
}

// The worker hangs, is killed and comes back.
void HealthCommandTest::theExampleShowsWhatItPromises()
{
    CommandRun run(words("up", REKINDLE_SOURCE "/examples/health/health.json"));
    QVERIFY(run.begin());
    QVERIFY(QTest::qWaitFor(
        [&] {
            return eventTypes(run.output(), QStringLiteral("worker"))
                       .count(QLatin1String("agent.ready"))
                >= 2;
        },
        30000));
    const QByteArray lines = run.output();
    const QJsonObject failure = lastOf(lines, QStringLiteral("agent.failed"));
    QCOMPARE(failure[QLatin1String("reason")].toString(), QStringLiteral("HealthCheckFailed"));
    run.signal(SIGTERM);
    QCOMPARE(run.end(), 0);
}

void HealthCommandTest::aStoppedSupervisorDoesNotBlameItsAgents()
{
    const QTemporaryDir folder;
    const QByteArray json =
        R"({"agents": [{"name": "a", "kind": "process", "program": ")" REKINDLE_CHAOSAGENT
        R"(", "arguments": ["beat", "0"], "ready": "now", "policy": "immediate",
            "health": [{"kind": "heartbeat", "interval": "200ms", "timeout": "200ms", "misses": 1,
                        "lastChance": "200ms"},
                       {"kind": "exec", "command": [")" REKINDLE_CHAOSAGENT
        R"(", "sleep", "100", "exit", "0"], "interval": "200ms", "timeout": "5s", "misses": 1,
                        "lastChance": "5s"}]}]})";
    CommandRun run(words("up", writeFile(folder.path(), QStringLiteral("a.json"), json)));
    QVERIFY(run.begin());
    QVERIFY(run.waitForOutput("agent.ready"));
    for (int i = 0; i < 5; ++i) {
        run.signal(SIGSTOP);
        QTest::qWait(1500);
        run.signal(SIGCONT);
        QTest::qWait(300);
    }
    QVERIFY(!run.output().contains("agent.failed"));

    // The probes do run: it is the agent's turn to be stopped.
    const auto agent = static_cast<pid_t>(
        lastOf(run.output(), QStringLiteral("agent.started"))[QLatin1String("pid")].toInteger());
    QVERIFY(agent > 0);
    ::kill(agent, SIGSTOP);
    QVERIFY(run.waitForOutput("agent.failed"));
    QCOMPARE(
        lastOf(run.output(), QStringLiteral("agent.failed"))[QLatin1String("reason")].toString(),
        QStringLiteral("HealthCheckFailed"));
    run.signal(SIGTERM);
    QCOMPARE(run.end(), 0);
}

QTEST_GUILESS_MAIN(HealthCommandTest)
#include "healthcommandtest.moc"
