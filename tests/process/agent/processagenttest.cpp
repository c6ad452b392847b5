// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/agentlog.h"
#include "processes.h"
#include "testprogram.h"
#include "testrow.h"

#include <sys/wait.h>

#include <csignal>
#include <memory>

using namespace Rekindle;

class ProcessAgentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reportsEnds_data()
    {
        const Rows<QString, QString, int> row("commands", "end", "status");
        row("0", "exit 0", "stopped", 0);
        row("42", "exit 42", "restart requested: exit code 42", 42);
        row("1", "exit 1", "failed ProcessCrash", 1);
        row("255", "exit 255", "failed ProcessCrash", 255);
        row("69", "exit 69", "failed DependencyFailure", 69);
        row("78", "exit 78", "failed InitializationFailed", 78);
        row("127", "exit 127", "failed InitializationFailed", 127);
        row("SIGSEGV", "signal 11", "failed ProcessCrash", 128 + SIGSEGV);
        row("SIGKILL", "signal 9", "failed ProcessCrash", 128 + SIGKILL);
        row("SIGTERM", "signal 15", "failed ProcessCrash", 128 + SIGTERM);
        row("SIGPIPE", "signal 13", "failed ProcessCrash", 128 + SIGPIPE);
    }

    void reportsEnds()
    {
        QFETCH(QString, commands);
        AgentLog log(chaos(commands.split(u' ')));
        log.agent.start();
        QVERIFY(log.agent.isAlive());
        QVERIFY(log.agent.processId() > 0);
        QVERIFY(!log.agent.lastExitStatus());
        QVERIFY(log.waitForEnd());
        QFETCH(QString, end);
        QCOMPARE(log.entries, listOf("started, ready") + QStringList{end});
        QTEST(log.agent.lastExitStatus().value_or(-1), "status");
        QCOMPARE(log.agent.processId(), 0);
    }

    void restartRequestFollowsEndOfGroup()
    {
        AgentLog log(chaos("exit 42"));
        bool alive = true;
        connect(&log.agent, &Agent::restartRequested, this, [&] { alive = log.agent.isAlive(); });
        QVERIFY(log.run());
        QVERIFY(!alive);
    }

    void failureHasDetails()
    {
        AgentLog log(chaos("err first err second exit 3"));
        log.agent.start();
        const qint64 process = log.agent.processId();
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.failure.detail.exitCode, 3);
        QCOMPARE(log.failure.detail.processId, process);
        QCOMPARE(log.failure.detail.stderrTail,
                 (QStringList{QStringLiteral("first"), QStringLiteral("second")}));
    }

    void usesExitCodeTableOfDefinition()
    {
        ProcessDefinition definition = chaos("exit 9");
        definition.exitCodes.insert(9, {FailureReason::ResourceExhaustion, true});
        AgentLog log(definition);
        QVERIFY(log.run());
        QCOMPARE(log.entries.last(), QStringLiteral("failed ResourceExhaustion"));
        QVERIFY(log.failure.detail.permanent);
    }

    void exitCodeTableCanMakeRestartRequestAFailure()
    {
        ProcessDefinition definition = chaos("exit 42");
        definition.exitCodes.insert(42, {FailureReason::DependencyFailure, false});
        AgentLog log(definition);
        QVERIFY(log.run());
        QCOMPARE(log.entries.last(), QStringLiteral("failed DependencyFailure"));
        QCOMPARE(log.failure.detail.exitCode, 42);
    }

    void canBeRestartedRepeatedly()
    {
        const QTemporaryDir folder;
        AgentLog log(chaos("crash-first 3 %1", folder.filePath(QStringLiteral("count"))));
        connect(&log.agent, &Agent::failed, this, [&] { log.agent.start(); });
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("ready"), 10));
        QCOMPARE(log.entries.count(QStringLiteral("failed ProcessCrash")), 3);
        QVERIFY(log.agent.isAlive());
    }

    void leavesNoZombie()
    {
        AgentLog log(chaos("exit 1"));
        log.agent.start();
        const auto process = static_cast<pid_t>(log.agent.processId());
        QVERIFY(log.waitForEnd());
        QCOMPARE(::kill(process, 0), -1);
    }

    // A member of the group holds the pipes open and ignores SIGTERM. It is killed, and the report
    // does not wait for it.
    void crashKillsTheGroup()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("pids"));
        AgentLog log(chaos("fork group-ignoring-term %1 await %1 exit 3", file));
        QVERIFY(log.run());
        QCOMPARE(log.entries.last(), QStringLiteral("failed ProcessCrash"));
        QTRY_VERIFY_WITH_TIMEOUT(!numbersIn(file).isEmpty(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(numbersIn(file)), 20000);
    }

    // A process that has left the group holds the pipes open. The report does not wait for the end
    // of the pipes, and the guard kills the process.
    void crashIsReportedWhilePipesAreHeldOpen()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("pids"));
        AgentLog log(chaos("fork session-ignoring-term %1 await %1 exit 3", file));
        QVERIFY(log.run());
        QTRY_VERIFY_WITH_TIMEOUT(!numbersIn(file).isEmpty(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(numbersIn(file)), 20000);
    }

    void destructorKillsTheGroup()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("pids"));
        auto log = std::make_unique<AgentLog>(
            chaos("ignore-term append %1 fork group-ignoring-term %1 fork session-ignoring-term %1",
                  file));
        log->agent.start();
        const auto process = static_cast<pid_t>(log->agent.processId());
        QTRY_COMPARE_WITH_TIMEOUT(numbersIn(file).size(), 3, 20000);
        log.reset();
        QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(numbersIn(file)), 20000);
        // It is also reaped.
        QTRY_COMPARE_WITH_TIMEOUT(::kill(process, 0), -1, 20000);
    }

    void canBeDestroyedInSlots_data()
    {
        const Rows<QString> row("when");
        for (const char *when : {"started", "ready", "out x", "failed ProcessCrash"})
            row(when);
    }

    void canBeDestroyedInSlots()
    {
        QFETCH(QString, when);
        TimerScheduler scheduler;
        ProcessDefinition definition = chaos("out x out y exit 3");
        auto *agent = new ProcessAgent(definition, scheduler);
        const QPointer<ProcessAgent> alive(agent);
        const auto destroyAt = [&, agent](const QString &entry) {
            if (entry == when)
                delete agent;
        };
        connect(agent, &Agent::started, this, [=] { destroyAt(QStringLiteral("started")); });
        connect(agent, &Agent::ready, this, [=] { destroyAt(QStringLiteral("ready")); });
        connect(agent, &Agent::output, this, [=](AgentOutput::Stream, const QByteArray &line) {
            destroyAt(QStringLiteral("out ") + QString::fromLatin1(line));
        });
        connect(agent, &Agent::failed, this, [=](FailureReason reason) {
            destroyAt(QStringLiteral("failed ") + toText(reason));
        });
        agent->start();
        QTRY_VERIFY_WITH_TIMEOUT(!alive, 20000);
    }

    void stopWithoutProcessEmitsNothing()
    {
        AgentLog log(chaos("exit 0"));
        log.agent.stop();
        log.agent.kill();
        QVERIFY(log.entries.isEmpty());
        QVERIFY(log.run());
        const QStringList before = log.entries;
        log.agent.stop();
        QCOMPARE(log.entries, before);
        QVERIFY(!log.agent.signalGroup(SIGTERM));
    }
};

REKINDLE_TEST(ProcessAgentTest)
#include "processagenttest.moc"
