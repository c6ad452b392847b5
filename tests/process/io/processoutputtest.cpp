// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The standard streams.

#include "process/agentlog.h"
#include "processes.h"
#include "testprogram.h"
#include "testrow.h"

#include <csignal>

using namespace Rekindle;

class ProcessOutputTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linesAreCompleteAndInOrder()
    {
        AgentLog log(
            chaos(QStringLiteral("out one out  out three partial rest exit 0").split(u' ')));
        QVERIFY(log.run());
        QCOMPARE(log.entries,
                 listOf("started, ready, out one, out , out three, out rest, stopped"));
    }

    void readsAllOfAFlood()
    {
        constexpr int bytes = 8 * 1024 * 1024;
        ProcessDefinition definition = chaos("flood %1 exit 0", QString::number(bytes));
        TimerScheduler scheduler;
        ProcessAgent agent(definition, scheduler);
        qint64 read = 0;
        connect(&agent, &Agent::output, this,
                [&](AgentOutput::Stream, const QByteArray &line) { read += line.size() + 1; });
        QSignalSpy stopped(&agent, &Agent::stopped);
        agent.start();
        QVERIFY(stopped.wait(30000));
        QCOMPARE(read, bytes);
    }

    // One agent writes endlessly.
    void floodDoesNotDelayOthers()
    {
        AgentLog quiet(chaos("out other exit 0"));
        TimerScheduler scheduler;
        ProcessAgent flood(chaos("flood 0"), scheduler);
        QSignalSpy stopped(&flood, &Agent::stopped);
        flood.start();
        QVERIFY(quiet.run());
        QVERIFY(quiet.entries.contains(QStringLiteral("out other")));
        flood.stop();
        QVERIFY(stopped.wait(30000));
    }

    void splitsLongLines()
    {
        ProcessDefinition definition = chaos("long-line 2500 exit 0");
        definition.standardOutput.longestLine = 1000;
        AgentLog log(definition);
        QVERIFY(log.run());
        QList<qsizetype> sizes;
        for (const QString &entry : std::as_const(log.entries)) {
            if (entry.startsWith(QStringLiteral("out ")))
                sizes.push_back(entry.size() - 4);
        }
        QCOMPARE(sizes, (QList<qsizetype>{1000, 1000, 500}));
    }

    void stderrTailIsBounded()
    {
        QStringList commands;
        for (int i = 0; i < 30; ++i)
            commands += {QStringLiteral("err"), QString::number(i)};
        commands += {QStringLiteral("exit"), QStringLiteral("1")};
        AgentLog log(chaos(commands));
        for (int start = 0; start < 2; ++start) {
            QVERIFY(log.run());
            QCOMPARE(log.failure.detail.stderrTail.size(), 20);
            QCOMPARE(log.failure.detail.stderrTail.first(), QStringLiteral("10"));
            QCOMPARE(log.failure.detail.stderrTail.last(), QStringLiteral("29"));
        }
    }

    // A process without open streams keeps running and costs no CPU time.
    void closedStreamsAreNoExit()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("closed"));
        AgentLog log(
            chaos({QStringLiteral("out"), QStringLiteral("last words"), QStringLiteral("close-out"),
                   QStringLiteral("append"), file, QStringLiteral("hang")}));
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("out last words")));
        QTRY_VERIFY_WITH_TIMEOUT(!numbersIn(file).isEmpty(), 20000);
        QCoreApplication::processEvents();
        QVERIFY(log.agent.isAlive());
        log.agent.kill();
        QVERIFY(log.waitForEnd());
    }

    void stdinIsNullByDefault()
    {
        AgentLog log(chaos("read-to-end out end exit 0"));
        log.agent.start();
        QCOMPARE(log.agent.write("x\n"), -1);
        QVERIFY(log.waitForEnd());
        QVERIFY(log.entries.contains(QStringLiteral("out end")));
    }

    void processReadsPipedInput()
    {
        ProcessDefinition definition = chaos("read-to-end exit 0");
        definition.standardInput = ProcessDefinition::StandardInput::Pipe;
        AgentLog log(definition);
        log.agent.start();
        QCOMPARE(log.agent.write("hello\n"), 6);
        QVERIFY(log.waitFor(QStringLiteral("out hello")));
        QCOMPARE(log.agent.write("again\n"), 6);
        log.agent.closeStandardInput();
        QCOMPARE(log.agent.write("late\n"), -1);
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.entries.last(), QStringLiteral("stopped"));
        QVERIFY(log.entries.contains(QStringLiteral("out again")));
        QVERIFY(!log.entries.contains(QStringLiteral("out late")));
    }

    void buffersInputUpToLimit()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("go"));
        ProcessDefinition definition = chaos("await %1 read-to-end exit 0", file);
        definition.standardInput = ProcessDefinition::StandardInput::Pipe;
        definition.standardOutput.kind = OutputTarget::Kind::Null;
        AgentLog log(definition);
        QSignalSpy drained(&log.agent, &ProcessAgent::standardInputDrained);
        log.agent.start();
        const QByteArray block = QByteArray(1023, 'x') + '\n';
        qint64 taken = 0;
        for (int i = 0; i < 4096; ++i)
            taken += log.agent.write(block);
        QVERIFY(taken >= 1024 * 1024);
        QVERIFY(taken < 4096 * 1024);
        QVERIFY(drained.isEmpty());
        QVERIFY(QFile(file).open(QIODevice::WriteOnly));
        QVERIFY(drained.wait(30000));
        log.agent.closeStandardInput();
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.entries.last(), QStringLiteral("stopped"));
    }

    void writeFailsAfterProcessClosedStdin_data()
    {
        const Rows<bool> row("isIgnored");
        row("SIGPIPE ends the host", false);
        row("the host ignores SIGPIPE", true);
    }

    // SIGPIPE would end this test.
    void writeFailsAfterProcessClosedStdin()
    {
        QFETCH(bool, isIgnored);
        const auto before = std::signal(SIGPIPE, isIgnored ? SIG_IGN : SIG_DFL);
        const auto restore = qScopeGuard([before] { std::signal(SIGPIPE, before); });
        ProcessDefinition definition;
        definition.program = QStringLiteral("sh");
        definition.arguments = {QStringLiteral("-c"),
                                QStringLiteral("exec <&-; echo closed; exec sleep 1000")};
        definition.standardInput = ProcessDefinition::StandardInput::Pipe;
        AgentLog log(definition);
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("out closed")));
        QCOMPARE(log.agent.write("x"), -1);
        QCOMPARE(log.agent.write("x"), -1);
        QVERIFY(log.agent.isAlive());
        log.agent.kill();
        QVERIFY(log.waitForEnd());
    }
};

REKINDLE_TEST(ProcessOutputTest)
#include "processoutputtest.moc"
