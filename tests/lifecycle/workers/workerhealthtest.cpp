// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "workerhost.h"

#include <rekindle/lifecycle/agentmonitor.h>

using namespace Rekindle;
using namespace std::chrono_literals;

/// The health of a worker by the heartbeat of its event loop.
class WorkerHealthTest : public WorkerTest
{
    Q_OBJECT

private Q_SLOTS:
    void healthyAfterAnswer();
    void unhealthyUntilAnswer();
    void busyIsNotHung();
    void decisionContainsHealth();
    void removedInHealthChanged();
    void stoppedInHealthChanged();
    void otherProbesAreAdded();
};

namespace {

const QString stable = QStringLiteral("'stableAfter':'1h'");

} // namespace

void WorkerHealthTest::healthyAfterAnswer()
{
    WorkerHost host(stable);
    TRY_WORDS(host, "ready", 1);
    for (int i = 0; i < 12; ++i) {
        host.scheduler.advance(10s);
        finishEvents(*host.channel);
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
    WorkerHost host(stable);
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*host.channel);
    host.scheduler.advance(21s);
    QCOMPARE(host.supervisor.snapshot(host.id)->health.state, AgentHealthStatus::State::Unhealthy);
    hang.open();
    finishEvents(*host.channel);
    QCOMPARE(host.log.text(), QStringLiteral("started ready 12s unhealthy:1 21s healthy"));
}

void WorkerHealthTest::decisionContainsHealth()
{
    WorkerHost host(stable);
    QList<AgentHealthStatus> seen;
    connect(&host.supervisor.policyEvaluator(), &RestartPolicyEvaluator::decided, this,
            [&] { seen.append(host.supervisor.snapshot(host.id)->health); });
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*host.channel);
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

void WorkerHealthTest::busyIsNotHung()
{
    WorkerHost host(stable);
    TRY_WORDS(host, "ready", 1);
    const Hang work(*host.channel);
    host.scheduler.advance(41s);
    work.open();
    finishEvents(*host.channel);
    host.scheduler.advance(9s);
    finishEvents(*host.channel);
    QCOMPARE(host.log.text(),
             QStringLiteral("started ready 12s unhealthy:1 22s unhealthy:2 32s unhealthy:3 "
                            "41s healthy"));
}

void WorkerHealthTest::removedInHealthChanged()
{
    WorkerHost host(stable);
    connect(
        &host.supervisor.monitor(), &AgentMonitor::healthChanged, this,
        [&](const QUuid &id, quint64, const AgentHealthStatus &, const AgentHealthStatus &after) {
            if (after.consecutiveMisses == 4)
                host.supervisor.remove(id);
        });
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*host.channel);
    host.scheduler.advance(42s);
    QVERIFY(host.supervisor.ids().isEmpty());
    QCOMPARE(host.log.text(),
             QStringLiteral("started ready 12s unhealthy:1 22s unhealthy:2 32s unhealthy:3 "
                            "42s unhealthy:4"));
}

// The agent then does not stop in time, instead of being unhealthy.
void WorkerHealthTest::stoppedInHealthChanged()
{
    WorkerHost host(stable);
    connect(
        &host.supervisor.monitor(), &AgentMonitor::healthChanged, this,
        [&](const QUuid &id, quint64, const AgentHealthStatus &, const AgentHealthStatus &after) {
            if (after.consecutiveMisses == 4)
                host.supervisor.stop(id);
        });
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*host.channel);
    host.scheduler.advance(42s);
    QCOMPARE(host.supervisor.snapshot(host.id)->state, InstanceState::Stopping);
    host.scheduler.advance(5s);
    QCOMPARE(host.supervisor.snapshot(host.id)->state, InstanceState::Stopped);
    QCOMPARE(host.words(QStringLiteral("failed:HealthCheckFailed")), 0);
    QCOMPARE(WorkerAgent::abandonedThreads(), 1);
}

void WorkerHealthTest::otherProbesAreAdded()
{
    WorkerHost host(stable);
    QVERIFY(host.supervisor.monitor().setHealth(host.id, {}).isEmpty());
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*host.channel);
    host.scheduler.advance(12s);
    QCOMPARE(host.words(QStringLiteral("unhealthy:1")), 1);
}

REKINDLE_TEST(WorkerHealthTest)
#include "workerhealthtest.moc"
