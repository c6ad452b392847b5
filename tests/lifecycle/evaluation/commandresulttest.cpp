// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "stage.h"
#include "testprogram.h"

#include <utility>

using namespace Rekindle;
using Evaluator = RestartPolicyEvaluator;
using Effect = CommandResult::Effect;

namespace {

const QString breaker = QStringLiteral("'circuitBreaker':{'threshold':3,'timeout':'1m'}");

// Calls a command of the supervisor or of its evaluator by name.
CommandResult call(Stage &stage, const QString &command)
{
    const QUuid id = stage.supervisor.ids().front();
    Evaluator &evaluator = stage.supervisor.policyEvaluator();
    if (command == QLatin1String("start"))
        return stage.supervisor.start(id);
    if (command == QLatin1String("stop"))
        return stage.supervisor.stop(id);
    if (command == QLatin1String("restart"))
        return stage.supervisor.restart(id);
    if (command == QLatin1String("retry"))
        return stage.supervisor.retryNow(id);
    if (command == QLatin1String("reset"))
        return evaluator.resetCircuitBreaker(id);
    if (command == QLatin1String("isolate"))
        return evaluator.isolateCircuitBreaker(id);
    return evaluator.releaseCircuitBreaker(id);
}

} // namespace

class CommandResultTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsTheEffect_data();
    void tellsTheEffect();
    void agentWithoutBreaker();
    void unknownAgent();
    void unitOfEvaluate();
    void removedAgentIsNotStarted();
    void isKnownBeforeTheSignals();
    void listsDependencies();
    void nestedCommandAddsNothingToTheOuter();
    void slotDeletesEverything();
};

void CommandResultTest::tellsTheEffect_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("noEffect"); // empty: it is applied
    const auto row = [](const char *before, const char *command, const char *noEffect = "") {
        QTest::addRow("%s|%s", before, command)
            << QString::fromLatin1(before) << QString::fromLatin1(command)
            << QString::fromLatin1(noEffect);
    };
    // The agent becomes ready and fails after one second; the restart is 1 s later.
    row("", "start");
    row("start", "start");
    row("", "stop", "its state is Stopped");
    row("start", "stop");
    row("", "restart");
    row("start", "restart");
    row("", "retry");
    row("start", "retry", "its state is Running");
    row("start +1s", "retry"); // Waiting
    row("start +3s", "retry"); // Running, after a restart
    row("", "reset", "the circuit breaker is closed");
    row("start +1s", "reset"); // forgets the failure
    row("", "isolate");
    row("isolate", "isolate", "the circuit breaker is already isolated");
    row("isolate", "reset");
    row("isolate", "release");
    row("", "release", "the circuit breaker is not isolated");
}

void CommandResultTest::tellsTheEffect()
{
    QFETCH(QString, before);
    QFETCH(QString, command);
    QFETCH(QString, noEffect);
    Stage stage;
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started ready +1s fail")}, breaker);
    stage.play(before);
    const CommandResult result = call(stage, command);
    QCOMPARE(result.effect, noEffect.isEmpty() ? Effect::Applied : Effect::NoEffect);
    QCOMPARE(result.reason, noEffect);
    QCOMPARE(bool(result), noEffect.isEmpty());
    QCOMPARE(result.alsoStarted, QList<QUuid>());
}

void CommandResultTest::agentWithoutBreaker()
{
    Stage stage;
    stage.addFailing(QStringLiteral("a"), QStringLiteral("'circuitBreaker':'off'"));
    for (const char *command : {"reset", "release"}) {
        const CommandResult result = call(stage, QString::fromLatin1(command));
        QCOMPARE(result.effect, Effect::NoEffect);
        QCOMPARE(result.reason, QStringLiteral("it has no circuit breaker"));
    }
}

void CommandResultTest::unknownAgent()
{
    Stage stage;
    Evaluator &evaluator = stage.supervisor.policyEvaluator();
    const QUuid id = QUuid::createUuid();
    for (const CommandResult &result :
         {stage.supervisor.start(id), stage.supervisor.stop(id), stage.supervisor.restart(id),
          stage.supervisor.retryNow(id), evaluator.start(id), evaluator.stop(id),
          evaluator.restart(id, {}), evaluator.retryNow(id), evaluator.resetCircuitBreaker(id),
          evaluator.isolateCircuitBreaker(id), evaluator.releaseCircuitBreaker(id)})
        QCOMPARE(result.effect, Effect::Unknown);
}

void CommandResultTest::unitOfEvaluate()
{
    Stage stage;
    Evaluator &evaluator = stage.supervisor.policyEvaluator();
    RestartContext context;
    context.instanceId = QUuid::createUuid();
    context.policy = policyOf(breaker);
    evaluator.evaluate(context);
    QCOMPARE(evaluator.resetCircuitBreaker(context.instanceId).effect, Effect::Applied);
    const CommandResult again = evaluator.resetCircuitBreaker(context.instanceId);
    QCOMPARE(again.effect, Effect::NoEffect);
    QCOMPARE(again.reason, QStringLiteral("the circuit breaker is closed"));
}

void CommandResultTest::removedAgentIsNotStarted()
{
    Stage stage;
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started ready")});
    stage.play(QStringLiteral("start"));
    stage.supervisor.retire(stage.supervisor.ids().front(), QStringLiteral("removed"));
    for (const char *command : {"start", "restart", "retry"}) {
        const CommandResult result = call(stage, QString::fromLatin1(command));
        QCOMPARE(result.effect, Effect::NoEffect);
        QCOMPARE(result.reason, QStringLiteral("it was removed and is being stopped"));
    }
}

// In a slot, the signals of a command follow later.
void CommandResultTest::isKnownBeforeTheSignals()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started ready")});
    QList<Effect> effects;
    connect(&stage.supervisor, &AgentSupervisor::agentReady, this, [&] {
        effects.append(stage.supervisor.retryNow(id).effect);
        effects.append(stage.supervisor.stop(id).effect);
    });
    stage.play(QStringLiteral("start"));
    QCOMPARE(effects, QList({Effect::NoEffect, Effect::Applied}));
}

void CommandResultTest::listsDependencies()
{
    Stage stage;
    QList<QUuid> ids;
    for (const char *name : {"a", "b", "c", "d"})
        ids.append(stage.add(QString::fromLatin1(name), {.runs = QStringLiteral("started ready")}));
    Evaluator &evaluator = stage.supervisor.policyEvaluator();
    connect(&evaluator, &Evaluator::operatorCommanded, this, [&](const QUuid &id) {
        if (id == ids[0]) {
            EvaluatorPort(evaluator).startFor(ids[1], id);
            evaluator.start(ids[3]); // no dependency
        } else if (id == ids[1]) {
            EvaluatorPort(evaluator).startFor(ids[2], id);
        }
    });
    QCOMPARE(evaluator.start(ids[0]).alsoStarted, QList({ids[1], ids[2]}));
    QCOMPARE(evaluator.start(ids[1]).alsoStarted, QList({ids[2]}));
    QCOMPARE(evaluator.stop(ids[2]).alsoStarted, QList<QUuid>());
}

// The command of another client, which a nested event loop in a slot carries out.
void CommandResultTest::nestedCommandAddsNothingToTheOuter()
{
    Stage stage;
    const QUuid a = stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started ready")});
    const QUuid b = stage.add(QStringLiteral("b"), {.runs = QStringLiteral("started ready")});
    const QUuid c = stage.add(QStringLiteral("c"), {.runs = QStringLiteral("started ready")});
    Evaluator &evaluator = stage.supervisor.policyEvaluator();
    bool isNested = false;
    connect(&evaluator, &Evaluator::operatorCommanded, this, [&](const QUuid &id) {
        if (id == b)
            EvaluatorPort(evaluator).startFor(c, b);
        if (id != a || std::exchange(isNested, true))
            return;
        QEventLoop loop;
        QTimer::singleShot(0, &loop, [&] {
            QVERIFY(evaluator.start(b));
            QVERIFY(evaluator.start(a)); // again
            QTimer::singleShot(0, &loop, &QEventLoop::quit);
        });
        loop.exec();
    });
    QCOMPARE(evaluator.start(a).alsoStarted, QList<QUuid>());
    QVERIFY(isNested);
    QVERIFY(evaluator.isActive(c));
}

void CommandResultTest::slotDeletesEverything()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    auto evaluator = std::make_unique<Evaluator>(scheduler);
    const QUuid id = QUuid::createUuid();
    QVERIFY(!hasErrors(evaluator->add(id, QStringLiteral("a"), RestartPolicy{})));
    connect(evaluator.get(), &Evaluator::operatorCommanded, this, [&] { evaluator.reset(); });
    QCOMPARE(evaluator->start(id).effect, Effect::Applied);
    QVERIFY(!evaluator);
}

REKINDLE_TEST(CommandResultTest)
#include "commandresulttest.moc"
