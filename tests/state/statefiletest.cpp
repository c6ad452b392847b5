// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "statehost.h"
#include "testprogram.h"
#include "testrow.h"

#include "state/statecontents_p.h"

#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/agentgroups.h>
#include <rekindle/groups/sharedbreakers.h>

#include <concepts>
#include <type_traits>

using namespace Rekindle;
using namespace std::chrono_literals;

static_assert(std::is_aggregate_v<StateFileOptions> && std::copyable<StateFileOptions>);

// What a host takes over from the previous one, and how often it writes the file.
class StateFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void writesFirstChangeAtOnce();
    void writesAtMostOncePerSecond();
    void writesFirstFailureOfEachAgentAtOnce();
    void writesOnlyFirstFailuresAtOnce();
    void writesFirstFailureBeforeTheNextStart();
    void flushWritesAtOnce();
    void operatorsStopOutlivesOnlyAKill();
    void requestedStartOutlivesOnlyAKill();
    void manualStartOfStoppedAgentIsNotRepeated_data();
    void manualStartOfStoppedAgentIsNotRepeated();
    void givesUpIfHostIsAlwaysKilledWithinASecond();
    void writesNothingForHealthyAgents();
    void continuesAfterKill();
    void clockChangesMoveNoDeadline_data();
    void clockChangesMoveNoDeadline();
    void orderlyExitIsAStop();
    void sharedBreakerOutlivesAKill();
    void groupOutlivesAKill();
    void groupFailureIsWrittenAtDestruction();
    void exhaustedRemainsOnlyAfterKill();
    void deletesAbsentAgentsAfterSevenDays();
    void ageOfFileDeletesNoAgent_data();
    void ageOfFileDeletesNoAgent();
    void deletesRemovedAgents();
    void addedAgentKeepsStoredData();
    void continuesOnlyAtFirstStart();
    void onlyOwnerCanReadFiles();
    void outlivesItsSupervisor();
    void warnsOnceIfHostHasTooManyAgents();

private:
    [[nodiscard]] StateContents onDisk() const;
    /// Kills the host: the file stays as it is, whatever the destructor writes.
    void killAndRestore(std::unique_ptr<StateHost> &host) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

namespace {

const QString breaker =
    QStringLiteral("'initialDelay':'1s','multiplier':1,'maxRetries':'unlimited',"
                   "'circuitBreaker':{'threshold':3,'timeout':'10m'}");

} // namespace

void StateFileTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("a.state"));
}

StateContents StateFileTest::onDisk() const
{
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const StateReading reading = stateFromText(file.readAll());
    if (!reading.fault.isEmpty())
        QTest::qFail(qPrintable(reading.fault), __FILE__, __LINE__);
    return reading.contents;
}

void StateFileTest::killAndRestore(std::unique_ptr<StateHost> &host) const
{
    const QString copy = m_path + QStringLiteral(".copy");
    QVERIFY(QFile::copy(m_path, copy));
    host.reset();
    QVERIFY(QFile::remove(m_path));
    QVERIFY(QFile::rename(copy, m_path));
}

void StateFileTest::writesFirstChangeAtOnce()
{
    StateHost host(m_path);
    QVERIFY(host.run());
    QVERIFY(host.waitForWrites(1));
    QVERIFY(onDisk().agents.contains(web));
    QVERIFY(host.failures.isEmpty() && host.aside.isEmpty());
}

void StateFileTest::writesAtMostOncePerSecond()
{
    StateHost host(m_path);
    QVERIFY(host.run());
    QVERIFY(host.waitForWrites(1));
    for (int second = 1; second <= 10; ++second) {
        for (int tenth = 0; tenth < 10; ++tenth) {
            host.stage.advance(100ms);
            QCoreApplication::processEvents();
            if (tenth < 9)
                QCOMPARE(host.state->writeCount(), static_cast<quint64>(second));
        }
        QVERIFY(host.waitForWrites(second + 1));
        // The file contains all changes up to the last tenth of the second.
        QVERIFY(onDisk().agents[web].memory.attempt >= 10 * second - 1);
    }
    QCOMPARE(host.state->writeCount(), 11U);
}

void StateFileTest::writesFirstFailureOfEachAgentAtOnce()
{
    constexpr int count = 1'000;
    StateHost host(m_path);
    QVERIFY(host.run());
    QVERIFY(host.waitForWrites(1));
    host.stage.advance(10ms);
    for (int i = 0; i < count; ++i)
        host.stage.add(QString::number(i), crashes, breaker);
    host.start();
    QVERIFY(host.waitUntil([&] { return onDisk().agents.size() == count + 1; }));
    QVERIFY(host.state->writeCount() < 50); // one write for many
}

void StateFileTest::writesOnlyFirstFailuresAtOnce()
{
    StateHost host(m_path);
    QVERIFY(host.state->open());
    for (int i = 0; i < 3; ++i)
        host.stage.add(QString::number(i), crashes, loop);
    host.start();
    QVERIFY(host.waitForWrites(1));
    const Instant first = onDisk().saved.mono;
    QCOMPARE(onDisk().agents.size(), 3);
    host.stage.advance(1s); // in which each agent fails ten times
    QVERIFY(host.waitForWrites(2));
    QVERIFY(onDisk().saved.mono == first + 1s);
}

// The second start of an agent may kill its host at once.
void StateFileTest::writesFirstFailureBeforeTheNextStart()
{
    StateHost host(m_path);
    QVERIFY(host.state->open());
    const QString policy = QStringLiteral("'type':'immediate','circuitBreaker':'off'");
    host.stage.add(web, {QStringLiteral("started fail"), QStringLiteral("started ready")}, policy);
    host.stage.add(QStringLiteral("b"),
                   {QStringLiteral("started fail"), QStringLiteral("started ready")}, policy);
    QList<StateContents> atRestart;
    connect(&host.stage.supervisor, &AgentSupervisor::agentStarted, this,
            [&](const AgentStarted &event) {
                if (event.generation == 2)
                    atRestart.append(onDisk());
            });
    host.start();
    QCOMPARE(atRestart.size(), 2);
    for (const StateContents &contents : std::as_const(atRestart)) {
        QVERIFY(contents.agents.value(web).memory.inSequence);
        QVERIFY(contents.agents.value(QStringLiteral("b")).memory.inSequence);
    }
}

void StateFileTest::flushWritesAtOnce()
{
    StateHost host(m_path);
    QVERIFY(!host.state->flush()); // not open
    QVERIFY(host.run());
    QVERIFY(host.waitForWrites(1));
    host.stage.play(QStringLiteral("isolate"));
    QVERIFY(!onDisk().agents[web].memory.breaker.isolated);
    QVERIFY(host.state->flush());
    QVERIFY(onDisk().agents[web].memory.breaker.isolated);
    const quint64 count = host.state->writeCount();
    QVERIFY(host.state->flush());
    QCOMPARE(host.state->writeCount(), count); // nothing has changed
}

void StateFileTest::operatorsStopOutlivesOnlyAKill()
{
    const AgentScript runs{QStringLiteral("started ready")};
    auto host = std::make_unique<StateHost>(m_path);
    QVERIFY(host->state->open());
    host->stage.add(web, runs);
    host->start();
    host->stage.play(QStringLiteral("stop"));
    QVERIFY(host->state->flush());
    killAndRestore(host);

    StateHost killed(m_path, 2h);
    QVERIFY(killed.state->open());
    killed.stage.add(web, runs);
    killed.start();
    QCOMPARE(killed.events(), QString());
    QCOMPARE(killed.state->resumedCount(), 0);
    QVERIFY(killed.stage.supervisor.snapshot(killed.stage.first())->stoppedByOperator);
    killed.stage.play(QStringLiteral("stopAll"));
    QVERIFY(killed.state->close());

    StateHost next(m_path, 3h);
    QVERIFY(next.state->open());
    next.stage.add(web, runs);
    next.start();
    QCOMPARE(next.events(), QStringLiteral("START started ready"));
}

void StateFileTest::requestedStartOutlivesOnlyAKill()
{
    const AgentScript runs{QStringLiteral("started ready")};
    const auto begin = [&runs](StateHost &host) {
        QVERIFY(host.state->open());
        host.stage.add(web, runs);
        host.stage.supervisor.setManualStart(host.stage.first());
        host.start();
    };
    auto host = std::make_unique<StateHost>(m_path);
    begin(*host);
    QCOMPARE(host->events(), QString());
    host->stage.play(QStringLiteral("start"));
    QVERIFY(host->state->flush());
    killAndRestore(host);

    StateHost killed(m_path, 2h);
    begin(killed);
    QCOMPARE(killed.events(), QStringLiteral("START started ready"));
    QCOMPARE(killed.state->resumedCount(), 0); // it had not failed
    killed.stage.play(QStringLiteral("stopAll"));
    QVERIFY(killed.state->close());

    StateHost next(m_path, 3h);
    begin(next);
    QCOMPARE(next.events(), QString());
}

void StateFileTest::manualStartOfStoppedAgentIsNotRepeated_data()
{
    const Rows<QString, QString> row("run", "end");
    row("stopped by an operator", "started ready", "stop");
    row("clean exit", "started ready stopped", {});
    row("permanent failure", "started fail:127", {});
}

void StateFileTest::manualStartOfStoppedAgentIsNotRepeated()
{
    QFETCH(QString, run);
    QFETCH(QString, end);
    const auto begin = [&run](StateHost &host) {
        QVERIFY(host.state->open());
        host.stage.add(web, {run});
        host.stage.supervisor.setManualStart(host.stage.first());
        host.start();
    };
    auto host = std::make_unique<StateHost>(m_path);
    begin(*host);
    host->stage.play(QStringLiteral("start"));
    QVERIFY(!host->events().isEmpty());
    if (!end.isEmpty())
        host->stage.play(end);
    QVERIFY(host->state->flush());
    if (QFile::exists(m_path)) // nothing is stored after a clean exit
        killAndRestore(host);
    host.reset();

    StateHost next(m_path, 2h);
    begin(next);
    QCOMPARE(next.events(), QString());
}

// Each host makes up to three attempts before its second periodic write.
void StateFileTest::givesUpIfHostIsAlwaysKilledWithinASecond()
{
    constexpr int maxRetries = 5;
    const QString policy = QStringLiteral("'initialDelay':'400ms','multiplier':1,'maxRetries':%1,"
                                          "'circuitBreaker':'off'")
                               .arg(maxRetries);
    Duration uptime = 1h;
    for (int life = 0; life <= maxRetries; ++life) {
        auto host = std::make_unique<StateHost>(m_path, uptime);
        QVERIFY(host->state->open());
        host->stage.add(web, {QStringLiteral("started +10ms fail")}, policy);
        host->start();
        const int beforeFailure = life == 0 ? 0 : 1; // the first change is the resumption
        QVERIFY(host->waitForWrites(beforeFailure));
        host->stage.advance(900ms);
        QVERIFY(host->waitForWrites(beforeFailure + 1));
        uptime = host->stage.clock.now().time_since_epoch();
        killAndRestore(host);
    }
    QVERIFY(onDisk().agents.value(web).memory.state == InstanceState::Exhausted);
}

void StateFileTest::writesNothingForHealthyAgents()
{
    StateHost host(m_path);
    QVERIFY(host.state->open());
    host.stage.add(web, {QStringLiteral("started ready")});
    host.start();
    host.stage.advance(1h);
    QCoreApplication::processEvents();
    QVERIFY(!QFileInfo::exists(m_path));
}

void StateFileTest::continuesAfterKill()
{
    auto host = std::make_unique<StateHost>(m_path);
    QVERIFY(host->run(breaker));
    host->stage.advance(1s);
    host->stage.advance(1s); // the third failure opens the breaker
    QVERIFY(host->waitForWrites(1));
    QVERIFY(QTest::qWaitFor(
        [&] {
            host->stage.advance(1s);
            return onDisk().agents[web].memory.state == InstanceState::CircuitOpen;
        },
        30'000));
    const Instant opened = onDisk().agents[web].memory.breaker.openedAt;
    const Instant killed = host->stage.clock.now();
    killAndRestore(host);

    StateHost next(m_path, killed.time_since_epoch() + 2min);
    QVERIFY(next.run(breaker));
    QCOMPARE(next.state->resumedCount(), 1);
    const auto snapshot = next.stage.supervisor.snapshot(next.stage.first());
    QVERIFY(snapshot->state == InstanceState::CircuitOpen);
    QCOMPARE(snapshot->attempt, 2);
    QVERIFY(snapshot->nextStartAt == opened + 10min);
    QCOMPARE(snapshot->lastFailure->reason, FailureReason::ProcessCrash);
    QCOMPARE(next.events(), QStringLiteral("closed>open trial#3"));
    next.stage.advance(8min);
    QVERIFY(next.events().contains(QLatin1String("open>halfopen attempt#3 START started")));
}

void StateFileTest::clockChangesMoveNoDeadline_data()
{
    // secondsLeft: of 60, after a pause of 20
    const Rows<bool, int, int> row("sameBoot", "wallHours", "secondsLeft");
    row("no jump", true, 0, 40);
    row("a day forward", true, 24, 40);
    row("a day back", true, -24, 40);
    row("another boot", false, 0, 40);
    row("another boot, a day back", false, -24, 60);
    row("another boot, a day forward", false, 24, 0);
}

void StateFileTest::clockChangesMoveNoDeadline()
{
    QFETCH(bool, sameBoot);
    QFETCH(int, wallHours);
    QFETCH(int, secondsLeft);
    const QString policy = QStringLiteral("'initialDelay':'60s','maxDelay':'60s','multiplier':1,'"
                                          "maxRetries':5,'circuitBreaker':'off'");
    auto host = std::make_unique<StateHost>(m_path, 1h);
    QVERIFY(host->run(policy));
    host->stage.advance(60s); // attempt 1 has failed, attempt 2 is due in 60 s
    QVERIFY(host->waitUntil([&] { return onDisk().agents[web].memory.attempt == 1; }));
    killAndRestore(host);

    const Duration uptime = sameBoot ? 1h + 80s : Duration(5min);
    const Duration wall = std::chrono::hours(wallHours) + (1h + 80s - uptime);
    StateHost next(m_path, uptime, wall,
                   sameBoot ? QStringLiteral("boot") : QStringLiteral("other"));
    QVERIFY(next.run(policy));
    QVERIFY(next.events().startsWith(QLatin1String("scheduled#2"))); // no attempt is forgotten
    if (secondsLeft > 0)
        next.stage.advance(std::chrono::seconds(secondsLeft) - 1ms);
    QCOMPARE(next.events().contains(QLatin1String("attempt#2")), secondsLeft == 0);
    next.stage.advance(1ms);
    QVERIFY(next.events().contains(QLatin1String("attempt#2"))); // and the restart takes place
}

void StateFileTest::orderlyExitIsAStop()
{
    auto host = std::make_unique<StateHost>(m_path);
    QVERIFY(host->state->open());
    host->stage.add(web, crashes, breaker);
    host->stage.add(QStringLiteral("fine"), {QStringLiteral("started ready")});
    host->start();
    host->stage.advance(2s);
    QVERIFY(host->state->close());
    QVERIFY(!host->state->isOpen());
    QCOMPARE(onDisk().agents.size(), 1);
    host.reset();

    StateHost next(m_path, 1h + 5s);
    QVERIFY(next.run(breaker));
    QCOMPARE(next.state->resumedCount(), 0);
    // Started at once, as after a stop: the start is the half-open trial of the breaker.
    QCOMPARE(
        next.events(),
        QStringLiteral("closed>open open>halfopen START started failed halfopen>open trial#1"));
}

// An isolation ends with an orderly exit. An open breaker is also open in the next host, which
// holds the starts from the beginning.
void StateFileTest::sharedBreakerOutlivesAKill()
{
    const QString api = QStringLiteral("api");
    const auto run = [&api](StateHost &host, SharedBreakers &breakers) {
        QVERIFY(breakers.setBreakers({{.name = api, .threshold = 1, .agents = 1, .timeout = 10min}})
                    .isEmpty());
        breakers.setRequired(web, {api});
        host.state->setSharedBreakers(&breakers);
        QVERIFY(host.state->open());
        host.stage.add(web, {QStringLiteral("started fail:DependencyFailure")});
        host.start();
    };
    {
        auto host = std::make_unique<StateHost>(m_path);
        auto breakers = std::make_unique<SharedBreakers>(host->stage.supervisor);
        run(*host, *breakers);
        QCOMPARE(breakers->info(api)->state, CircuitBreakerState::Open);
        QVERIFY(host->state->flush());
        breakers->isolate(api); // without a change of the state
        QVERIFY(host->state->flush());
        QVERIFY(onDisk().sharedBreakers.value(api).isolated);
        breakers.reset();
        killAndRestore(host);
    }
    {
        StateHost killed(m_path, 1h + 3min);
        SharedBreakers breakers(killed.stage.supervisor);
        run(killed, breakers);
        QVERIFY(breakers.info(api)->isolated);
        QCOMPARE(killed.stage.supervisor.snapshot(killed.stage.first())->holds,
                 Holds(Hold::SharedBreaker));
        VERIFY_CONTAINS(killed.events(), "shared:api Open");
        QVERIFY(!killed.events().contains(QLatin1String("started")));
        killed.stage.play(QStringLiteral("stopAll"));
        QVERIFY(killed.state->close());
        QVERIFY(!onDisk().sharedBreakers.value(api).isolated);
    }
    {
        // 10 minutes after it has opened, a trial starts.
        StateHost next(m_path, 1h + 4min);
        SharedBreakers breakers(next.stage.supervisor);
        run(next, breakers);
        QCOMPARE(breakers.info(api)->state, CircuitBreakerState::Open);
        next.stage.play(QStringLiteral("+5m"));
        QVERIFY(!next.events().contains(QLatin1String("started")));
        next.stage.play(QStringLiteral("+1m"));
        QVERIFY(next.events().contains(QLatin1String("started")));
        breakers.reset(api);
        QVERIFY(next.state->flush());
        QVERIFY(onDisk().sharedBreakers.isEmpty());
    }
}

namespace {

/// A host with the group "g", which tolerates one failure within a minute.
struct GroupHost
{
    explicit GroupHost(const QString &path, Duration uptime = 1h)
        : host(std::make_unique<StateHost>(path, uptime))
        , dependencies(std::make_unique<AgentDependencies>(host->stage.supervisor))
        , groups(std::make_unique<AgentGroups>(*dependencies))
    {
        GroupDefinition group{.name = QStringLiteral("g")};
        group.members = {{.name = web}, {.name = QStringLiteral("b")}};
        group.maxRestarts = 1;
        group.rearmAfter = 10min;
        QVERIFY(groups->setGroups({group}).isEmpty());
        host->state->setGroups(groups.get());
        QVERIFY(host->state->open());
        host->stage.add(web, {QStringLiteral("started ready +5s fail|started ready")});
        host->stage.add(QStringLiteral("b"), {QStringLiteral("started ready")});
        host->start();
    }

    [[nodiscard]] std::optional<GroupState> state() const
    {
        return groups->state(QStringLiteral("g"));
    }

    std::unique_ptr<StateHost> host;
    std::unique_ptr<AgentDependencies> dependencies;
    std::unique_ptr<AgentGroups> groups;
};

} // namespace

void StateFileTest::groupOutlivesAKill()
{
    const auto kill = [this](GroupHost &killed) {
        QVERIFY(killed.host->state->flush());
        killed.groups.reset();
        killed.dependencies.reset();
        killAndRestore(killed.host);
    };
    {
        GroupHost first(m_path);
        first.host->stage.play(QStringLiteral("+7s"));
        QCOMPARE(first.state(), GroupState::Running);
        kill(first);
        QCOMPARE(onDisk().groups.value(QStringLiteral("g")).incidents.size(), std::size_t{1});
    }
    {
        // The failure of the first host still counts.
        GroupHost second(m_path, 1h + 30s);
        second.host->stage.play(QStringLiteral("+6s"));
        QCOMPARE(second.state(), GroupState::Exhausted);
        kill(second);
        QVERIFY(onDisk().groups.value(QStringLiteral("g")).exhausted);
    }
    {
        // The rest of rearmAfter still applies: the group gave up at 35 s.
        GroupHost third(m_path, 1h + 9min);
        QCOMPARE(third.state(), GroupState::Exhausted);
        third.host->stage.play(QStringLiteral("+90s"));
        QCOMPARE(third.state(), GroupState::Exhausted);
        third.host->stage.play(QStringLiteral("+6s"));
        QCOMPARE(third.state(), GroupState::Running);
        third.host->stage.play(QStringLiteral("stopAll"));
        QVERIFY(third.host->state->close());
        QVERIFY(onDisk().groups.isEmpty());
    }
}

void StateFileTest::groupFailureIsWrittenAtDestruction()
{
    GroupHost host(m_path);
    // Before the next write can begin.
    QObject::connect(host.groups.get(), &AgentGroups::groupRestarting, &host.host->stage.log,
                     [&host] { host.host->state.reset(); });
    host.host->stage.play(QStringLiteral("+6s"));
    QVERIFY(!host.host->state);
    QCOMPARE(onDisk().groups.value(QStringLiteral("g")).incidents.size(), std::size_t{1});
}

void StateFileTest::exhaustedRemainsOnlyAfterKill()
{
    const QString policy = QStringLiteral("'maxRetries':0,'circuitBreaker':'off'");
    auto host = std::make_unique<StateHost>(m_path);
    QVERIFY(host->run(policy));
    QVERIFY(QTest::qWaitFor([&] {
        host->stage.advance(1s);
        return onDisk().agents[web].memory.state == InstanceState::Exhausted;
    }));
    killAndRestore(host);

    StateHost killed(m_path, 2h);
    QVERIFY(killed.run(policy));
    QVERIFY(killed.stage.state() == InstanceState::Exhausted);
    QCOMPARE(killed.events(), QString());
    QVERIFY(killed.state->close());

    StateHost ended(m_path, 2h);
    QVERIFY(ended.run(policy));
    QCOMPARE(ended.events(), QStringLiteral("START started failed exhausted#0"));
}

void StateFileTest::deletesAbsentAgentsAfterSevenDays()
{
    auto host = std::make_unique<StateHost>(m_path);
    QVERIFY(host->run());
    host.reset();
    const auto without = [this](Duration uptime) {
        StateHost other(m_path, uptime);
        if (!other.state->open())
            return false;
        other.stage.add(QStringLiteral("other"), crashes, loop);
        other.start();
        const bool written = other.waitForWrites(1);
        return written && onDisk().agents.contains(web);
    };
    // Measured from the first host without the agent.
    QVERIFY(without(3 * 24h));
    QVERIFY(without(9 * 24h));
    QVERIFY(!without(10 * 24h + 1h));
}

// A host may have had the agent without writing the file.
void StateFileTest::ageOfFileDeletesNoAgent_data()
{
    // onceWithout: a host ran without it a month ago
    const Rows<bool, bool> row("sameBoot", "onceWithout");
    row("30 days later", true, false);
    row("30 days later, after a host without it", true, true);
    row("rebooted, the wall clock 30 days ahead", false, false);
}

void StateFileTest::ageOfFileDeletesNoAgent()
{
    QFETCH(bool, sameBoot);
    QFETCH(bool, onceWithout);
    const QString policy = QStringLiteral("'maxRetries':0,'circuitBreaker':'off'");
    auto host = std::make_unique<StateHost>(m_path);
    QVERIFY(host->run(policy));
    QVERIFY(host->waitUntil(
        [&] { return onDisk().agents[web].memory.state == InstanceState::Exhausted; }));
    killAndRestore(host);
    if (onceWithout) {
        auto without = std::make_unique<StateHost>(m_path, 2h);
        QVERIFY(without->run(loop, QStringLiteral("other")));
        QVERIFY(without->waitForWrites(1));
        QVERIFY(onDisk().agents[web].absentSince);
        without.reset();
        host = std::make_unique<StateHost>(m_path, 3h);
        QVERIFY(host->run(policy));
        QVERIFY(host->waitForWrites(1));
        killAndRestore(host);
    }
    constexpr Duration month = 30 * 24h;
    StateHost next(m_path, sameBoot ? Duration(1h) + month : Duration(5min),
                   sameBoot ? Duration{} : month,
                   sameBoot ? QStringLiteral("boot") : QStringLiteral("other"));
    QVERIFY(next.run(policy));
    QVERIFY(next.stage.state() == InstanceState::Exhausted);
    QCOMPARE(next.events(), QString());
}

void StateFileTest::deletesRemovedAgents()
{
    StateHost host(m_path);
    QVERIFY(host.state->open());
    const QUuid id = host.stage.add(web, crashes, loop);
    host.start();
    QVERIFY(host.waitForWrites(1));
    host.stage.supervisor.remove(id);
    host.stage.advance(1s);
    QVERIFY(host.waitForWrites(2));
    QVERIFY(!onDisk().agents.contains(web));
}

// A policy change between add() and start() changes the instance, which must not replace its stored
// data.
void StateFileTest::addedAgentKeepsStoredData()
{
    auto host = std::make_unique<StateHost>(m_path);
    QVERIFY(host->run(breaker));
    host.reset();

    StateHost next(m_path, 1h);
    QVERIFY(next.state->open());
    const QUuid id = next.stage.add(web, crashes, breaker);
    const QUuid other = next.stage.add(QStringLiteral("other"), crashes, loop);
    next.stage.supervisor.setPolicy(id, policyOf(loop));
    next.state->start(other);
    next.stage.advance(0s);
    QVERIFY(next.waitForWrites(1));
    QVERIFY(onDisk().agents.contains(web));
    QCOMPARE(onDisk().agents.size(), 2);
}

void StateFileTest::continuesOnlyAtFirstStart()
{
    auto host = std::make_unique<StateHost>(m_path);
    QVERIFY(host->run(breaker));
    host.reset();

    StateHost next(m_path, 1h);
    QVERIFY(next.state->open());
    const QUuid id = next.stage.add(web, crashes, breaker);
    next.start();
    next.stage.play(QStringLiteral("stop"));
    next.state->start(id);
    next.stage.advance(0s);
    QCOMPARE(next.state->resumedCount(), 1);
    QCOMPARE(next.events(),
             QStringLiteral("scheduled#1 cancelled#1 START started failed scheduled#1"));
}

void StateFileTest::onlyOwnerCanReadFiles()
{
    const QString path = m_folder->filePath(QStringLiteral("new/folder/a.state"));
    StateHost host(path);
    QVERIFY(host.run());
    QVERIFY(host.waitForWrites(1));
    constexpr auto others = QFileDevice::ReadGroup | QFileDevice::WriteGroup
        | QFileDevice::ReadOther | QFileDevice::WriteOther;
    QVERIFY(!(QFile::permissions(path) & others));
    QVERIFY(!(QFile::permissions(QFileInfo(path).path()) & others));
}

void StateFileTest::outlivesItsSupervisor()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    auto supervisor = std::make_unique<AgentSupervisor>(scheduler);
    StateFile open(*supervisor, {.path = m_path});
    StateFile unused(*supervisor, {.path = m_path + QLatin1Char('2')});
    QVERIFY(open.open());
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("before its state file")));
    supervisor.reset();
    QVERIFY(!open.isOpen());
    QVERIFY(!open.close());
    open.startAll();
    QVERIFY(!unused.open());
}

void StateFileTest::warnsOnceIfHostHasTooManyAgents()
{
    StateHost host(m_path);
    QVERIFY(host.state->open());
    QList<QUuid> ids;
    for (qsizetype i = 0; i < maxStoredAgents + 10; ++i)
        ids.append(host.stage.add(QString::number(i), crashes,
                                  QStringLiteral("'initialDelay':'1h','maxDelay':'2h'")));
    QTest::failOnWarning(QRegularExpression(QStringLiteral("stores at most")));
    QTest::ignoreMessage(QtWarningMsg,
                         QRegularExpression(QStringLiteral(
                             "stores at most 10000 agents; the data of [0-9]+ other agents")));
    host.start();
    QVERIFY(host.waitUntil([&] {
        return host.stage.supervisor.snapshot(ids.last())->state == InstanceState::Waiting;
    }));
    // The first write may have begun before all agents failed.
    for (int write = 0; write < 3; ++write) {
        host.stage.supervisor.stop(ids.at(write));
        const int before = host.writes;
        QVERIFY(host.waitUntil([&] {
            host.stage.advance(1s);
            return host.writes > before;
        }));
    }
    QCOMPARE(onDisk().agents.size(), maxStoredAgents);
}

REKINDLE_TEST(StateFileTest)
#include "statefiletest.moc"
