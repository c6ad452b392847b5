// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "scriptedevaluators.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using Evaluator = RestartPolicyEvaluator;

namespace {

// Writes "COMMAND:state" into the log of a stage.
template<typename Sender>
void logCommands(Stage &stage, const Sender &sender)
{
    QObject::connect(&sender, &Sender::operatorCommanded, &stage.log,
                     [&stage](const QUuid &id, OperatorCommand command, InstanceState state) {
                         QVERIFY(stage.supervisor.ids().contains(id));
                         stage.log.write(stage.supervisor.snapshot(id)->name,
                                         toText(command).toUpper() + u':' + toText(state));
                     });
}

} // namespace

class OperatorCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void precedesItsEvents_data();
    void precedesItsEvents();
    void precedesItsDecision();
    void restartOfHostIsNoCommand();
    void ignoresUnknownIds();
    void supervisorForwardsCommandsOfAllAgents();
    void queuesNothingWithoutReceiver();
};

void OperatorCommandTest::precedesItsEvents_data()
{
    const Rows<QString, QString> row("script", "log");
    // The agent becomes ready and fails after one second; the restart is 1 s later.
    row("start", "START:Stopped START started ready");
    row("start start", "START:Stopped START started ready START:Running");
    row("start retry", "START:Stopped START started ready START:Running");
    row("stop", "");
    row("start stop", "START:Stopped START started ready STOP:Running STOP stopped");
    row("start stop stop", "START:Stopped START started ready STOP:Running STOP stopped");
    row("restart", "RESTART:Stopped requested START started ready");
    row("start restart",
        "START:Stopped START started ready RESTART:Running requested STOP stopped START started "
        "ready");
    row("start +1s start",
        "START:Stopped START started ready 1s failed scheduled#1 START:Waiting cancelled#1 START "
        "started ready");
    row("start +1s stop",
        "START:Stopped START started ready 1s failed scheduled#1 STOP:Waiting cancelled#1");
    row("reset", "RESETBREAKER:Stopped");
    row("isolate release", "ISOLATEBREAKER:Stopped closed>open RELEASEBREAKER:Stopped open>closed");
    row("isolate reset", "ISOLATEBREAKER:Stopped closed>open RESETBREAKER:Stopped open>closed");
}

void OperatorCommandTest::precedesItsEvents()
{
    QFETCH(QString, script);
    QFETCH(QString, log);
    Stage stage;
    logCommands(stage, stage.supervisor.policyEvaluator());
    stage.add(QStringLiteral("a"), {QStringLiteral("started ready +1s fail")});
    stage.log.write({}, QStringLiteral("LOG"));
    stage.play(script);
    QCOMPARE(stage.log.text(), QString(QStringLiteral("LOG ") + log).trimmed());
}

// An isolation ends a pending evaluation.
void OperatorCommandTest::precedesItsDecision()
{
    EvaluatorStage stage;
    stage.addFailing(QStringLiteral("a"), activePolicy());
    stage.play(QStringLiteral("start"));
    QCOMPARE(stage.state(), InstanceState::Evaluating);
    const Evaluator &evaluator = stage.supervisor.policyEvaluator();
    connect(&evaluator, &Evaluator::decided, &stage.log,
            [&stage] { stage.log.write({}, QStringLiteral("DECIDED")); });
    logCommands(stage, evaluator);
    stage.log.write({}, QStringLiteral("LOG"));
    stage.play(QStringLiteral("isolate"));
    QCOMPARE(stage.log.text().section(QStringLiteral("LOG "), 1),
             QStringLiteral("ISOLATEBREAKER:Evaluating DECIDED closed>open"));
}

// Neither does a change of the policy.
void OperatorCommandTest::restartOfHostIsNoCommand()
{
    Stage stage;
    const QUuid id = stage.addFailing(QStringLiteral("a"));
    const QSignalSpy commands(&stage.supervisor.policyEvaluator(), &Evaluator::operatorCommanded);
    stage.supervisor.resume(id, {});
    stage.supervisor.setPolicy(id, policyOf(QStringLiteral("'maxRetries':1")));
    QCOMPARE(commands.size(), 0);
}

void OperatorCommandTest::ignoresUnknownIds()
{
    Stage stage;
    Evaluator &evaluator = stage.supervisor.policyEvaluator();
    const QSignalSpy commands(&evaluator, &Evaluator::operatorCommanded);
    const QUuid id = QUuid::createUuid();
    evaluator.start(id);
    evaluator.stop(id);
    evaluator.restart(id, {});
    evaluator.resetCircuitBreaker(id);
    // Not an instance, but a unit of evaluate().
    RestartContext context;
    context.instanceId = id;
    evaluator.evaluate(context);
    evaluator.resetCircuitBreaker(id);
    QCOMPARE(commands.size(), 0);
}

void OperatorCommandTest::supervisorForwardsCommandsOfAllAgents()
{
    Stage stage;
    stage.log.showNames();
    logCommands(stage, stage.supervisor);
    const QSignalSpy second(&stage.supervisor, &AgentSupervisor::operatorCommanded);
    for (const char *name : {"a", "b"})
        stage.add(QString::fromLatin1(name), {{}});
    stage.play(QStringLiteral("startAll isolate:b stopAll"));
    QCOMPARE(stage.log.text(),
             QStringLiteral("a.START:Stopped b.START:Stopped a.START b.START "
                            "b.ISOLATEBREAKER:Starting b.closed>open b.STOP:Starting "
                            "a.STOP:Starting b.STOP b.stopped a.STOP a.stopped ALLSTOPPED"));
    QCOMPARE(second.size(), 5); // two receivers, one emission
}

// A receiver that connects between the command and its emission shows what was queued.
void OperatorCommandTest::queuesNothingWithoutReceiver()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("a"), {});
    int emitted = 0;
    connect(&stage.supervisor, &AgentSupervisor::agentReady, this, [&] {
        stage.supervisor.stop(id);
        connect(&stage.supervisor, &AgentSupervisor::operatorCommanded, this, [&] { ++emitted; });
    });
    stage.play(QStringLiteral("start"));
    QCOMPARE(stage.state(), InstanceState::Stopped);
    QCOMPARE(emitted, 0);
    stage.supervisor.start(id);
    QCOMPARE(emitted, 1);
}

REKINDLE_TEST(OperatorCommandTest)
#include "operatorcommandtest.moc"
