// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/workers/workerheartbeat_p.h"
#include "lifecycle/workerstage.h"
#include "testprogram.h"

#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

#define TRY_TEXT(stage, expected)                                                                  \
    QTRY_COMPARE_WITH_TIMEOUT((stage).text(), QStringLiteral(expected), longWait)

class WorkerHangTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup();

    void timing_data();
    void timing();
    void numbersOutOfRange();

    void healthyWorkerIsLeftAlone();
    void hungIsSetAside();
    void hangsAndIsReplaced();
    void busyIsNotHung();
    void lateReportsChangeNothing();
    void stoppedWhileItHangs();
    void killedWhileItHangs();
    void failsAndDoesNotEnd();
    void hangsInItsDestructor();
    void destroyedWhileItHangs();
    void destroyedFromTheSignal();
};

namespace {

// 10 s interval, 2 s timeout, 3 misses, then 10 s: the default.
constexpr Duration untilVerdict = 10s + 10s + 10s + 2s + 10s;

// Blocks the worker's event loop until the test opens the gate.
class Hang
{
public:
    explicit Hang(WorkerStage &stage)
        : m_channel(stage.channel)
    {
        m_channel->send([gate = m_gate](QObject &) { gate->pass(); });
    }
    ~Hang() { m_gate->open(); }
    Q_DISABLE_COPY_MOVE(Hang)

    [[nodiscard]] bool holds() const { return m_gate->isReached(); }
    void open() const { m_gate->open(); }

private:
    Channel m_channel;
    std::shared_ptr<Gate> m_gate = std::make_shared<Gate>();
};

// All that was posted to the event loop before has been handled.
void pass(WorkerStage &stage)
{
    const auto done = std::make_shared<std::atomic<bool>>(false);
    stage.channel->send([done](QObject &) { *done = true; });
    QTRY_VERIFY_WITH_TIMEOUT(*done, longWait);
}

} // namespace

void WorkerHangTest::cleanup()
{
    QTRY_COMPARE_WITH_TIMEOUT(WorkerAgent::strandedThreads(), 0, longWait);
}

// Words: "+5s" lets time pass; "answer" answers the ping that is under way; "stall:5s" holds the
// host up, so that its deadlines fire late; "sleep:5s" moves the wall clock alone, as a machine
// that sleeps does. The log: "ping@10s", "hung@42s".
void WorkerHangTest::timing_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");
    const auto row = [](const char *name, const char *script, const char *log) {
        QTest::newRow(name) << QString::fromLatin1(script) << QString::fromLatin1(log);
    };
    row("first ping after an interval", "+9s +1s", "ping@10s");
    row("answered", "+10s answer +10s answer +10s answer", "ping@10s ping@20s ping@30s");
    row("never answered", "+41s +1s", "ping@10s hung@42s");
    row("not before the last chance is over", "+41999ms", "ping@10s");
    row("one ping at a time", "+32s", "ping@10s");
    row("a late answer ends the misses", "+31s answer +40s", "ping@10s ping@40s");
    row("and then all begins anew", "+31s answer +41s", "ping@10s ping@40s hung@72s");
    row("answered in the last chance", "+41s answer +1s +100s", "ping@10s ping@41.25s hung@73.25s");
    row("two misses and an answer are nothing", "+25s answer +5s answer +10s answer +10s answer",
        "ping@10s ping@30s ping@40s ping@50s");
    row("a stalled host counts no miss", "+11s stall:60s +0ms answer +2s +8s",
        "ping@10s ping@71.25s");
    row("a stalled host gives no verdict", "+33s stall:1h +9s answer +1s",
        "ping@10s ping@3642.25s");
    row("but it goes on asking", "+33s stall:60s +10s", "ping@10s hung@103s");
    // It can be over before the wait is: the worker had the rest of it, which may be nothing.
    row("stalled within the last wait", "+30s stall:1900ms +40s", "ping@10s hung@43.9s");
    row("stalled within the last chance", "+32s stall:9s +40s", "ping@10s hung@51s");
    row("asleep within the last chance", "+33s sleep:1h +40s", "ping@10s hung@43.25s");
    row("stalled between two pings", "+15s stall:2s +40s", "ping@10s hung@42s");
    row("a little late is not stalled", "+41900ms stall:400ms +0ms", "ping@10s hung@42.3s");
    row("nor is a little late on the way", "+33s stall:700ms +40s", "ping@10s hung@42s");
    row("late for the ping itself", "+9s stall:60s +0ms answer +10s", "ping@69s ping@79s");
}

void WorkerHangTest::timing()
{
    QFETCH(QString, script);
    QFETCH(QString, log);
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    const WorkerOptions options;
    bool answered = true;
    QStringList words;
    const auto write = [&](const QString &word) {
        words.append(word + u'@' + durationToString(scheduler.now().time_since_epoch()));
    };
    WorkerHeartbeat heartbeat(scheduler, options,
                              {[&] {
                                   answered = false;
                                   write(QStringLiteral("ping"));
                               },
                               [&] { return answered; },
                               [&](const WorkerHeartbeat::Finding &finding) {
                                   if (finding.isHung)
                                       write(QStringLiteral("hung"));
                               }});
    heartbeat.begin();
    for (const QString &word : script.split(u' ')) {
        if (word == QLatin1String("answer"))
            answered = true;
        else if (word.startsWith(QLatin1String("stall:")))
            clock.advance(durationFromString(QStringView(word).mid(6)).value());
        else if (word.startsWith(QLatin1String("sleep:")))
            clock.setUtc(clock.utcNow()
                         + std::chrono::round<std::chrono::milliseconds>(
                             durationFromString(QStringView(word).mid(6)).value()));
        else
            scheduler.advance(durationFromString(QStringView(word).mid(1)).value());
    }
    QCOMPARE(words.join(u' '), log);
    heartbeat.end();
    QCOMPARE(scheduler.armedCount(), std::size_t{0});
}

void WorkerHangTest::numbersOutOfRange()
{
    WorkerStage stage({.heartbeatInterval = -1s,
                       .heartbeatTimeout = 0s,
                       .misses = 0,
                       .lastChance = -1s,
                       .stopTimeout = -1s,
                       .killTimeout = -1s});
    const WorkerOptions &options = stage.agent->options();
    QVERIFY(options.heartbeatInterval == 0s);
    QVERIFY(options.heartbeatTimeout == 1ms);
    QCOMPARE(options.misses, 1);
    QVERIFY(options.lastChance == 0s);
    QVERIFY(options.stopTimeout == 0s);
    QVERIFY(options.killTimeout == 0s);
    // Switched off: nothing waits.
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
}

void WorkerHangTest::healthyWorkerIsLeftAlone()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    for (int i = 0; i < 20; ++i) {
        stage.scheduler.advance(10s);
        pass(stage);
        stage.scheduler.advance(2s);
    }
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
}

void WorkerHangTest::hungIsSetAside()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.scheduler.advance(untilVerdict - 1ms);
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
    stage.scheduler.advance(1ms);
    QCOMPARE(stage.text(),
             QStringLiteral("started ready aside failed:HealthCheckFailed(its event loop does not "
                            "answer; its thread is set aside)"));
    QVERIFY(!stage.agent->isAlive());
    QCOMPARE(WorkerAgent::strandedThreads(), 1);
    QCOMPARE(stage.channel->destroyedCount(), 0);
    // It is asked to end, and does when it comes back.
    QVERIFY(stage.channel->context(0).stopRequested());
    hang.open();
    QTRY_COMPARE_WITH_TIMEOUT(stage.channel->destroyedCount(), 1, longWait);
    QVERIFY(stage.channel->alwaysInItsThread());
}

void WorkerHangTest::hangsAndIsReplaced()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.scheduler.advance(untilVerdict);
    stage.agent->start();
    QTRY_COMPARE_WITH_TIMEOUT(stage.channel->madeCount(), 2, longWait);
    QTRY_VERIFY_WITH_TIMEOUT(stage.text().endsWith(QStringLiteral("started ready")), longWait);
    const QString before = stage.text();
    // The old one comes back and ends beside the new one, which lives on.
    hang.open();
    QTRY_COMPARE_WITH_TIMEOUT(WorkerAgent::strandedThreads(), 0, longWait);
    QCOMPARE(stage.channel->destroyedCount(), 1);
    pass(stage);
    QCOMPARE(stage.text(), before);
    stage.agent->stop();
    QTRY_COMPARE_WITH_TIMEOUT(stage.text(), before + QStringLiteral(" stopped"), longWait);
}

void WorkerHangTest::busyIsNotHung()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang work(stage);
    QTRY_VERIFY_WITH_TIMEOUT(work.holds(), longWait);
    stage.scheduler.advance(untilVerdict - 1s);
    work.open();
    pass(stage);
    stage.scheduler.advance(10s);
    pass(stage);
    stage.scheduler.advance(10s);
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
    QVERIFY(stage.agent->isAlive());
}

void WorkerHangTest::lateReportsChangeNothing()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.scheduler.advance(untilVerdict);
    const QString before = stage.text();
    const WorkerContext old = stage.channel->context(0);
    old.ready();
    old.requestRestart(QStringLiteral("late"));
    old.fail(FailureReason::Unknown, QStringLiteral("late"));
    QCOMPARE(stage.agent->lateReports(), quint64{3});
    QCoreApplication::processEvents();
    QCOMPARE(stage.text(), before);
}

void WorkerHangTest::stoppedWhileItHangs()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.agent->stop();
    stage.scheduler.advance(3s);
    // A second stop does not begin anew.
    stage.agent->stop();
    stage.scheduler.advance(1999ms);
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
    stage.scheduler.advance(1ms);
    QCOMPARE(stage.text(), QStringLiteral("started ready aside stopped"));
    QCOMPARE(WorkerAgent::strandedThreads(), 1);
}

void WorkerHangTest::killedWhileItHangs()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.agent->stop();
    stage.scheduler.advance(1s);
    stage.agent->kill();
    stage.scheduler.advance(1s);
    QCOMPARE(stage.text(), QStringLiteral("started ready aside stopped"));
}

void WorkerHangTest::failsAndDoesNotEnd()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.channel->context(0).fail(FailureReason::DependencyFailure, QStringLiteral("feed lost"));
    QTRY_VERIFY_WITH_TIMEOUT(stage.scheduler.nextDue().time_since_epoch() == 5s, longWait);
    stage.scheduler.advance(5s);
    QCOMPARE(stage.text(),
             QStringLiteral("started ready aside failed:DependencyFailure(feed lost; it did not "
                            "end within 5s; its thread is set aside)"));
}

void WorkerHangTest::hangsInItsDestructor()
{
    struct Stubborn : QObject
    {
        explicit Stubborn(std::shared_ptr<Gate> theGate)
            : gate(std::move(theGate))
        {
        }
        ~Stubborn() override { gate->pass(); }
        Q_DISABLE_COPY_MOVE(Stubborn)
        std::shared_ptr<Gate> gate;
    };
    const auto gate = std::make_shared<Gate>();
    WorkerStage stage({},
                      [gate](const WorkerContext &) { return std::make_unique<Stubborn>(gate); });
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    stage.agent->stop();
    QTRY_VERIFY_WITH_TIMEOUT(gate->isReached(), longWait);
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
    stage.scheduler.advance(5s);
    QCOMPARE(stage.text(), QStringLiteral("started ready aside stopped"));
    gate->open();
}

void WorkerHangTest::destroyedWhileItHangs()
{
    WorkerStage stage;
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.scheduler.advance(15s);
    stage.agent.reset();
    QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
    QCOMPARE(WorkerAgent::strandedThreads(), 1);
    hang.open();
    QTRY_COMPARE_WITH_TIMEOUT(stage.channel->destroyedCount(), 1, longWait);
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
}

// What a slot may do at the worst moment.
void WorkerHangTest::destroyedFromTheSignal()
{
    WorkerStage stage;
    QObject::connect(stage.agent.get(), &WorkerAgent::threadSetAside, &stage.log,
                     [&] { stage.agent.reset(); });
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(stage);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.scheduler.advance(untilVerdict);
    QVERIFY(!stage.agent);
    QCOMPARE(stage.text(), QStringLiteral("started ready aside"));
}

REKINDLE_TEST(WorkerHangTest)
#include "workerhangtest.moc"
