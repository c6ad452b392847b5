// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "scriptedagent.h"
#include "testprogram.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/virtualscheduler.h>

using namespace Rekindle;

namespace {

class PlainAgent final : public Agent
{
public:
    void start() override { Q_EMIT started(); }
    void stop() override {}
    [[nodiscard]] qint64 processId() const override { return 1001; }
    void fail() { failWith({.message = QStringLiteral("late")}); }
    void failWith(const FailureDetail &detail) { Q_EMIT failed(FailureReason::Timeout, detail); }
    void request(const QString &reason) { Q_EMIT restartRequested(reason); }
};

} // namespace

class AgentMonitorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void reportsContainGeneration();
    void failuresContainDetail();
    void textsOfAgentsArePrintable();
    void restartRequestsContainLiveness();
    void ignoresUnwatchedAgents();
    void unwatchInSlotOfMonitor();
    void reportsPrecedeSlotsOfAgent();
    void agentDestroyedInSlotOfMonitor();
    void rejectsAgentOfOtherMonitor();
    void blockedAgentReportsNothing();
    void queuesSignalsOfOtherThreads();
    void watchReplacesAgent();
    void ignoresUnknownIds();

private:
    QUuid m_id = QUuid::createUuid();
    VirtualClock m_clock;
    VirtualScheduler m_scheduler{m_clock};
    QStringList m_log;
    std::unique_ptr<AgentMonitor> m_monitor;
};

void AgentMonitorTest::init()
{
    m_log.clear();
    m_monitor = std::make_unique<AgentMonitor>(m_scheduler);
    const auto write = [this](const char *word, const QUuid &id, quint64 generation) {
        m_log.append(
            QStringLiteral("%1:%2%3").arg(QLatin1String(word), QString::number(generation),
                                          id == m_id ? QString() : QStringLiteral(" of another")));
    };
    connect(m_monitor.get(), &AgentMonitor::agentStarted, this,
            [=](const QUuid &id, quint64 generation, qint64 pid) {
                write("started", id, generation);
                QCOMPARE(pid, qint64{1001});
            });
    connect(m_monitor.get(), &AgentMonitor::agentReady, this,
            [=](const QUuid &id, quint64 generation) { write("ready", id, generation); });
    connect(m_monitor.get(), &AgentMonitor::agentFailed, this,
            [=](const QUuid &id, quint64 generation) { write("failed", id, generation); });
    connect(m_monitor.get(), &AgentMonitor::agentStopped, this,
            [=](const QUuid &id, quint64 generation) { write("stopped", id, generation); });
    connect(m_monitor.get(), &AgentMonitor::restartRequested, this,
            [=](const QUuid &id, quint64 generation, const QString &, bool alive) {
                write(alive ? "requested" : "exit42", id, generation);
            });
}

void AgentMonitorTest::reportsContainGeneration()
{
    ScriptedAgent agent(m_scheduler, {QStringLiteral("started ready")});
    m_monitor->watch(m_id, &agent);
    m_monitor->setGeneration(m_id, 7);
    agent.start();
    m_monitor->setGeneration(m_id, 8);
    agent.stop();
    QCOMPARE(m_log.join(u' '), QStringLiteral("started:7 ready:7 stopped:8"));
    m_monitor->unwatch(m_id);
}

void AgentMonitorTest::failuresContainDetail()
{
    ScriptedAgent agent(m_scheduler, {QStringLiteral("fail:3|fail:Timeout")});
    m_monitor->watch(m_id, &agent);
    QList<Failure> failures;
    connect(m_monitor.get(), &AgentMonitor::agentFailed, this,
            [&](const QUuid &, quint64, const Failure &failure) { failures.append(failure); });
    agent.start();
    agent.start();
    QCOMPARE(failures.size(), 2);
    QVERIFY(failures[0].reason == FailureReason::ProcessCrash);
    QCOMPARE(failures[0].detail.exitCode, std::optional(3));
    QCOMPARE(failures[0].detail.message, QStringLiteral("scripted"));
    QVERIFY(failures[1].reason == FailureReason::Timeout);
    m_monitor->unwatch(m_id);
}

void AgentMonitorTest::textsOfAgentsArePrintable()
{
    PlainAgent agent;
    m_monitor->watch(m_id, &agent);
    FailureDetail detail;
    QString reason;
    connect(m_monitor.get(), &AgentMonitor::agentFailed, this,
            [&](const QUuid &, quint64, const Failure &failure) { detail = failure.detail; });
    connect(m_monitor.get(), &AgentMonitor::restartRequested, this,
            [&](const QUuid &, quint64, const QString &text, bool) { reason = text; });
    agent.request(QStringLiteral("\x1b]0;title\anew\ncode"));
    QCOMPARE(reason, QStringLiteral("new code"));
    agent.failWith({.message = QStringLiteral("\u202elate\x1b[2J") + QString(100'000, u'x'),
                    .stderrTail = {QStringLiteral("\x1b[31mred")}});
    QVERIFY(detail.message.startsWith(QLatin1String("latexx")));
    QCOMPARE(detail.message.size(), 4096);
    QCOMPARE(detail.stderrTail, QStringList{QStringLiteral("red")});
    m_monitor->unwatch(m_id);
}

void AgentMonitorTest::restartRequestsContainLiveness()
{
    ScriptedAgent agent(m_scheduler, {QStringLiteral("ask exit42")});
    m_monitor->watch(m_id, &agent);
    agent.start();
    QCOMPARE(m_log.join(u' '), QStringLiteral("requested:0 exit42:0"));
    m_monitor->unwatch(m_id);
}

void AgentMonitorTest::ignoresUnwatchedAgents()
{
    ScriptedAgent agent(m_scheduler, {});
    m_monitor->watch(m_id, &agent);
    m_monitor->unwatch(m_id);
    agent.start();
    agent.stop();
    QCOMPARE(m_log, QStringList());
}

void AgentMonitorTest::unwatchInSlotOfMonitor()
{
    ScriptedAgent agent(m_scheduler, {QStringLiteral("started ready fail")});
    m_monitor->watch(m_id, &agent);
    connect(m_monitor.get(), &AgentMonitor::agentReady, this,
            [this](const QUuid &id) { m_monitor->unwatch(id); });
    agent.start();
    QCOMPARE(m_log.join(u' '), QStringLiteral("started:0 ready:0"));
}

void AgentMonitorTest::reportsPrecedeSlotsOfAgent()
{
    ScriptedAgent agent(m_scheduler, {});
    QStringList logInSlot;
    connect(&agent, &Agent::started, this, [&] {
        logInSlot = m_log;
        m_monitor->unwatch(m_id);
    });
    m_monitor->watch(m_id, &agent);
    agent.start();
    QCOMPARE(logInSlot, QStringList{QStringLiteral("started:0")});
    QCOMPARE(m_log, logInSlot);
}

void AgentMonitorTest::agentDestroyedInSlotOfMonitor()
{
    auto *agent = new PlainAgent;
    m_monitor->watch(m_id, agent);
    bool isSlotCalled = false;
    connect(agent, &Agent::started, this, [&] { isSlotCalled = true; });
    QList<QUuid> destroyed;
    connect(m_monitor.get(), &AgentMonitor::agentDestroyed, this,
            [&](const QUuid &id) { destroyed.append(id); });
    connect(m_monitor.get(), &AgentMonitor::agentStarted, this, [=] { delete agent; });
    agent->start();
    QCOMPARE(destroyed, QList{m_id});
    QVERIFY(!isSlotCalled);
}

void AgentMonitorTest::rejectsAgentOfOtherMonitor()
{
    PlainAgent agent;
    m_monitor->watch(m_id, &agent);
    AgentMonitor other(m_scheduler);
    const QList<Fault> faults = other.watch(QUuid::createUuid(), &agent);
    QCOMPARE(faults.size(), 1);
    QCOMPARE(faults.constFirst().message, QStringLiteral("the agent is already watched"));
    m_monitor->unwatch(m_id);
    QVERIFY(other.watch(QUuid::createUuid(), &agent).isEmpty());
    agent.start();
    QCOMPARE(m_log, QStringList());
}

void AgentMonitorTest::blockedAgentReportsNothing()
{
    PlainAgent agent;
    m_monitor->watch(m_id, &agent);
    agent.blockSignals(true);
    agent.start();
    QCOMPARE(m_log, QStringList());
}

void AgentMonitorTest::queuesSignalsOfOtherThreads()
{
    PlainAgent agent;
    m_monitor->watch(m_id, &agent);
    const std::unique_ptr<QThread> thread(QThread::create([&] { agent.fail(); }));
    thread->start();
    thread->wait();
    QCOMPARE(m_log, QStringList());
    QCoreApplication::processEvents();
    QCOMPARE(m_log, QStringList{QStringLiteral("failed:0")});
}

void AgentMonitorTest::watchReplacesAgent()
{
    ScriptedAgent first(m_scheduler, {});
    ScriptedAgent second(m_scheduler, {});
    m_monitor->watch(m_id, &first);
    m_monitor->setGeneration(m_id, 3);
    m_monitor->watch(m_id, &second);
    first.start();
    QCOMPARE(m_log, QStringList());
    second.start();
    QCOMPARE(m_log.join(u' '), QStringLiteral("started:0 ready:0"));
    m_monitor->unwatch(m_id);
}

void AgentMonitorTest::ignoresUnknownIds()
{
    m_monitor->setGeneration(m_id, 5);
    m_monitor->unwatch(m_id);
}

REKINDLE_TEST(AgentMonitorTest)
#include "agentmonitortest.moc"
