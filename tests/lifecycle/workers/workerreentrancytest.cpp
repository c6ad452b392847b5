// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/workerstage.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/lifecycle/agentmonitor.h>

#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// A supervisor with one worker.
class Host
{
public:
    Host()
        : supervisor(new AgentSupervisor(scheduler, {}, [] { return 0.5; }))
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
        // Real threads need time that the virtual clock does not have.
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
            to(&supervisor->evaluator(), &RestartPolicyEvaluator::agentFailed);
        else if (signal == QLatin1String("failed, emitted by the monitor"))
            to(&supervisor->monitor(), &AgentMonitor::agentFailed);
        else
            qFatal("no such signal: %s", qPrintable(signal));
    }

    // With the worker running.
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

    void act(const QString &what)
    {
        if (what == QLatin1String("remove")) {
            supervisor->remove(id);
        } else if (what == QLatin1String("replace")) {
            supervisor->remove(id);
            id = add();
            supervisor->start(id);
        } else if (what == QLatin1String("start")) {
            supervisor->start(id);
        } else if (what == QLatin1String("retry")) {
            supervisor->retryNow(id);
        } else if (what == QLatin1String("restart")) {
            supervisor->restart(id);
        } else if (what == QLatin1String("stop")) {
            supervisor->stop(id);
        } else if (what == QLatin1String("stopAll")) {
            supervisor->stopAll();
        } else if (what == QLatin1String("killAll")) {
            supervisor->killAll();
        } else if (what == QLatin1String("stop and start")) {
            supervisor->stop(id);
            supervisor->start(id);
        } else if (what == QLatin1String("delete the supervisor")) {
            supervisor->deleteLater();
        } else {
            qFatal("no such act: %s", qPrintable(what));
        }
    }

    // The event loop and the supervisor have done what they can without time.
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

} // namespace

// A slot may call any public method.
class WorkerReentrancyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup();

    void underASupervisor_data();
    void underASupervisor();
    void ofTheAgentAlone_data();
    void ofTheAgentAlone();
};

void WorkerReentrancyTest::cleanup()
{
    QTRY_COMPARE_WITH_TIMEOUT(WorkerAgent::abandonedThreads(), 0, longWait);
}

void WorkerReentrancyTest::underASupervisor_data()
{
    QTest::addColumn<QString>("signal");
    QTest::addColumn<QString>("act");
    for (const char *signal :
         {"started", "ready", "failed", "stopped", "requested", "abandoned",
          "failed, emitted by the evaluator", "failed, emitted by the monitor"}) {
        for (const char *act : {"remove", "replace", "start", "retry", "restart", "stop", "stopAll",
                                "killAll", "stop and start", "delete the supervisor"})
            QTest::addRow("%s in %s", act, signal)
                << QString::fromLatin1(signal) << QString::fromLatin1(act);
    }
}

void WorkerReentrancyTest::underASupervisor()
{
    QFETCH(QString, signal);
    QFETCH(QString, act);
    Channel channel;
    {
        Host host;
        channel = host.channel;
        bool hasActed = false;
        host.connectTo(signal, [&] {
            if (!std::exchange(hasActed, true))
                host.act(act);
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

        if (act == QLatin1String("delete the supervisor")) {
            QTRY_VERIFY_WITH_TIMEOUT(!host.supervisor && !host.agent, longWait);
        } else if (act == QLatin1String("remove")) {
            QTRY_VERIFY_WITH_TIMEOUT(!host.agent, longWait);
            QVERIFY(host.supervisor->ids().isEmpty());
        } else if (act == QLatin1String("stop") || act.endsWith(QLatin1String("All"))) {
            QTRY_VERIFY_WITH_TIMEOUT(host.isIn(InstanceState::Stopped), longWait);
            QVERIFY(!host.agent->isAlive());
        } else {
            QTRY_VERIFY_WITH_TIMEOUT(host.isIn(InstanceState::Running), longWait);
            QCOMPARE(host.agent.isNull(), act == QLatin1String("replace"));
        }
    }
    QTRY_COMPARE_WITH_TIMEOUT(channel->destroyedCount(), channel->madeCount(), longWait);
    QVERIFY(channel->alwaysInItsThread());
}

void WorkerReentrancyTest::ofTheAgentAlone_data()
{
    QTest::addColumn<QString>("log");
    const QString ready = QStringLiteral("started ready ");
    const QString hung = QStringLiteral("failed:DependencyFailure(feed lost; it did not end within "
                                        "5s; its thread was abandoned)");
    // The call inside the first threadAbandoned(), or inside the failed() after it.
    QTest::newRow("nothing") << ready + QStringLiteral("abandoned ") + hung;
    QTest::newRow("stop in abandoned") << ready + QStringLiteral("abandoned stopped");
    QTest::newRow("kill in abandoned") << ready + QStringLiteral("abandoned stopped");
    QTest::newRow("time passes in abandoned") << ready + QStringLiteral("abandoned ") + hung;
    QTest::newRow("kill, time passes in abandoned") << ready + QStringLiteral("abandoned stopped");
    QTest::newRow("start in abandoned") << ready + QStringLiteral("abandoned ") + hung;
    QTest::newRow("stop in failed") << ready + QStringLiteral("abandoned ") + hung;
    QTest::newRow("kill in failed") << ready + QStringLiteral("abandoned ") + hung;
    QTest::newRow("start in failed")
        << ready + QStringLiteral("abandoned ") + hung + QStringLiteral(" started ready");
}

void WorkerReentrancyTest::ofTheAgentAlone()
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
