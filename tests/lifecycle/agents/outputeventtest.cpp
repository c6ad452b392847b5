// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "scriptedprobe.h"
#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/eventqueue.h>

using namespace Rekindle;
using namespace std::chrono_literals;

/// An agent that writes lines on request of the test.
class Writer final : public Agent
{
public:
    void start() override { Q_EMIT started(); }
    void stop() override { Q_EMIT stopped(); }
    void write(const QByteArray &line) { Q_EMIT output(AgentOutput::Stream::Output, line); }
};

/// Output lines of agents as events.
class OutputEventTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void offByDefault();
    void keepsOrderOfAllEvents();
    void canBeDisabled();
    void slotMayRemoveAgent();
    void countsDroppedLines();
    void emitsLastDroppedLineBeforeFailure();
    void emitsLastDroppedLineBeforeUnhealthy();
    void slotOfLastLineMayRemoveAgent();
    void eventQueueCountsDropsSeparately();
    void truncatesLongLines_data();
    void truncatesLongLines();

private:
    // A started Writer, and the events of its lines.
    struct Written
    {
        Written()
        {
            auto agent = std::make_unique<Writer>();
            writer = agent.get();
            id = stage.supervisor.add(QStringLiteral("writer"), std::move(agent)).id;
            stage.supervisor.monitor().setOutputEvents(id);
            stage.play(QStringLiteral("start"));
            QObject::connect(&stage.supervisor.policyEvaluator(),
                             &RestartPolicyEvaluator::agentOutput, &stage.log,
                             [this](const AgentOutput &event) { events.append(event); });
        }

        Stage stage;
        Writer *writer = nullptr;
        QUuid id;
        QList<AgentOutput> events;
    };
};

void OutputEventTest::offByDefault()
{
    Stage stage;
    stage.add(QStringLiteral("web"), {QStringLiteral("started out:one ready err:two")});
    stage.play(QStringLiteral("start +1s"));
    QCOMPARE(stage.log.text(), QStringLiteral("START started ready"));
}

// Lines before a failure are emitted before it, in each start.
void OutputEventTest::keepsOrderOfAllEvents()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"),
                               {QStringLiteral("started out:one ready err:two out:last fail")},
                               QStringLiteral("'maxRetries':1"));
    stage.supervisor.monitor().setOutputEvents(id);
    stage.play(QStringLiteral("start +2s"));
    QCOMPARE(stage.log.text(),
             QStringLiteral("START started out:one ready err:two out:last failed scheduled#1 "
                            "1s attempt#1 START started out:one ready succeeded#1 err:two out:last "
                            "failed exhausted#1"));
    QVERIFY(stage.log.isWithoutGaps());
    QList<quint64> generations;
    for (const LifecycleEvent &event : stage.log.events()) {
        if (const auto *output = std::get_if<AgentOutput>(&event)) {
            generations.append(output->generation);
            QCOMPARE(output->instanceId, id);
            QCOMPARE(output->agent, QStringLiteral("web"));
        }
    }
    QCOMPARE(generations, (QList<quint64>{1, 1, 1, 2, 2, 2}));
}

void OutputEventTest::canBeDisabled()
{
    Written written;
    AgentMonitor &monitor = written.stage.supervisor.monitor();
    monitor.setOutputEvents(written.id); // again: no effect
    written.writer->write("emitted");
    monitor.setOutputEvents(written.id, false);
    written.writer->write("not emitted");
    monitor.setOutputEvents(QUuid::createUuid());
    QCOMPARE(written.events.size(), 1);
    QCOMPARE(written.events.front().line, QStringLiteral("emitted"));
}

void OutputEventTest::slotMayRemoveAgent()
{
    Written written;
    connect(&written.stage.supervisor.policyEvaluator(), &RestartPolicyEvaluator::agentOutput, this,
            [&] { written.stage.supervisor.remove(written.id); });
    written.writer->write("one");
    written.writer->write("two");
    QCOMPARE(written.events.size(), 1);
    written.stage.advance(0s);
    QVERIFY(written.stage.supervisor.ids().isEmpty());
}

void OutputEventTest::countsDroppedLines()
{
    constexpr int most = AgentMonitor::outputPerSecond;
    Written written;
    for (int i = 0; i < most + 17; ++i)
        written.writer->write(QByteArray::number(i));
    QCOMPARE(written.events.size(), most);
    QCOMPARE(written.events.back().line, QString::number(most - 1));
    written.stage.advance(999ms);
    written.writer->write("too soon");
    QCOMPARE(written.events.size(), most);
    QCOMPARE(written.events.back().dropped, quint64{0});

    written.stage.advance(1ms);
    written.writer->write("after");
    written.writer->write("and after");
    QCOMPARE(written.events.size(), most + 2);
    QCOMPARE(written.events[most].line, QStringLiteral("after"));
    QCOMPARE(written.events[most].dropped, quint64{18});
    QCOMPARE(written.events[most + 1].dropped, quint64{0});
    QVERIFY(written.stage.log.isWithoutGaps());
}

// The last line is emitted before the end, with the number of dropped lines.
void OutputEventTest::emitsLastDroppedLineBeforeFailure()
{
    constexpr int most = AgentMonitor::outputPerSecond;
    Written written;
    for (int i = 0; i < most + 17; ++i)
        written.writer->write(QByteArray::number(i));
    Q_EMIT written.writer->failed(FailureReason::ProcessCrash, {});
    QCOMPARE(written.events.size(), most + 1);
    QCOMPARE(written.events.back().line, QString::number(most + 16));
    QCOMPARE(written.events.back().dropped, quint64{16});
    QCOMPARE(written.stage.log.text().count(QLatin1String("failed")), 1);
    QVERIFY(written.stage.log.isWithoutGaps());
}

void OutputEventTest::emitsLastDroppedLineBeforeUnhealthy()
{
    constexpr int most = AgentMonitor::outputPerSecond;
    Written written;
    setProbe(written.stage.supervisor, written.id, QStringLiteral("no"));
    Q_EMIT written.writer->ready();
    written.stage.advance(15s);
    for (int i = 0; i < most + 17; ++i)
        written.writer->write(QByteArray::number(i));
    written.stage.advance(15s);
    QCOMPARE(written.events.size(), most + 1);
    const QString log = written.stage.log.text();
    const QString last = QStringLiteral("out:%1 failed:HealthCheckFailed").arg(most + 16);
    VERIFY_CONTAINS(log, last);
    QCOMPARE(log.count(QLatin1String("failed")), 1);
}

void OutputEventTest::slotOfLastLineMayRemoveAgent()
{
    Written written;
    for (int i = 0; i <= AgentMonitor::outputPerSecond; ++i)
        written.writer->write("line");
    connect(&written.stage.supervisor.policyEvaluator(), &RestartPolicyEvaluator::agentOutput, this,
            [&] { written.stage.supervisor.remove(written.id); });
    Q_EMIT written.writer->failed(FailureReason::ProcessCrash, {});
    QCOMPARE(written.stage.log.text().count(QLatin1String("failed")), 0);
    written.stage.advance(0s);
    QVERIFY(written.stage.supervisor.ids().isEmpty());
}

void OutputEventTest::eventQueueCountsDropsSeparately()
{
    Written written;
    EventQueue queue(written.stage.supervisor.policyEvaluator(), 10);
    for (int i = 0; i < 100; ++i)
        written.writer->write("line");
    QCOMPARE(queue.dropped(), quint64{90});
    QCOMPARE(written.events.size(), 100);
}

void OutputEventTest::truncatesLongLines_data()
{
    constexpr qsizetype longest = AgentOutput::longestLine;
    const Rows<QByteArray, QString, bool> row("line", "emitted", "cut");
    const QString most(longest, QLatin1Char('x'));
    row("empty", "", "", false);
    row("longest", most.toUtf8(), most, false);
    row("one byte longer", QByteArray(most.toUtf8() + 'y'), most, true);
    // A character of four bytes, of which the first 3, 2, 1 or 0 bytes fit.
    for (const qsizetype fits : {3, 2, 1, 0}) {
        const QString before = most.left(longest - fits);
        QTest::addRow("%d bytes of a character", static_cast<int>(fits))
            << before.toUtf8() + "\xf0\x9f\x94\xa5" << before << true;
    }
    row("invalid UTF-8", "a\xff", "a\uFFFD", false);
}

void OutputEventTest::truncatesLongLines()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, emitted);
    QFETCH(bool, cut);
    Written written;
    written.writer->write(line);
    QCOMPARE(written.events.size(), 1);
    QCOMPARE(written.events.front().line, emitted);
    QCOMPARE(written.events.front().cut, cut);
}

REKINDLE_TEST(OutputEventTest)
#include "outputeventtest.moc"
