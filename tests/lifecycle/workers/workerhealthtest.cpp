// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/workers/workerheartbeat_p.h"
#include "scriptedevaluators.h"
#include "testprogram.h"
#include "workerhost.h"

#include <rekindle/lifecycle/agentmonitor.h>

#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

#define TRY_TEXT(stage, expected)                                                                  \
    QTRY_COMPARE_WITH_TIMEOUT((stage).text(), QStringLiteral(expected), longWait)

/// The heartbeat of a worker's event loop is its health.
class WorkerHealthTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup();

    void findings_data();
    void findings();
    void aBeatIsHealthy();
    void aMissIsNotForgottenUntilItAnswers();
    void theDecisionAfterAHangHasTheHealth();
    void anEvaluatorIsAskedWithIt();
    void destroyedWhenItHearsOfTheVerdict();
    void stoppedWhenItHearsOfTheVerdict();
};

namespace {

const QString stable = QStringLiteral("'stableAfter':'1h'");

// Its event loop has come round once more.
void pass(WorkerChannel &channel)
{
    const auto done = std::make_shared<std::atomic<bool>>(false);
    channel.send([done](QObject &) { *done = true; });
    QTRY_VERIFY_WITH_TIMEOUT(*done, longWait);
}

// It does not answer until the test opens the gate, at its end at the latest.
class Hang
{
public:
    explicit Hang(WorkerChannel &channel)
    {
        channel.send([gate = m_gate](QObject &) { gate->pass(); });
    }
    ~Hang() { m_gate->open(); }
    Q_DISABLE_COPY_MOVE(Hang)

    [[nodiscard]] bool holds() const { return m_gate->isReached(); }
    void open() const { m_gate->open(); }

private:
    std::shared_ptr<Gate> m_gate = std::make_shared<Gate>();
};

} // namespace

void WorkerHealthTest::cleanup()
{
    QTRY_COMPARE_WITH_TIMEOUT(WorkerAgent::strandedThreads(), 0, longWait);
}

// Words: "+5s" lets time pass, "answer" answers the ping that is under way, "stall:5s" holds the
// host up. The log: "good 250ms@10.25s", "miss:2 12s@22s".
void WorkerHealthTest::findings_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("answered") << "+10s answer +10s answer +1s"
                              << "good 250ms@10.25s good 250ms@20.25s";
    QTest::newRow("answered within the timeout") << "+11s answer +1s"
                                                 << "good 1.25s@11.25s";
    QTest::newRow("never answered") << "+42s +100s"
                                    << "miss:1 2s@12s miss:2 12s@22s miss:3 22s@32s "
                                       "miss:4 32s@42s hung";
    QTest::newRow("late, but there") << "+31s answer +1s"
                                     << "miss:1 2s@12s miss:2 12s@22s good 21.25s@31.25s";
    QTest::newRow("late, between two pings") << "+15s answer +6s"
                                             << "miss:1 2s@12s";
    QTest::newRow("in the last chance") << "+41s answer +1s"
                                        << "miss:1 2s@12s miss:2 12s@22s miss:3 22s@32s "
                                           "good 31.25s@41.25s";
    QTest::newRow("a stalled host finds nothing") << "+11s stall:60s +0ms +1s"
                                                  << "";
}

void WorkerHealthTest::findings()
{
    QFETCH(QString, script);
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    const WorkerOptions options;
    bool answered = true;
    QStringList words;
    const auto found = [&](const WorkerHeartbeat::Finding &finding) {
        words.append(
            (finding.ok ? QStringLiteral("good") : QStringLiteral("miss:%1").arg(finding.misses))
            + u' ' + durationToString(finding.took) + u'@'
            + durationToString(scheduler.now().time_since_epoch()));
        if (finding.isHung)
            words.append(QStringLiteral("hung"));
    };
    WorkerHeartbeat heartbeat(scheduler, options,
                              {[&] { answered = false; }, [&] { return answered; }, found});
    heartbeat.begin();
    for (const QString &word : script.split(u' ')) {
        if (word == QLatin1String("answer"))
            answered = true;
        else if (word.startsWith(QLatin1String("stall:")))
            clock.advance(durationFromString(QStringView(word).mid(6)).value());
        else
            scheduler.advance(durationFromString(QStringView(word).mid(1)).value());
    }
    QTEST(words.join(u' '), "log");
}

void WorkerHealthTest::aBeatIsHealthy()
{
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerHost host(channelFactory(channel), stable);
    TRY_WORDS(host, "ready", 1);
    for (int i = 0; i < 12; ++i) {
        host.scheduler.advance(10s);
        pass(*channel);
    }
    host.scheduler.advance(250ms);
    QCOMPARE(host.log.text(), QStringLiteral("started ready 10.25s healthy"));
    const AgentHealthStatus health = host.supervisor.monitor().health(host.id);
    QCOMPARE(health.state, AgentHealthStatus::State::Healthy);
    QCOMPARE(health.history.size(), AgentHealthStatus::longestHistory);
    const ProbeResult beat{host.clock.utcNow(), true, 250ms,
                           QStringLiteral("its event loop answers"), QStringLiteral("heartbeat")};
    QCOMPARE(health.latest(), beat);
    QCOMPARE(host.supervisor.snapshot(host.id)->health, health);
}

void WorkerHealthTest::aMissIsNotForgottenUntilItAnswers()
{
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerHost host(channelFactory(channel), stable);
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*channel);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    host.scheduler.advance(21s);
    QCOMPARE(host.supervisor.snapshot(host.id)->health.state, AgentHealthStatus::State::Unhealthy);
    hang.open();
    pass(*channel);
    host.scheduler.advance(250ms);
    QCOMPARE(host.log.text(), QStringLiteral("started ready 12s unhealthy:1 21.25s healthy"));
}

void WorkerHealthTest::theDecisionAfterAHangHasTheHealth()
{
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerHost host(channelFactory(channel), stable);
    QList<AgentHealthStatus> seen;
    connect(&host.supervisor.evaluator(), &RestartPolicyEvaluator::decided, this,
            [&] { seen.append(host.supervisor.snapshot(host.id)->health); });
    TRY_WORDS(host, "ready", 1);
    const Hang hang(*channel);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    const UtcTime ready = host.clock.utcNow();
    host.scheduler.advance(42s);
    QCOMPARE(seen.size(), 1);
    QCOMPARE(seen[0].state, AgentHealthStatus::State::Unhealthy);
    QCOMPARE(seen[0].consecutiveMisses, 4);
    QCOMPARE(seen[0].history.size(), 4);
    const ProbeResult last{ready + 42s, false, 32s,
                           QStringLiteral("its event loop has not answered for 32s"),
                           QStringLiteral("heartbeat")};
    QCOMPARE(seen[0].latest(), last);
    QCOMPARE(host.message(),
             QStringLiteral("its event loop does not answer; its thread is set aside"));
    // The next start knows what was, and counts anew.
    host.scheduler.advance(1s);
    TRY_WORDS(host, "ready", 2);
    const AgentHealthStatus anew = host.supervisor.monitor().health(host.id);
    QCOMPARE(anew.state, AgentHealthStatus::State::Unknown);
    QCOMPARE(anew.consecutiveMisses, 0);
    QCOMPARE(anew.history, seen[0].history);
}

void WorkerHealthTest::anEvaluatorIsAskedWithIt()
{
    ScriptedEvaluators evaluators;
    const auto channel = std::make_shared<WorkerChannel>();
    WorkerHost host(channelFactory(channel), {});
    host.supervisor.evaluator().setCustomEvaluators(&evaluators);
    TRY_WORDS(host, "ready", 1);
    QVERIFY(host.supervisor.setPolicy(host.id, policyOf(activePolicy())).isEmpty());
    const Hang hang(*channel);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    host.scheduler.advance(42s);
    QCOMPARE(evaluators.requests.size(), 1);
    const AgentHealthStatus health = evaluators.requests.first().context.healthStatus;
    QCOMPARE(health.state, AgentHealthStatus::State::Unhealthy);
    QCOMPARE(health.latest().probe, QStringLiteral("heartbeat"));
    QCOMPARE(health.history.size(), 4);
}

void WorkerHealthTest::destroyedWhenItHearsOfTheVerdict()
{
    WorkerStage stage;
    connect(stage.agent.get(), &Agent::probed, this, [&](const ProbeResult &, int misses) {
        if (misses == 4)
            stage.agent.reset();
    });
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(*stage.channel);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.scheduler.advance(42s);
    QVERIFY(!stage.agent);
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
    QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
}

// Then it is one that does not end, and has the time for that.
void WorkerHealthTest::stoppedWhenItHearsOfTheVerdict()
{
    WorkerStage stage;
    connect(stage.agent.get(), &Agent::probed, this, [&](const ProbeResult &, int misses) {
        if (misses == 4)
            stage.agent->stop();
    });
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
    const Hang hang(*stage.channel);
    QTRY_VERIFY_WITH_TIMEOUT(hang.holds(), longWait);
    stage.scheduler.advance(42s);
    QCOMPARE(stage.text(), QStringLiteral("started ready"));
    stage.scheduler.advance(5s);
    QCOMPARE(stage.text(), QStringLiteral("started ready aside stopped"));
}

REKINDLE_TEST(WorkerHealthTest)
#include "workerhealthtest.moc"
