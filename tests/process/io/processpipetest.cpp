// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A process that speaks a protocol: stdout as bytes, stdin as a pipe.

#include "process/agentlog.h"
#include "testprogram.h"

using namespace Rekindle;

class ProcessPipeTest : public QObject
{
    Q_OBJECT

    static ProcessDefinition piped(const char *commands, const QString &argument = {})
    {
        ProcessDefinition definition = chaos(commands, argument);
        definition.standardInput = ProcessDefinition::StandardInput::Pipe;
        definition.standardOutput.kind = OutputTarget::Kind::Pipe;
        return definition;
    }

    // Bytes of stdout, in order with the other signals.
    struct Piped : AgentLog
    {
        explicit Piped(const ProcessDefinition &definition)
            : AgentLog(definition)
        {
            connect(&agent, &ProcessAgent::outputBytes, this, [this](const QByteArray &some) {
                bytes += some;
                cameWhilePaused = cameWhilePaused || agent.isOutputPaused();
                if (pauses)
                    agent.setOutputPaused(true);
            });
            connect(&agent, &ProcessAgent::outputEnded, this,
                    [this] { entries.push_back(QStringLiteral("output ended")); });
        }
        bool waitForBytes(qsizetype count)
        {
            return QTest::qWaitFor([&] { return bytes.size() >= count; }, 30000);
        }

        QByteArray bytes;
        bool pauses = false;
        bool cameWhilePaused = false;
    };

private Q_SLOTS:
    void emitsBytesUnchanged()
    {
        Piped piped(ProcessPipeTest::piped("out %1 err trouble partial rest exit 3",
                                           QStringLiteral("one\r\n")));
        QVERIFY(piped.run());
        QCOMPARE(piped.bytes, "one\r\n\nrest");
        QCOMPARE(piped.entries,
                 listOf("started, ready, err trouble, output ended, failed ProcessCrash"));
        QCOMPARE(piped.failure.detail.stderrTail, QStringList(QStringLiteral("trouble")));
    }

    void echoesInput()
    {
        Piped piped(ProcessPipeTest::piped("read-to-end exit 0"));
        piped.agent.start();
        QByteArray sent;
        for (int i = 0; i < 1000; ++i)
            sent += QByteArray::number(i) + QByteArray(100, 'x') + '\n';
        QCOMPARE(piped.agent.write(sent), sent.size());
        QVERIFY(piped.waitForBytes(sent.size()));
        QCOMPARE(piped.bytes, sent);
        piped.agent.closeStandardInput();
        QVERIFY(piped.waitForEnd());
        QCOMPARE(piped.entries.last(), QStringLiteral("stopped"));
    }

    void processBlocksWhilePaused()
    {
        constexpr qsizetype flood = 4 * 1024 * 1024;
        Piped piped(
            ProcessPipeTest::piped("flood %1 err all-written hang", QString::number(flood)));
        piped.pauses = true;
        piped.agent.start();
        for (qsizetype seen = 0; seen < flood;) {
            QVERIFY(piped.waitForBytes(seen + 1));
            seen = piped.bytes.size();
            QVERIFY(piped.agent.isOutputPaused());
            if (flood - seen > 1024 * 1024) {
                // Its output is not read, so the process cannot have written all of it.
                QCoreApplication::processEvents();
                QCOMPARE(piped.bytes.size(), seen);
                QVERIFY(!piped.entries.contains(QStringLiteral("err all-written")));
            }
            piped.agent.setOutputPaused(false);
        }
        QCOMPARE(piped.bytes.size(), flood);
        QVERIFY(!piped.cameWhilePaused);
        QVERIFY(piped.waitFor(QStringLiteral("err all-written")));
        piped.agent.kill();
        QVERIFY(piped.waitForEnd());
        QCOMPARE(piped.entries.last(), QStringLiteral("stopped"));
    }

    void emitsRestAfterExitWhilePaused()
    {
        Piped piped(ProcessPipeTest::piped("flood 16384 exit 0"));
        piped.agent.start();
        piped.agent.setOutputPaused(true);
        QVERIFY(piped.waitForEnd());
        QCOMPARE(piped.bytes.size(), 16384);
        QCOMPARE(piped.entries.mid(2), listOf("output ended, stopped"));
    }

    void newStartIsNotPaused()
    {
        Piped piped(ProcessPipeTest::piped("out hello hang"));
        piped.agent.start();
        piped.agent.setOutputPaused(true);
        piped.agent.kill();
        QVERIFY(piped.waitForEnd());
        piped.bytes.clear();
        QVERIFY(!piped.agent.isOutputPaused());
        piped.agent.start();
        QVERIFY(piped.waitForBytes(6));
    }

    void killsProcessThatClosedStdout()
    {
        ProcessDefinition definition = piped("ignore-term close-out hang");
        definition.standardOutput.graceAtEnd = std::chrono::milliseconds(20);
        Piped log(definition);
        QVERIFY(log.run());
        QCOMPARE(log.entries, listOf("started, ready, output ended, failed ProcessCrash"));
        QVERIFY(!log.failure.detail.signal); // the kill is not the cause
        QVERIFY(log.failure.detail.message.contains(QStringLiteral("stdout")));
    }

    void closedStdoutBeforeExitIsNoFailure()
    {
        ProcessDefinition definition = piped("close-out sleep 50 exit 0");
        definition.standardOutput.graceAtEnd = std::chrono::seconds(60);
        Piped log(definition);
        QVERIFY(log.run());
        QCOMPARE(log.entries.mid(2), listOf("output ended, stopped"));
    }

    void canBeDestroyedInSignals()
    {
        for (const bool atEnd : {false, true}) {
            TimerScheduler scheduler;
            auto *agent = new ProcessAgent(piped("out hello exit 0"), scheduler);
            bool destroyed = false;
            connect(agent, &QObject::destroyed, this, [&] { destroyed = true; });
            if (atEnd)
                connect(agent, &ProcessAgent::outputEnded, this, [agent] { delete agent; });
            else
                connect(agent, &ProcessAgent::outputBytes, this, [agent] { delete agent; });
            agent->start();
            QVERIFY(QTest::qWaitFor([&] { return destroyed; }, 30000));
        }
    }
};

REKINDLE_TEST(ProcessPipeTest)
#include "processpipetest.moc"
