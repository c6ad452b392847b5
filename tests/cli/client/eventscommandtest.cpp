// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>

using namespace Rekindle;

/// `rekindle events` and `rekindle wait` with a running `up`.
class EventsCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void printsStoredEventsAsText();
    void printsCloudEvents();
    void followsUntilHostExits();
    void followsUntilReaderExits();
    void followEndsWithReaderWithoutAnEvent();
    void lostConnectionIsAnError();
    void reportsCursorOfAnotherRun();
    void selectsAgentThatWasRemoved();
    void rejectsInvalidArguments_data();
    void rejectsInvalidArguments();
    void waitsForStates();
    void waitTimesOut();
    void waitEndsWithHost();

private:
    [[nodiscard]] QStringList with(QStringList arguments) const
    {
        return arguments << QStringLiteral("--config") << m_configuration;
    }
    static QJsonObject eventIn(const QByteArray &line)
    {
        return QJsonDocument::fromJson(line).object();
    }

    QTemporaryDir m_folder;
    QString m_configuration;
    std::unique_ptr<StartedRun> m_up;
};

void EventsCommandTest::init()
{
    m_configuration = writeFile(m_folder.path(), QStringLiteral("feed.json"), R"({"agents": [
        {"name": "web", "kind": "process", "program": "sleep", "arguments": ["1000"],
         "policy": {"stableAfter": "10ms"}},
        {"name": "crash", "kind": "process", "program": "false",
         "policy": {"initialDelay": "1h", "maxDelay": "1h"}}]})");
    m_up = std::make_unique<StartedRun>(
        words("up", m_configuration, "--store", "off", "--state", "off", "--log", "json"));
    QVERIFY(m_up->waitForOutput("restart.scheduled"));
    QVERIFY(m_up->waitForOutput("agent.stable"));
}

void EventsCommandTest::cleanup()
{
    if (m_up && m_up->state() == QProcess::Running)
        QCOMPARE(m_up->endBy(SIGTERM), 0);
    m_up.reset();
}

void EventsCommandTest::printsStoredEventsAsText()
{
    CompletedRun events(with(words("events", "--agent", "crash", "--type", "agent.failed", "--type",
                                   "restart.scheduled")));
    const QByteArrayList lines = events.output().split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY2(lines[0].endsWith("Z crash: failed (ProcessCrash: exit code 1)"),
             lines[0].constData());
    VERIFY_CONTAINS(lines[1], "Z crash: restart 1 of 10 in ");
    QCOMPARE(events.error(), QByteArray());
}

void EventsCommandTest::printsCloudEvents()
{
    // The lines of up.
    CompletedRun events(with(words("events", "--json")));
    const QByteArrayList lines = events.output().trimmed().split('\n');
    const QByteArrayList expected = m_up->wholeLines().trimmed().split('\n');
    QCOMPARE(lines, expected);
    const QJsonObject second = eventIn(lines[1]);
    const QString cursor = second[QLatin1String("source")].toString().section(u':', 2) + u':'
        + second[QLatin1String("id")].toString();
    CompletedRun later(with(words("events", "--json", "--from", cursor)));
    QCOMPARE(later.output().trimmed().split('\n'), lines.mid(2));
}

void EventsCommandTest::followsUntilHostExits()
{
    StartedRun events(with(words("events", "--follow", "--from", "oldest", "--agent", "web")));
    QVERIFY(events.waitForOutput("web: stable"));
    CompletedRun restart(with(words("stop", "web")));
    QVERIFY(events.waitForOutput("web: stopped"));
    QCOMPARE(m_up->endBy(SIGTERM), 0);
    QCOMPARE(events.end(), 0);
    VERIFY_CONTAINS(events.error(), "rekindle: the host exited\n");
    VERIFY_CONTAINS(events.error(), "rekindle: to continue, use --from ");
}

void EventsCommandTest::followsUntilReaderExits()
{
    ShellRun shell("sh",
                   words("-c", "\"$0\" events --follow --from oldest --config \"$1\" | head -n 1",
                         REKINDLE_COMMAND, m_configuration));
    QVERIFY(shell.begin());
    QVERIFY(shell.waitForOutput(": start 1"));
    CompletedRun restart(with(words("restart", "web")));
    QCOMPARE(shell.end(), 0);
    QCOMPARE(m_up->endBy(SIGTERM), 0);
}

void EventsCommandTest::followEndsWithReaderWithoutAnEvent()
{
    ShellRun shell("sh",
                   words("-c", "\"$0\" \"$@\" | true", REKINDLE_COMMAND, "events", "--follow",
                         "--type", "agent.failed", "--config", m_configuration));
    QVERIFY(shell.begin());
    QCOMPARE(shell.end(), 0);
}

void EventsCommandTest::lostConnectionIsAnError()
{
    StartedRun events(with(words("events", "--follow", "--from", "oldest")));
    QVERIFY(events.waitForOutput("web: stable"));
    m_up->endBy(SIGKILL);
    QCOMPARE(events.end(), 69);
    VERIFY_CONTAINS(events.error(), "the host has closed the connection");
    VERIFY_CONTAINS(events.error(), "rekindle: to continue, use --from ");
}

void EventsCommandTest::reportsCursorOfAnotherRun()
{
    CompletedRun events(with(words("events", "--from", "another:1")), 1);
    VERIFY_CONTAINS(events.error(), "the events after the cursor another:1 are not stored");
}

void EventsCommandTest::selectsAgentThatWasRemoved()
{
    static_cast<void>(writeFile(m_folder.path(), QStringLiteral("feed.json"), R"({"agents": [
        {"name": "web", "kind": "process", "program": "sleep", "arguments": ["1000"],
         "policy": {"stableAfter": "10ms"}}]})"));
    CompletedRun reload(with(words("reload")));
    QVERIFY(m_up->waitForOutput("configuration.applied"));
    CompletedRun events(with(words("events", "--agent", "crash", "--type", "agent.failed")));
    VERIFY_CONTAINS(events.output(), "crash: failed (ProcessCrash: exit code 1)");
    CompletedRun logs(with(words("logs", "crash")), 64);
    QCOMPARE(logs.error(),
             QByteArray("rekindle: no agent named crash: it was removed; to see its events, use "
                        "`rekindle events --agent crash`\n"));
}

void EventsCommandTest::rejectsInvalidArguments_data()
{
    const Rows<QStringList, QByteArray> row("arguments", "message");
    row("type", words("events", "--type", "agent.stopped", "--type", "agent.redy"),
        "rekindle: --type: expected one of agent.started, ");
    row("hint for a type", words("events", "--type", "agent.redy"),
        "sharedbreaker.changed, found \"agent.redy\"; did you mean \"agent.ready\"?\n");
    row("agent", words("events", "--agent", "wed"), "no agent named wed; did you mean \"web\"?");
    row("cursor", words("events", "--from", "then"),
        "rekindle: --from: expected \"now\", \"recent\", "
        "\"oldest\" or a cursor up to ");
    row("state", words("wait", "web", "--for", "started"), "--for");
    row("no state", words("wait", "web"), "--for");
    row("unknown agent", words("wait", "wed", "--for", "ready"), "no agent named wed");
}

void EventsCommandTest::rejectsInvalidArguments()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    CompletedRun run(with(arguments), 64);
    VERIFY_CONTAINS(run.error(), message);
}

void EventsCommandTest::waitsForStates()
{
    CompletedRun stable(with(words("wait", "web", "--for", "stable", "--timeout", "1m")));
    QCOMPARE(stable.output(), QByteArray());
    StartedRun stopped(with(words("wait", "web", "--for", "stopped")));
    CompletedRun stop(with(words("stop", "web")));
    QCOMPARE(stopped.end(), 0);
    CompletedRun idle(with(words("wait", "web", "--for", "idle", "--timeout", "0s")));
}

void EventsCommandTest::waitTimesOut()
{
    CompletedRun ready(with(words("wait", "web", "crash", "--for", "ready", "--timeout", "20ms")),
                       124);
    QCOMPARE(ready.error(), QByteArray("rekindle: not reached within 20ms: crash (Waiting)\n"));
}

void EventsCommandTest::waitEndsWithHost()
{
    StartedRun ready(with(words("wait", "crash", "--for", "ready")));
    CompletedRun down(with(words("down")));
    QCOMPARE(ready.end(), 69);
    QCOMPARE(m_up->end(), 0); // a signal while the host exits would kill it
}

REKINDLE_TEST(EventsCommandTest)
#include "eventscommandtest.moc"
