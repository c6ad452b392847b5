// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A process that speaks a protocol: stdout as bytes, stdin as a pipe.

#include "process/agentlog.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

class ProcessPipeTest : public QObject
{
    Q_OBJECT

    static ProcessDefinition piped(const QStringList &commands)
    {
        ProcessDefinition definition = chaos(commands);
        definition.standardInput = StandardInput::Pipe;
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
        Piped piped(ProcessPipeTest::piped({QStringLiteral("out"), QStringLiteral("one\r\n"),
                                            QStringLiteral("err"), QStringLiteral("trouble"),
                                            QStringLiteral("partial"), QStringLiteral("rest"),
                                            QStringLiteral("exit"), QStringLiteral("3")}));
        piped.agent.start();
        QVERIFY(piped.waitForEnd());
        QCOMPARE(piped.bytes, "one\r\n\nrest");
        QCOMPARE(piped.entries,
                 (QStringList{QStringLiteral("started"), QStringLiteral("ready"),
                              QStringLiteral("err trouble"), QStringLiteral("output ended"),
                              QStringLiteral("failed ProcessCrash")}));
        QCOMPARE(piped.failure.detail.stderrTail, QStringList(QStringLiteral("trouble")));
    }

    void echoesInput()
    {
        Piped piped(ProcessPipeTest::piped(
            {QStringLiteral("read-to-end"), QStringLiteral("exit"), QStringLiteral("0")}));
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
        Piped piped(ProcessPipeTest::piped({QStringLiteral("flood"), QString::number(flood),
                                            QStringLiteral("err"), QStringLiteral("all written"),
                                            QStringLiteral("hang")}));
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
                QVERIFY(!piped.entries.contains(QStringLiteral("err all written")));
            }
            piped.agent.setOutputPaused(false);
        }
        QCOMPARE(piped.bytes.size(), flood);
        QVERIFY(!piped.cameWhilePaused);
        QVERIFY(piped.waitFor(QStringLiteral("err all written")));
        piped.agent.kill();
        QVERIFY(piped.waitForEnd());
        QCOMPARE(piped.entries.last(), QStringLiteral("stopped"));
    }

    void emitsRestAfterExitWhilePaused()
    {
        Piped piped(ProcessPipeTest::piped({QStringLiteral("flood"), QStringLiteral("16384"),
                                            QStringLiteral("exit"), QStringLiteral("0")}));
        piped.agent.start();
        piped.agent.setOutputPaused(true);
        QVERIFY(piped.waitForEnd());
        QCOMPARE(piped.bytes.size(), 16384);
        QCOMPARE(piped.entries.mid(2),
                 (QStringList{QStringLiteral("output ended"), QStringLiteral("stopped")}));
    }

    void newStartIsNotPaused()
    {
        Piped piped(ProcessPipeTest::piped(
            {QStringLiteral("out"), QStringLiteral("hello"), QStringLiteral("hang")}));
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
        ProcessDefinition definition = piped(
            {QStringLiteral("ignore-term"), QStringLiteral("close-out"), QStringLiteral("hang")});
        definition.standardOutput.graceAtEnd = std::chrono::milliseconds(20);
        Piped log(definition);
        log.agent.start();
        QVERIFY(log.waitForEnd());
        QCOMPARE(
            log.entries,
            (QStringList{QStringLiteral("started"), QStringLiteral("ready"),
                         QStringLiteral("output ended"), QStringLiteral("failed ProcessCrash")}));
        QCOMPARE(log.failure.detail.signal, SIGKILL);
        QVERIFY(log.failure.detail.message.contains(QStringLiteral("stdout")));
    }

    void closedStdoutBeforeExitIsNoFailure()
    {
        ProcessDefinition definition =
            piped({QStringLiteral("close-out"), QStringLiteral("sleep"), QStringLiteral("50"),
                   QStringLiteral("exit"), QStringLiteral("0")});
        definition.standardOutput.graceAtEnd = std::chrono::seconds(60);
        Piped log(definition);
        log.agent.start();
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.entries.mid(2),
                 (QStringList{QStringLiteral("output ended"), QStringLiteral("stopped")}));
    }

    void canBeDestroyedInSignals()
    {
        for (const bool atEnd : {false, true}) {
            TimerScheduler scheduler;
            auto *agent = new ProcessAgent(piped({QStringLiteral("out"), QStringLiteral("hello"),
                                                  QStringLiteral("exit"), QStringLiteral("0")}),
                                           scheduler);
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
