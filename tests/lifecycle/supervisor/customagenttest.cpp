// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <stdexcept>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// An agent of a host, which fails at its first two starts.
class Flaky : public Agent
{
public:
    void start() override
    {
        Q_EMIT started();
        if (++m_starts < 3)
            Q_EMIT failed(FailureReason::DependencyFailure, {QStringLiteral("no database")});
        else
            Q_EMIT ready();
    }
    void stop() override { Q_EMIT stopped(); }

private:
    int m_starts = 0;
};

// Throws in one of its functions.
class Throwing : public Agent
{
public:
    enum class In { Start, Stop, Kill };
    explicit Throwing(In in)
        : m_in(in)
    {
    }
    void start() override
    {
        Q_EMIT started();
        throwIf(In::Start);
        Q_EMIT ready();
    }
    void stop() override { throwIf(In::Stop); }
    void kill() override
    {
        throwIf(In::Kill);
        Q_EMIT stopped();
    }

private:
    void throwIf(In in) const
    {
        if (in == m_in)
            throw std::runtime_error("no memory for it");
    }

    const In m_in;
};

} // namespace

class CustomAgentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void restartsCustomAgent();
    void exceptionIsFailure_data();
    void exceptionIsFailure();
    void destroysRunningAgent();
    void destroysRemovedAgentWithSupervisor();
};

void CustomAgentTest::exceptionIsFailure_data()
{
    const Rows<int, QString, QString> row("in", "script", "log");
    row("start", static_cast<int>(Throwing::In::Start), "start +1s",
        "started failed:UnhandledException scheduled#1 1s attempt#1 started "
        "failed:UnhandledException unsuccessful#1+ scheduled#2");
    row("stop", static_cast<int>(Throwing::In::Stop), "start stopAll",
        "started ready stopped ALLSTOPPED");
    row("stop for a restart", static_cast<int>(Throwing::In::Stop), "start restart",
        "started ready requested stopped started ready");
    row("kill", static_cast<int>(Throwing::In::Kill), "start stopAll +10s",
        "started ready 10s stopped ALLSTOPPED");
}

void CustomAgentTest::exceptionIsFailure()
{
    QFETCH(int, in);
    QFETCH(QString, script);
    QFETCH(QString, log);
    Stage stage;
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("web.*no memory for it")));
    const auto kind = static_cast<Throwing::In>(in);
    const QUuid id = stage.supervisor
                         .add(QStringLiteral("web"), std::make_unique<Throwing>(kind),
                              policyOf(QStringLiteral("'stopTimeout':'10s'")))
                         .id;
    stage.play(script);
    QCOMPARE(stage.log.text(), log);
    const auto failure = stage.supervisor.snapshot(id)->lastFailure;
    if (kind == Throwing::In::Start) {
        QVERIFY(failure && failure->reason == FailureReason::UnhandledException);
        QCOMPARE(failure->detail.message, QStringLiteral("no memory for it"));
    }
}

void CustomAgentTest::restartsCustomAgent()
{
    AgentSupervisor supervisor;
    grantAll(supervisor);
    RestartPolicy policy;
    policy.initialDelay = 5ms;
    const AgentSupervisor::Added added =
        supervisor.add(QStringLiteral("flaky"), std::make_unique<Flaky>(), policy);
    QVERIFY(added);
    QSignalSpy ready(&supervisor, &AgentSupervisor::agentReady);
    QSignalSpy succeeded(&supervisor, &AgentSupervisor::restartSucceeded);
    QSignalSpy failed(&supervisor, &AgentSupervisor::agentFailed);
    supervisor.start(added.id);
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, 30'000);
    QCOMPARE(failed.count(), 2);
    QCOMPARE(succeeded.count(), 1);
    QCOMPARE(succeeded[0][0].value<RestartSucceeded>().attemptNumber, 2);
    const AgentSnapshot snapshot = supervisor.snapshot(added.id).value();
    QVERIFY(snapshot.state == InstanceState::Running);
    QCOMPARE(snapshot.generation, quint64{3});
    QCOMPARE(snapshot.lastFailure->detail.message, QStringLiteral("no database"));

    QSignalSpy allStopped(&supervisor, &AgentSupervisor::allStopped);
    supervisor.stopAll();
    QVERIFY(allStopped.wait(30'000));
    QVERIFY(supervisor.isIdle());
}

void CustomAgentTest::destroysRunningAgent()
{
    QPointer<Agent> agent;
    {
        AgentSupervisor supervisor;
        grantAll(supervisor);
        auto owned = std::make_unique<Flaky>();
        agent = owned.get();
        const AgentSupervisor::Added added =
            supervisor.add(QStringLiteral("flaky"), std::move(owned));
        QSignalSpy failed(&supervisor.policyEvaluator(), &RestartPolicyEvaluator::agentFailed);
        supervisor.start(added.id);
        QVERIFY(failed.wait(30'000));
    }
    QVERIFY(!agent);
}

// A host may exit right after it removed an agent. What the agent runs must end then.
void CustomAgentTest::destroysRemovedAgentWithSupervisor()
{
    class Waiting : public Flaky
    {
    public:
        explicit Waiting(Scheduler &scheduler)
            : m_deadline(scheduler, [] {})
        {
            m_deadline.armIn(1h);
        }

    private:
        Deadline m_deadline;
    };
    QPointer<Agent> agent;
    {
        AgentSupervisor supervisor;
        grantAll(supervisor);
        auto owned = std::make_unique<Waiting>(supervisor.scheduler());
        agent = owned.get();
        supervisor.remove(supervisor.add(QStringLiteral("flaky"), std::move(owned)).id);
        QVERIFY(supervisor.ids().isEmpty());
    }
    QVERIFY(!agent);
}

REKINDLE_TEST(CustomAgentTest)
#include "customagenttest.moc"
