// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "apiscene.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

// Circuit breakers of several agents, with the engine in virtual time.
class SharedBreakersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void outageCostsNothing();
    void trialIsTheMostImportantAgent();
    void oneAgentDoesNotOpenIt();
    void otherReasonsAreNoVotes();
    void stoppedTrialIsReplaced();
    void runningAgentsKeepRunning();
    void nextStartIsTheTrial();
    void operatorCommands();
    void startByAnOperatorWaits();
    void severalBreakers();
    void trialOfTwoBreakers();
    void trialThatRequestsARestartIsNoEvidence();
    void trialThatIsHeldIsReplaced();
    void trialFollowsWhenAnotherBreakerCloses();
    void trialFollowsWhenTheOldProcessHasExited();
    void failureNamesTheBreaker();
    void emitsEvents();
    void restoresItsState();
    void governorLimitsTheReturn();
    void faults();
    void replacesBreakers();
    void stopAllEnds();
    void slotDeletesTheObject();
    void slotDeletesTheObjectAtTheEndOfATrial();
    void followsAnotherHost();
    void followedTrialEnds();
    void followedOpeningRefundsVotes();
    void isolationStaysWhenItFollows();
    void gateDecidesAboutTrials();
    void gateDoesNotConcernOtherBreakers();
};

// jaseci-labs/jac#8420: 100 agents of an endpoint that is down for a minute.
void SharedBreakersTest::outageCostsNothing()
{
    ApiScene scene(100);
    scene.stage.play(QStringLiteral("startAll +10s"));
    QCOMPARE(scene.count(InstanceState::Running), 100);
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+60s"));
    // The trial after 30 s has failed.
    QCOMPARE(scene.log.mid(0, 3),
             QStringList({QStringLiteral("11s:Open:c2"), QStringLiteral("41s:HalfOpen:c0"),
                          QStringLiteral("42s:Open:c0")}));
    QCOMPARE(scene.endpoint.starts, 1);
    QCOMPARE(scene.snapshot(5).holdCauses.size(), 1);
    QVERIFY2(scene.snapshot(5).holdCauses.front().text.startsWith(
                 QLatin1String("shared breaker api (Open, trial in ")),
             qPrintable(scene.snapshot(5).holdCauses.front().text));
    scene.endpoint.isUp = true;
    scene.stage.play(QStringLiteral("+40s"));
    QCOMPARE(scene.log.mid(3),
             QStringList({QStringLiteral("102s:HalfOpen:c1"), QStringLiteral("108s:Closed:c1")}));
    QCOMPARE(scene.count(InstanceState::Running), 100);
    for (int i = 0; i < 100; ++i) {
        QCOMPARE(scene.snapshot(i).attempt, 0);
        QCOMPARE(scene.snapshot(i).circuitBreaker.state, CircuitBreakerState::Closed);
    }
}

void SharedBreakersTest::trialIsTheMostImportantAgent()
{
    ApiScene scene(4);
    scene.gate.setPriority(scene.ids.at(2), 7);
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+1s"));
    scene.endpoint.isUp = true;
    scene.stage.play(QStringLiteral("+30s"));
    QCOMPARE(scene.log.last(), QStringLiteral("36s:HalfOpen:c2"));
}

void SharedBreakersTest::oneAgentDoesNotOpenIt()
{
    ApiScene scene(1);
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("startAll +1h"));
    QCOMPARE(scene.log, QStringList());
    QCOMPARE(scene.snapshot(0).state, InstanceState::Exhausted); // its own limit
}

void SharedBreakersTest::otherReasonsAreNoVotes()
{
    ApiScene scene(0);
    for (int i = 0; i < 5; ++i) {
        const QString name = QStringLiteral("a%1").arg(i);
        scene.stage.addFailing(name);
        scene.breakers.setRequired(name, {QStringLiteral("api")});
    }
    scene.stage.play(QStringLiteral("startAll +10s"));
    QCOMPARE(scene.log, QStringList());
}

void SharedBreakersTest::stoppedTrialIsReplaced()
{
    ApiScene scene(3);
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+1s"));
    scene.endpoint.isUp = true;
    scene.stage.play(QStringLiteral("+30s stop:c0"));
    QCOMPARE(scene.log.mid(1),
             QStringList({QStringLiteral("36s:HalfOpen:c0"), QStringLiteral("36s:Open:c0"),
                          QStringLiteral("36s:HalfOpen:c1")}));
    scene.stage.play(QStringLiteral("+7s"));
    QCOMPARE(scene.log.last(), QStringLiteral("42s:Closed:c1"));
    QCOMPARE(scene.snapshot(0).state, InstanceState::Stopped);
    QCOMPARE(scene.count(InstanceState::Running), 2);
}

void SharedBreakersTest::runningAgentsKeepRunning()
{
    ApiScene scene(3);
    scene.stage.add(QStringLiteral("cached"), {.runs = QStringLiteral("started ready +10s fail")});
    scene.breakers.setRequired(QStringLiteral("cached"), {QStringLiteral("api")});
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+2s"));
    const QUuid cached = scene.stage.supervisor.idOf(QStringLiteral("cached"));
    QCOMPARE(scene.stage.supervisor.snapshot(cached)->state, InstanceState::Running);
    scene.stage.play(QStringLiteral("+10s"));
    QCOMPARE(scene.stage.supervisor.snapshot(cached)->state, InstanceState::Waiting);
    QCOMPARE(scene.stage.supervisor.snapshot(cached)->attempt, 0);
}

void SharedBreakersTest::nextStartIsTheTrial()
{
    ApiScene scene(3);
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+1s stop:c0 stop:c1 stop:c2"));
    scene.endpoint.isUp = true;
    scene.stage.play(QStringLiteral("+1h"));
    QCOMPARE(scene.log.size(), 1);
    scene.stage.play(QStringLiteral("start:c1 +6s"));
    QCOMPARE(scene.log.mid(1),
             QStringList({QStringLiteral("3606s:HalfOpen:c1"), QStringLiteral("3612s:Closed:c1")}));
}

void SharedBreakersTest::operatorCommands()
{
    ApiScene scene(3);
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.breakers.isolate(QStringLiteral("api"));
    scene.stage.play(QStringLiteral("restart:c0 +1h"));
    QCOMPARE(scene.snapshot(0).state, InstanceState::Waiting);
    QCOMPARE(scene.count(InstanceState::Running), 2);
    QVERIFY(scene.breakers.info(QStringLiteral("api"))->isolated);
    QCOMPARE(toTexts(scene.snapshot(0).holdCauses),
             QStringList(QStringLiteral("shared breaker api (isolated)")));
    scene.breakers.release(QStringLiteral("api"));
    scene.stage.play(QStringLiteral("+1s"));
    QCOMPARE(scene.count(InstanceState::Running), 3);

    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+1s"));
    QCOMPARE(scene.breakers.info(QStringLiteral("api"))->state, CircuitBreakerState::Open);
    scene.endpoint.isUp = true;
    scene.breakers.reset(QStringLiteral("api"));
    scene.stage.play(QStringLiteral("+2s"));
    QCOMPARE(scene.count(InstanceState::Running), 3);
    scene.breakers.reset(QStringLiteral("other"));
    QCOMPARE(scene.breakers.info(QStringLiteral("other")), std::nullopt);
}

void SharedBreakersTest::startByAnOperatorWaits()
{
    ApiScene scene(3);
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+1s start:c1 +1s"));
    QCOMPARE(scene.snapshot(1).state, InstanceState::Waiting);
    QCOMPARE(scene.snapshot(1).holds, Holds(Hold::SharedBreaker));
}

// An agent that needs two dependencies votes for none, and starts when both breakers are closed.
void SharedBreakersTest::severalBreakers()
{
    ApiScene scene(3);
    SharedBreakerPolicy api = scene.breakers.breakers().front();
    SharedBreakerPolicy other = api;
    other.name = QStringLiteral("db");
    QVERIFY(scene.breakers.setBreakers({api, other}).isEmpty());
    scene.breakers.setRequired(QStringLiteral("c0"), {QStringLiteral("api"), QStringLiteral("db")});
    scene.breakers.isolate(QStringLiteral("db"));
    scene.stage.play(QStringLiteral("startAll +5s"));
    QCOMPARE(scene.snapshot(0).state, InstanceState::Waiting);
    QCOMPARE(scene.count(InstanceState::Running), 2);
    scene.breakers.release(QStringLiteral("db"));
    scene.stage.play(QStringLiteral("+1s"));
    QCOMPARE(scene.count(InstanceState::Running), 3);
}

// All agents that wait require both: if each breaker waited for the other one, none would start.
void SharedBreakersTest::trialOfTwoBreakers()
{
    ApiScene scene(3);
    const auto [api, db] = scene.requireTwo();
    for (const QString &name : {QStringLiteral("d0"), QStringLiteral("d1")}) {
        scene.stage.add(name, {.runs = QStringLiteral("started ready +1s down:db")});
        scene.breakers.setRequired(name, {db});
    }
    scene.endpoint.name = api;
    scene.stage.play(QStringLiteral("startAll +2s"));
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+2s stop:d0 stop:d1"));
    QCOMPARE(scene.breakers.info(api)->state, CircuitBreakerState::Open);
    QCOMPARE(scene.breakers.info(db)->state, CircuitBreakerState::Open);
    scene.endpoint.isUp = true;
    scene.log.clear();
    scene.stage.play(QStringLiteral("+1m"));
    QCOMPARE(scene.count(InstanceState::Running), 3);
    QCOMPARE(scene.log,
             QStringList({QStringLiteral("33s:HalfOpen:c0"), QStringLiteral("33s:HalfOpen:c0"),
                          QStringLiteral("39s:Closed:c0"), QStringLiteral("39s:Closed:c0")}));
}

void SharedBreakersTest::trialThatRequestsARestartIsNoEvidence()
{
    ApiScene scene(3);
    const QUuid id = scene.stage.add(
        QStringLiteral("t"),
        {.runs = QStringLiteral("started ready +6s down:api|started +1s exit42|started ready")});
    scene.breakers.setRequired(QStringLiteral("t"), {QStringLiteral("api")});
    scene.gate.setPriority(id, 9);
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+2s"));
    scene.endpoint.isUp = true;
    scene.log.clear();
    scene.stage.play(QStringLiteral("+1m"));
    QCOMPARE(scene.log,
             QStringList({QStringLiteral("36s:HalfOpen:t"), QStringLiteral("37s:Open:t"),
                          QStringLiteral("37s:HalfOpen:t"), QStringLiteral("42s:Closed:t")}));
    QCOMPARE(scene.count(InstanceState::Running), 3);
    QCOMPARE(scene.stage.supervisor.snapshot(id)->state, InstanceState::Running);
}

// The governor has no slot for it. Then it is held for another reason, too.
void SharedBreakersTest::trialThatIsHeldIsReplaced()
{
    ApiScene scene(3);
    scene.stage.add(QStringLiteral("slow"), {.runs = QStringLiteral("started")},
                    QStringLiteral("'startTimeout':'1h'"));
    scene.stage.play(QStringLiteral("start:c0 start:c1 start:c2 +5s"));
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+1s"));
    scene.endpoint.isUp = true;
    scene.gate.setLimits(GovernorLimits{.maxStarting = 1});
    scene.stage.play(QStringLiteral("start:slow +30s"));
    QCOMPARE(scene.log.last(), QStringLiteral("36s:HalfOpen:c0"));
    scene.stage.supervisor.policyEvaluator().addHolds(scene.ids.at(0), Hold::Lease);
    scene.stage.play(QStringLiteral("+1s"));
    QCOMPARE(scene.log.last(), QStringLiteral("36s:HalfOpen:c1"));
    scene.stage.play(QStringLiteral("stop:slow +10s"));
    QCOMPARE(scene.log.last(), QStringLiteral("43s:Closed:c1"));
    QCOMPARE(scene.count(InstanceState::Running), 2);
}

void SharedBreakersTest::trialFollowsWhenAnotherBreakerCloses()
{
    for (const bool isReleased : {false, true}) {
        ApiScene scene(3);
        const auto [api, db] = scene.requireTwo();
        scene.endpoint.name = api;
        scene.stage.play(QStringLiteral("startAll +2s"));
        scene.endpoint.isUp = false;
        scene.stage.play(QStringLiteral("+2s"));
        QCOMPARE(scene.breakers.info(api)->state, CircuitBreakerState::Open);
        scene.breakers.isolate(db);
        scene.endpoint.isUp = true;
        scene.stage.play(QStringLiteral("+10m"));
        QCOMPARE(scene.count(InstanceState::Running), 0); // no agent could be the trial
        if (isReleased)
            scene.breakers.release(db);
        else
            scene.breakers.reset(db);
        scene.stage.play(QStringLiteral("+1m"));
        QCOMPARE(scene.count(InstanceState::Running), 3);
    }
}

void SharedBreakersTest::trialFollowsWhenTheOldProcessHasExited()
{
    Stage stage;
    SharedBreakers breakers(stage.supervisor);
    const QString api = QStringLiteral("api");
    QVERIFY(breakers.setBreakers({{.name = api, .provenAfter = 0s}}).isEmpty());
    stage.add(QStringLiteral("a"),
              {.runs = QStringLiteral("started +1h|started ready"),
               .onStop = {},
               .onKill = QStringLiteral("+5s stopped")},
              QStringLiteral("'startTimeout':'3s','initialDelay':'1s'"));
    breakers.setRequired(QStringLiteral("a"), {api});
    stage.play(QStringLiteral("startAll +1s"));
    CircuitBreakerSnapshot open;
    open.state = CircuitBreakerState::Open;
    open.openedAt = open.resetAt = stage.scheduler.now();
    breakers.restore(api, open); // due while the agent starts, so that there is no trial
    stage.play(QStringLiteral("+4s"));
    QCOMPARE(stage.state(), InstanceState::Waiting); // its start is due, but it has not exited
    stage.play(QStringLiteral("+10s"));
    QCOMPARE(stage.state(), InstanceState::Running);
    QCOMPARE(breakers.info(api)->state, CircuitBreakerState::Closed);
}

void SharedBreakersTest::failureNamesTheBreaker()
{
    ApiScene scene(3);
    const auto [api, db] = scene.requireTwo();
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.endpoint.isUp = false;
    scene.endpoint.name = QStringLiteral("other"); // none of them
    scene.stage.play(QStringLiteral("+1s"));
    QCOMPARE(scene.breakers.info(api)->state, CircuitBreakerState::Closed);
    scene.endpoint.isUp = true;
    scene.stage.play(QStringLiteral("+10s"));
    QCOMPARE(scene.count(InstanceState::Running), 3);
    scene.endpoint.isUp = false;
    scene.endpoint.name = db;
    scene.stage.play(QStringLiteral("+1s"));
    QCOMPARE(scene.breakers.info(api)->state, CircuitBreakerState::Closed);
    QCOMPARE(scene.breakers.info(db)->state, CircuitBreakerState::Open);
    QCOMPARE(scene.breakers.agents(db), scene.ids);
}

// Each event belongs to an agent. An operation has none, so it is the first one that requires the
// breaker.
void SharedBreakersTest::emitsEvents()
{
    ApiScene scene(3);
    QStringList events;
    QObject::connect(
        &scene.stage.supervisor, &AgentSupervisor::sharedBreakerStateChanged, &scene.breakers,
        [&events](const SharedBreakerStateChanged &event) {
            events +=
                QStringLiteral("%1:%2:%3").arg(event.breaker, event.agent, toText(event.newState));
            if (event.resetDelay)
                events.back() += u':' + durationToString(*event.resetDelay);
        });
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+1s"));
    scene.endpoint.isUp = true;
    scene.stage.play(QStringLiteral("+30s"));
    QCOMPARE(scene.breakers.trial(QStringLiteral("api")), scene.ids.front());
    scene.stage.play(QStringLiteral("+30s"));
    QCOMPARE(events,
             QStringList({QStringLiteral("api:c2:Open:30s"), QStringLiteral("api:c0:HalfOpen"),
                          QStringLiteral("api:c0:Closed")}));
    events.clear();
    scene.breakers.isolate(QStringLiteral("api"));
    scene.breakers.reset(QStringLiteral("api"));
    QCOMPARE(events, QStringList({QStringLiteral("api:c0:Open"), QStringLiteral("api:c0:Closed")}));
}

// postel-sh/postel#127: a restart of the host leaves no breaker behind.
void SharedBreakersTest::restoresItsState()
{
    const QString api = QStringLiteral("api");
    ApiScene before(3);
    before.stage.play(QStringLiteral("startAll +5s"));
    before.endpoint.isUp = false;
    const QSignalSpy changes(&before.breakers, &SharedBreakers::memoryChanged);
    before.stage.play(QStringLiteral("+31s"));
    QCOMPARE(before.breakers.info(api)->state, CircuitBreakerState::HalfOpen);
    QVERIFY(changes.size() >= 2);

    ApiScene after(3);
    after.stage.play(QStringLiteral("+36s"));
    after.breakers.restore(api, *before.breakers.snapshot(api));
    after.stage.play(QStringLiteral("startAll"));
    // The trial has no result, so it begins again.
    QCOMPARE(after.log, QStringList({QStringLiteral("36s:HalfOpen:c0")}));
    QCOMPARE(after.count(InstanceState::Starting), 1);
    after.stage.play(QStringLiteral("+10s"));
    QCOMPARE(after.count(InstanceState::Running), 3);
    after.breakers.restore(QStringLiteral("other"), {});
    QCOMPARE(after.breakers.snapshot(QStringLiteral("other")), std::nullopt);
}

// Tr3kkR/Yuzu#3016: recovered agents do not start all at once.
void SharedBreakersTest::governorLimitsTheReturn()
{
    ApiScene scene(20);
    scene.gate.setLimits(GovernorLimits{.maxStarting = 2});
    scene.stage.play(QStringLiteral("startAll +30s"));
    QCOMPARE(scene.count(InstanceState::Running), 20);
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+1s"));
    scene.endpoint.isUp = true;
    scene.stage.play(QStringLiteral("+36s")); // the trial has closed the breaker
    QCOMPARE(scene.log.last(), QStringLiteral("67s:Closed:c0"));
    QCOMPARE(scene.count(InstanceState::Starting), 2);
    scene.stage.play(QStringLiteral("+10s"));
    QCOMPARE(scene.count(InstanceState::Running), 20);
}

void SharedBreakersTest::faults()
{
    ApiScene scene(1);
    SharedBreakerPolicy policy{.name = QStringLiteral("x"), .threshold = 0, .agents = 5};
    policy.maxTimeout = 1s;
    QCOMPARE(scene.breakers.setBreakers({policy}),
             QStringList({QStringLiteral("x: threshold: expected 1 to 1000, found 0"),
                          QStringLiteral("x: agents: expected 1 to threshold, found 5"),
                          QStringLiteral("x: maxTimeout: expected timeout to 7d, found 1s")}));
    policy = {.name = QStringLiteral("x")};
    QCOMPARE(scene.breakers.setBreakers({policy, policy}).size(), 1);
    QCOMPARE(scene.breakers.breakers().size(), 1);
    QCOMPARE(scene.breakers.breakers().front().name, QStringLiteral("api"));
}

void SharedBreakersTest::replacesBreakers()
{
    ApiScene scene(3);
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+1s"));
    scene.endpoint.isUp = true;
    SharedBreakerPolicy changed = scene.breakers.breakers().front();
    changed.provenAfter = 1s;
    QVERIFY(scene.breakers.setBreakers({changed}).isEmpty());
    QCOMPARE(scene.breakers.info(QStringLiteral("api"))->state, CircuitBreakerState::Open);
    QVERIFY(scene.breakers.setBreakers({}).isEmpty());
    scene.stage.play(QStringLiteral("+2s"));
    QCOMPARE(scene.count(InstanceState::Running), 3);
}

void SharedBreakersTest::stopAllEnds()
{
    ApiScene scene(5);
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+1s"));
    scene.endpoint.isUp = true;
    scene.stage.play(QStringLiteral("+30s stopAll +1m"));
    QCOMPARE(scene.count(InstanceState::Stopped), 5);
    QVERIFY(scene.stage.supervisor.isIdle());
}

void SharedBreakersTest::slotDeletesTheObject()
{
    Stage stage;
    Endpoint endpoint{.isUp = false};
    auto breakers = std::make_unique<SharedBreakers>(stage.supervisor);
    QVERIFY(breakers->setBreakers({{.name = QStringLiteral("api")}}).isEmpty());
    for (int i = 0; i < 4; ++i) {
        const QString name = QStringLiteral("c%1").arg(i);
        QVERIFY(stage.supervisor.add(name, std::make_unique<Client>(stage.scheduler, endpoint)));
        breakers->setRequired(name, {QStringLiteral("api")});
    }
    QObject::connect(breakers.get(), &SharedBreakers::stateChanged, &stage.supervisor,
                     [&] { breakers.reset(); });
    stage.play(QStringLiteral("startAll +2s"));
    QVERIFY(!breakers);
    endpoint.isUp = true;
    stage.play(QStringLiteral("+1m"));
    for (const QUuid &id : stage.supervisor.ids())
        QCOMPARE(stage.supervisor.policyEvaluator().state(id), InstanceState::Running);
}

// The agent is the trial of two breakers.
void SharedBreakersTest::slotDeletesTheObjectAtTheEndOfATrial()
{
    Stage stage;
    auto breakers = std::make_unique<SharedBreakers>(stage.supervisor);
    const QStringList names{QStringLiteral("api"), QStringLiteral("db")};
    QVERIFY(breakers->setBreakers({{.name = names[0]}, {.name = names[1]}}).isEmpty());
    stage.add(QStringLiteral("a"), {});
    breakers->setRequired(QStringLiteral("a"), names);
    CircuitBreakerSnapshot open;
    open.state = CircuitBreakerState::Open;
    open.openedAt = open.resetAt = stage.scheduler.now();
    for (const QString &each : names)
        breakers->restore(each, open);
    stage.play(QStringLiteral("startAll"));
    for (const QString &each : names)
        QCOMPARE(breakers->info(each)->state, CircuitBreakerState::HalfOpen);
    QObject::connect(breakers.get(), &SharedBreakers::stateChanged, &stage.supervisor,
                     [&] { breakers.reset(); });
    stage.play(QStringLiteral("stop"));
    QVERIFY(!breakers);
    QCOMPARE(stage.state(), InstanceState::Stopped);
}

void SharedBreakersTest::followsAnotherHost()
{
    const QString api = QStringLiteral("api");
    ApiScene scene(3);
    scene.stage.play(QStringLiteral("startAll +5s"));
    const QSignalSpy changes(&scene.breakers, &SharedBreakers::memoryChanged);
    scene.breakers.follow(api, CircuitBreakerState::Open, 1);
    QCOMPARE(changes.size(), 1);
    QCOMPARE(scene.breakers.snapshot(api)->reopened, 1);
    scene.stage.play(QStringLiteral("restart:c0 +59s"));
    QCOMPARE(scene.count(InstanceState::Running), 2); // agents keep running
    QCOMPARE(scene.snapshot(0).holds, Holds(Hold::SharedBreaker));
    scene.breakers.follow(api, CircuitBreakerState::Open, 1); // the time begins again
    scene.stage.play(QStringLiteral("+59s"));
    QCOMPARE(scene.log, QStringList(QStringLiteral("5s:Open:")));
    scene.breakers.follow(api, CircuitBreakerState::Closed, 0);
    scene.stage.play(QStringLiteral("+2s"));
    QCOMPARE(scene.count(InstanceState::Running), 3);
    scene.breakers.follow(QStringLiteral("other"), CircuitBreakerState::Open, 0);
    QCOMPARE(scene.log.mid(1), QStringList(QStringLiteral("123s:Closed:")));
}

// The agent of the trial keeps running, but is no evidence.
void SharedBreakersTest::followedTrialEnds()
{
    const QString api = QStringLiteral("api");
    ApiScene scene(3);
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.breakers.follow(api, CircuitBreakerState::Open, 0);
    scene.stage.play(QStringLiteral("restart:c0 restart:c1 +31s"));
    QCOMPARE(scene.log.last(), QStringLiteral("35s:HalfOpen:c0"));
    scene.breakers.follow(api, CircuitBreakerState::Open, 1);
    QCOMPARE(scene.breakers.trial(api), QUuid());
    scene.stage.play(QStringLiteral("+20s"));
    QCOMPARE(scene.log.last(), QStringLiteral("36s:Open:"));
    QCOMPARE(scene.count(InstanceState::Running), 2);
    scene.stage.play(QStringLiteral("+41s"));
    QCOMPARE(scene.log.last(), QStringLiteral("96s:HalfOpen:c1"));
    scene.stage.play(QStringLiteral("+10s"));
    QCOMPARE(scene.count(InstanceState::Running), 3);
}

void SharedBreakersTest::followedOpeningRefundsVotes()
{
    const QString api = QStringLiteral("api");
    for (const bool isFollowing : {true, false}) {
        ApiScene scene(3, {.threshold = 10});
        scene.stage.play(QStringLiteral("startAll +5s"));
        scene.endpoint.isUp = false;
        scene.stage.play(QStringLiteral("+1s"));
        QCOMPARE(scene.breakers.votes(api).size(), 3);
        if (isFollowing) {
            scene.breakers.follow(api, CircuitBreakerState::Open, 0);
            QCOMPARE(scene.breakers.votes(api).size(), 0);
            scene.breakers.follow(api, CircuitBreakerState::Closed, 0);
        }
        scene.endpoint.isUp = true;
        scene.stage.play(QStringLiteral("+5s"));
        QCOMPARE(scene.count(InstanceState::Running), 3);
        for (int i = 0; i < 3; ++i)
            QCOMPARE(scene.snapshot(i).attempt, isFollowing ? 0 : 1);
    }
}

void SharedBreakersTest::isolationStaysWhenItFollows()
{
    const QString api = QStringLiteral("api");
    ApiScene scene(3);
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.breakers.isolate(api);
    scene.breakers.follow(api, CircuitBreakerState::Open, 0);
    scene.breakers.follow(api, CircuitBreakerState::Closed, 0);
    scene.stage.play(QStringLiteral("restart:c0 +1h"));
    QVERIFY(scene.breakers.info(api)->isolated);
    QCOMPARE(scene.count(InstanceState::Running), 2);
    scene.breakers.release(api);
    scene.stage.play(QStringLiteral("+2s"));
    QCOMPARE(scene.count(InstanceState::Running), 3);
}

void SharedBreakersTest::gateDecidesAboutTrials()
{
    const QString api = QStringLiteral("api");
    bool isPermitted = false;
    QString text = QStringLiteral("trial on node b");
    ApiScene scene(3, {.isFleetWide = true});
    scene.breakers.setTrialGate({.permits = [&isPermitted](const QString &) { return isPermitted; },
                                 .text = [&text](const QString &) { return text; }});
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+1s"));
    scene.endpoint.isUp = true;
    scene.stage.play(QStringLiteral("+1h"));
    QCOMPARE(scene.log, QStringList(QStringLiteral("6s:Open:c2")));
    const auto holdText = [&scene] { return toTexts(scene.snapshot(0).holdCauses).join(u';'); };
    QCOMPARE(holdText(), QStringLiteral("shared breaker api (Open in the fleet, trial on node b)"));
    text.clear();
    QCOMPARE(holdText(), QStringLiteral("shared breaker api (Open in the fleet, trial in 0s)"));
    scene.breakers.tryTrial(api);
    scene.breakers.tryTrial(QStringLiteral("other"));
    QCOMPARE(scene.log.size(), 1);
    isPermitted = true;
    scene.breakers.tryTrial(api);
    scene.stage.play(QStringLiteral("+10s"));
    QCOMPARE(scene.log.last(), QStringLiteral("3612s:Closed:c0"));
    QCOMPARE(scene.count(InstanceState::Running), 3);
}

void SharedBreakersTest::gateDoesNotConcernOtherBreakers()
{
    ApiScene scene(3);
    scene.breakers.setTrialGate({.permits = [](const QString &) { return false; },
                                 .text = [](const QString &) { return QStringLiteral("x"); }});
    scene.stage.play(QStringLiteral("startAll +5s"));
    scene.endpoint.isUp = false;
    scene.stage.play(QStringLiteral("+1s"));
    scene.endpoint.isUp = true;
    QVERIFY(toTexts(scene.snapshot(0).holdCauses)
                .join(u';')
                .startsWith(QLatin1String("shared breaker api (Open, trial in ")));
    scene.stage.play(QStringLiteral("+1m"));
    QCOMPARE(scene.count(InstanceState::Running), 3);
}

REKINDLE_TEST(SharedBreakersTest)
#include "sharedbreakerstest.moc"
