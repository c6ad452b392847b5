// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/models/agentaction.h>
#include <rekindle/models/localagents.h>

using namespace Rekindle;

class AgentActionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void enablesWhatTheEngineApplies_data();
    void enablesWhatTheEngineApplies();
    void listsAllOperationsInOrder();
    void explainsDisabledOperations();
};

// A policy and a script that leads to a state; the agent fails at each start unless `runs` says
// otherwise.
void AgentActionTest::enablesWhatTheEngineApplies_data()
{
    const Rows<QString, QString, QString, InstanceState> row("policy", "runs", "script", "state");
    using enum InstanceState;
    const QString breaker = QStringLiteral("'circuitBreaker':{'threshold':1}");
    const QString patient = QStringLiteral("'circuitBreaker':{'threshold':100}");
    const QString none = QStringLiteral("'circuitBreaker':'off'");
    const QString fails = QStringLiteral("started fail");
    const QString works = QStringLiteral("started ready");
    row("stopped", patient, works, QString(), Stopped);
    row("stopped and isolated", patient, works, QStringLiteral("isolate"), Stopped);
    row("stopped by an operator", patient, works, QStringLiteral("start stop"), Stopped);
    row("no circuit breaker", none, works, QStringLiteral("start"), Running);
    row("starting", patient, QStringLiteral("started +5s ready"), QStringLiteral("start"),
        Starting);
    row("running", patient, works, QStringLiteral("start"), Running);
    row("running and isolated", patient, works, QStringLiteral("start isolate"), Running);
    row("running after a restart", patient, QStringLiteral("started fail|started ready"),
        QStringLiteral("start +2s"), Running);
    row("stable after a restart", patient, QStringLiteral("started fail|started ready"),
        QStringLiteral("start +2h"), Running);
    row("waiting", patient, fails, QStringLiteral("start"), Waiting);
    row("held", patient, works, QStringLiteral("hold start +1s"), Waiting);
    row("circuit open", breaker, fails, QStringLiteral("start"), CircuitOpen);
    row("circuit open and isolated", breaker, fails, QStringLiteral("start isolate"), CircuitOpen);
    row("isolated while waiting", patient, fails, QStringLiteral("start isolate"), CircuitOpen);
    row("stopping", patient, works, QStringLiteral("start stop"), Stopping);
    row("gated", patient, fails, QStringLiteral("start"), Gated);
    row("exhausted", patient + QLatin1String(",'maxRetries':1"), fails, QStringLiteral("start +1m"),
        Exhausted);
    row("failed", patient + QLatin1String(",'type':'none'"), fails, QStringLiteral("start"),
        Failed);
}

void AgentActionTest::enablesWhatTheEngineApplies()
{
    QFETCH(QString, policy);
    QFETCH(QString, runs);
    QFETCH(QString, script);
    QFETCH(InstanceState, state);
    // Each operation in a new host, because it changes the state.
    for (const EnumName<ControlOperation> &each : controlOperations) {
        FixedLicenseProvider core(LicenseTier::Core);
        Stage stage;
        if (state == InstanceState::Gated)
            stage.supervisor.featureGate().setProvider(&core);
        AgentScript agent{.runs = runs};
        if (state == InstanceState::Stopping)
            agent.onStop.clear();
        const QUuid id = stage.add(QStringLiteral("web"), agent, policy);
        stage.play(script);
        QCOMPARE(stage.state(), state);
        stage.advance(std::chrono::milliseconds(1));
        LocalAgents source(stage.supervisor);
        const QList<AgentAction> actions = actionsFor(source.agent(id).value());
        const AgentAction &action = actions[static_cast<int>(each.value)];
        QCOMPARE(action.operation, each.value);
        const auto done = source.operate(each.value, id).result();
        QVERIFY2(action.isEnabled == (!done.error && done.value.isAccepted),
                 qPrintable(each.name + QLatin1String(": ") + action.effect + u' '
                            + done.value.noEffect));
        QVERIFY(action.effect.contains(QLatin1String("web")));
    }
}

void AgentActionTest::listsAllOperationsInOrder()
{
    const QList<AgentAction> actions = actionsFor({.agent = QStringLiteral("web")});
    QCOMPARE(actions.size(), static_cast<qsizetype>(controlOperations.size()));
    for (std::size_t i = 0; i < controlOperations.size(); ++i) {
        QCOMPARE(actions[static_cast<qsizetype>(i)].operation, controlOperations[i].value);
        QVERIFY(!actions[static_cast<qsizetype>(i)].text.isEmpty());
    }
}

void AgentActionTest::explainsDisabledOperations()
{
    const QList<AgentAction> actions =
        actionsFor({.agent = QStringLiteral("web"), .state = toText(InstanceState::Stopped)});
    const AgentAction &stop = actions[static_cast<int>(ControlOperation::Stop)];
    QVERIFY(!stop.isEnabled);
    QCOMPARE(stop.effect, QStringLiteral("web is already stopped"));
    const AgentAction &reset = actions[static_cast<int>(ControlOperation::ResetBreaker)];
    QVERIFY(!reset.isEnabled);
    QCOMPARE(reset.effect, QStringLiteral("web has no circuit breaker"));
    QCOMPARE(actions[0].effect, QStringLiteral("web starts now"));
    const auto stopEffect = [](InstanceState state, std::optional<Duration> nextStart) {
        return actionsFor({.agent = QStringLiteral("web"),
                           .state = toText(state),
                           .nextStartIn = nextStart})[static_cast<int>(ControlOperation::Stop)]
            .effect;
    };
    const QString stays = QStringLiteral("web stays stopped until it is started");
    QCOMPARE(stopEffect(InstanceState::Exhausted, {}), stays);
    QVERIFY(stopEffect(InstanceState::Exhausted, Duration{1}).startsWith(stays + u';'));
}

REKINDLE_TEST(AgentActionTest)
#include "agentactiontest.moc"
