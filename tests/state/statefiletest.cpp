// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "life.h"
#include "testprogram.h"

#include "state/statecontents_p.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

// What a host remembers of the one before, and how often it writes that.
class StateFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void firstChangeIsWrittenAtOnce();
    void atMostOneWriteInASecond();
    void nothingToKeepIsNotWritten();
    void goesOnWhereItWas();
    void clocksThatJump_data();
    void clocksThatJump();
    void orderlyEndIsAStop();
    void givenUpStaysGivenUpOnlyAfterAKill();
    void agentsOfOthersAreKeptForSevenDays();
    void quietForLongerThanSevenDays_data();
    void quietForLongerThanSevenDays();
    void removedAgentsAreForgotten();
    void addedIsNotYetStarted();
    void startsOnlyOnceFromTheFile();
    void ofItsOwnerAlone();

private:
    [[nodiscard]] StateContents onDisk() const;
    /// As it is after a kill: what is on the disk, whatever the life's end writes.
    void killAndRestore(std::unique_ptr<Life> &life) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

namespace {

const QString web = QStringLiteral("web");
const AgentScript crashes{QStringLiteral("started fail")};
const QString loop = QStringLiteral(
    "'initialDelay':'100ms','multiplier':1,'maxRetries':'unlimited','circuitBreaker':'off'");
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

void StateFileTest::killAndRestore(std::unique_ptr<Life> &life) const
{
    const QString kept = m_path + QStringLiteral(".kept");
    QVERIFY(QFile::copy(m_path, kept));
    life.reset();
    QVERIFY(QFile::remove(m_path));
    QVERIFY(QFile::rename(kept, m_path));
}

void StateFileTest::firstChangeIsWrittenAtOnce()
{
    Life life(m_path);
    QVERIFY(life.state->open());
    life.stage.add(web, crashes, loop);
    life.begin();
    QVERIFY(life.waitForWrites(1));
    QVERIFY(onDisk().agents.contains(web));
    QVERIFY(life.failures.isEmpty() && life.aside.isEmpty());
}

void StateFileTest::atMostOneWriteInASecond()
{
    Life life(m_path);
    QVERIFY(life.state->open());
    life.stage.add(web, crashes, loop);
    life.begin();
    QVERIFY(life.waitForWrites(1));
    for (int second = 1; second <= 10; ++second) {
        for (int tenth = 0; tenth < 10; ++tenth) {
            life.stage.advance(100ms);
            QCoreApplication::processEvents();
            if (tenth < 9)
                QCOMPARE(life.state->writeCount(), static_cast<quint64>(second));
        }
        QVERIFY(life.waitForWrites(second + 1));
        // What happened up to the last tenth is in it.
        QVERIFY(onDisk().agents[web].memory.attempt >= 10 * second - 1);
    }
    QCOMPARE(life.state->writeCount(), 11U);
}

void StateFileTest::nothingToKeepIsNotWritten()
{
    Life life(m_path);
    QVERIFY(life.state->open());
    life.stage.add(web, {QStringLiteral("started ready")});
    life.begin();
    life.stage.advance(1h);
    QCoreApplication::processEvents();
    QVERIFY(!QFileInfo::exists(m_path));
}

void StateFileTest::goesOnWhereItWas()
{
    auto life = std::make_unique<Life>(m_path);
    QVERIFY(life->state->open());
    life->stage.add(web, crashes, breaker);
    life->begin();
    life->stage.advance(1s);
    life->stage.advance(1s); // the third failure opens the breaker
    QVERIFY(life->waitForWrites(1));
    QVERIFY(QTest::qWaitFor(
        [&] {
            life->stage.advance(1s);
            return onDisk().agents[web].memory.state == InstanceState::CircuitOpen;
        },
        30'000));
    const Instant opened = onDisk().agents[web].memory.breaker.openedAt;
    const Instant killed = life->stage.clock.now();
    killAndRestore(life);

    Life next(m_path, killed.time_since_epoch() + 2min);
    QVERIFY(next.state->open());
    next.stage.add(web, crashes, breaker);
    next.begin();
    QCOMPARE(next.state->resumedCount(), 1);
    const auto snapshot = next.stage.supervisor.snapshot(next.stage.first());
    QVERIFY(snapshot->state == InstanceState::CircuitOpen);
    QCOMPARE(snapshot->attempt, 2);
    QVERIFY(snapshot->nextStartAt == opened + 10min);
    QCOMPARE(snapshot->lastFailure->reason, FailureReason::ProcessCrash);
    QCOMPARE(next.told(), QStringLiteral("breaker:Open"));
    next.stage.advance(8min);
    QVERIFY(next.told().contains(QLatin1String("breaker:HalfOpen restart:3 START started")));
}

void StateFileTest::clocksThatJump_data()
{
    QTest::addColumn<bool>("sameBoot");
    QTest::addColumn<int>("wallHours");
    QTest::addColumn<int>("secondsLeft"); // of 60, after a pause of 20
    QTest::newRow("no jump") << true << 0 << 40;
    QTest::newRow("a day forward") << true << 24 << 40;
    QTest::newRow("a day back") << true << -24 << 40;
    QTest::newRow("another boot") << false << 0 << 40;
    QTest::newRow("another boot, a day back") << false << -24 << 60;
    QTest::newRow("another boot, a day forward") << false << 24 << 0;
}

void StateFileTest::clocksThatJump()
{
    QFETCH(bool, sameBoot);
    QFETCH(int, wallHours);
    QFETCH(int, secondsLeft);
    const QString policy = QStringLiteral("'initialDelay':'60s','maxDelay':'60s','multiplier':1,'"
                                          "maxRetries':5,'circuitBreaker':'off'");
    auto life = std::make_unique<Life>(m_path, 1h);
    QVERIFY(life->state->open());
    life->stage.add(web, crashes, policy);
    life->begin();
    life->stage.advance(60s); // attempt 1 has failed, attempt 2 is due in 60 s
    QVERIFY(life->waitUntil([&] { return onDisk().agents[web].memory.attempt == 1; }));
    killAndRestore(life);

    const Duration uptime = sameBoot ? 1h + 80s : Duration(5min);
    const Duration wall = std::chrono::hours(wallHours) + (1h + 80s - uptime);
    Life next(m_path, uptime, wall, sameBoot ? QStringLiteral("boot") : QStringLiteral("other"));
    QVERIFY(next.state->open());
    next.stage.add(web, crashes, policy);
    next.begin();
    QVERIFY(next.told().startsWith(QLatin1String("scheduled:2"))); // nothing is forgiven
    if (secondsLeft > 0)
        next.stage.advance(std::chrono::seconds(secondsLeft) - 1ms);
    QCOMPARE(next.told().contains(QLatin1String("restart:2")), secondsLeft == 0);
    next.stage.advance(1ms);
    QVERIFY(next.told().contains(QLatin1String("restart:2"))); // nothing is stranded
}

void StateFileTest::orderlyEndIsAStop()
{
    auto life = std::make_unique<Life>(m_path);
    QVERIFY(life->state->open());
    life->stage.add(web, crashes, breaker);
    life->stage.add(QStringLiteral("fine"), {QStringLiteral("started ready")});
    life->begin();
    life->stage.advance(2s);
    QVERIFY(life->state->close());
    QVERIFY(!life->state->isOpen());
    QCOMPARE(onDisk().agents.size(), 1);
    life.reset();

    Life next(m_path, 1h + 5s);
    QVERIFY(next.state->open());
    next.stage.add(web, crashes, breaker);
    next.begin();
    QCOMPARE(next.state->resumedCount(), 0);
    // At once, as a stop and a start do it: the breaker lets it through as its probe.
    QCOMPARE(next.told(),
             QStringLiteral("breaker:Open breaker:HalfOpen START started failed breaker:Open"));
}

void StateFileTest::givenUpStaysGivenUpOnlyAfterAKill()
{
    const QString policy = QStringLiteral("'maxRetries':0,'circuitBreaker':'off'");
    auto life = std::make_unique<Life>(m_path);
    QVERIFY(life->state->open());
    life->stage.add(web, crashes, policy);
    life->begin();
    QVERIFY(QTest::qWaitFor([&] {
        life->stage.advance(1s);
        return onDisk().agents[web].memory.state == InstanceState::Exhausted;
    }));
    killAndRestore(life);

    Life killed(m_path, 2h);
    QVERIFY(killed.state->open());
    killed.stage.add(web, crashes, policy);
    killed.begin();
    QVERIFY(killed.stage.state() == InstanceState::Exhausted);
    QCOMPARE(killed.told(), QString());
    QVERIFY(killed.state->close());

    Life ended(m_path, 2h);
    QVERIFY(ended.state->open());
    ended.stage.add(web, crashes, policy);
    ended.begin();
    QCOMPARE(ended.told(), QStringLiteral("START started failed exhausted:0"));
}

void StateFileTest::agentsOfOthersAreKeptForSevenDays()
{
    auto life = std::make_unique<Life>(m_path);
    QVERIFY(life->state->open());
    life->stage.add(web, crashes, loop);
    life->begin();
    life.reset();
    const auto without = [this](Duration uptime) {
        Life other(m_path, uptime);
        if (!other.state->open())
            return false;
        other.stage.add(QStringLiteral("other"), crashes, loop);
        other.begin();
        const bool written = other.waitForWrites(1);
        return written && onDisk().agents.contains(web);
    };
    // Counted from the first host without it.
    QVERIFY(without(3 * 24h));
    QVERIFY(without(9 * 24h));
    QVERIFY(!without(10 * 24h + 1h));
}

// The age of the file is not the agent's: a host may have had it all the time and nothing to write.
void StateFileTest::quietForLongerThanSevenDays_data()
{
    QTest::addColumn<bool>("sameBoot");
    QTest::addColumn<bool>("onceWithout"); // a host ran without it a month ago
    QTest::newRow("30 days later") << true << false;
    QTest::newRow("30 days later, after a host without it") << true << true;
    QTest::newRow("rebooted, the wall clock 30 days ahead") << false << false;
}

void StateFileTest::quietForLongerThanSevenDays()
{
    QFETCH(bool, sameBoot);
    QFETCH(bool, onceWithout);
    const QString policy = QStringLiteral("'maxRetries':0,'circuitBreaker':'off'");
    auto life = std::make_unique<Life>(m_path);
    QVERIFY(life->state->open());
    life->stage.add(web, crashes, policy);
    life->begin();
    QVERIFY(life->waitUntil(
        [&] { return onDisk().agents[web].memory.state == InstanceState::Exhausted; }));
    killAndRestore(life);
    if (onceWithout) {
        auto without = std::make_unique<Life>(m_path, 2h);
        QVERIFY(without->state->open());
        without->stage.add(QStringLiteral("other"), crashes, loop);
        without->begin();
        QVERIFY(without->waitForWrites(1));
        QVERIFY(onDisk().agents[web].seenAt);
        without.reset();
        life = std::make_unique<Life>(m_path, 3h);
        QVERIFY(life->state->open());
        life->stage.add(web, crashes, policy);
        life->begin();
        QVERIFY(life->waitForWrites(1));
        killAndRestore(life);
    }
    constexpr Duration month = 30 * 24h;
    Life next(m_path, sameBoot ? Duration(1h) + month : Duration(5min),
              sameBoot ? Duration{} : month,
              sameBoot ? QStringLiteral("boot") : QStringLiteral("other"));
    QVERIFY(next.state->open());
    next.stage.add(web, crashes, policy);
    next.begin();
    QVERIFY(next.stage.state() == InstanceState::Exhausted);
    QCOMPARE(next.told(), QString());
}

void StateFileTest::removedAgentsAreForgotten()
{
    Life life(m_path);
    QVERIFY(life.state->open());
    const QUuid id = life.stage.add(web, crashes, loop);
    life.begin();
    QVERIFY(life.waitForWrites(1));
    life.stage.supervisor.remove(id);
    life.stage.advance(1s);
    QVERIFY(life.waitForWrites(2));
    QVERIFY(!onDisk().agents.contains(web));
}

// A licence tier that comes between add() and start changes the instance, and must not put what the
// file has in the place of nothing.
void StateFileTest::addedIsNotYetStarted()
{
    auto life = std::make_unique<Life>(m_path);
    QVERIFY(life->state->open());
    life->stage.add(web, crashes, breaker);
    life->begin();
    life.reset();

    Life next(m_path, 1h);
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

void StateFileTest::startsOnlyOnceFromTheFile()
{
    auto life = std::make_unique<Life>(m_path);
    QVERIFY(life->state->open());
    life->stage.add(web, crashes, breaker);
    life->begin();
    life.reset();

    Life next(m_path, 1h);
    QVERIFY(next.state->open());
    const QUuid id = next.stage.add(web, crashes, breaker);
    next.begin();
    next.stage.play(QStringLiteral("stop"));
    next.state->start(id);
    next.stage.advance(0s);
    QCOMPARE(next.state->resumedCount(), 1);
    QCOMPARE(next.told(),
             QStringLiteral("scheduled:1 cancelled:1 START started failed scheduled:1"));
}

void StateFileTest::ofItsOwnerAlone()
{
    const QString path = m_folder->filePath(QStringLiteral("new/folder/a.state"));
    Life life(path);
    QVERIFY(life.state->open());
    life.stage.add(web, crashes, loop);
    life.begin();
    QVERIFY(life.waitForWrites(1));
    constexpr auto others = QFileDevice::ReadGroup | QFileDevice::WriteGroup
        | QFileDevice::ReadOther | QFileDevice::WriteOther;
    QVERIFY(!(QFile::permissions(path) & others));
    QVERIFY(!(QFile::permissions(QFileInfo(path).path()) & others));
}

REKINDLE_TEST(StateFileTest)
#include "statefiletest.moc"
