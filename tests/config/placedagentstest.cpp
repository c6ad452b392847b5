// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "config/internal/placedagents.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/fleet/virtualstore.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

const QString agentName = QStringLiteral("w");

/// A host of a fleet, with the agent "w" and a log of what happens to it.
class FleetHost
{
public:
    FleetHost(VirtualScheduler &scheduler, VirtualStoreServer &server, const QString &node,
              const QString &previousRun = {})
        : m_scheduler(scheduler)
        , supervisor(scheduler, {}, [](const QUuid &) { return 0.5; })
        , store(server, scheduler)
        , placed(supervisor, store, scheduler,
                 {.fleet = {.node = node},
                  .run = node + QLatin1String("-run"),
                  .previousRun = previousRun,
                  .setKillDeadline =
                      [this](Instant deadline) {
                          killDeadline = deadline;
                          return hasGuard;
                      },
                  .isPreviousGone = [this] { return isPreviousGone; }})
    {
        grantAll(supervisor);
        QObject::connect(&placed, &PlacedAgents::faulted, &placed,
                         [this](const QString &fault) { faults.append(fault); });
    }

    /// Adds the agent, starts all agents and contends.
    void begin(const AgentScript &script = {}, const QString &policy = {},
               const FleetPlacement &placement = {
                   .prefer = {QStringLiteral("a"), QStringLiteral("b")}})
    {
        id = supervisor
                 .add(agentName,
                      std::make_unique<ScriptedAgent>(
                          m_scheduler, script, [this](const QString &word) { log.append(word); }),
                      policyOf(policy))
                 .id;
        placed.place(id, placement);
        supervisor.startAll();
        placed.begin();
    }

    [[nodiscard]] InstanceState state() const { return *supervisor.policyEvaluator().state(id); }
    [[nodiscard]] bool isRunning() const { return state() == InstanceState::Running; }
    [[nodiscard]] QString holdText() const
    {
        return toTexts(supervisor.snapshot(id)->holdCauses).join(QLatin1String("; "));
    }
    [[nodiscard]] qint64 fence() const
    {
        return static_cast<const ScriptedAgent *>(supervisor.agent(id))->fencingToken();
    }
    [[nodiscard]] QString placementState() const { return placed.placement(agentName)->state; }
    /// What has happened since the last call.
    QString happened() { return std::exchange(log, {}).join(u' '); }

private:
    VirtualScheduler &m_scheduler;

public:
    bool hasGuard = true;
    bool isPreviousGone = true;
    Instant killDeadline{};
    QStringList log;
    QStringList faults;
    AgentSupervisor supervisor;
    VirtualStore store;
    PlacedAgents placed;
    QUuid id;
};

/// Two hosts and their store, in virtual time.
class FleetOfTwo
{
public:
    void advance(Duration duration)
    {
        // In steps, because the supervisor's work is also in posted events.
        for (Duration left = duration; left > Duration{0}; left -= 100ms) {
            scheduler.advance(std::min<Duration>(left, 100ms));
            QCoreApplication::sendPostedEvents();
        }
        scheduler.advance(0s);
    }

    /// Both hosts begin; "a" runs the agent, because it is the first.
    void begin(const AgentScript &script = {}, const QString &policy = {},
               const FleetPlacement &placement = {
                   .prefer = {QStringLiteral("a"), QStringLiteral("b")}})
    {
        a->begin(script, policy, placement);
        advance(1s);
        b.begin(script, policy, placement);
        advance(2s);
    }

private:
    VirtualClock m_clock;

public:
    VirtualScheduler scheduler{m_clock};
    VirtualStoreServer server{scheduler, 1};
    std::unique_ptr<FleetHost> a =
        std::make_unique<FleetHost>(scheduler, server, QStringLiteral("a"));
    FleetHost b{scheduler, server, QStringLiteral("b")};
};

} // namespace

/// The placed agents of hosts with a simulated store.
class PlacedAgentsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsOnOneNode();
    void movesWhenItsNodeDies();
    void stopsBeforeAnotherNodeStartsIt();
    void keepsRunningWithoutTheStore();
    void restartsLocallyWithTheSameToken();
    void releasesAnAgentThatIsGivenUp();
    void contendsAgainAfterAnOperatorsStart();
    void keepsAnAgentThatAnOperatorHasStopped();
    void doesNotTakeOverWhatAnOperatorHasStopped();
    void doesNotContendForAManualStart();
    void drainsANode();
    void movesAnAgent();
    void releasesWhenTheHostStops();
    void releasesARemovedAgent();
    void waitsUntilThePreviousHostIsGone();
    void recognizesTheSessionOfItsPreviousRun();
    void startsNothingWithoutAGuard();
    void refusesAnAgentThatIsNoProcess();
    void reportsTheLossOfTheStore();
};

void PlacedAgentsTest::runsOnOneNode()
{
    FleetOfTwo fleet;
    fleet.begin();
    QCOMPARE(fleet.a->happened(), QStringLiteral("BOUND FENCED START"));
    QVERIFY(fleet.a->isRunning());
    QVERIFY(fleet.a->fence() > 0);
    QVERIFY(fleet.a->killDeadline > fleet.scheduler.now());
    QCOMPARE(fleet.b.happened(), QStringLiteral("BOUND"));
    QCOMPARE(fleet.b.state(), InstanceState::Waiting);
    QCOMPARE(fleet.b.holdText(), QStringLiteral("lease: runs on a"));
    const auto here = fleet.a->placed.placement(agentName);
    QCOMPARE(here->state, QStringLiteral("running"));
    QCOMPARE(here->token, fleet.a->fence());
    QVERIFY(here->leaseEndsIn > Duration{0});
    const FleetStatus status = fleet.b.placed.status();
    QCOMPARE(status.nodes.size(), 2);
    QCOMPARE(status.agents.size(), 1);
    QCOMPARE(status.agents.front().placement.node, QStringLiteral("a"));
    QVERIFY(!fleet.a->placed.placement(QStringLiteral("other")));
}

void PlacedAgentsTest::movesWhenItsNodeDies()
{
    FleetOfTwo fleet;
    fleet.begin();
    const qint64 token = fleet.a->fence();
    fleet.a.reset();
    fleet.advance(16s);
    QVERIFY(!fleet.b.isRunning());
    fleet.advance(8s);
    QVERIFY(fleet.b.isRunning());
    QVERIFY(fleet.b.fence() > token);
}

void PlacedAgentsTest::stopsBeforeAnotherNodeStartsIt()
{
    FleetOfTwo fleet;
    fleet.begin({.onStop = QStringLiteral("+5s stopped")});
    fleet.a->happened();
    fleet.a->store.setReachable(false);
    fleet.advance(9s);
    QCOMPARE(fleet.a->happened(), QStringLiteral("STOP"));
    QVERIFY(!fleet.b.isRunning());
    fleet.advance(6s);
    QCOMPARE(fleet.a->state(), InstanceState::Waiting);
    QVERIFY(fleet.a->holdText().startsWith(QLatin1String("lease: ")));
    fleet.advance(10s);
    QVERIFY(fleet.b.isRunning());
    fleet.a->store.setReachable(true);
    fleet.advance(60s);
    QVERIFY(!fleet.a->isRunning());
    QCOMPARE(fleet.a->happened(), QString());
    QCOMPARE(fleet.a->holdText(), QStringLiteral("lease: runs on b"));
}

void PlacedAgentsTest::keepsRunningWithoutTheStore()
{
    FleetOfTwo fleet;
    fleet.begin({}, {}, {.prefer = {QStringLiteral("a")}, .keep = true});
    QCOMPARE(fleet.a->happened(), QStringLiteral("UNBOUND FENCED START"));
    fleet.server.setAvailable(false);
    fleet.advance(5min);
    QVERIFY(fleet.a->isRunning());
    QCOMPARE(fleet.a->happened(), QString());
}

void PlacedAgentsTest::restartsLocallyWithTheSameToken()
{
    FleetOfTwo fleet;
    fleet.begin({.runs = QStringLiteral("started ready +4s fail|started ready")});
    const qint64 token = fleet.a->fence();
    QCOMPARE(fleet.a->happened(), QStringLiteral("BOUND FENCED START"));
    fleet.advance(10s);
    QVERIFY(fleet.a->isRunning());
    QCOMPARE(fleet.a->happened(), QStringLiteral("START"));
    QCOMPARE(fleet.a->placed.placement(agentName)->token, token);
    QVERIFY(!fleet.b.isRunning());
}

void PlacedAgentsTest::releasesAnAgentThatIsGivenUp()
{
    FleetOfTwo fleet;
    fleet.a->begin({.runs = QStringLiteral("started ready +4s fail")},
                   QStringLiteral("'type':'none'"));
    fleet.advance(1s);
    fleet.b.begin();
    fleet.advance(2s);
    QVERIFY(fleet.a->isRunning());
    fleet.advance(7s);
    QCOMPARE(fleet.a->state(), InstanceState::Failed);
    QCOMPARE(fleet.a->placementState(), QStringLiteral("withdrawn"));
    QVERIFY(fleet.b.isRunning());
}

void PlacedAgentsTest::contendsAgainAfterAnOperatorsStart()
{
    FleetOfTwo fleet;
    fleet.a->begin({.runs = QStringLiteral("started ready +4s fail|started ready")},
                   QStringLiteral("'type':'none'"));
    fleet.advance(1s);
    fleet.b.begin();
    fleet.advance(14s);
    QVERIFY(fleet.b.isRunning());
    fleet.a->supervisor.start(fleet.a->id);
    fleet.advance(5s);
    QCOMPARE(fleet.a->state(), InstanceState::Waiting);
    QCOMPARE(fleet.a->placementState(), QStringLiteral("elsewhere"));
    fleet.b.placed.setDraining(true);
    fleet.advance(5s);
    QVERIFY(fleet.a->isRunning());
}

void PlacedAgentsTest::keepsAnAgentThatAnOperatorHasStopped()
{
    FleetOfTwo fleet;
    fleet.begin();
    fleet.a->supervisor.stop(fleet.a->id);
    fleet.advance(60s);
    QCOMPARE(fleet.a->state(), InstanceState::Stopped);
    QCOMPARE(fleet.a->placementState(), QStringLiteral("running"));
    QVERIFY(!fleet.b.isRunning());
    fleet.a->supervisor.start(fleet.a->id);
    fleet.advance(1s);
    QVERIFY(fleet.a->isRunning());
}

void PlacedAgentsTest::doesNotTakeOverWhatAnOperatorHasStopped()
{
    FleetOfTwo fleet;
    fleet.begin();
    fleet.b.supervisor.stop(fleet.b.id);
    fleet.a.reset();
    fleet.advance(60s);
    QCOMPARE(fleet.b.state(), InstanceState::Stopped);
    QCOMPARE(fleet.b.placementState(), QStringLiteral("withdrawn"));
    fleet.b.supervisor.start(fleet.b.id);
    fleet.advance(5s);
    QVERIFY(fleet.b.isRunning());
}

void PlacedAgentsTest::doesNotContendForAManualStart()
{
    FleetOfTwo fleet;
    QObject::connect(&fleet.a->supervisor, &AgentSupervisor::agentAdded, &fleet.a->supervisor,
                     [&fleet](const QUuid &id) { fleet.a->supervisor.setManualStart(id); });
    fleet.begin();
    fleet.advance(5s);
    QVERIFY(fleet.b.isRunning());
    QCOMPARE(fleet.a->placementState(), QStringLiteral("withdrawn"));
}

void PlacedAgentsTest::drainsANode()
{
    FleetOfTwo fleet;
    fleet.begin({.onStop = QStringLiteral("+2s stopped")});
    fleet.a->placed.setDraining(true);
    fleet.advance(1s);
    QCOMPARE(fleet.a->state(), InstanceState::Stopping);
    QVERIFY(!fleet.b.isRunning());
    QVERIFY(!fleet.a->placed.status().isDrained);
    fleet.advance(3s);
    QVERIFY(fleet.b.isRunning());
    QVERIFY(fleet.a->placed.status().isDrained);
    fleet.a->placed.setDraining(false);
    fleet.advance(10s);
    QVERIFY(fleet.b.isRunning());
}

void PlacedAgentsTest::movesAnAgent()
{
    FleetOfTwo fleet;
    fleet.begin();
    QCOMPARE(fleet.b.placed.move(agentName, QStringLiteral("a")),
             QStringLiteral("w does not run on b: runs on a"));
    QCOMPARE(fleet.a->placed.move(agentName, QStringLiteral("a")),
             QStringLiteral("w already runs on a"));
    QCOMPARE(fleet.a->placed.move(agentName, QStringLiteral("c")),
             QStringLiteral("no node named c has a session"));
    QCOMPARE(fleet.a->placed.move(agentName, QStringLiteral("b")), QString());
    fleet.advance(3s);
    QVERIFY(fleet.b.isRunning());
    QVERIFY(!fleet.a->isRunning());
}

void PlacedAgentsTest::releasesWhenTheHostStops()
{
    FleetOfTwo fleet;
    fleet.begin({.onStop = QStringLiteral("+2s stopped")});
    QSignalSpy left(&fleet.a->placed, &PlacedAgents::left);
    fleet.a->supervisor.stopAll();
    fleet.a->placed.leave();
    fleet.advance(1s);
    QVERIFY(!fleet.b.isRunning());
    QCOMPARE(left.count(), 0);
    fleet.advance(4s);
    QCOMPARE(left.count(), 1);
    QVERIFY(fleet.a->placed.hasLeft());
    QCOMPARE(fleet.a->state(), InstanceState::Stopped);
    QVERIFY(fleet.b.isRunning());
    const QList<FleetStatus::Node> nodes = fleet.b.placed.status().nodes;
    QCOMPARE(nodes.size(), 2);
    QVERIFY(nodes.front().absent);
    QVERIFY(!nodes.back().absent);
}

void PlacedAgentsTest::releasesARemovedAgent()
{
    FleetOfTwo fleet;
    fleet.begin({.onStop = QStringLiteral("+2s stopped")});
    fleet.a->supervisor.retire(fleet.a->id, QStringLiteral("removed"));
    fleet.advance(1s);
    QVERIFY(!fleet.b.isRunning());
    fleet.advance(4s);
    QVERIFY(fleet.a->supervisor.ids().isEmpty());
    QVERIFY(fleet.b.isRunning());
}

void PlacedAgentsTest::recognizesTheSessionOfItsPreviousRun()
{
    FleetOfTwo fleet;
    fleet.begin();
    fleet.a.reset();
    fleet.advance(1s);
    FleetHost again(fleet.scheduler, fleet.server, QStringLiteral("a"), QStringLiteral("a-run"));
    again.begin();
    fleet.advance(5s);
    QVERIFY(again.isRunning() != fleet.b.isRunning());
}

void PlacedAgentsTest::startsNothingWithoutAGuard()
{
    FleetOfTwo fleet;
    fleet.a->hasGuard = false;
    fleet.begin();
    QVERIFY(!fleet.a->isRunning());
    QCOMPARE(fleet.a->faults.size(), 1);
    QVERIFY(fleet.a->faults.front().contains(QLatin1String("kill deadline")));
}

void PlacedAgentsTest::refusesAnAgentThatIsNoProcess()
{
    FleetOfTwo fleet;
    fleet.begin({.isProcess = false});
    fleet.advance(30s);
    QVERIFY(!fleet.a->isRunning());
    QVERIFY(!fleet.b.isRunning());
    QVERIFY(fleet.a->faults.value(0).contains(QLatin1String("not started")));
}

void PlacedAgentsTest::reportsTheLossOfTheStore()
{
    FleetOfTwo fleet;
    fleet.begin();
    fleet.server.setAvailable(false);
    fleet.advance(9s);
    QCOMPARE(fleet.a->faults.size(), 1);
    QVERIFY(fleet.a->faults.front().contains(QLatin1String("does not answer")));
    fleet.server.setAvailable(true);
    fleet.advance(30s);
    QCOMPARE(fleet.a->faults.size(), 2);
    QVERIFY(fleet.a->isRunning() || fleet.b.isRunning());
}

void PlacedAgentsTest::waitsUntilThePreviousHostIsGone()
{
    FleetOfTwo fleet;
    fleet.a->isPreviousGone = false;
    fleet.a->begin();
    fleet.advance(3s);
    QVERIFY(!fleet.a->isRunning());
    QVERIFY(fleet.a->placed.status().nodes.isEmpty());
    QCOMPARE(fleet.a->faults.size(), 1);

    fleet.a->isPreviousGone = true;
    fleet.advance(3s);
    QVERIFY(fleet.a->isRunning());
}

REKINDLE_TEST(PlacedAgentsTest)
#include "placedagentstest.moc"
