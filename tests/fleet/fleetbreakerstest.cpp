// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fleet/internal/fleetbreakers.h"
#include "fleetstage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/sharedbreaker.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

const QString api = QStringLiteral("api");

using State = CircuitBreakerState;

/// A node with one shared breaker, whose trials take a second and fail while the API is down.
class BreakerNode
{
public:
    BreakerNode(VirtualStoreServer &server, VirtualScheduler &scheduler, const QString &name,
                const bool &isUp)
        : staged(server, scheduler, name, name + u'1')
        , m_scheduler(scheduler)
        , m_isUp(isUp)
        , m_timer(scheduler, [this] { due(); })
        , rules(staged.node, staged.store, scheduler,
                {.node = name, .run = name + u'1', .previousRun = {}, .times = {}},
                {.follow =
                     [this](const QString &, State state, int reopened) {
                         static_cast<void>(breaker.follow(state, reopened, m_scheduler.now()));
                         changed();
                     },
                 .tryTrial = [this](const QString &) { tryTrial(); },
                 .report = [this](const QString &fault) { staged.report(fault); }})
    {
        changed();
        staged.node.start();
    }

    void vote()
    {
        static_cast<void>(
            breaker.vote({.agent = QUuid::createUuid(), .generation = 1, .at = m_scheduler.now()}));
        changed();
    }
    /// Ends the running trial without evidence.
    void endTrial()
    {
        breaker.trialEnded(m_scheduler.now());
        changed();
    }
    void reset()
    {
        breaker.reset();
        changed();
    }
    [[nodiscard]] State state() const { return breaker.state(); }

    StagedNode staged;
    SharedBreaker breaker{{.name = api, .threshold = 1, .agents = 1, .growth = 1}};
    bool hasCandidate = true;
    Duration trialTime = 1s;
    std::vector<Instant> trials;

private:
    void changed()
    {
        if (breaker.state() == State::Open)
            m_timer.arm(breaker.breaker().resetAt());
        else if (breaker.state() == State::Closed)
            m_timer.disarm();
        rules.setState(api, breaker.snapshot().state, breaker.snapshot().reopened);
    }
    void due()
    {
        if (breaker.state() != State::HalfOpen) {
            tryTrial();
            return;
        }
        if (m_isUp)
            breaker.trialSucceeded(m_scheduler.now());
        else
            breaker.trialFailed(m_scheduler.now());
        changed();
    }
    void tryTrial()
    {
        if (!hasCandidate || !breaker.isTrialDue(m_scheduler.now()) || !rules.permitsTrial(api))
            return;
        trials.push_back(m_scheduler.now());
        breaker.beginTrial({});
        m_timer.armIn(trialTime);
        changed();
    }

    VirtualScheduler &m_scheduler;
    const bool &m_isUp;
    Deadline m_timer;

public:
    FleetBreakers rules;
};

} // namespace

/// The shared breakers of three nodes with a simulated store.
class FleetBreakersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void opensOnAllNodes();
    void atMostOneTrialPerTimeout();
    void closesOnAllNodes();
    void otherNodeTriesAfterTheDeathOfTheHolder();
    void longTrialOfALivingNodeIsNotRepeated();
    void decidesAloneWithoutTheStore();
    void openingIsStricterThanANewerClosing();
    void lateGrantIsGivenBack();
    void unusedGrantIsGivenBack();
    void malformedRecordIsReported();
    void repairedRecordIsUsedAgain();
    void otherRecordsAreIgnored();
    void writesAndReadsARecord();
    void rejectsMalformedRecords_data();
    void rejectsMalformedRecords();

private:
    void advance(Duration time) { m_scheduler->advance(time); }
    [[nodiscard]] FleetBreaker record() const
    {
        const auto records = m_server->read("state/breakers/api").records;
        return records.empty() ? FleetBreaker() : *fleetBreakerFromJson(records[0].value).value;
    }
    [[nodiscard]] BreakerNode &node(std::size_t i) { return *m_nodes.at(i); }
    [[nodiscard]] std::vector<Instant> trials() const
    {
        std::vector<Instant> all;
        for (const auto &each : m_nodes) {
            if (each)
                all.insert(all.end(), each->trials.begin(), each->trials.end());
        }
        std::ranges::sort(all);
        return all;
    }

    std::unique_ptr<VirtualClock> m_clock;
    std::unique_ptr<VirtualScheduler> m_scheduler;
    std::unique_ptr<VirtualStoreServer> m_server;
    std::vector<std::unique_ptr<BreakerNode>> m_nodes;
    bool m_isUp = false;
};

void FleetBreakersTest::init()
{
    m_nodes.clear();
    m_server.reset();
    m_scheduler.reset();
    m_clock = std::make_unique<VirtualClock>();
    m_scheduler = std::make_unique<VirtualScheduler>(*m_clock);
    m_server = std::make_unique<VirtualStoreServer>(*m_scheduler, 1);
    m_isUp = false;
    for (const char *name : {"a", "b", "c"})
        m_nodes.push_back(std::make_unique<BreakerNode>(*m_server, *m_scheduler,
                                                        QString::fromLatin1(name), m_isUp));
    advance(1s);
}

void FleetBreakersTest::opensOnAllNodes()
{
    node(0).vote();
    advance(100ms);
    QCOMPARE(record().state, State::Open);
    QCOMPARE(record().node, QStringLiteral("a"));
    for (const auto &each : m_nodes)
        QCOMPARE(each->state(), State::Open);
}

void FleetBreakersTest::atMostOneTrialPerTimeout()
{
    node(0).vote();
    for (int i = 0; i < 60; ++i) {
        node(static_cast<std::size_t>(i % 3)).hasCandidate = i % 2 == 0;
        advance(30s);
    }
    const std::vector<Instant> all = trials();
    QVERIFY(all.size() > 20);
    for (std::size_t i = 1; i < all.size(); ++i)
        QVERIFY(all[i] - all[i - 1] >= 30s);
}

void FleetBreakersTest::closesOnAllNodes()
{
    node(0).vote();
    m_isUp = true;
    advance(32s);
    QCOMPARE(record().state, State::Closed);
    for (const auto &each : m_nodes)
        QCOMPARE(each->state(), State::Closed);
    QCOMPARE(trials().size(), std::size_t{1});
}

void FleetBreakersTest::otherNodeTriesAfterTheDeathOfTheHolder()
{
    node(0).trialTime = 1h;
    node(0).vote();
    advance(31s);
    QCOMPARE(node(0).trials.size(), std::size_t{1});
    QCOMPARE(node(1).rules.trialNode(api), QStringLiteral("a"));
    m_nodes[0].reset();
    advance(28s);
    QCOMPARE(trials().size(), std::size_t{0});
    advance(5s);
    QCOMPARE(trials().size(), std::size_t{1});
}

void FleetBreakersTest::longTrialOfALivingNodeIsNotRepeated()
{
    node(0).trialTime = 1h;
    node(0).vote();
    advance(50min);
    QCOMPARE(trials().size(), std::size_t{1});
    node(0).endTrial();
    advance(31s);
    QCOMPARE(node(0).trials.size(), std::size_t{2});
}

void FleetBreakersTest::decidesAloneWithoutTheStore()
{
    node(0).vote();
    advance(1s);
    m_server->setAvailable(false);
    m_isUp = true;
    advance(60s);
    for (const auto &each : m_nodes) {
        QCOMPARE(each->trials.size(), std::size_t{1});
        QCOMPARE(each->state(), State::Closed);
    }
    m_server->setAvailable(true);
    advance(20s);
    QCOMPARE(record().state, State::Closed);
    for (const auto &each : m_nodes)
        QCOMPARE(each->state(), State::Closed);
}

void FleetBreakersTest::openingIsStricterThanANewerClosing()
{
    node(1).vote();
    advance(1s);
    node(0).staged.store.setReachable(false);
    node(1).reset();
    advance(1s);
    QCOMPARE(node(2).state(), State::Closed);
    node(0).reset(); // it does not reach the store
    node(0).vote();
    advance(3s);
    node(0).staged.store.setReachable(true);
    advance(10s);
    QCOMPARE(record().state, State::Open);
    QCOMPARE(node(2).state(), State::Open);
}

void FleetBreakersTest::lateGrantIsGivenBack()
{
    for (const auto &each : m_nodes)
        each->hasCandidate = false;
    node(0).vote();
    advance(40s);
    m_server->setFaults({.lost = 0, .late = 1, .latest = 4s});
    QVERIFY(!node(0).rules.permitsTrial(api));
    advance(100ms);
    m_server->setFaults({});
    advance(15s);
    QCOMPARE(record().state, State::Open);
    QVERIFY(trials().empty());
    node(1).hasCandidate = true;
    QVERIFY(!node(1).rules.permitsTrial(api));
    advance(40s);
    QVERIFY(!node(1).trials.empty());
}

void FleetBreakersTest::unusedGrantIsGivenBack()
{
    node(0).vote();
    for (const auto &each : m_nodes)
        each->hasCandidate = false;
    advance(40s);
    QVERIFY(!node(0).rules.permitsTrial(api));
    advance(100ms);
    QCOMPARE(record().state, State::HalfOpen);
    QVERIFY(node(0).rules.permitsTrial(api));
    QVERIFY(!node(1).rules.permitsTrial(api));
    advance(9s);
    QCOMPARE(record().state, State::Open);
}

void FleetBreakersTest::malformedRecordIsReported()
{
    static_cast<void>(m_server->commit({{}, {{"state/breakers/api", QByteArray("{}")}}}));
    advance(1s);
    QCOMPARE(node(0).staged.faults.size(), 1);
    node(0).vote();
    advance(31s);
    QCOMPARE(node(0).trials.size(), std::size_t{1});
    QCOMPARE(m_server->read("state/breakers/api").records[0].value, QByteArray("{}"));
}

void FleetBreakersTest::repairedRecordIsUsedAgain()
{
    static_cast<void>(m_server->commit({{}, {{"state/breakers/api", QByteArray("{}")}}}));
    advance(1s);
    node(0).vote();
    advance(1s);
    QCOMPARE(node(1).state(), State::Closed);
    static_cast<void>(m_server->commit({{}, {{"state/breakers/api", std::nullopt}}}));
    advance(1s);
    QCOMPARE(record().state, State::Open);
    QCOMPARE(node(1).state(), State::Open);
}

// Of a breaker that this host does not have, and of other programs.
void FleetBreakersTest::otherRecordsAreIgnored()
{
    const FleetBreaker open{
        .state = State::Open, .node = QStringLiteral("x"), .run = QStringLiteral("x1")};
    for (const char *key : {"state/breakers/other", "state/breakers/api/x", "state/breakers/", "x"})
        static_cast<void>(m_server->commit({{}, {{key, toJson(open)}}}));
    advance(1s);
    for (const auto &each : m_nodes) {
        QCOMPARE(each->state(), State::Closed);
        QCOMPARE(each->staged.faults, QStringList());
    }
}

void FleetBreakersTest::writesAndReadsARecord()
{
    const FleetBreaker open{.state = State::HalfOpen,
                            .reopened = 2,
                            .node = QStringLiteral("a"),
                            .run = QStringLiteral("r1")};
    QCOMPARE(toJson(open),
             QByteArray(R"({"state":"HalfOpen","reopened":2,"node":"a","run":"r1"})"));
    QVERIFY(*fleetBreakerFromJson(toJson(open)).value == open);
}

void FleetBreakersTest::rejectsMalformedRecords_data()
{
    const Rows<QByteArray, QString> row("json", "message");
    row("no JSON", "x", "");
    row("no object", "[]", "");
    row("no state", R"({"node":"a","run":"r"})", "state");
    row("another state", R"({"state":"Half","node":"a","run":"r"})", "HalfOpen");
    row("no node", R"({"state":"Open","run":"r"})", "node");
    row("no run", R"({"state":"Open","node":"a"})", "run");
    row("negative", R"({"state":"Open","reopened":-1,"node":"a","run":"r"})", "reopened");
    row("of a newer version", R"({"state":"Open","node":"a","run":"r","x":1})", "x");
}

void FleetBreakersTest::rejectsMalformedRecords()
{
    QFETCH(const QByteArray, json);
    QFETCH(const QString, message);
    const auto parsed = fleetBreakerFromJson(json);
    QVERIFY(!parsed);
    QVERIFY2(parsed.messages().join(u'\n').contains(message),
             qPrintable(parsed.messages().join(u'\n')));
}

REKINDLE_TEST(FleetBreakersTest)
#include "fleetbreakerstest.moc"
