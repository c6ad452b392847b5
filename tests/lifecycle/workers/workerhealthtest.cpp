// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "scriptedevaluators.h"
#include "testprogram.h"
#include "workerhost.h"

#include <rekindle/lifecycle/agentmonitor.h>

#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

/// The heartbeat of a worker's event loop is its health.
class WorkerHealthTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup();

    void healthyAfterAnswer();
    void unhealthyUntilAnswer();
    void busyIsNotHung();
    void decisionContainsHealth();
    void evaluatorRequestContainsHealth();
    void removedInHealthChanged();
    void stoppedInHealthChanged();
    void otherProbesAreAdded();
};

namespace {

const QString stable = QStringLiteral("'stableAfter':'1h'");

// Waits until the worker has handled all events, and delivers its reports.
void pass(WorkerChannel &channel)
{
    const auto done = std::make_shared<std::atomic<bool>>(false);
    channel.send([done](QObject &) { *done = true; });
    QTRY_VERIFY_WITH_TIMEOUT(*done, longWait);
    QCoreApplication::sendPostedEvents();
}

// Blocks the worker until open() or the destructor.
class Hang
{
public:
    explicit Hang(WorkerChannel &channel)
    {
        channel.send([gate = m_gate](QObject &) { gate->pass(); });
    }
    ~Hang() { m_gate->open(); }
    Q_DISABLE_COPY_MOVE(Hang)

    [[nodiscard]] bool holds() const { return m_gate->isReached(); }
    void open() const { m_gate->open(); }

private:
    std::shared_ptr<Gate> m_gate = std::make_shared<Gate>();
};

} // namespace

void WorkerHealthTest::cleanup()
{
    QTRY_COMPARE_WITH_TIMEOUT(WorkerAgent::abandonedThreads(), 0, longWait);
}

void WorkerHealthTest::healthyAfterAnswer()
{
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerHost host(channelFactory(channel), stable);
    TRY_WORDS(host, "ready", 1);
    for (int i = 0; i < 12; ++i) {
        host.scheduler.advance(10s);
        pass(*channel);
    }
    QCOMPARE(host.log.text(), QStringLiteral("started ready 10s healthy"));
    const AgentHealthStatus health = host.supervisor.monitor().health(host.id);
    QCOMPARE(health.state, AgentHealthStatus::State::Healthy);
    QCOMPARE(health.history.size(), AgentHealthStatus::longestHistory);
    const ProbeResult beat{host.clock.utcNow(), true, 0ms, QStringLiteral("heartbeat"),
                           QStringLiteral("heartbeat")};
    QCOMPARE(health.latest(), beat);
    QCOMPARE(host.supervisor.snapshot(host.id)->health, health);
}

void WorkerHealthTest::unhealthyUntilAnswer()
{
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerHost host(channelFactory(channel), stable);
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*channel);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    host.scheduler.advance(21s);
    QCOMPARE(host.supervisor.snapshot(host.id)->health.state, AgentHealthStatus::State::Unhealthy);
    hang.open();
    pass(*channel);
    QCOMPARE(host.log.text(), QStringLiteral("started ready 12s unhealthy:1 21s healthy"));
}

void WorkerHealthTest::decisionContainsHealth()
{
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerHost host(channelFactory(channel), stable);
    QList<AgentHealthStatus> seen;
    connect(&host.supervisor.evaluator(), &RestartPolicyEvaluator::decided, this,
            [&] { seen.append(host.supervisor.snapshot(host.id)->health); });
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*channel);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    const UtcTime ready = host.clock.utcNow();
    host.scheduler.advance(42s);
    QCOMPARE(seen.size(), 1);
    QCOMPARE(seen[0].state, AgentHealthStatus::State::Unhealthy);
    QCOMPARE(seen[0].consecutiveMisses, 4);
    QCOMPARE(seen[0].history.size(), 4);
    const ProbeResult last{ready + 42s, false, 10s, QStringLiteral("no answer within 10s"),
                           QStringLiteral("heartbeat")};
    QCOMPARE(seen[0].latest(), last);
    QCOMPARE(host.message(),
             QStringLiteral("health probe heartbeat failed 3 times in a row and with a timeout of "
                            "10s: no answer within 10s"));
    // The next start keeps the history and resets the count.
    host.scheduler.advance(1s);
    TRY_WORDS(host, "ready", 2);
    const AgentHealthStatus next = host.supervisor.monitor().health(host.id);
    QCOMPARE(next.state, AgentHealthStatus::State::Unknown);
    QCOMPARE(next.consecutiveMisses, 0);
    QCOMPARE(next.history, seen[0].history);
}

void WorkerHealthTest::evaluatorRequestContainsHealth()
{
    ScriptedEvaluators evaluators;
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerHost host(channelFactory(channel), {});
    host.supervisor.evaluator().setCustomEvaluators(&evaluators);
    TRY_WORDS(host, "ready", 1);
    QVERIFY(host.supervisor.setPolicy(host.id, policyOf(activePolicy())).isEmpty());
    const Hang hang(*channel);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    host.scheduler.advance(42s);
    QCOMPARE(evaluators.requests.size(), 1);
    const AgentHealthStatus health = evaluators.requests.first().context.healthStatus;
    QCOMPARE(health.state, AgentHealthStatus::State::Unhealthy);
    QCOMPARE(health.latest().probe, QStringLiteral("heartbeat"));
    QCOMPARE(health.history.size(), 4);
}

void WorkerHealthTest::busyIsNotHung()
{
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerHost host(channelFactory(channel), stable);
    TRY_WORDS(host, "ready", 1);
    const Hang work(*channel);
    QTRY_VERIFY_WITH_TIMEOUT(work.holds(), longWait);
    host.scheduler.advance(41s);
    work.open();
    pass(*channel);
    host.scheduler.advance(9s);
    pass(*channel);
    QCOMPARE(host.log.text(),
             QStringLiteral("started ready 12s unhealthy:1 22s unhealthy:2 32s unhealthy:3 "
                            "41s healthy"));
}

void WorkerHealthTest::removedInHealthChanged()
{
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerHost host(channelFactory(channel), stable);
    connect(
        &host.supervisor.monitor(), &AgentMonitor::healthChanged, this,
        [&](const QUuid &id, quint64, const AgentHealthStatus &, const AgentHealthStatus &after) {
            if (after.consecutiveMisses == 4)
                host.supervisor.remove(id);
        });
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*channel);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    host.scheduler.advance(42s);
    QVERIFY(host.supervisor.ids().isEmpty());
    QCOMPARE(host.log.text(),
             QStringLiteral("started ready 12s unhealthy:1 22s unhealthy:2 32s unhealthy:3 "
                            "42s unhealthy:4"));
}

// The agent then does not stop in time, instead of being unhealthy.
void WorkerHealthTest::stoppedInHealthChanged()
{
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerHost host(channelFactory(channel), stable);
    connect(
        &host.supervisor.monitor(), &AgentMonitor::healthChanged, this,
        [&](const QUuid &id, quint64, const AgentHealthStatus &, const AgentHealthStatus &after) {
            if (after.consecutiveMisses == 4)
                host.supervisor.stop(id);
        });
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*channel);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    host.scheduler.advance(42s);
    QCOMPARE(host.supervisor.snapshot(host.id)->state, InstanceState::Stopping);
    host.scheduler.advance(5s);
    QCOMPARE(host.supervisor.snapshot(host.id)->state, InstanceState::Stopped);
    QCOMPARE(host.words(QStringLiteral("failed:HealthCheckFailed")), 0);
    QCOMPARE(WorkerAgent::abandonedThreads(), 1);
}

void WorkerHealthTest::otherProbesAreAdded()
{
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerHost host(channelFactory(channel), stable);
    QVERIFY(host.supervisor.monitor().setHealth(host.id, {}).isEmpty());
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*channel);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    host.scheduler.advance(12s);
    QCOMPARE(host.words(QStringLiteral("unhealthy:1")), 1);
}

REKINDLE_TEST(WorkerHealthTest)
#include "workerhealthtest.moc"
