// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "scriptedprobe.h"
#include "stage.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/heartbeatprobe.h>

#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

/// An agent that does what the script says, and nothing by itself.
class PuppetAgent final : public Agent
{
public:
    void start() override {}
    void stop() override {}
};

/// A monitor in virtual time with one agent, and the log of what is heard and asked.
class Ward
{
public:
    Ward()
    {
        QObject::connect(
            &monitor, &AgentMonitor::healthChanged, &monitor,
            [this](const QUuid &, const AgentHealthStatus &before, const AgentHealthStatus &after) {
                QVERIFY(before != after);
                QCOMPARE(monitor.health(id), after);
                write(after.consecutiveMisses == 0 ? toText(after.state)
                                                   : toText(after.state)
                              + QStringLiteral(":%1").arg(after.consecutiveMisses));
            });
        QObject::connect(&monitor, &AgentMonitor::agentWedged, &monitor,
                         [this](const QUuid &, quint64 generation, const Failure &theFailure) {
                             failure = theFailure;
                             write(QStringLiteral("WEDGED:%1").arg(generation));
                         });
        monitor.watch(id, &agent);
    }

    void setProbes(const QStringList &scripts, const HealthSchedule &schedule = {})
    {
        std::vector<HealthCheck> checks;
        for (const QString &script : scripts) {
            auto probe = std::make_unique<ScriptedProbe>(
                scheduler, script, [this](const QString &word) { write(word); });
            checks.push_back({QStringLiteral("probe"), schedule, std::move(probe)});
        }
        QCOMPARE(monitor.setHealth(id, std::move(checks)), QList<Fault>{});
    }

    /// Words: "+5s" lets time pass; "stall:5s" too, but nothing runs meanwhile; "utc:1d" and
    /// "utc:-1d" set the wall clock; the others are what the agent does.
    void play(const QString &script)
    {
        for (const QString &word : script.split(u' ', Qt::SkipEmptyParts)) {
            const QString argument = word.section(u':', 1);
            if (word.startsWith(u'+'))
                scheduler.advance(durationFromString(QStringView(word).mid(1)).value());
            else if (word.startsWith(QLatin1String("stall:")))
                clock.advance(durationFromString(argument).value());
            else if (word.startsWith(QLatin1String("utc:-")))
                moveUtc(-durationFromString(argument.mid(1)).value());
            else if (word.startsWith(QLatin1String("utc:")))
                moveUtc(durationFromString(argument).value());
            else
                act(word);
            scheduler.advance(0s);
        }
    }

    [[nodiscard]] QString log() const { return m_words.join(u' '); }

    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    PuppetAgent agent;
    AgentMonitor monitor{scheduler};
    QUuid id = QUuid::createUuid();
    Failure failure;

private:
    void moveUtc(Duration by)
    {
        clock.setUtc(clock.utcNow() + std::chrono::round<std::chrono::milliseconds>(by));
    }

    void act(const QString &word)
    {
        if (word == QLatin1String("start")) {
            monitor.setGeneration(id, ++m_generation);
            Q_EMIT agent.started();
        } else if (word == QLatin1String("ready")) {
            Q_EMIT agent.ready();
        } else if (word == QLatin1String("beat")) {
            Q_EMIT agent.heartbeat();
        } else if (word == QLatin1String("giveUp")) {
            Q_EMIT agent.gaveUp(QStringLiteral("lost"));
        } else if (word == QLatin1String("fail")) {
            Q_EMIT agent.failed(FailureReason::ProcessCrash, {});
        } else if (word == QLatin1String("stopped")) {
            Q_EMIT agent.stopped();
        } else if (word == QLatin1String("endHealth")) {
            monitor.endHealth(id);
        } else {
            qFatal("no such word: %s", qPrintable(word));
        }
    }

    void write(const QString &word)
    {
        if (const Instant now = clock.now(); now != m_written) {
            m_words.append(durationToString(now.time_since_epoch()));
            m_written = now;
        }
        m_words.append(word);
    }

    quint64 m_generation = 0;
    Instant m_written{};
    QStringList m_words;
};

} // namespace

class HealthTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void schedule_data();
    void schedule();
    void stalls_data();
    void stalls();
    void heartbeat_data();
    void heartbeat();
    void theVerdictTellsWhy();
    void theWorstOfSeveralProbesCounts();
    void theHistoryIsShortAndOutlivesARestart();
    void probesAreSpreadOverTheInterval();
    void badSchedulesAreRefused();
    void removedInItsOwnSignal();
    void replacedInItsOwnSignal();
    void theSupervisorKillsAndRestarts();
    void stoppingIsNotUnhealthy();
};

// Every 10 s, with 2 s, three misses; the last chance has 6 s.
void HealthTest::schedule_data()
{
    QTest::addColumn<QString>("answers");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("not before ready") << "ok"
                                      << "start +1h"
                                      << "";
    QTest::newRow("at ready and every interval") << "ok"
                                                 << "start +5s ready +20s"
                                                 << "5s run:2s Healthy 15s run:2s 25s run:2s";
    QTest::newRow("late answers keep the rhythm") << "ok@1s"
                                                  << "start ready +22s"
                                                  << "run:2s 1s Healthy 10s run:2s 20s run:2s";
    QTest::newRow("a miss, and well again")
        << "no no ok"
        << "start ready +20s"
        << "run:2s Unhealthy:1 10s run:2s Unhealthy:2 20s run:2s Healthy";
    QTest::newRow("only misses in a row count")
        << "no no ok no no ok"
        << "start ready +50s"
        << "run:2s Unhealthy:1 10s run:2s Unhealthy:2 20s run:2s Healthy "
           "30s run:2s Unhealthy:1 40s run:2s Unhealthy:2 50s run:2s Healthy";
    QTest::newRow("wedged: no answers")
        << "never"
        << "start ready +1h"
        << "run:2s 2s cancel Unhealthy:1 10s run:2s 12s cancel Unhealthy:2 20s run:2s "
           "22s cancel Unhealthy:3 run:6s 28s cancel Unhealthy:4 WEDGED:1";
    QTest::newRow("wedged: bad answers")
        << "no"
        << "start ready +1h"
        << "run:2s Unhealthy:1 10s run:2s Unhealthy:2 20s run:2s Unhealthy:3 run:6s Unhealthy:4 "
           "WEDGED:1";
    QTest::newRow("busy, not wedged")
        << "never never never ok@5s ok"
        << "start ready +30s"
        << "run:2s 2s cancel Unhealthy:1 10s run:2s 12s cancel Unhealthy:2 20s run:2s "
           "22s cancel Unhealthy:3 run:6s 27s Healthy 30s run:2s";
    QTest::newRow("ends in the middle of a run") << "never"
                                                 << "start ready +1s fail +1h"
                                                 << "run:2s 1s cancel";
    QTest::newRow("stops between two runs") << "ok"
                                            << "start ready +1s stopped +1h"
                                            << "run:2s Healthy";
    QTest::newRow("told to end") << "never"
                                 << "start ready +1s endHealth +1h"
                                 << "run:2s 1s cancel";
    QTest::newRow("a new start is a new beginning")
        << "no"
        << "start ready +10s fail +5s start +1s ready +7s"
        << "run:2s Unhealthy:1 10s run:2s Unhealthy:2 15s Unknown "
           "22.18034s run:2s Unhealthy:1";
    QTest::newRow("a second ready says nothing") << "ok"
                                                 << "ready +1h"
                                                 << "";
}

void HealthTest::schedule()
{
    QFETCH(QString, answers);
    QFETCH(QString, script);
    Ward ward;
    ward.setProbes({answers});
    ward.play(script);
    QTEST(ward.log(), "log");
}

// The same schedule. After a stall the run is repeated at another place in the interval: 6.18 s
// after it was noticed, then 2.36 s.
void HealthTest::stalls_data()
{
    QTest::addColumn<QString>("answers");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("stopped in the middle of a run")
        << "never ok"
        << "start ready +1s stall:1h +7s"
        << "run:2s 3601s cancel 3607.18034s run:2s Healthy";
    QTest::newRow("shorter, and noticed by the tick") << "never ok"
                                                      << "start ready +500ms stall:1s +500ms +7s"
                                                      << "run:2s 2s cancel 8.18034s run:2s Healthy";
    QTest::newRow("too short to matter") << "never ok"
                                         << "start ready +500ms stall:400ms +3s"
                                         << "run:2s 2s cancel Unhealthy:1";
    QTest::newRow("a bad answer of the span does not count") << "no@1s ok"
                                                             << "start ready stall:30s +7s"
                                                             << "run:2s 36.18034s run:2s Healthy";
    QTest::newRow("a good one does") << "ok@1s"
                                     << "start ready stall:30s"
                                     << "run:2s 30s Healthy";
    QTest::newRow("stopped between two runs") << "ok"
                                              << "start ready +5s stall:1h +7s"
                                              << "run:2s Healthy 3611.18034s run:2s";
    QTest::newRow("stopped in its last chance")
        << "no no no never never"
        << "start ready +21s stall:10s +7s +10s"
        << "run:2s Unhealthy:1 10s run:2s Unhealthy:2 20s run:2s Unhealthy:3 run:6s 31s cancel "
           "37.18034s run:6s 43.18034s cancel Unhealthy:4 WEDGED:1";
    QTest::newRow("the machine slept in the middle of a run")
        << "never ok"
        << "start ready +1s utc:1d +10s"
        << "run:2s 2s cancel 8.18034s run:2s Healthy";
    QTest::newRow("the clock was set back") << "never ok"
                                            << "start ready +1s utc:-1d +10s"
                                            << "run:2s 2s cancel 8.18034s run:2s Healthy";
    QTest::newRow("the clock was set between two runs")
        << "ok never"
        << "start ready +1s utc:1d +12s"
        << "run:2s Healthy 10s run:2s 12s cancel Unhealthy:1";
    QTest::newRow("the clock is slewed") << "never"
                                         << "start ready +1s utc:1s +1s"
                                         << "run:2s 2s cancel Unhealthy:1";
    QTest::newRow("misses from before stay")
        << "no no never no no"
        << "start ready +21s stall:10s +7s"
        << "run:2s Unhealthy:1 10s run:2s Unhealthy:2 20s run:2s 31s cancel "
           "37.18034s run:2s Unhealthy:3 run:6s Unhealthy:4 WEDGED:1";
}

void HealthTest::stalls() { schedule(); }

// Every 10 s, with 2 s, one miss; the last chance has 6 s.
void HealthTest::heartbeat_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("beating") << "start ready beat +8s beat +8s beat +8s beat +8s"
                             << "Healthy";
    QTest::newRow("in time within the run") << "start ready +1s beat"
                                            << "1s Healthy";
    QTest::newRow("silent") << "start ready beat +20s"
                            << "Healthy 12s Unhealthy:1 18s "
                               "Unhealthy:2 WEDGED:1";
    QTest::newRow("silent from the start") << "start ready +8s"
                                           << "2s Unhealthy:1 8s Unhealthy:2 "
                                              "WEDGED:1";
    QTest::newRow("late, but there") << "start ready +7s beat"
                                     << "2s Unhealthy:1 7s Healthy";
    QTest::newRow("an old one is no sign of life")
        << "start ready beat beat beat fail +1s start ready +9s"
        << "Healthy 1s Unknown 9.18034s Unhealthy:1";
    QTest::newRow("gives up at once") << "start ready beat +1s giveUp +1h"
                                      << "Healthy 1s Unhealthy WEDGED:1";
    QTest::newRow("gives up before it is ready") << "start giveUp +1h"
                                                 << "Unhealthy WEDGED:1";
    QTest::newRow("gives up twice") << "start ready giveUp giveUp +1h"
                                    << "Unhealthy WEDGED:1";
    QTest::newRow("gives up when it has ended") << "start ready fail giveUp +1h"
                                                << "";
}

void HealthTest::heartbeat()
{
    QFETCH(QString, script);
    Ward ward;
    std::vector<HealthCheck> checks;
    HealthSchedule schedule;
    schedule.misses = 1;
    checks.push_back(
        {QStringLiteral("heartbeat"), schedule, std::make_unique<HeartbeatProbe>(ward.agent)});
    QVERIFY(ward.monitor.setHealth(ward.id, std::move(checks)).isEmpty());
    ward.play(script);
    QTEST(ward.log(), "log");
}

void HealthTest::theVerdictTellsWhy()
{
    Ward ward;
    ward.setProbes({QStringLiteral("never")});
    ward.play(QStringLiteral("start ready +1m"));
    QCOMPARE(ward.failure.reason, FailureReason::HealthCheckFailed);
    QCOMPARE(ward.failure.detail.message,
             QStringLiteral("health probe probe failed 3 times in a row and with a timeout of 6s: "
                            "no answer within 6s"));
    const AgentHealthStatus status = ward.monitor.health(ward.id);
    QCOMPARE(status.history.size(), 4);
    const ProbeResult expected{UtcTime{1767225600s + 28s}, false, 6s,
                               QStringLiteral("no answer within 6s"), QStringLiteral("probe")};
    QCOMPARE(status.history.last(), expected);
    QCOMPARE(status.detail, expected.text);
}

// The second one has its turn 6.18 s later.
void HealthTest::theWorstOfSeveralProbesCounts()
{
    Ward ward;
    ward.setProbes({QStringLiteral("ok"), QStringLiteral("no no ok")});
    ward.play(QStringLiteral("start ready +30s"));
    QCOMPARE(ward.log(),
             QStringLiteral("run:2s Healthy 6.18034s run:2s Unhealthy:1 10s run:2s "
                            "16.18034s run:2s Unhealthy:2 20s run:2s 26.18034s run:2s "
                            "Healthy 30s run:2s"));
}

void HealthTest::theHistoryIsShortAndOutlivesARestart()
{
    Ward ward;
    ward.setProbes({QStringLiteral("no ok")});
    ward.play(QStringLiteral("start ready +95s"));
    AgentHealthStatus status = ward.monitor.health(ward.id);
    QCOMPARE(status.history.size(), AgentHealthStatus::longestHistory);
    QVERIFY(!status.history.first().ok);
    ward.play(QStringLiteral("+10s"));
    status = ward.monitor.health(ward.id);
    QCOMPARE(status.history.size(), AgentHealthStatus::longestHistory);
    QVERIFY(status.history.first().ok);
    // While its failure is decided it still tells what was.
    ward.play(QStringLiteral("fail"));
    QCOMPARE(ward.monitor.health(ward.id), status);
    ward.play(QStringLiteral("start"));
    QCOMPARE(ward.monitor.health(ward.id).state, AgentHealthStatus::State::Unknown);
    QCOMPARE(ward.monitor.health(ward.id).history, status.history);
}

// A thousand agents that become ready together: no 100 ms of the interval has more than its share.
void HealthTest::probesAreSpreadOverTheInterval()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    AgentMonitor monitor(scheduler);
    std::vector<std::unique_ptr<PuppetAgent>> agents;
    std::array<int, 100> runs{};
    for (int i = 0; i < 1000; ++i) {
        agents.push_back(std::make_unique<PuppetAgent>());
        const QUuid id = QUuid::createUuid();
        monitor.watch(id, agents.back().get());
        std::vector<HealthCheck> checks;
        checks.push_back(
            {QStringLiteral("probe"),
             {},
             std::make_unique<ScriptedProbe>(scheduler, QStringLiteral("ok"), [&](const QString &) {
                 const auto at = clock.now().time_since_epoch() / 100ms;
                 ++runs[static_cast<std::size_t>(at % 100)];
             })});
        QVERIFY(monitor.setHealth(id, std::move(checks)).isEmpty());
        Q_EMIT agents.back()->started();
        Q_EMIT agents.back()->ready();
    }
    scheduler.advance(9999ms);
    for (const int count : runs)
        QVERIFY2(count >= 8 && count <= 12, qPrintable(QString::number(count)));
}

void HealthTest::badSchedulesAreRefused()
{
    Ward ward;
    ward.setProbes({QStringLiteral("ok")});
    std::vector<HealthCheck> checks;
    checks.push_back({QStringLiteral("good"), {}, std::make_unique<HeartbeatProbe>(ward.agent)});
    checks.push_back({QStringLiteral("bad"), {}, nullptr});
    checks.back().schedule.misses = 0;
    checks.back().schedule.lastChance = 1s;
    QStringList texts;
    for (const Fault &fault : ward.monitor.setHealth(ward.id, std::move(checks)))
        texts.append(fault.toString());
    QCOMPARE(texts,
             (QStringList{QStringLiteral("/1: found no probe"),
                          QStringLiteral("/1/misses: found 0, allowed 1 to 1000"),
                          QStringLiteral("/1/lastChance: found 1s, allowed 2s to 1h")}));
    // The old ones stay.
    ward.play(QStringLiteral("start ready"));
    QCOMPARE(ward.log(), QStringLiteral("run:2s Healthy"));
}

void HealthTest::removedInItsOwnSignal()
{
    Ward ward;
    ward.setProbes({QStringLiteral("no"), QStringLiteral("no")});
    connect(&ward.monitor, &AgentMonitor::healthChanged, &ward.monitor,
            [&] { ward.monitor.unwatch(ward.id); });
    ward.play(QStringLiteral("start ready"));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    ward.play(QStringLiteral("+1h"));
    QCOMPARE(ward.log(), QStringLiteral("run:2s Unhealthy:1"));
}

void HealthTest::replacedInItsOwnSignal()
{
    Ward ward;
    ward.setProbes({QStringLiteral("no")});
    const QMetaObject::Connection once =
        connect(&ward.monitor, &AgentMonitor::healthChanged, &ward.monitor, [&] {
            disconnect(once);
            ward.setProbes({QStringLiteral("ok")});
        });
    ward.play(QStringLiteral("start ready +1h"));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(ward.log(), QStringLiteral("run:2s Unhealthy:1"));
    ward.play(QStringLiteral("fail start ready +7s"));
    QVERIFY(ward.log().endsWith(QLatin1String("Healthy")));
}

void HealthTest::theSupervisorKillsAndRestarts()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {});
    std::vector<HealthCheck> checks;
    checks.push_back(
        {QStringLiteral("probe"),
         {},
         std::make_unique<ScriptedProbe>(stage.scheduler, QStringLiteral("no no no no ok"),
                                         [](const QString &) {})});
    QVERIFY(stage.supervisor.monitor().setHealth(id, std::move(checks)).isEmpty());
    stage.play(QStringLiteral("start +100s"));
    QCOMPARE(stage.log.text(),
             QStringLiteral("START started ready 20s failed:HealthCheckFailed scheduled:1 KILL "
                            "21s restart:1 START started ready won:1 81s stable"));
}

// It may be slow to end; its probes are not asked meanwhile.
void HealthTest::stoppingIsNotUnhealthy()
{
    Stage stage;
    const QUuid id = stage.add(QStringLiteral("web"), {.onStop = QStringLiteral("+1h stopped")});
    std::vector<HealthCheck> checks;
    checks.push_back({QStringLiteral("probe"),
                      {},
                      std::make_unique<ScriptedProbe>(stage.scheduler, QStringLiteral("ok no"),
                                                      [](const QString &) {})});
    QVERIFY(stage.supervisor.monitor().setHealth(id, std::move(checks)).isEmpty());
    stage.play(QStringLiteral("start +5s stop +1m"));
    QCOMPARE(stage.supervisor.monitor().health(id).state, AgentHealthStatus::State::Healthy);
}

QTEST_GUILESS_MAIN(HealthTest)
#include "healthtest.moc"
