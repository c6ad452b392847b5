// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fleetstage.h"
#include "nodescheduler.h"
#include "testprogram.h"

#include <QSignalSpy>

using namespace Rekindle;
using namespace std::chrono_literals;

class FleetNodeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void acquiresAFreeAgent();
    void waitsForAPreferredNodeThatStarts();
    void waitsForNoPreferredNodeThatIsDrained();
    void waitsOneSecondForEachPreferredNode();
    void keepsTheOwnershipThroughAShortOutage();
    void stopsAtRAndTakesItsAgentsBack();
    void keptAgentRunsWithoutTheStore();
    void takesOverAfterD();
    void takesOverAllAgentsOfADeadNode();
    void stopsWhatWasTakenOver();
    void releasesOnlyAfterTheReaping();
    void withdrawnAgentIsReleased();
    void removedAgentIsReleased();
    void removedAgentIsReleasedAfterAnOutage();
    void endsTheSessionAfterTheReaping();
    void endsWithoutTheStore();
    void movesAnAgentToTheNamedNode();
    void agentMovedToADeadNodeComesBack();
    void statusNamesTheReason();
    void reportsChangesOnce();
    void contendsAfterALapseThatNoTimerHasSeen();
    void ignoresTheTimeoutOfAnOlderRequest();
    void drainsOneByOne();
    void deletesTheSessionOfThePreviousRun();
    void observesAForeignSessionForD();
    void reportsAnotherHostWithItsId();
    void malformedRecordIsNotTakenOver();
    void readsAgainAfterAnUnknownAcquisition();
    void lateWriteOfAReleaseIsHarmless();
    void lateAcquisitionOfALostSessionIsRejected();
    void resultOfAnEarlierSessionIsNotUsed();
    void acquisitionThatIsReportedAfterTheLeaseIsNotUsed();
    void takeoverConflictsWithASessionThatHasBegun();
    void renewalsDoNotDependOnTheNumberOfAgents();
    void usesTheDurationOfTheHolder();

private:
    void advance(Duration time) { m_scheduler->advance(time); }
    StagedNode &add(const char *name, const char *run, const char *previousRun = "",
                    const FleetPlacement &placement = {});
    [[nodiscard]] FleetOwnership ownership(const char *agent) const;

    std::unique_ptr<VirtualClock> m_clock;
    std::unique_ptr<VirtualScheduler> m_scheduler;
    std::unique_ptr<VirtualStoreServer> m_server;
    std::vector<std::unique_ptr<StagedNode>> m_nodes;
    QString m_agent = QStringLiteral("x");
};

void FleetNodeTest::init()
{
    m_nodes.clear();
    m_server.reset();
    m_scheduler.reset();
    m_clock = std::make_unique<VirtualClock>();
    m_scheduler = std::make_unique<VirtualScheduler>(*m_clock);
    m_server = std::make_unique<VirtualStoreServer>(*m_scheduler, 1);
    advance(1000s);
}

// A node that has begun its session and contends for the agent.
StagedNode &FleetNodeTest::add(const char *name, const char *run, const char *previousRun,
                               const FleetPlacement &placement)
{
    m_nodes.push_back(
        std::make_unique<StagedNode>(*m_server, *m_scheduler, QString::fromLatin1(name),
                                     QString::fromLatin1(run), QString::fromLatin1(previousRun)));
    StagedNode &staged = *m_nodes.back();
    staged.node.add(m_agent, placement);
    staged.node.start();
    advance(500ms);
    return staged;
}

FleetOwnership FleetNodeTest::ownership(const char *agent) const
{
    const auto records = m_server->read(QByteArray("state/agents/") + agent).records;
    return records.empty() ? FleetOwnership() : *fleetOwnershipFromJson(records[0].value).value;
}

void FleetNodeTest::acquiresAFreeAgent()
{
    StagedNode &a = add("a", "a1");
    QCOMPARE(a.done(), QStringLiteral("start x"));
    QCOMPARE(ownership("x").node, QStringLiteral("a"));
    QCOMPARE(a.lastToken, m_server->read("state/agents/x").records[0].modRevision);
    QCOMPARE(a.node.token(m_agent), a.lastToken);
    QVERIFY(a.node.permits(m_agent));
    QVERIFY(a.killDeadline <= m_scheduler->now() + 16s);
    QCOMPARE(a.killDeadline - a.node.leaseEnd(), Duration(7s));
    StagedNode &b = add("b", "b1");
    advance(60s);
    QCOMPARE(b.done(), QString());
    QCOMPARE(a.done(), QString());
}

// Both hosts start at the same time, and the session of the second one begins first.
void FleetNodeTest::waitsForAPreferredNodeThatStarts()
{
    const FleetPlacement preferringA{.prefer = {QStringLiteral("a"), QStringLiteral("b")}};
    StagedNode &b = add("b", "b1", "", preferringA);
    QCOMPARE(b.done(), QString());
    StagedNode &a = add("a", "a1", "", preferringA);
    advance(10s);
    QCOMPARE(a.done(), QStringLiteral("start x"));
    QCOMPARE(b.done(), QString());
    a.node.setDraining(true);
    advance(500ms); // b was not started just now
    QCOMPARE(b.done(), QStringLiteral("start x"));
}

// The others know that it hands over its agents.
void FleetNodeTest::waitsForNoPreferredNodeThatIsDrained()
{
    const FleetPlacement preferringA{.prefer = {QStringLiteral("a"), QStringLiteral("b")}};
    StagedNode &a = add("a", "a1", "", preferringA);
    QCOMPARE(a.done(), QStringLiteral("start x"));
    StagedNode &b = add("b", "b1", "", preferringA);
    a.node.setDraining(true);
    advance(500ms);
    QCOMPARE(b.done(), QStringLiteral("start x"));
}

// A preferred node that does not start.
void FleetNodeTest::waitsOneSecondForEachPreferredNode()
{
    StagedNode &c = add("c", "c1", "", {.prefer = {QStringLiteral("a"), QStringLiteral("b")}});
    advance(1400ms);
    QCOMPARE(c.done(), QString());
    advance(200ms);
    QCOMPARE(c.done(), QStringLiteral("start x"));
}

void FleetNodeTest::keepsTheOwnershipThroughAShortOutage()
{
    StagedNode &a = add("a", "a1");
    const qint64 token = a.lastToken;
    a.done();
    for (int i = 0; i < 20; ++i) { // in all phases of the renewal
        m_server->setAvailable(false);
        advance(5s);
        m_server->setAvailable(true);
        advance(10s + i * 150ms);
    }
    QCOMPARE(a.done(), QString());
    QCOMPARE(a.node.token(m_agent), token);
}

void FleetNodeTest::stopsAtRAndTakesItsAgentsBack()
{
    StagedNode &a = add("a", "a1");
    a.done();
    a.store.setReachable(false);
    const Instant end = a.node.leaseEnd();
    advance(end - m_scheduler->now() - 1ms);
    QCOMPARE(a.done(), QString());
    QVERIFY(a.node.permits(m_agent));
    advance(1ms);
    QCOMPARE(a.done(), QStringLiteral("stop x"));
    QVERIFY(!a.node.permits(m_agent));
    a.store.setReachable(true);
    const qint64 token = a.lastToken;
    advance(4s);
    QCOMPARE(a.done(), QStringLiteral("start x"));
    QVERIFY(a.lastToken > token);
}

void FleetNodeTest::keptAgentRunsWithoutTheStore()
{
    StagedNode &a = add("a", "a1");
    a.node.add(m_agent, {.prefer = {}, .keep = true});
    a.done();
    a.store.setReachable(false);
    advance(60s);
    QVERIFY(a.node.permits(m_agent));
    a.store.setReachable(true);
    advance(10s);
    QCOMPARE(a.done(), QString());
}

void FleetNodeTest::takesOverAfterD()
{
    StagedNode &a = add("a", "a1");
    StagedNode &b = add("b", "b1");
    a.store.setReachable(false);
    const Instant from = m_scheduler->now();
    while (b.log.isEmpty())
        advance(100ms);
    const Duration passed = m_scheduler->now() - from;
    QVERIFY(passed > 17s - 100ms); // the last renewal may be 3 s old
    QVERIFY(passed < 24s);         // and was read up to 3 s later
    QVERIFY(b.lastToken > a.lastToken);
    QVERIFY(m_server->read("state/nodes/a").records.empty());
}

void FleetNodeTest::takesOverAllAgentsOfADeadNode()
{
    add("a", "a1");
    StagedNode &b = add("b", "b1");
    for (int i = 0; i < 100; ++i) {
        for (const auto &each : m_nodes)
            each->node.add(QStringLiteral("agent%1").arg(i), {{QStringLiteral("a")}, false});
    }
    advance(2s);
    QCOMPARE(b.done(), QString());
    m_nodes.front()->store.setReachable(false);
    advance(21s);
    QCOMPARE(b.log.size(), 101);
}

void FleetNodeTest::stopsWhatWasTakenOver()
{
    StagedNode &a = add("a", "a1");
    a.done();
    a.reapsAtOnce = false;
    const FleetRecord session = m_server->read("state/nodes/a").records[0];
    static_cast<void>(m_server->commit({{}, {{session.key, std::nullopt}}}));
    advance(100ms);
    QCOMPARE(a.done(), QStringLiteral("stop x"));
    const Instant deadline = a.killDeadline;
    advance(30s);
    // No session begins, and the deadline of the guard stays, until all are reaped.
    QVERIFY(m_server->read("state/nodes/a").records.empty());
    QCOMPARE(a.killDeadline, deadline);
    a.node.reaped(m_agent);
    advance(1s);
    QCOMPARE(a.done(), QStringLiteral("start x"));
}

void FleetNodeTest::releasesOnlyAfterTheReaping()
{
    StagedNode &a = add("a", "a1");
    StagedNode &b = add("b", "b1");
    a.reapsAtOnce = false;
    a.node.setDraining(true);
    advance(10s);
    QVERIFY(!ownership("x").released);
    QVERIFY(!a.node.isDrained());
    QCOMPARE(b.done(), QString());
    a.node.reaped(m_agent);
    advance(200ms);
    QCOMPARE(b.done(), QStringLiteral("start x"));
    QVERIFY(a.node.isDrained());
}

void FleetNodeTest::withdrawnAgentIsReleased()
{
    StagedNode &a = add("a", "a1");
    a.done();
    a.node.withdraw(m_agent);
    advance(5s);
    QVERIFY(ownership("x").released);
    QCOMPARE(a.done(), QString());
    a.node.contend(m_agent);
    advance(1s);
    QCOMPARE(a.done(), QStringLiteral("start x"));
}

void FleetNodeTest::removedAgentIsReleased()
{
    StagedNode &a = add("a", "a1");
    StagedNode &b = add("b", "b1");
    a.done();
    a.node.remove(m_agent);
    advance(4s);
    QCOMPARE(b.done(), QStringLiteral("start x"));
    QVERIFY(a.node.status(m_agent).state == FleetAgentStatus::State::Unknown);
    a.node.add(m_agent, {});
    advance(4s);
    QVERIFY(a.node.status(m_agent).state == FleetAgentStatus::State::Elsewhere);
    QCOMPARE(a.done(), QString());
}

void FleetNodeTest::removedAgentIsReleasedAfterAnOutage()
{
    StagedNode &a = add("a", "a1");
    a.store.setReachable(false);
    a.node.remove(m_agent);
    advance(5s);
    QVERIFY(!ownership("x").released);
    a.store.setReachable(true);
    advance(5s);
    QVERIFY(ownership("x").released);
    // It was forgotten: it is read again.
    a.done();
    a.node.add(m_agent, {});
    advance(5s);
    QCOMPARE(a.done(), QStringLiteral("start x"));
}

void FleetNodeTest::endsTheSessionAfterTheReaping()
{
    StagedNode &a = add("a", "a1");
    StagedNode &b = add("b", "b1");
    const QSignalSpy ended(&a.node, &FleetNode::ended);
    a.node.add(QStringLiteral("y"), {{QStringLiteral("a")}, false});
    advance(2s);
    a.done();
    a.reapsAtOnce = false;
    a.node.shutDown();
    QCOMPARE(a.done(), QStringLiteral("stop x, stop y"));
    a.node.reaped(m_agent);
    advance(10s);
    QCOMPARE(b.done(), QStringLiteral("start x"));
    QCOMPARE(ended.size(), 0);
    QVERIFY(a.node.isHeld());
    a.node.reaped(QStringLiteral("y"));
    advance(100ms);
    QCOMPARE(ended.size(), 1);
    QVERIFY(m_server->read("state/nodes/a").records.empty());
    advance(60s);
    QCOMPARE(ended.size(), 1);
    QVERIFY(m_server->read("state/nodes/a").records.empty());
    QCOMPARE(a.done(), QString());
}

void FleetNodeTest::endsWithoutTheStore()
{
    for (const Duration outage : {0s, 5s, 30s}) {
        init();
        StagedNode &a = add("a", "a1");
        const QSignalSpy ended(&a.node, &FleetNode::ended);
        a.store.setReachable(false);
        advance(outage);
        a.node.shutDown();
        advance(4s);
        QCOMPARE(ended.size(), 1);
    }
}

void FleetNodeTest::movesAnAgentToTheNamedNode()
{
    StagedNode &a = add("a", "a1");
    StagedNode &b = add("b", "b1");
    StagedNode &c = add("c", "c1");
    for (const auto &each : m_nodes)
        each->node.add(m_agent, {{QStringLiteral("a"), QStringLiteral("b")}, false});
    a.reapsAtOnce = false;
    QVERIFY(!b.node.move(m_agent, QStringLiteral("c"))); // it does not run there
    QVERIFY(!a.node.move(m_agent, QStringLiteral("d"))); // no node
    QVERIFY(a.node.move(m_agent, QStringLiteral("c")));
    advance(5s);
    QCOMPARE(c.done(), QString());
    a.node.reaped(m_agent);
    advance(100ms);
    QCOMPARE(c.done(), QStringLiteral("start x"));
    advance(60s);
    QCOMPARE(a.done(), QStringLiteral("start x, stop x"));
    QCOMPARE(b.done(), QString());
    QCOMPARE(c.done(), QString());
}

void FleetNodeTest::agentMovedToADeadNodeComesBack()
{
    StagedNode &a = add("a", "a1");
    StagedNode &b = add("b", "b1");
    b.store.setReachable(false);
    a.done();
    QVERIFY(a.node.move(m_agent, QStringLiteral("b")));
    QCOMPARE(a.done(), QStringLiteral("stop x"));
    advance(4900ms);
    QCOMPARE(a.done(), QString());
    advance(1200ms); // b counts, because its last renewal is recent
    QCOMPARE(a.done(), QStringLiteral("start x"));
}

void FleetNodeTest::statusNamesTheReason()
{
    using State = FleetAgentStatus::State;
    StagedNode &a = add("a", "a1");
    QVERIFY(a.node.status(QStringLiteral("other")) == FleetAgentStatus());
    QVERIFY(a.node.status(m_agent)
            == (FleetAgentStatus{.state = State::Running,
                                 .holder = QStringLiteral("a"),
                                 .token = a.lastToken,
                                 .since = a.node.status(m_agent).since}));
    StagedNode &b = add("b", "b1");
    const auto state = [this](const StagedNode &each) { return each.node.status(m_agent).state; };
    QVERIFY(state(b) == State::Elsewhere);
    QCOMPARE(b.node.status(m_agent).holder, QStringLiteral("a"));
    QCOMPARE(b.node.status(m_agent).token, a.lastToken);
    const QList<FleetSessionStatus> sessions = b.node.sessions();
    QCOMPARE(sessions.size(), 2);
    QCOMPARE(sessions.front().run, QStringLiteral("a1"));
    QVERIFY(sessions.front().since > m_scheduler->now() - 4s);
    QVERIFY(b.node.status(m_agent).due >= sessions.front().due);
    b.node.setDraining(true);
    QVERIFY(state(b) == State::Draining);
    advance(1s);
    QVERIFY(a.node.sessions().back().draining); // before the next renewal
    QVERIFY(!a.node.sessions().front().draining);
    b.node.setDraining(false);
    b.node.setDraining(true);
    b.node.setDraining(false);
    advance(5s);
    QVERIFY(!a.node.sessions().back().draining);
    b.node.withdraw(m_agent);
    QVERIFY(state(b) == State::Withdrawn);
    b.node.contend(m_agent);
    QVERIFY(!a.node.storeLostSince());

    a.store.setReachable(false);
    a.reapsAtOnce = false;
    advance(10s);
    QVERIFY(state(a) == State::Stopping);
    QVERIFY(*a.node.storeLostSince() > m_scheduler->now() - 10s);
    a.node.reaped(m_agent);
    QVERIFY(state(a) == State::NoLease);
    const Instant due = b.node.status(m_agent).due;
    while (state(b) != State::Running)
        advance(10ms);
    QVERIFY(m_scheduler->now() >= due);
    QVERIFY(m_scheduler->now() < due + 200ms);
    static_cast<void>(m_server->commit({{}, {{"state/agents/x", QByteArray("{}")}}}));
    advance(1s);
    QVERIFY(state(b) == State::Malformed);
}

void FleetNodeTest::reportsChangesOnce()
{
    StagedNode &a = add("a", "a1");
    StagedNode &b = add("b", "b1");
    const QSignalSpy changed(&b.node, &FleetNode::changed);
    advance(60s);
    QCOMPARE(changed.size(), 0);
    a.node.withdraw(m_agent);
    advance(100ms);
    QVERIFY(!changed.isEmpty()); // released
    const qsizetype before = changed.size();
    b.node.setDraining(true);
    b.node.setDraining(false);
    advance(0ms);
    QCOMPARE(changed.size(), before + 1);
}

// The host was stopped, and the response to its last renewal is processed before the timer.
void FleetNodeTest::contendsAfterALapseThatNoTimerHasSeen()
{
    const NodeClock clock(*m_clock, 1000);
    NodeScheduler host(*m_scheduler, clock);
    StagedNode a(*m_server, host, QStringLiteral("a"), QStringLiteral("a1"));
    a.reapsAtOnce = false;
    a.node.add(m_agent, {});
    a.node.start();
    advance(500ms);
    a.node.setDraining(true);
    a.node.setDraining(false);
    advance(1s);
    QCOMPARE(a.done(), QStringLiteral("start x, stop x"));
    advance(a.node.leaseEnd() - 6s - host.now()); // a renewal is sent
    host.setPaused(true);
    advance(8s);
    QVERIFY(!a.node.isHeld());
    a.node.reaped(m_agent);
    host.setPaused(false);
    advance(1s);
    QCOMPARE(a.done(), QStringLiteral("start x"));
}

// A renewal is lost, and the store has answered the next one before the first one times out.
void FleetNodeTest::ignoresTheTimeoutOfAnOlderRequest()
{
    StagedNode &a = add("a", "a1");
    advance(a.node.leaseEnd() - 6s - m_scheduler->now() - 1ms);
    const QSignalSpy changed(&a.node, &FleetNode::changed);
    const Instant before = a.node.leaseEnd();
    m_server->setFaults({.lost = 1});
    advance(100ms);
    m_server->setFaults({});
    advance(1s);
    QVERIFY(a.node.leaseEnd() > before + 3s);
    advance(1s);
    QVERIFY(!a.node.storeLostSince());
    QCOMPARE(changed.size(), 0);
}

void FleetNodeTest::drainsOneByOne()
{
    StagedNode &a = add("a", "a1");
    a.node.add(QStringLiteral("y"), {});
    advance(1s);
    a.done();
    a.reapsAtOnce = false;
    a.node.setDraining(true);
    advance(1s);
    QCOMPARE(a.done(), QStringLiteral("stop x"));
    a.node.reaped(m_agent);
    advance(1s);
    QCOMPARE(a.done(), QStringLiteral("stop y"));
    a.node.reaped(QStringLiteral("y"));
    advance(1s);
    QVERIFY(a.node.isDrained());
}

void FleetNodeTest::deletesTheSessionOfThePreviousRun()
{
    add("a", "a1");
    m_nodes.clear();
    StagedNode &a = add("a", "a2", "a1");
    QCOMPARE(a.done(), QStringLiteral("start x"));
}

void FleetNodeTest::observesAForeignSessionForD()
{
    add("a", "a1");
    m_nodes.clear();
    StagedNode &a = add("a", "a2");
    advance(19s);
    QCOMPARE(a.done(), QString());
    advance(2s);
    QCOMPARE(a.done(), QStringLiteral("start x"));
    QCOMPARE(a.faults, QStringList());
}

void FleetNodeTest::reportsAnotherHostWithItsId()
{
    add("a", "a1");
    StagedNode &other = add("a", "a2");
    advance(60s);
    QVERIFY(!other.faults.isEmpty());
    QCOMPARE(other.done(), QString());
    m_nodes.erase(m_nodes.begin());
    StagedNode &left = *m_nodes.front();
    advance(25s);
    QCOMPARE(left.done(), QStringLiteral("start x"));
}

void FleetNodeTest::malformedRecordIsNotTakenOver()
{
    static_cast<void>(m_server->commit({{}, {{"state/agents/x", QByteArray("{}")}}}));
    static_cast<void>(m_server->commit({{}, {{"state/nodes/z", QByteArray("?")}}}));
    static_cast<void>(m_server->commit({{}, {{"others", QByteArray("?")}}}));
    StagedNode &a = add("a", "a1");
    advance(60s);
    QCOMPARE(a.done(), QString());
    QCOMPARE(a.faults.size(), 1);
    QVERIFY(a.node.isHeld());
}

void FleetNodeTest::readsAgainAfterAnUnknownAcquisition()
{
    m_server->setFaults({.lost = 0.4, .late = 0.3});
    StagedNode &a = add("a", "a1");
    for (int i = 0; i < 50; ++i) {
        advance(2s);
        a.node.withdraw(m_agent);
        advance(2s);
        a.node.contend(m_agent);
    }
    m_server->setFaults({});
    advance(40s);
    QVERIFY(a.node.permits(m_agent));
    QCOMPARE(a.node.token(m_agent), m_server->read("state/agents/x").records[0].modRevision);
}

// The release is applied after the node has acquired the agent again.
void FleetNodeTest::lateWriteOfAReleaseIsHarmless()
{
    for (int i = 0; i < 50; ++i) {
        init();
        m_server->setFaults({.lost = 0, .late = 0});
        StagedNode &a = add("a", "a1");
        StagedNode &b = add("b", "b1");
        m_server->setFaults({.lost = 0, .late = 1, .latest = 100ms + i * 100ms});
        a.node.withdraw(m_agent);
        advance(50ms);
        m_server->setFaults({});
        a.node.contend(m_agent);
        advance(20s);
        QVERIFY(a.node.permits(m_agent) != b.node.permits(m_agent));
    }
}

void FleetNodeTest::lateAcquisitionOfALostSessionIsRejected()
{
    for (int i = 0; i < 20; ++i) {
        init();
        StagedNode &a = add("a", "a1");
        a.node.withdraw(m_agent);
        advance(100ms);
        m_server->setFaults({.lost = 0, .late = 1, .latest = 30s});
        a.node.contend(m_agent);
        advance(10ms);
        if (!ownership("x").released) // already applied
            continue;
        m_nodes.clear();
        static_cast<void>(m_server->commit({{}, {{"state/nodes/a", std::nullopt}}}));
        advance(60s);
        QVERIFY(ownership("x").released);
    }
}

// Its response is lost, so that it becomes unknown after 2 s.
void FleetNodeTest::resultOfAnEarlierSessionIsNotUsed()
{
    StagedNode &a = add("a", "a1");
    a.node.withdraw(m_agent);
    advance(100ms);
    static_cast<void>(a.done());
    a.node.contend(m_agent);
    QVERIFY(a.node.status(m_agent).state == FleetAgentStatus::State::Writing);
    a.store.setReachable(false);
    advance(100ms);
    static_cast<void>(m_server->commit({{}, {{"state/nodes/a", std::nullopt}}}));
    a.store.setReachable(true);
    advance(10s);
    QCOMPARE(a.done(), QStringLiteral("start x"));
    QVERIFY(a.node.permits(m_agent));
    QCOMPARE(a.lastToken, m_server->read("state/agents/x").records[0].modRevision);
}

void FleetNodeTest::acquisitionThatIsReportedAfterTheLeaseIsNotUsed()
{
    const NodeClock clock(*m_clock, 1000);
    NodeScheduler host(*m_scheduler, clock);
    StagedNode a(*m_server, host, QStringLiteral("a"), QStringLiteral("a1"));
    a.node.start();
    advance(500ms);
    a.node.add(m_agent, {});
    for (int i = 0; i < 1000 && ownership("x").node.isEmpty(); ++i)
        advance(1ms);
    const qint64 token = m_server->read("state/agents/x").records[0].modRevision;
    host.setPaused(true);
    advance(10s);
    host.setPaused(false);
    advance(1ms);
    QCOMPARE(a.done(), QString());
    advance(1s);
    QCOMPARE(a.done(), QStringLiteral("start x"));
    QVERIFY(a.lastToken > token);
}

// The former holder is still starting when the other node finds it absent.
void FleetNodeTest::takeoverConflictsWithASessionThatHasBegun()
{
    static_cast<void>(m_server->commit(
        {{},
         {{"state/agents/x",
           toJson(FleetOwnership{.node = QStringLiteral("a"), .run = QStringLiteral("a1")})}}}));
    StagedNode &b = add("b", "b1");
    const auto isWriting = [&] {
        return b.node.status(m_agent).state == FleetAgentStatus::State::Writing;
    };
    for (int i = 0; i < 5000 && !isWriting(); ++i)
        advance(1ms);
    QVERIFY(isWriting());
    static_cast<void>(m_server->commit(
        {{},
         {{"state/nodes/a", toJson(FleetSession{.run = QStringLiteral("a1"), .duration = 20s})}}}));
    advance(10s);
    QCOMPARE(ownership("x").node, QStringLiteral("a"));
    QCOMPARE(b.done(), QString());
}

void FleetNodeTest::renewalsDoNotDependOnTheNumberOfAgents()
{
    StagedNode &a = add("a", "a1");
    for (int i = 0; i < 1000; ++i)
        a.node.add(QStringLiteral("agent%1").arg(i), {});
    advance(10s);
    QCOMPARE(a.log.size(), 1001);
    const qint64 before = m_server->revision();
    const std::size_t armed = m_scheduler->armedCount();
    advance(60s);
    QVERIFY(m_server->revision() - before <= 21);
    QVERIFY(armed < 10);
}

void FleetNodeTest::usesTheDurationOfTheHolder()
{
    const FleetSession slow{.run = QStringLiteral("z1"), .duration = 60s};
    static_cast<void>(m_server->commit({{}, {{"state/nodes/z", toJson(slow)}}}));
    static_cast<void>(m_server->commit(
        {{},
         {{"state/agents/x",
           toJson(FleetOwnership{.node = QStringLiteral("z"), .run = QStringLiteral("z1")})}}}));
    StagedNode &a = add("a", "a1");
    advance(58s);
    QCOMPARE(a.done(), QString());
    advance(3s);
    QCOMPARE(a.done(), QStringLiteral("start x"));
}

REKINDLE_TEST(FleetNodeTest)
#include "fleetnodetest.moc"
