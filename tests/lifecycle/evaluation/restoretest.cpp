// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "lifecycle/internal/evaluatorport.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/policy/instancetable.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

/// An instance of a recorded run, made with inputs of the state table.
class RecordedInstance
{
public:
    explicit RecordedInstance(const QString &policy = {})
        : value(std::make_shared<const RestartPolicy>(policyOf(policy)))
    {
    }

    /// The time of the next inputs.
    RecordedInstance &at(Duration time)
    {
        m_now = Instant(time);
        return *this;
    }
    RecordedInstance &apply(InputKind kind)
    {
        const Failure failure{FailureReason::ProcessCrash, {}};
        (void)InstanceTable::apply(
            value, {.kind = kind, .generation = value.generation, .failure = &failure}, m_now, 0.5);
        return *this;
    }
    /// Starts a planned start.
    RecordedInstance &launch() { return apply(InputKind::Launch).apply(InputKind::Started); }
    RecordedInstance &start() { return apply(InputKind::Start).launch(); }
    RecordedInstance &fail() { return apply(InputKind::Failed); }

    Instance value;

private:
    Instant m_now{};
};

/// A supervisor that continues one instance, 10 s after the beginning.
class RestoredStage : public Stage
{
public:
    explicit RestoredStage(const QString &runs = QStringLiteral("started fail"),
                           const QString &policy = {})
        : id(add(QStringLiteral("a"), {.runs = runs}, policy))
    {
        advance(10s);
    }

    void restore(const RecordedInstance &recorded)
    {
        supervisor.monitor().setGeneration(id, recorded.value.generation);
        EvaluatorPort(supervisor.policyEvaluator()).restore(id, recorded.value);
        advance(0s);
    }

    /// Starts the process of the recorded instance, without a report.
    ScriptedAgent &resumeProcess()
    {
        auto *const agent = dynamic_cast<ScriptedAgent *>(supervisor.agent(id));
        agent->start();
        return *agent;
    }

    const QUuid id;
};

// The resumed process runs until it is stopped; the next ones fail at once.
const QString resumed = QStringLiteral("+9d|started fail");

// Attempt 4 is due at 17 s.
RecordedInstance threeAttempts()
{
    RecordedInstance recorded(QStringLiteral("'circuitBreaker':'off'"));
    recorded.start().fail();
    recorded.at(1s).apply(InputKind::Deadline).launch().fail();
    recorded.at(3s).apply(InputKind::Deadline).launch().fail();
    recorded.at(7s).apply(InputKind::Deadline).launch().at(9s).fail();
    return recorded;
}

} // namespace

/// EvaluatorPort::restore() in each state, and the first inputs after it.
class RestoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waitingStartsAtItsTime()
    {
        RestoredStage stage;
        stage.restore(threeAttempts());
        QCOMPARE(stage.state(), InstanceState::Waiting);
        stage.advance(6999ms);
        QCOMPARE(stage.log.text(), QString());
        stage.advance(1ms);
        QCOMPARE(stage.log.text(),
                 QStringLiteral("17s attempt#4 START started failed unsuccessful#4+ scheduled#5"));
    }

    void overdueStartHappensAtOnce()
    {
        RestoredStage stage;
        RecordedInstance recorded;
        recorded.at(8s).start().fail(); // attempt 1 was due at 9 s
        stage.restore(recorded);
        QCOMPARE(stage.log.text(),
                 QStringLiteral("10s attempt#1 START started failed unsuccessful#1+ scheduled#2"));
    }

    void dueStartIsLaunched()
    {
        RestoredStage stage;
        RecordedInstance recorded;
        recorded.at(8s).start().fail().at(9s).apply(InputKind::Deadline); // and not launched
        QVERIFY(recorded.value.startDue);
        stage.restore(recorded);
        VERIFY_CONTAINS(stage.log.text(), "START started failed");
    }

    void holdsOfThisHostApply()
    {
        RestoredStage stage;
        RecordedInstance recorded;
        recorded.apply(InputKind::Start);
        RestartPolicyEvaluator &evaluator = stage.supervisor.policyEvaluator();
        evaluator.addHolds(stage.id, Hold::Dependency);
        const QSignalSpy launches(&evaluator, &RestartPolicyEvaluator::launchDue);
        stage.restore(recorded);
        stage.advance(1h);
        QCOMPARE(launches.size(), 0);
        QVERIFY(!stage.log.text().contains(QLatin1String("START")));
        stage.play(QStringLiteral("lift"));
        QVERIFY(stage.log.text().contains(QLatin1String("START")));
    }

    void recordedHoldsDoNotApply()
    {
        RestoredStage stage;
        RecordedInstance recorded;
        recorded.apply(InputKind::Start);
        recorded.value.holds = Hold::Dependency;
        stage.restore(recorded);
        QVERIFY(stage.log.text().contains(QLatin1String("START")));
    }

    void exhaustedStaysDown()
    {
        RestoredStage stage;
        RecordedInstance recorded(QStringLiteral("'maxRetries':1"));
        recorded.start().fail().at(1s).apply(InputKind::Deadline).launch().fail();
        stage.restore(recorded);
        QCOMPARE(stage.state(), InstanceState::Exhausted);
        stage.advance(24h);
        QCOMPARE(stage.log.text(), QString());
        stage.play(QStringLiteral("start"));
        QVERIFY(stage.log.text().contains(QLatin1String("START started failed scheduled#1")));
    }

    void exhaustedRearmsAtItsTime()
    {
        RestoredStage stage;
        RecordedInstance recorded(QStringLiteral("'maxRetries':1,'rearmAfter':'60s'"));
        recorded.start().fail().at(1s).apply(InputKind::Deadline).launch().fail();
        stage.restore(recorded);
        stage.advance(50999ms);
        QCOMPARE(stage.log.text(), QString());
        stage.advance(1ms);
        QVERIFY2(stage.log.text().startsWith(QLatin1String("61s ")), qPrintable(stage.log.text()));
        QVERIFY(stage.log.text().contains(QLatin1String("START")));
    }

    void openBreakerTriesAtItsTime()
    {
        RestoredStage stage;
        stage.restore(withOpenBreaker());
        QCOMPARE(stage.state(), InstanceState::CircuitOpen);
        stage.advance(20999ms);
        QCOMPARE(stage.log.text(), QString());
        stage.advance(1ms); // the failed trial opens it again
        QVERIFY2(stage.log.text().startsWith(QLatin1String(
                     "31s open>halfopen attempt#2 START started failed unsuccessful#2+ "
                     "halfopen>open")),
                 qPrintable(stage.log.text()));
    }

    void openBreakerCanBeReset()
    {
        RestoredStage stage;
        stage.restore(withOpenBreaker());
        stage.play(QStringLiteral("reset"));
        QVERIFY2(stage.log.text().startsWith(
                     QLatin1String("10s open>closed scheduled#2 attempt#2 START")),
                 qPrintable(stage.log.text()));
    }

    void isolatedBreakerStaysOpen()
    {
        RestoredStage stage;
        RecordedInstance recorded;
        recorded.start().fail().apply(InputKind::IsolateBreaker);
        stage.restore(recorded);
        QCOMPARE(stage.state(), InstanceState::CircuitOpen);
        stage.advance(24h);
        QCOMPARE(stage.log.text(), QString());
        stage.play(QStringLiteral("release"));
        QVERIFY(stage.log.text().contains(QLatin1String("START")));
    }

    void stoppedStaysStopped()
    {
        RestoredStage stage;
        RecordedInstance recorded = threeAttempts();
        recorded.apply(InputKind::Stop);
        stage.restore(recorded);
        QCOMPARE(stage.state(), InstanceState::Stopped);
        stage.advance(24h);
        QCOMPARE(stage.log.text(), QString());
        stage.play(QStringLiteral("start")); // begins a fresh sequence
        QVERIFY2(stage.log.text().endsWith(QLatin1String("START started failed scheduled#1")),
                 qPrintable(stage.log.text()));
    }

    void runningContinuesItsSequence()
    {
        RestoredStage stage(resumed);
        ScriptedAgent &agent = stage.resumeProcess();
        stage.restore(running());
        QCOMPARE(stage.state(), InstanceState::Running);
        stage.advance(5s);
        agent.play(QStringLiteral("fail"));
        QCOMPARE(stage.log.text(), QStringLiteral("10s START 15s failed scheduled#2"));
    }

    void runningBecomesStableAtItsTime()
    {
        RestoredStage stage(resumed);
        ScriptedAgent &agent = stage.resumeProcess();
        stage.restore(running()); // ready at 2 s
        stage.advance(51999ms);
        QCOMPARE(stage.log.text(), QStringLiteral("10s START"));
        stage.advance(1ms);
        agent.play(QStringLiteral("fail")); // of a fresh sequence
        QCOMPARE(stage.log.text(), QStringLiteral("10s START 62s stable failed scheduled#1"));
    }

    void staleReportIsIgnored()
    {
        RestoredStage stage(resumed);
        (void)stage.resumeProcess();
        const RecordedInstance recorded = running();
        stage.restore(recorded);
        EvaluatorPort(stage.supervisor.policyEvaluator())
            .reportFailed(stage.id, recorded.value.generation - 1,
                          {FailureReason::ProcessCrash, {}});
        QCOMPARE(stage.state(), InstanceState::Running);
    }

    void startingTimesOut()
    {
        RestoredStage stage(resumed);
        (void)stage.resumeProcess();
        RecordedInstance recorded; // the timeout is 30 s
        recorded.at(4s).start();
        stage.restore(recorded);
        QCOMPARE(stage.state(), InstanceState::Starting);
        stage.advance(23999ms);
        QCOMPARE(stage.log.text(), QStringLiteral("10s START"));
        stage.advance(1ms);
        QCOMPARE(stage.log.text(), QStringLiteral("10s START 34s failed:Timeout scheduled#1 KILL"));
    }

    // As in StalledStartTest: half a second is added to the lost time.
    void startTimeoutExcludesStalls()
    {
        RestoredStage stage(resumed);
        (void)stage.resumeProcess();
        RecordedInstance recorded;
        recorded.at(4s).start();
        stage.restore(recorded);
        stage.clock.advance(25s);
        stage.advance(20s);
        QCOMPARE(stage.log.text(), QStringLiteral("10s START"));
    }

    void stoppingProcessIsStopped()
    {
        RestoredStage stage(resumed);
        (void)stage.resumeProcess();
        RecordedInstance recorded = running();
        recorded.apply(InputKind::Stop);
        stage.restore(recorded);
        QCOMPARE(stage.log.text(), QStringLiteral("10s START STOP stopped"));
        QCOMPARE(stage.state(), InstanceState::Stopped);
    }

    void requestedRestartFollowsTheStop()
    {
        RestoredStage stage(resumed);
        (void)stage.resumeProcess();
        RecordedInstance recorded = running();
        recorded.apply(InputKind::Restart);
        QCOMPARE(recorded.value.state, InstanceState::Stopping);
        stage.restore(recorded);
        QVERIFY2(stage.log.text().startsWith(QLatin1String("10s START STOP")),
                 qPrintable(stage.log.text()));
        QCOMPARE(stage.log.text().count(QLatin1String("START")), 2);
    }

    void unhealthyProcessIsStoppedBeforeItsRestart()
    {
        RestoredStage stage(resumed);
        (void)stage.resumeProcess();
        RecordedInstance recorded = running();
        recorded.apply(InputKind::Unhealthy).at(4s).apply(InputKind::Deadline);
        QVERIFY(recorded.value.processAlive && recorded.value.startDue);
        const QSignalSpy launches(&stage.supervisor.policyEvaluator(),
                                  &RestartPolicyEvaluator::launchDue);
        stage.restore(recorded);
        QVERIFY2(stage.log.text().startsWith(QLatin1String("10s START STOP")),
                 qPrintable(stage.log.text()));
        QCOMPARE(stage.log.text().count(QLatin1String("START")), 2);
        QVERIFY(!stage.log.text().contains(QLatin1String("TWICE")));
        QCOMPARE(launches.size(), 1);
    }

    void permanentFailureStaysDown()
    {
        RestoredStage stage;
        RecordedInstance recorded(QStringLiteral("'type':'none'"));
        recorded.start().fail();
        stage.restore(recorded);
        QCOMPARE(stage.state(), InstanceState::Failed);
        stage.advance(24h);
        QCOMPARE(stage.log.text(), QString());
        stage.play(QStringLiteral("start"));
        QVERIFY(stage.log.text().contains(QLatin1String("START")));
    }

    void gatedStaysDown()
    {
        RestoredStage stage;
        RecordedInstance recorded(QStringLiteral("'type':'none'"));
        recorded.value.gated = true;
        recorded.start().fail();
        stage.restore(recorded);
        QCOMPARE(stage.state(), InstanceState::Gated);
        stage.advance(24h);
        QCOMPARE(stage.log.text(), QString());
    }

    void evaluatingDecidesAtItsDeadline()
    {
        RestoredStage stage;
        RecordedInstance recorded(QStringLiteral("'type':'custom','evaluator':{'id':'nobody'}"));
        recorded.value.evaluatorAvailable = true;
        recorded.at(9500ms).start().fail();
        QCOMPARE(recorded.value.state, InstanceState::Evaluating);
        stage.restore(recorded);
        stage.advance(499ms);
        QCOMPARE(stage.state(), InstanceState::Evaluating);
        stage.advance(1ms);
        QVERIFY2(stage.log.text().startsWith(QLatin1String("10.5s scheduled#1")),
                 qPrintable(stage.log.text()));
    }

    void recordedPolicyApplies()
    {
        RestoredStage stage;
        RecordedInstance recorded(QStringLiteral("'maxRetries':2,'initialDelay':'5s'"));
        recorded.at(7s).start().fail(); // attempt 1 is due at 12 s
        stage.restore(recorded);
        stage.advance(1h);
        QVERIFY2(stage.log.text().startsWith(QLatin1String("12s attempt#1")),
                 qPrintable(stage.log.text()));
        QVERIFY2(stage.log.text().endsWith(QLatin1String("exhausted#2")),
                 qPrintable(stage.log.text()));
    }

    void replacesPendingStart()
    {
        RestoredStage stage;
        stage.play(QStringLiteral("start")); // fails: attempt 1 is due at 11 s
        RecordedInstance recorded;
        recorded.apply(InputKind::Start).apply(InputKind::Stop);
        stage.restore(recorded);
        const QString before = stage.log.text();
        stage.advance(1h);
        QCOMPARE(stage.log.text(), before);
        QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
    }

    void emitsOnlyTheNewState()
    {
        RestoredStage stage(resumed);
        (void)stage.resumeProcess();
        RestartPolicyEvaluator &evaluator = stage.supervisor.policyEvaluator();
        const QSignalSpy states(&evaluator, &RestartPolicyEvaluator::stateChanged);
        const QSignalSpy events(&evaluator, &RestartPolicyEvaluator::lifecycleEvent);
        QCOMPARE(evaluator.activeCount(), 0);
        stage.restore(running());
        QCOMPARE(states.size(), 1);
        QCOMPARE(states.at(0).at(1).value<InstanceState>(), InstanceState::Running);
        QCOMPARE(events.size(), 0);
        QCOMPARE(evaluator.activeCount(), 1);
        QVERIFY(evaluator.isActive(stage.id));
    }

    void ignoresUnknownIds()
    {
        RestoredStage stage;
        EvaluatorPort(stage.supervisor.policyEvaluator())
            .restore(QUuid::createUuid(), running().value);
        QCOMPARE(stage.supervisor.policyEvaluator().activeCount(), 0);
    }

private:
    // Its first attempt is ready since 2 s.
    static RecordedInstance running()
    {
        RecordedInstance recorded;
        recorded.start().fail().at(1s).apply(InputKind::Deadline).launch();
        recorded.at(2s).apply(InputKind::Ready);
        return recorded;
    }

    // Until 31 s.
    static RecordedInstance withOpenBreaker()
    {
        RecordedInstance recorded(
            QStringLiteral("'circuitBreaker':{'threshold':2,'timeout':'30s'}"));
        recorded.start().fail().at(1s).apply(InputKind::Deadline).launch().fail();
        return recorded;
    }
};

REKINDLE_TEST(RestoreTest)
#include "restoretest.moc"
