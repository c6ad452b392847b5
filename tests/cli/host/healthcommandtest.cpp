// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace Rekindle;

namespace {

QJsonObject lastOf(const QByteArray &lines, const QString &agent, const QString &type)
{
    QJsonObject found;
    for (const QJsonObject &event : jsonLines(lines)) {
        const QJsonObject data = event[QLatin1String("data")].toObject();
        if (event[QLatin1String("type")].toString().contains(type)
            && data[QLatin1String("agent")].toString() == agent)
            found = data;
    }
    return found;
}

} // namespace

/// Health probes of `rekindle up`.
class HealthCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void exampleIsInTheManual();
    void exampleRecoversHungWorker();
    void examplesOfThePageAreValid();
    void stoppedHostDoesNotFailItsAgents();
    void stoppedHostDoesNotFailAStart();
};

void HealthCommandTest::exampleIsInTheManual()
{
    const QString example = QStringLiteral(REKINDLE_SOURCE "/examples/2-health/health.json");
    CompletedRun check(words("check", example));
    const QByteArray quoted = "```json\n" + readFile(example) + "```\n";
    QVERIFY(readFile(QStringLiteral(REKINDLE_SOURCE "/docs/health.md")).contains(quoted));
}

// The worker hangs, is killed and restarted.
void HealthCommandTest::exampleRecoversHungWorker()
{
    const QTemporaryDir folder;
    const QString store = folder.filePath(QStringLiteral("s.sqlite"));
    StartedRun run(words("up", REKINDLE_SOURCE "/examples/2-health/health.json", "--store", store));
    QVERIFY(waitUntil([&] {
        return eventTypes(run.wholeLines(), QStringLiteral("worker"))
                   .count(QLatin1String("agent.ready"))
            >= 2;
    }));
    const QByteArray lines = run.wholeLines();
    // Another program may use the port of the web server.
    const QJsonObject failure =
        lastOf(lines, QStringLiteral("worker"), QStringLiteral("agent.failed"));
    QCOMPARE(failure[QLatin1String("reason")].toString(), QStringLiteral("HealthCheckFailed"));
    const QStringList types = eventTypes(lines, QStringLiteral("worker"));
    QVERIFY(types.indexOf(QStringLiteral("health.changed"))
            < types.indexOf(QStringLiteral("agent.failed")));
    QCOMPARE(run.endBy(SIGTERM), 0);

    // `explain` shows the reason.
    CompletedRun explain(words("explain", "worker", "--limit", "1", "--store", store));
    const QString text = QString::fromUtf8(explain.output());
    for (const char *expected :
         {"  failure  HealthCheckFailed: health probe heartbeat failed 1 time in a row",
          "  health   Unhealthy, consecutive probe failures: 2; last results:\n",
          ": no answer within 1s\n"})
        VERIFY_CONTAINS(text, QLatin1String(expected));
    CompletedRun history(words("history", "worker", "--store", store));
    QVERIFY2(
        history.output().contains("unhealthy, consecutive probe failures: 1 (heartbeat: no answer "
                                  "within 500ms)"),
        history.output().constData());
}

// Each block of the page that is marked as a configuration.
void HealthCommandTest::examplesOfThePageAreValid()
{
    const QString page =
        QString::fromUtf8(readFile(QStringLiteral(REKINDLE_SOURCE "/docs/health.md")));
    const QTemporaryDir folder;
    int checked = 0;
    const QStringList parts = page.split(QStringLiteral("\n## "));
    for (const QString &part : parts) {
        const QString marked = part.section(QStringLiteral("<!-- agent -->\n```json\n"), 1);
        if (marked.isEmpty())
            continue;
        const QString agent = marked.section(QStringLiteral("```"), 0, 0);
        const QString path = writeFile(folder.path(), QStringLiteral("%1.json").arg(++checked),
                                       QStringLiteral("{\"agents\": [%1]}").arg(agent).toUtf8());
        CompletedRun check(words("check", path));
        QVERIFY2(!check.error().contains("warning"), check.error().constData());
    }
    QCOMPARE(checked, 8);
}

void HealthCommandTest::stoppedHostDoesNotFailItsAgents()
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
    StartedRun run(words("up", writeFile(folder.path(), QStringLiteral("a.json"), json)));
    QVERIFY(run.waitForOutput("agent.ready"));
    // Longer than the timeout of every probe, five times.
    for (int i = 0; i < 5; ++i) {
        run.signal(SIGSTOP);
        QTest::qWait(1500);
        run.signal(SIGCONT);
        QTest::qWait(300);
    }
    QVERIFY(!run.output().contains("agent.failed"));

    // The probes run, as a stopped agent shows.
    const auto agent =
        static_cast<pid_t>(lastOf(run.wholeLines(), QStringLiteral("a"),
                                  QStringLiteral("agent.started"))[QLatin1String("pid")]
                               .toInteger());
    QVERIFY(agent > 0);
    ::kill(agent, SIGSTOP);
    QVERIFY(waitUntil([&] { return run.wholeLines().contains("agent.failed"); }));
    QCOMPARE(lastOf(run.wholeLines(), QStringLiteral("a"),
                    QStringLiteral("agent.failed"))[QLatin1String("reason")]
                 .toString(),
             QStringLiteral("HealthCheckFailed"));
    QCOMPARE(run.endBy(SIGTERM), 0);
}

// The agent stops its supervisor between the first readiness probe and its readiness, for longer
// than the start timeout.
void HealthCommandTest::stoppedHostDoesNotFailAStart()
{
    const QTemporaryDir folder;
    QVERIFY(!writeFile(folder.path(), QStringLiteral("agent.sh"), R"(
        until test -e asked; do sleep 0.05; done
        kill -STOP $PPID
        sleep 11
        : > up
        kill -CONT $PPID
        exec sleep 1000
    )")
                 .isEmpty());
    const QString config = writeFile(folder.path(), QStringLiteral("up.json"), R"({ "agents": [ {
        "name": "a", "kind": "process", "program": "sh", "arguments": ["agent.sh"],
        "workingDirectory": ".",
        "ready": { "kind": "probe", "probe": { "kind": "exec", "interval": "100ms",
                   "command": ["sh", "-c", ": > asked; test -e up"] } },
        "policy": { "type": "none", "startTimeout": "10s" } } ] })");
    StartedRun run(words("up", config));
    QVERIFY(waitUntil([&] {
        const QStringList types = eventTypes(run.wholeLines(), QStringLiteral("a"));
        return types.contains(QStringLiteral("agent.ready"))
            || types.contains(QStringLiteral("agent.failed"));
    }));
    QCOMPARE(eventTypes(run.wholeLines(), QStringLiteral("a")),
             words("agent.started", "agent.ready"));
    QCOMPARE(run.endBy(SIGTERM), 0);
}

REKINDLE_TEST(HealthCommandTest)
#include "healthcommandtest.moc"
