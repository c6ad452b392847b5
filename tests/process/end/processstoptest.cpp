// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/agentlog.h"
#include "processes.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

class ProcessStopTest : public QObject
{
    Q_OBJECT

    // Starts the agent and waits until it has written "up".
    static bool startAndWait(AgentLog &log)
    {
        log.agent.start();
        return log.waitFor(QStringLiteral("out up"));
    }

    static ProcessDefinition chaosThatIsUp(const QByteArray &commands, const QString &file = {})
    {
        return chaos(QByteArray(commands + " out up hang").constData(), file);
    }

private Q_SLOTS:
    void anyExitAfterStopIsStopped_data()
    {
        const Rows<QByteArray, int> row("commands", "status");
        row("SIGTERM", {}, 128 + SIGTERM);
        for (const int code : {0, 7, 42})
            QTest::addRow("%d", code) << "exit-on-term " + QByteArray::number(code) << code;
    }

    void anyExitAfterStopIsStopped()
    {
        QFETCH(QByteArray, commands);
        AgentLog log(chaosThatIsUp(commands));
        QVERIFY(startAndWait(log));
        log.agent.stop();
        QVERIFY(log.agent.isAlive());
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.entries.last(), QStringLiteral("stopped"));
        QTEST(log.agent.lastExitStatus().value_or(-1), "status");
    }

    void stopSendsSignalOfDefinition_data()
    {
        QTest::addColumn<int>("signal");
        for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGUSR2})
            QTest::addRow("%d", signal) << signal;
    }

    void stopSendsSignalOfDefinition()
    {
        QFETCH(int, signal);
        ProcessDefinition definition = chaosThatIsUp("ignore-term");
        definition.stop.terminate = 1h;
        definition.stop.signal = signal;
        AgentLog log(definition);
        QVERIFY(startAndWait(log));
        log.agent.stop();
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.entries.last(), QStringLiteral("stopped"));
        QCOMPARE(log.agent.lastExitStatus(), 128 + signal);
    }

    void killsProcessThatIgnoresSigterm()
    {
        ProcessDefinition definition = chaosThatIsUp("ignore-term");
        definition.stop.terminate = 50ms;
        AgentLog log(definition);
        QVERIFY(startAndWait(log));
        log.agent.stop();
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.entries.last(), QStringLiteral("stopped"));
        QCOMPARE(log.agent.lastExitStatus(), 128 + SIGKILL);
    }

    void killDoesNotWait()
    {
        AgentLog log(chaosThatIsUp("exit-on-term 0"));
        QVERIFY(startAndWait(log));
        log.agent.kill();
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.entries.last(), QStringLiteral("stopped"));
        QCOMPARE(log.agent.lastExitStatus(), 128 + SIGKILL);
    }

    void stopContinuesAStoppedProcess()
    {
        ProcessDefinition definition = chaosThatIsUp("exit-on-term 5");
        definition.stop.terminate = 1h;
        AgentLog log(definition);
        QVERIFY(startAndWait(log));
        QVERIFY(log.agent.signalGroup(SIGSTOP));
        log.agent.stop();
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.agent.lastExitStatus(), 5);
    }

    void stdinIsClosedFirst()
    {
        ProcessDefinition definition = chaos("ignore-term out up read-to-end exit 6");
        definition.standardInput = ProcessDefinition::StandardInput::Pipe;
        definition.stop = {1h, 1h, 2s};
        AgentLog log(definition);
        QVERIFY(startAndWait(log));
        log.agent.stop();
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.entries.last(), QStringLiteral("stopped"));
        QCOMPARE(log.agent.lastExitStatus(), 6);
    }

    // The leader exits immediately. A member of its group has the rest of the wait.
    void restOfGroupGetsRestOfWait()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("done"));
        ProcessDefinition definition;
        definition.program = QStringLiteral("sh");
        definition.arguments = {
            QStringLiteral("-c"),
            QStringLiteral("trap 'exit 0' TERM; "
                           "(trap 'sleep 0.3; echo 1 > \"$0\"; exit' TERM; echo up; "
                           "while :; do sleep 0.02; done) & while :; do sleep 0.02; done"),
            file};
        definition.readiness.kind = Readiness::Kind::Now;
        definition.stop.terminate = 1h;
        AgentLog log(definition);
        QVERIFY(startAndWait(log));
        log.agent.stop();
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.entries.last(), QStringLiteral("stopped"));
        QCOMPARE(log.agent.lastExitStatus(), 0);
        QCOMPARE(numbersIn(file), QList<pid_t>{1});
    }

    void killsRestOfGroup()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("pids"));
        ProcessDefinition definition = chaosThatIsUp("fork group-ignoring-term %1 await %1", file);
        definition.stop.terminate = 100ms;
        AgentLog log(definition);
        QVERIFY(startAndWait(log));
        QTRY_COMPARE_WITH_TIMEOUT(numbersIn(file).size(), 1, 30000);
        log.agent.stop();
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.entries.last(), QStringLiteral("stopped"));
        QVERIFY(!isAnyLiving(numbersIn(file)));
        // The stop of the leader counts, not the exit of other members.
        QCOMPARE(log.agent.lastExitStatus(), 128 + SIGTERM);
    }

    void killsProcessesThatLeftTheGroup()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("pids"));
        AgentLog log(chaosThatIsUp("fork session-ignoring-term %1 await %1", file));
        QVERIFY(startAndWait(log));
        QTRY_COMPARE_WITH_TIMEOUT(numbersIn(file).size(), 1, 30000);
        log.agent.stop();
        QVERIFY(log.waitForEnd());
        QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(numbersIn(file)), 20000);
    }

    // Processes of the next start and of other agents are not killed.
    void keepsProcessesOfRunningStarts()
    {
        const QTemporaryDir folder;
        const QString old = folder.filePath(QStringLiteral("old"));
        const QString fresh = folder.filePath(QStringLiteral("fresh"));
        AgentLog other(chaosThatIsUp("fork session-ignoring-term %1 await %1", fresh));
        QVERIFY(startAndWait(other));
        AgentLog log(chaosThatIsUp("fork session %1 await %1", old));
        QVERIFY(startAndWait(log));
        QTRY_COMPARE_WITH_TIMEOUT(numbersIn(old).size(), 1, 30000);
        QTRY_COMPARE_WITH_TIMEOUT(numbersIn(fresh).size(), 1, 30000);
        log.agent.kill();
        QVERIFY(log.waitForEnd());
        log.agent.start();
        QTRY_COMPARE_WITH_TIMEOUT(numbersIn(old).size(), 2, 20000);
        const QList<pid_t> both = numbersIn(old);
        QTRY_VERIFY_WITH_TIMEOUT(!isLiving(both.first()), 20000);
        QVERIFY(isLiving(both.last()));
        QVERIFY(isAnyLiving(numbersIn(fresh)));
        QVERIFY(log.agent.isAlive());
        QVERIFY(other.agent.isAlive());
    }
};

REKINDLE_TEST(ProcessStopTest)
#include "processstoptest.moc"
