// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "lifecycle/workerstage.h"
#include "scriptedprobe.h"
#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/policy/instancememory.h>

using namespace Rekindle;
using namespace std::chrono_literals;

// A supervisor continues agents from the stored state of another supervisor.
class ResumeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void continuesPendingRestart();
    void restoresLastFailure();
    void ignoresResumeUnlessStopped();
    void ignoresUnknownIds();
    void emitsMemoryChangedLast();
    void staleReportKeepsMemory();
    void slotMayRemoveAgentDuringResume();
    void resetsHealth_data();
    void resetsHealth();
    void probeResultKeepsMemory();
    void restartsHungWorkerOfPreviousHost();
};

namespace {

const QString web = QStringLiteral("web");
const AgentScript crashes{QStringLiteral("started fail:3")};

// The state after two crashes, 2 s before attempt 2.
InstanceMemory left()
{
    Stage stage;
    const QUuid id = stage.add(web, crashes);
    stage.play(QStringLiteral("start +1s"));
    return stage.supervisor.policyEvaluator().memory(id).value();
}

} // namespace

void ResumeTest::continuesPendingRestart()
{
    Stage stage;
    const QUuid id = stage.add(web, crashes);
    stage.advance(1s); // the times are times of this clock
    stage.supervisor.resume(id, left());
    QVERIFY(stage.state() == InstanceState::Waiting);
    QCOMPARE(stage.supervisor.snapshot(id)->attempt, 1);
    stage.play(QStringLiteral("+2s"));
    QCOMPARE(stage.log.text(),
             QStringLiteral(
                 "1s scheduled#2 3s attempt#2 START started failed unsuccessful#2+ scheduled#3"));
}

void ResumeTest::restoresLastFailure()
{
    Stage stage;
    const QUuid id = stage.add(web, crashes);
    stage.advance(1s);
    stage.supervisor.resume(id, left());
    const auto failure = stage.supervisor.snapshot(id)->lastFailure;
    QVERIFY(failure && failure->reason == FailureReason::ProcessCrash);
    QVERIFY(failure->detail.exitCode == 3);
    QVERIFY(!failure->detail.message.isEmpty());
}

void ResumeTest::ignoresResumeUnlessStopped()
{
    Stage stage;
    const QUuid id = stage.add(web, {QStringLiteral("started ready")});
    stage.play(QStringLiteral("start"));
    stage.supervisor.resume(id, left());
    QVERIFY(stage.state() == InstanceState::Running);
    QVERIFY(!stage.supervisor.snapshot(id)->lastFailure);
}

void ResumeTest::ignoresUnknownIds()
{
    Stage stage;
    stage.supervisor.resume(QUuid::createUuid(), left());
    QVERIFY(!stage.supervisor.policyEvaluator().memory(QUuid::createUuid()));
    QCOMPARE(stage.log.text(), QString());
}

void ResumeTest::emitsMemoryChangedLast()
{
    Stage stage;
    const QUuid id = stage.add(web, crashes);
    QStringList order;
    RestartPolicyEvaluator &evaluator = stage.supervisor.policyEvaluator();
    QObject::connect(&evaluator, &RestartPolicyEvaluator::restartScheduled, &evaluator,
                     [&] { order << QStringLiteral("scheduled"); });
    QObject::connect(&evaluator, &RestartPolicyEvaluator::memoryChanged, &evaluator,
                     [&](const QUuid &changed) {
                         QVERIFY(changed == id);
                         order << toText(evaluator.memory(id)->state);
                     });
    stage.play(QStringLiteral("start"));
    QCOMPARE(order.last(), QStringLiteral("Waiting"));
    QCOMPARE(order.at(order.size() - 2), QStringLiteral("scheduled"));
}

void ResumeTest::staleReportKeepsMemory()
{
    Stage stage;
    const QUuid id = stage.add(web, {QStringLiteral("started ready")});
    stage.play(QStringLiteral("start"));
    const QSignalSpy changes(&stage.supervisor.policyEvaluator(),
                             &RestartPolicyEvaluator::memoryChanged);
    EvaluatorPort(stage.supervisor.policyEvaluator()).reportFailed(id, 0, {});
    QCOMPARE(changes.size(), 0);
}

void ResumeTest::slotMayRemoveAgentDuringResume()
{
    Stage stage;
    const QUuid id = stage.add(web, crashes);
    stage.advance(1s);
    RestartPolicyEvaluator &evaluator = stage.supervisor.policyEvaluator();
    QObject::connect(&evaluator, &RestartPolicyEvaluator::restartScheduled, &evaluator,
                     [&] { stage.supervisor.remove(id); });
    stage.supervisor.resume(id, left());
    stage.advance(1h);
    QCOMPARE(stage.log.text(), QStringLiteral("1s scheduled#2"));
    QVERIFY(stage.supervisor.ids().isEmpty());
}

void ResumeTest::resetsHealth_data()
{
    // before: when the host is killed
    const Rows<QString, QString> row("before", "log");
    row("failure count is reset", "start +10s",
        "20s START started ready run:2s unhealthy:1 30s run:2s unhealthy:2");
    row("failure is kept", "start +20s",
        "20s scheduled#1 21s attempt#1 START started ready "
        "succeeded#1 run:2s unhealthy:1");
}

void ResumeTest::resetsHealth()
{
    QFETCH(QString, before);
    QFETCH(QString, log);
    const auto add = [](Stage &stage) {
        const QUuid id = stage.add(web, {QStringLiteral("started ready")});
        setProbe(stage.supervisor, id, QStringLiteral("no"),
                 [&stage](const QString &word) { stage.log.write(web, word); });
        return id;
    };
    InstanceMemory memory;
    {
        Stage stage;
        const QUuid id = add(stage);
        stage.play(before);
        memory = stage.supervisor.policyEvaluator().memory(id).value();
    }
    Stage stage;
    const QUuid id = add(stage);
    stage.advance(20s);
    stage.supervisor.resume(id, memory);
    QVERIFY(stage.supervisor.monitor().health(id) == AgentHealthStatus{});
    stage.advance(10s);
    QCOMPARE(stage.log.text(), log);
}

void ResumeTest::probeResultKeepsMemory()
{
    Stage stage;
    const QUuid id = stage.add(web, {QStringLiteral("started ready")});
    setProbe(stage.supervisor, id, QStringLiteral("no ok"));
    stage.play(QStringLiteral("start"));
    const InstanceMemory before = stage.supervisor.policyEvaluator().memory(id).value();
    const QSignalSpy changes(&stage.supervisor.policyEvaluator(),
                             &RestartPolicyEvaluator::memoryChanged);
    stage.play(QStringLiteral("+10s"));
    QVERIFY(stage.log.text().endsWith(QLatin1String("healthy")));
    QCOMPARE(changes.size(), 0);
    QVERIFY(stage.supervisor.policyEvaluator().memory(id) == before);
}

// The hung thread ended with the previous host.
void ResumeTest::restartsHungWorkerOfPreviousHost()
{
    InstanceMemory memory;
    {
        Stage stage; // a failed worker that never ends, so that it is not started again
        const QUuid id = stage.add(web, {QStringLiteral("started ready"), {}, {}});
        stage.play(QStringLiteral("start"));
        EvaluatorPort(stage.supervisor.policyEvaluator())
            .reportUnhealthy(id, 1, {FailureReason::HealthCheckFailed, {}});
        stage.play(QStringLiteral("+1h"));
        QVERIFY(stage.state() == InstanceState::Waiting);
        memory = stage.supervisor.policyEvaluator().memory(id).value();
    }
    const auto channel = std::make_shared<WorkerChannel>();
    {
        VirtualClock clock;
        VirtualScheduler scheduler(clock);
        clock.advance(1h);
        AgentSupervisor supervisor(scheduler, {}, [](const QUuid &) { return 0.5; });
        const EventLog log(supervisor.policyEvaluator());
        grantAll(supervisor);
        const QUuid id = supervisor
                             .add(QStringLiteral("worker"),
                                  std::make_unique<WorkerAgent>(
                                      channelFactory(channel),
                                      WorkerOptions{.heartbeatInterval = 0s}, scheduler),
                                  policyOf({}))
                             .id;
        supervisor.resume(id, memory);
        scheduler.advance(0s);
        QTRY_COMPARE_WITH_TIMEOUT(log.text(),
                                  QStringLiteral("scheduled#1 attempt#1 started ready succeeded#1"),
                                  longWait);
        const auto failure = supervisor.snapshot(id)->lastFailure;
        QVERIFY(failure && failure->reason == FailureReason::HealthCheckFailed);
    }
    QTRY_COMPARE_WITH_TIMEOUT(WorkerAgent::abandonedThreads(), 0, longWait);
    QCOMPARE(channel->madeCount(), 1);
}

REKINDLE_TEST(ResumeTest)
#include "resumetest.moc"
