// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "host/internal/agenttally.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/startgate.h>

using namespace Rekindle;

// Which agents delay READY=1.
class AgentTallyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void agentIsStartingUntilItIsReady();
    void agentIsStartingBeforeItsLaunch();
    void agentIsStartingInTheQueueOfTheGovernor();
    void heldAgentIsNotStarting();
    void restartAfterAFailureIsNotStarting();

private:
    std::unique_ptr<Stage> m_stage;
};

void AgentTallyTest::init() { m_stage = std::make_unique<Stage>(); }

void AgentTallyTest::agentIsStartingUntilItIsReady()
{
    m_stage->add(QStringLiteral("a"), {.runs = QStringLiteral("started +1s ready")});
    const AgentTally tally(m_stage->supervisor);
    QVERIFY(!tally.isStarting());
    m_stage->play(QStringLiteral("start"));
    QVERIFY(tally.isStarting());
    m_stage->play(QStringLiteral("+1s"));
    QVERIFY(!tally.isStarting());
}

// Its dependency has become ready: it is launched in the next pass of the supervisor.
void AgentTallyTest::agentIsStartingBeforeItsLaunch()
{
    m_stage->add(QStringLiteral("db"), {.runs = QStringLiteral("started +1s ready")});
    m_stage->add(QStringLiteral("api"), {.runs = QStringLiteral("started")});
    AgentDependencies dependencies(m_stage->supervisor);
    QVERIFY(dependencies.setDependencies(QStringLiteral("api"), {{.agent = QStringLiteral("db")}})
                .isEmpty());
    const AgentTally tally(m_stage->supervisor);
    // Armed before the pass of the supervisor, like that of the messages to the service manager.
    QList<bool> isStarting;
    Deadline look(m_stage->scheduler, [&] { isStarting.append(tally.isStarting()); });
    connect(&m_stage->supervisor.policyEvaluator(), &RestartPolicyEvaluator::stateChanged, this,
            [&] { look.arm(m_stage->scheduler.now()); });
    m_stage->play(QStringLiteral("startAll +1s"));
    QVERIFY(isStarting.size() > 1);
    QVERIFY(!isStarting.contains(false));
}

void AgentTallyTest::agentIsStartingInTheQueueOfTheGovernor()
{
    m_stage->add(QStringLiteral("a"), {});
    m_stage->add(QStringLiteral("b"), {});
    StartGate gate(m_stage->supervisor);
    gate.setLimits(GovernorLimits{.rate = 1, .period = std::chrono::hours(1), .burst = 1});
    const AgentTally tally(m_stage->supervisor);
    m_stage->play(QStringLiteral("startAll"));
    QVERIFY(tally.isStarting());
    m_stage->play(QStringLiteral("+1h"));
    QVERIFY(!tally.isStarting());
}

void AgentTallyTest::heldAgentIsNotStarting()
{
    m_stage->add(QStringLiteral("a"), {});
    const AgentTally tally(m_stage->supervisor);
    m_stage->play(QStringLiteral("hold start"));
    QVERIFY(!tally.isStarting());
}

void AgentTallyTest::restartAfterAFailureIsNotStarting()
{
    m_stage->addFailing(QStringLiteral("a"));
    m_stage->add(QStringLiteral("b"), {});
    StartGate gate(m_stage->supervisor);
    gate.setLimits(GovernorLimits{.rate = 1, .period = std::chrono::hours(1), .burst = 2});
    const AgentTally tally(m_stage->supervisor);
    m_stage->play(QStringLiteral("startAll +1s"));
    QCOMPARE(gate.governor().queuedCount(), 1);
    QVERIFY(!tally.isStarting());
}

REKINDLE_TEST(AgentTallyTest)
#include "agenttallytest.moc"
