// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "config/internal/placedagents.h"
#include "groups/apiscene.h"
#include "testprogram.h"

#include <rekindle/fleet/virtualstore.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

const QString sharedApi = QStringLiteral("api");

using BreakerState = CircuitBreakerState;

/// A host of a fleet with 20 agents that need the API.
class ClientHost
{
public:
    ClientHost(VirtualScheduler &scheduler, VirtualStoreServer &server, Endpoint &endpoint,
               const SharedBreakerPolicy &policy, const QString &node, const QString &run)
        : m_scheduler(scheduler)
        , supervisor(scheduler, {}, [](const QUuid &) { return 0.5; })
        , breakers(supervisor)
        , store(server, scheduler)
        , placed(supervisor, store, scheduler,
                 {.fleet = {.node = node}, .run = run, .setKillDeadline = [](Instant) {
                      return true;
                  }})
    {
        grantAll(supervisor);
        placed.share(breakers, store);
        QObject::connect(&placed, &PlacedAgents::faulted, &placed,
                         [this](const QString &fault) { faults.append(fault); });
        QObject::connect(&breakers, &SharedBreakers::stateChanged, &breakers,
                         [this](const QString &, BreakerState, BreakerState state) {
                             if (state == BreakerState::HalfOpen)
                                 probes.push_back(m_scheduler.now());
                         });
        if (!breakers.setBreakers({policy}).isEmpty())
            qFatal("invalid policy");
        for (int i = 0; i < 20; ++i) {
            const QString name = node + QString::number(i);
            if (!supervisor.add(name, std::make_unique<Client>(scheduler, endpoint), policyOf({})))
                qFatal("not added");
            breakers.setRequired(name, {sharedApi});
        }
    }

    void begin()
    {
        supervisor.startAll();
        placed.begin();
    }

    [[nodiscard]] BreakerState state() const { return breakers.snapshot(sharedApi)->state; }
    [[nodiscard]] QList<QUuid> running() const
    {
        QList<QUuid> ids = supervisor.ids();
        ids.removeIf([this](const QUuid &id) {
            return supervisor.policyEvaluator().state(id) != InstanceState::Running;
        });
        return ids;
    }
    [[nodiscard]] QString holdText() const
    {
        return toTexts(supervisor.snapshot(supervisor.ids().last())->holdCauses)
            .join(QLatin1String("; "));
    }

private:
    VirtualScheduler &m_scheduler;

public:
    std::vector<Instant> probes; ///< when a trial began
    QStringList faults;
    AgentSupervisor supervisor;
    SharedBreakers breakers;
    VirtualStore store;
    PlacedAgents placed;
};

/// Three hosts with 60 agents, and their store, in virtual time.
class FleetOfClients
{
public:
    explicit FleetOfClients(const SharedBreakerPolicy &settings = {.growth = 1})
        : m_policy(settings)
    {
        m_policy.name = sharedApi;
        m_policy.isFleetWide = true;
        for (const char *node : {"a", "b", "c"})
            hosts.push_back(host(QString::fromLatin1(node), QStringLiteral("1")));
    }

    [[nodiscard]] std::unique_ptr<ClientHost> host(const QString &node, const QString &run)
    {
        return std::make_unique<ClientHost>(scheduler, server, endpoint, m_policy, node,
                                            node + run);
    }
    /// All agents run, and then the API fails.
    void beginOutage()
    {
        for (const auto &each : hosts)
            each->begin();
        advance(10s);
        endpoint.isUp = false;
        advance(2s);
    }
    void advance(Duration duration)
    {
        // In steps, because the supervisor's work is also in posted events.
        for (Duration left = duration; left > Duration{0}; left -= 100ms) {
            scheduler.advance(std::min<Duration>(left, 100ms));
            QCoreApplication::sendPostedEvents();
        }
        scheduler.advance(0s);
    }
    /// Returns false after an hour.
    [[nodiscard]] bool advanceUntil(const std::function<bool()> &condition)
    {
        for (int i = 0; i < 36'000 && !condition(); ++i)
            advance(100ms);
        return condition();
    }

    [[nodiscard]] ClientHost &at(std::size_t i) const { return *hosts.at(i); }
    /// The probes of all hosts that are alive.
    [[nodiscard]] std::vector<Instant> probes() const
    {
        std::vector<Instant> all;
        for (const auto &each : hosts) {
            if (each)
                all.insert(all.end(), each->probes.begin(), each->probes.end());
        }
        std::ranges::sort(all);
        return all;
    }
    /// The host that has a trial, or null.
    [[nodiscard]] ClientHost *prober() const
    {
        const auto found = std::ranges::find_if(hosts, [](const auto &each) {
            return each && each->state() == BreakerState::HalfOpen;
        });
        return found == hosts.end() ? nullptr : found->get();
    }
    [[nodiscard]] bool areAll(BreakerState state) const
    {
        return std::ranges::all_of(
            hosts, [state](const auto &each) { return !each || each->state() == state; });
    }
    [[nodiscard]] qsizetype running() const
    {
        qsizetype count = 0;
        for (const auto &each : hosts)
            count += each ? each->running().size() : 0;
        return count;
    }
    [[nodiscard]] FleetBreaker record() const
    {
        const auto records = server.read("state/breakers/api").records;
        return records.empty() ? FleetBreaker() : *fleetBreakerFromJson(records[0].value).value;
    }

private:
    VirtualClock m_clock;
    SharedBreakerPolicy m_policy;

public:
    VirtualScheduler scheduler{m_clock};
    VirtualStoreServer server{scheduler, 1};
    Endpoint endpoint{};
    std::vector<std::unique_ptr<ClientHost>> hosts;
};

/// The shortest time between two.
Duration leastGap(const std::vector<Instant> &times)
{
    Duration least = Duration::max();
    for (std::size_t i = 1; i < times.size(); ++i)
        least = std::min(least, times[i] - times[i - 1]);
    return least;
}

} // namespace

/// One shared breaker of 60 agents on three hosts with a simulated store.
class FleetWideBreakersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void opensOnAllHosts();
    void votesOfTwoHostsDoNotAddUp();
    void atMostOneProbePerTimeout_data();
    void atMostOneProbePerTimeout();
    void atMostOneProbePerTimeoutInAPartition();
    void showsWhereTheTrialIs();
    void eachHostDecidesAloneWithoutTheStore();
    void openHostIsStricterAfterAPartition();
    void otherHostProbesAfterTheDeathOfTheProber_data();
    void otherHostProbesAfterTheDeathOfTheProber();
    void otherHostProbesAfterTheProberHasLeft();
    void followsTheFleetAfterARestart_data();
    void followsTheFleetAfterARestart();
    void restoredStateCountsInAnEmptyStore();
};

void FleetWideBreakersTest::opensOnAllHosts()
{
    FleetOfClients fleet;
    fleet.beginOutage();
    QVERIFY(fleet.areAll(BreakerState::Open));
    QCOMPARE(fleet.running(), 0);
    QCOMPARE(fleet.record().state, BreakerState::Open);
    for (const auto &each : fleet.hosts) {
        QCOMPARE(each->faults, QStringList());
        for (const QUuid &id : each->supervisor.ids())
            QCOMPARE(each->supervisor.snapshot(id)->attempt, 0);
    }
}

// The agents of one host are enough to open it, and those of two hosts do not count together.
void FleetWideBreakersTest::votesOfTwoHostsDoNotAddUp()
{
    FleetOfClients fleet({.threshold = 30, .window = 1s});
    fleet.beginOutage();
    QVERIFY(fleet.areAll(BreakerState::Closed));
    for (const auto &each : fleet.hosts)
        QVERIFY(each->breakers.votes(sharedApi).size() <= 20);
}

void FleetWideBreakersTest::atMostOneProbePerTimeout_data()
{
    QTest::addColumn<double>("growth");
    QTest::addColumn<int>("least");
    QTest::newRow("equal timeouts") << 1.0 << 110;
    QTest::newRow("growing timeouts") << 2.0 << 8;
}

void FleetWideBreakersTest::atMostOneProbePerTimeout()
{
    QFETCH(const double, growth);
    FleetOfClients fleet({.growth = growth});
    fleet.beginOutage();
    fleet.endpoint.starts = 0;
    fleet.advance(1h);
    const std::vector<Instant> probes = fleet.probes();
    QFETCH(const int, least);
    QVERIFY(static_cast<int>(probes.size()) >= least);
    QVERIFY(leastGap(probes) >= 30s);
    QCOMPARE(static_cast<std::size_t>(fleet.endpoint.starts), probes.size());
    fleet.endpoint.isUp = true;
    QVERIFY(fleet.advanceUntil([&fleet] { return fleet.running() == 60; }));
    QVERIFY(fleet.areAll(BreakerState::Closed));
    QCOMPARE(fleet.record().state, BreakerState::Closed);
    QCOMPARE(fleet.probes().size(), probes.size() + 1);
}

// A host that the store does not reach decides alone after 9 s. The other two share their probes.
void FleetWideBreakersTest::atMostOneProbePerTimeoutInAPartition()
{
    FleetOfClients fleet;
    fleet.beginOutage();
    for (int i = 0; i < 30; ++i) {
        fleet.at(static_cast<std::size_t>(i % 3)).store.setReachable(i % 2 != 0);
        fleet.advance(47s);
    }
    for (const auto &each : fleet.hosts) {
        QVERIFY(leastGap(each->probes) >= 30s);
        each->store.setReachable(true);
    }
    fleet.advance(60s); // all are in the same state again
    const std::size_t before = fleet.probes().size();
    fleet.advance(10min);
    std::vector<Instant> probes = fleet.probes();
    probes.erase(probes.begin(), probes.begin() + static_cast<std::ptrdiff_t>(before));
    QVERIFY(probes.size() >= 15);
    QVERIFY(leastGap(probes) >= 30s);
    fleet.endpoint.isUp = true;
    QVERIFY(fleet.advanceUntil([&fleet] { return fleet.running() == 60; }));
    QVERIFY(fleet.areAll(BreakerState::Closed));
}

void FleetWideBreakersTest::showsWhereTheTrialIs()
{
    FleetOfClients fleet;
    fleet.beginOutage();
    QVERIFY2(fleet.at(0).holdText().startsWith(
                 QLatin1String("shared breaker api (Open in the fleet, trial in ")),
             qPrintable(fleet.at(0).holdText()));
    QVERIFY(fleet.advanceUntil([&fleet] { return fleet.prober() != nullptr; }));
    fleet.advance(100ms);
    const QString node = fleet.record().node;
    for (const auto &each : fleet.hosts) {
        if (each.get() == fleet.prober())
            QCOMPARE(
                each->holdText(),
                QStringLiteral("shared breaker api (HalfOpen in the fleet, trial: %1)")
                    .arg(each->supervisor.policyEvaluator().name(each->breakers.trial(sharedApi))));
        else
            QCOMPARE(each->holdText(),
                     QStringLiteral("shared breaker api (Open in the fleet, trial on node %1)")
                         .arg(node));
    }
}

void FleetWideBreakersTest::eachHostDecidesAloneWithoutTheStore()
{
    FleetOfClients fleet;
    fleet.beginOutage();
    fleet.server.setAvailable(false);
    fleet.advance(10min);
    for (const auto &each : fleet.hosts) {
        QVERIFY(each->probes.size() >= 15);
        QVERIFY(leastGap(each->probes) >= 30s);
    }
    fleet.server.setAvailable(true);
    fleet.advance(60s);
    const std::size_t before = fleet.probes().size();
    fleet.advance(5min);
    QVERIFY(fleet.probes().size() - before <= 10);
    fleet.server.setAvailable(false);
    fleet.endpoint.isUp = true;
    QVERIFY(fleet.advanceUntil([&fleet] { return fleet.running() == 60; }));
    fleet.server.setAvailable(true);
    fleet.advance(30s);
    QVERIFY(fleet.areAll(BreakerState::Closed));
    QCOMPARE(fleet.record().state, BreakerState::Closed);
    QCOMPARE(fleet.running(), 60);
}

// The API fails only for the host in the partition. When it returns, the breaker opens on all.
void FleetWideBreakersTest::openHostIsStricterAfterAPartition()
{
    FleetOfClients fleet;
    for (const auto &each : fleet.hosts)
        each->begin();
    fleet.advance(10s);
    fleet.at(0).store.setReachable(false);
    fleet.advance(20s);
    fleet.at(0).breakers.follow(sharedApi, BreakerState::Open, 0); // as if agents had voted
    fleet.advance(5s);
    QCOMPARE(fleet.at(1).state(), BreakerState::Closed);
    fleet.at(0).store.setReachable(true);
    fleet.advance(5s);
    QVERIFY(fleet.areAll(BreakerState::Open));
    QCOMPARE(fleet.running(), 60); // running agents keep running
    QCOMPARE(fleet.record().node, QStringLiteral("a"));
}

void FleetWideBreakersTest::otherHostProbesAfterTheDeathOfTheProber_data()
{
    QTest::addColumn<Duration>("timeout");
    QTest::addColumn<Duration>("least");
    QTest::addColumn<Duration>("most");
    // The lease of the dead host expires after 17 to 23 s.
    QTest::newRow("timeout is longer than the lease")
        << Duration(30s) << Duration(30s) << Duration(31s);
    QTest::newRow("timeout is shorter than the lease")
        << Duration(5s) << Duration(16s) << Duration(24s);
}

void FleetWideBreakersTest::otherHostProbesAfterTheDeathOfTheProber()
{
    QFETCH(const Duration, timeout);
    QFETCH(const Duration, least);
    QFETCH(const Duration, most);
    FleetOfClients fleet({.timeout = timeout, .growth = 1});
    fleet.beginOutage();
    QVERIFY(fleet.advanceUntil([&fleet] { return fleet.prober() != nullptr; }));
    fleet.advance(300ms);
    const Instant begun = fleet.prober()->probes.back();
    const auto prober = std::ranges::find_if(
        fleet.hosts, [&fleet](const auto &each) { return each.get() == fleet.prober(); });
    prober->reset();
    QVERIFY(fleet.advanceUntil([&fleet] { return fleet.prober() != nullptr; }));
    const Duration gap = fleet.prober()->probes.back() - begun;
    QVERIFY2(gap >= least && gap <= most, qPrintable(durationToString(gap)));
    fleet.endpoint.isUp = true;
    QVERIFY(fleet.advanceUntil([&fleet] { return fleet.running() == 40; }));
    QVERIFY(fleet.areAll(BreakerState::Closed));
}

// The host ends its trial and its session in order.
void FleetWideBreakersTest::otherHostProbesAfterTheProberHasLeft()
{
    FleetOfClients fleet;
    fleet.beginOutage();
    QVERIFY(fleet.advanceUntil([&fleet] { return fleet.prober() != nullptr; }));
    ClientHost *const prober = fleet.prober();
    const Instant begun = prober->probes.back();
    prober->supervisor.stopAll();
    prober->placed.leave();
    fleet.advance(1s);
    QVERIFY(prober->placed.hasLeft());
    std::erase_if(fleet.hosts, [prober](const auto &each) { return each.get() == prober; });
    QVERIFY(fleet.advanceUntil([&fleet] { return fleet.prober() != nullptr; }));
    const Duration gap = fleet.prober()->probes.back() - begun;
    QVERIFY2(gap >= 30s && gap <= 32s, qPrintable(durationToString(gap)));
}

void FleetWideBreakersTest::followsTheFleetAfterARestart_data()
{
    QTest::addColumn<bool>("isUp");
    QTest::newRow("the breaker has closed in the meantime") << true;
    QTest::newRow("the breaker is still open") << false;
}

// The state file of the host contains an open breaker; the record of the fleet is newer.
void FleetWideBreakersTest::followsTheFleetAfterARestart()
{
    QFETCH(const bool, isUp);
    FleetOfClients fleet;
    fleet.beginOutage();
    const CircuitBreakerSnapshot stored = *fleet.at(0).breakers.snapshot(sharedApi);
    fleet.hosts.front().reset();
    fleet.endpoint.isUp = isUp;
    fleet.advance(2min);
    fleet.hosts.front() = fleet.host(QStringLiteral("a"), QStringLiteral("2"));
    ClientHost &again = *fleet.hosts.front();
    again.breakers.restore(sharedApi, stored);
    again.begin();
    fleet.advance(1s);
    QVERIFY(fleet.areAll(isUp ? BreakerState::Closed : BreakerState::Open)
            || fleet.prober() != nullptr);
    const std::size_t before = fleet.probes().size();
    fleet.advance(5min);
    QVERIFY(fleet.probes().size() - before <= 10);
    fleet.endpoint.isUp = true;
    QVERIFY(fleet.advanceUntil([&fleet] { return fleet.running() == 60; }));
    QVERIFY(fleet.areAll(BreakerState::Closed));
}

void FleetWideBreakersTest::restoredStateCountsInAnEmptyStore()
{
    FleetOfClients fleet;
    CircuitBreakerSnapshot open;
    open.state = BreakerState::Open;
    open.resetAt = fleet.scheduler.now() + 20s;
    fleet.at(0).breakers.restore(sharedApi, open);
    for (const auto &each : fleet.hosts)
        each->begin();
    fleet.advance(1s);
    QVERIFY(fleet.areAll(BreakerState::Open));
    QVERIFY(fleet.advanceUntil([&fleet] { return fleet.running() == 60; }));
    QCOMPARE(fleet.probes().size(), std::size_t{1});
}

REKINDLE_TEST(FleetWideBreakersTest)
#include "fleetwidebreakerstest.moc"
