// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"
#include "testrow.h"
#include "workertest.h"

#include <rekindle/lifecycle/agentmonitor.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// A supervisor with one worker.
class Host
{
public:
    Host()
        : supervisor(new AgentSupervisor(scheduler, {}, [](const QUuid &) { return 0.5; }))
    {
        grantAll(*supervisor);
        id = add();
        agent = qobject_cast<WorkerAgent *>(supervisor->agent(id));
    }
    ~Host()
    {
        gate->open();
        delete supervisor.data();
    }
    Q_DISABLE_COPY_MOVE(Host)

    QUuid add()
    {
        // The timeouts are long, because real threads do not follow virtual time.
        const WorkerOptions options{.stopTimeout = killTimeout, .killTimeout = killTimeout};
        auto worker = std::make_unique<WorkerAgent>(channelFactory(channel), options, scheduler);
        return supervisor->add(QStringLiteral("worker"), std::move(worker), policyOf({})).id;
    }

    void connectTo(const QString &signal, const std::function<void()> &slot)
    {
        const auto to = [&](auto *sender, auto emitted) {
            QObject::connect(sender, emitted, supervisor.data(), [slot] { slot(); });
        };
        if (signal == QLatin1String("started"))
            to(agent.data(), &Agent::started);
        else if (signal == QLatin1String("ready"))
            to(agent.data(), &Agent::ready);
        else if (signal == QLatin1String("failed"))
            to(agent.data(), &Agent::failed);
        else if (signal == QLatin1String("stopped"))
            to(agent.data(), &Agent::stopped);
        else if (signal == QLatin1String("requested"))
            to(agent.data(), &Agent::restartRequested);
        else if (signal == QLatin1String("abandoned"))
            to(agent.data(), &WorkerAgent::threadAbandoned);
        else if (signal == QLatin1String("failed, emitted by the evaluator"))
            to(&supervisor->policyEvaluator(), &RestartPolicyEvaluator::agentFailed);
        else if (signal == QLatin1String("failed, emitted by the monitor"))
            to(&supervisor->monitor(), &AgentMonitor::agentFailed);
        else
            qFatal("no such signal: %s", qPrintable(signal));
    }

    // Call it while the worker runs.
    void provoke(const QString &signal)
    {
        if (signal.startsWith(QLatin1String("failed"))) {
            channel->send([](QObject &) { throw std::runtime_error("one"); });
        } else if (signal == QLatin1String("stopped")) {
            supervisor->stop(id);
        } else if (signal == QLatin1String("requested")) {
            channel->context(0).requestRestart(QStringLiteral("new model"));
        } else if (signal == QLatin1String("abandoned")) {
            channel->send([gate = gate](QObject &) { gate->pass(); });
            QTRY_VERIFY_WITH_TIMEOUT(gate->isReached(), longWait);
            scheduler.advance(42s);
            scheduler.advance(killTimeout);
        }
    }

    // Checks the condition after everything that is due was done.
    [[nodiscard]] bool has(const std::function<bool()> &condition)
    {
        scheduler.advance(0s);
        return condition();
    }
    [[nodiscard]] bool isIn(InstanceState state)
    {
        return has([&] {
            const std::optional<AgentSnapshot> snapshot = supervisor->snapshot(id);
            return snapshot && snapshot->state == state;
        });
    }

    static constexpr Duration killTimeout = 1h;

    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    Channel channel = std::make_shared<WorkerChannel>();
    std::shared_ptr<Gate> gate = std::make_shared<Gate>();
    QPointer<AgentSupervisor> supervisor;
    QPointer<WorkerAgent> agent;
    QUuid id;
};

// What a slot does, by name.
using Act = std::function<void(Host &)>;
const std::vector<std::pair<const char *, Act>> acts = {
    {"remove", [](Host &h) { h.supervisor->remove(h.id); }},
    {"replace",
     [](Host &h) {
         h.supervisor->remove(h.id);
         h.id = h.add();
         h.supervisor->start(h.id);
     }},
    {"start", [](Host &h) { h.supervisor->start(h.id); }},
    {"retry", [](Host &h) { h.supervisor->retryNow(h.id); }},
    {"restart", [](Host &h) { h.supervisor->restart(h.id); }},
    {"stop", [](Host &h) { h.supervisor->stop(h.id); }},
    {"stopAll", [](Host &h) { h.supervisor->stopAll(); }},
    {"killAll", [](Host &h) { h.supervisor->killAll(); }},
    {"stop and start",
     [](Host &h) {
         h.supervisor->stop(h.id);
         h.supervisor->start(h.id);
     }},
    {"delete the supervisor", [](Host &h) { h.supervisor->deleteLater(); }},
};

} // namespace

// A slot may call any public method.
class WorkerReentrancyTest : public WorkerTest
{
    Q_OBJECT

private Q_SLOTS:
    void slotMayCallSupervisor_data();
    void slotMayCallSupervisor();
    void slotMayCallAgent_data();
    void slotMayCallAgent();
};

void WorkerReentrancyTest::slotMayCallSupervisor_data()
{
    QTest::addColumn<QString>("signal");
    QTest::addColumn<QString>("name");
    QTest::addColumn<Act>("act");
    for (const char *signal :
         {"started", "ready", "failed", "stopped", "requested", "abandoned",
          "failed, emitted by the evaluator", "failed, emitted by the monitor"}) {
        for (const auto &[name, act] : acts)
            QTest::addRow("%s in %s", name, signal) << signal << name << act;
    }
}

void WorkerReentrancyTest::slotMayCallSupervisor()
{
    QFETCH(QString, signal);
    QFETCH(QString, name);
    QFETCH(Act, act);
    Channel channel;
    {
        Host host;
        channel = host.channel;
        bool hasActed = false;
        host.connectTo(signal, [&] {
            if (!std::exchange(hasActed, true))
                act(host);
        });
        host.supervisor->start(host.id);
        if (signal != QLatin1String("started") && signal != QLatin1String("ready")) {
            QTRY_VERIFY_WITH_TIMEOUT(host.isIn(InstanceState::Running), longWait);
            host.provoke(signal);
        }
        QTRY_VERIFY_WITH_TIMEOUT(host.has([&] { return hasActed; }), longWait);
        // For the first attempt of the policy; too short for a heartbeat.
        if (host.supervisor)
            host.scheduler.advance(2s);

        if (name == QLatin1String("delete the supervisor")) {
            QTRY_VERIFY_WITH_TIMEOUT(!host.supervisor && !host.agent, longWait);
        } else if (name == QLatin1String("remove")) {
            QTRY_VERIFY_WITH_TIMEOUT(!host.agent, longWait);
            QVERIFY(host.supervisor->ids().isEmpty());
        } else if (name == QLatin1String("stop") || name.endsWith(QLatin1String("All"))) {
            QTRY_VERIFY_WITH_TIMEOUT(host.isIn(InstanceState::Stopped), longWait);
            QVERIFY(!host.agent->isAlive());
        } else {
            QTRY_VERIFY_WITH_TIMEOUT(host.isIn(InstanceState::Running), longWait);
            QCOMPARE(host.agent.isNull(), name == QLatin1String("replace"));
        }
    }
    QTRY_COMPARE_WITH_TIMEOUT(channel->destroyedCount(), channel->madeCount(), longWait);
    QVERIFY(channel->alwaysInItsThread());
}

void WorkerReentrancyTest::slotMayCallAgent_data()
{
    const Rows<QString> row("log");
    const QString ready = QStringLiteral("started ready ");
    const QString hung = QStringLiteral("failed:DependencyFailure(feed lost; it did not end within "
                                        "5s; its thread was abandoned)");
    // The call inside the first threadAbandoned(), or inside the failed() after it.
    row("nothing", ready + QStringLiteral("abandoned ") + hung);
    row("stop in abandoned", ready + QStringLiteral("abandoned stopped"));
    row("kill in abandoned", ready + QStringLiteral("abandoned stopped"));
    row("time passes in abandoned", ready + QStringLiteral("abandoned ") + hung);
    row("kill, time passes in abandoned", ready + QStringLiteral("abandoned stopped"));
    row("start in abandoned", ready + QStringLiteral("abandoned ") + hung);
    row("stop in failed", ready + QStringLiteral("abandoned ") + hung);
    row("kill in failed", ready + QStringLiteral("abandoned ") + hung);
    row("start in failed",
        ready + QStringLiteral("abandoned ") + hung + QStringLiteral(" started ready"));
}

void WorkerReentrancyTest::slotMayCallAgent()
{
    QFETCH(QString, log);
    const QString row = QString::fromLatin1(QTest::currentDataTag());
    const auto gate = std::make_shared<Gate>();
    WorkerStage stage;
    const auto act = [&](const QString &place) {
        if (!row.endsWith(place))
            return;
        if (row.startsWith(QLatin1String("stop")))
            stage.agent->stop();
        else if (row.startsWith(QLatin1String("kill")))
            stage.agent->kill();
        else if (row.startsWith(QLatin1String("start")))
            stage.agent->start();
        if (row.contains(QLatin1String("time passes")))
            stage.scheduler.advance(1h);
    };
    QObject::connect(stage.agent.get(), &WorkerAgent::threadAbandoned, &stage.log,
                     [&] { act(QStringLiteral("in abandoned")); });
    QObject::connect(stage.agent.get(), &Agent::failed, &stage.log,
                     [&] { act(QStringLiteral("in failed")); });
    stage.agent->start();
    QTRY_COMPARE_WITH_TIMEOUT(stage.text(), QStringLiteral("started ready"), longWait);
    stage.channel->send([gate](QObject &) { gate->pass(); });
    QTRY_VERIFY_WITH_TIMEOUT(gate->isReached(), longWait);
    stage.channel->context(0).fail(FailureReason::DependencyFailure, QStringLiteral("feed lost"));
    QTRY_VERIFY_WITH_TIMEOUT(stage.scheduler.nextDue().time_since_epoch() == 5s, longWait);
    stage.scheduler.advance(5s);
    QTRY_COMPARE_WITH_TIMEOUT(stage.text(), log, longWait);
    QCOMPARE(stage.agent->isAlive(), log.endsWith(QLatin1String("started ready")));
    gate->open();
}

REKINDLE_TEST(WorkerReentrancyTest)
#include "workerreentrancytest.moc"
