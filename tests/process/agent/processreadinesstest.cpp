// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/agentlog.h"
#include "processes.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>

using namespace Rekindle;
using namespace std::chrono_literals;

class ProcessReadinessTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aliveIsReadyAfterDuration()
    {
        ProcessDefinition definition = chaos("hang");
        definition.readiness = {Readiness::Kind::Alive, 50ms, {}};
        AgentLog log(definition);
        const Instant before = log.scheduler.now();
        log.agent.start();
        QCOMPARE(log.entries, QStringList{QStringLiteral("started")});
        QVERIFY(log.waitFor(QStringLiteral("ready")));
        QVERIFY(log.scheduler.now() - before >= 50ms);
    }

    void isNotReadyAfterExit()
    {
        ProcessDefinition definition = chaos("exit 1");
        definition.readiness = {Readiness::Kind::Alive, 1h, {}};
        AgentLog log(definition);
        QVERIFY(log.run());
        QCOMPARE(log.entries,
                 (QStringList{QStringLiteral("started"), QStringLiteral("failed ProcessCrash")}));
    }

    void matchingLineMakesReadyOnce()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("go"));
        ProcessDefinition definition =
            chaos({QStringLiteral("out"), QStringLiteral("starting"), QStringLiteral("err"),
                   QStringLiteral("Serving HTTP"), QStringLiteral("await"), file,
                   QStringLiteral("out"), QStringLiteral("Serving HTTP on port 1"),
                   QStringLiteral("out"), QStringLiteral("Serving HTTP on port 2"),
                   QStringLiteral("exit"), QStringLiteral("0")});
        definition.readiness = {Readiness::Kind::Line, {}, QStringLiteral("^Serving HTTP .*\\d$")};
        AgentLog log(definition);
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("err Serving HTTP")));
        QVERIFY(!log.entries.contains(QStringLiteral("ready")));
        QVERIFY(QFile(file).open(QIODevice::WriteOnly));
        QVERIFY(log.waitForEnd());
        const QStringList expected{
            QStringLiteral("out Serving HTTP on port 1"), QStringLiteral("ready"),
            QStringLiteral("out Serving HTTP on port 2"), QStringLiteral("stopped")};
        QCOMPARE(log.entries.mid(log.entries.size() - 4), expected);
    }

    void lineMatchesAsAPersonSeesIt_data()
    {
        // text: of printf
        const Rows<QString, QString> row("text", "pattern");
        row("colors", R"(\033[1;32mready\033[0m\n)", "^ready$");
        row("colors inside", R"(http://\033[1mlocalhost\033[22m:80\n)", "http://localhost:80");
        row("title", R"(\033]0;server\007ready\n)", "^ready$");
        row("carriage return", R"(ready\r\n)", "^ready$");
        row("progress", R"(1%%\r100%%\rready\n)", "^ready$");
        row("no end", R"(listening on 80)", "listening on 80$");
        row("no end, after a line", R"(hello\nlogin: )", "^login: $");
    }

    void lineMatchesAsAPersonSeesIt()
    {
        QFETCH(QString, text);
        QFETCH(QString, pattern);
        ProcessDefinition definition;
        definition.program = QStringLiteral("sh");
        definition.arguments = {QStringLiteral("-c"),
                                QStringLiteral("printf \"$1\"; exec sleep 1000"),
                                QStringLiteral("sh"), text};
        definition.readiness = {Readiness::Kind::Line, {}, pattern};
        AgentLog log(definition);
        log.agent.start();
        QVERIFY2(log.waitFor(QStringLiteral("ready")), qPrintable(log.entries.join(u' ')));
        QCOMPARE(log.entries.count(QStringLiteral("ready")), 1);
    }

    void nestedEventLoopInSlotLosesNoSignal_data()
    {
        const Rows<QString, Readiness> row("how", "readiness");
        row("line", "out", Readiness{Readiness::Kind::Line, {}, QStringLiteral("READY")});
        row("notify", "notify", Readiness{Readiness::Kind::Notify, {}, {}});
    }

    void nestedEventLoopInSlotLosesNoSignal()
    {
        QFETCH(QString, how);
        QFETCH(Readiness, readiness);
        ProcessDefinition definition = chaos("%1 READY=1 out said hang", how);
        definition.readiness = readiness;
        AgentLog log(definition);
        connect(&log.agent, &Agent::started, this,
                [&] { QVERIFY(log.waitFor(QStringLiteral("out said"))); });
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("ready")));
        QCOMPARE(log.entries.count(QStringLiteral("ready")), 1);
    }

    void hostReportsReady()
    {
        ProcessDefinition definition = chaos("out up hang");
        definition.readiness.kind = Readiness::Kind::Reported;
        AgentLog log(definition);
        log.agent.reportReady(); // nothing runs
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("out up")));
        QVERIFY(!log.entries.contains(QStringLiteral("ready")));
        log.agent.reportReady();
        log.agent.reportReady();
        QCOMPARE(log.entries.count(QStringLiteral("ready")), 1);
    }

    void notificationMakesReady_data()
    {
        const Rows<QString> row("text");
        row("alone", "READY=1");
        row("with others", "STATUS=up\nREADY=1\nMAINPID=1");
        row("with an end", "READY=1\n");
    }

    void notificationMakesReady()
    {
        QFETCH(QString, text);
        ProcessDefinition definition = chaos("notify STATUS=nearly notify %1 hang", text);
        definition.readiness.kind = Readiness::Kind::Notify;
        AgentLog log(definition);
        log.agent.start();
        QCOMPARE(log.entries, QStringList{QStringLiteral("started")});
        QVERIFY(log.waitFor(QStringLiteral("ready")));
    }

    void reportsStatusOnChange()
    {
        const QTemporaryDir folder;
        const QString again = folder.filePath(QStringLiteral("again"));
        const QString other = folder.filePath(QStringLiteral("other"));
        ProcessDefinition definition =
            chaos({QStringLiteral("notify"), QStringLiteral("STATUS=one\nREADY=1"),
                   QStringLiteral("await"), again, QStringLiteral("notify"),
                   QStringLiteral("STATUS=one\nWATCHDOG=1"), QStringLiteral("await"), other,
                   QStringLiteral("notify"), QStringLiteral("STATUS=two"), QStringLiteral("hang")});
        definition.readiness.kind = Readiness::Kind::Notify;
        definition.health = {heartbeatProbe()};
        AgentLog log(definition);
        QStringList changes;
        connect(&log.agent, &ProcessAgent::statusTextChanged, &log,
                [&](const QString &text) { changes.append(text); });
        bool hasBeaten = false;
        connect(&log.agent, &Agent::heartbeat, &log, [&] { hasBeaten = true; });
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("ready")));
        QCOMPARE(changes, QStringList{QStringLiteral("one")});
        QCOMPARE(log.agent.statusText(), QStringLiteral("one"));
        QVERIFY(QFile(again).open(QIODevice::WriteOnly));
        QVERIFY(QTest::qWaitFor([&] { return hasBeaten; }, 30000));
        QCOMPARE(changes.size(), 1);
        QVERIFY(QFile(other).open(QIODevice::WriteOnly));
        QVERIFY(QTest::qWaitFor([&] { return changes.size() > 1; }, 30000));
        QCOMPARE(changes.back(), QStringLiteral("two"));
        log.agent.kill();
        QVERIFY(log.waitForEnd());
        QCOMPARE(log.agent.statusText(), QString());
    }

    // In virtual time: without the extension, it is killed after 5 s.
    void extendsStopOnRequest()
    {
        const QTemporaryDir folder;
        const QString stop = folder.filePath(QStringLiteral("stop"));
        const QString end = folder.filePath(QStringLiteral("end"));
        VirtualClock clock;
        VirtualScheduler scheduler(clock);
        ProcessDefinition definition = chaos(
            {QStringLiteral("ignore-term"), QStringLiteral("notify"), QStringLiteral("READY=1"),
             QStringLiteral("await"), stop, QStringLiteral("notify"),
             QStringLiteral("EXTEND_TIMEOUT_USEC=20000000\nSTATUS=extended"),
             QStringLiteral("await"), end, QStringLiteral("exit"), QStringLiteral("0")});
        definition.readiness.kind = Readiness::Kind::Notify;
        ProcessAgent agent(definition, scheduler);
        bool isReady = false;
        connect(&agent, &Agent::ready, this, [&] { isReady = true; });
        agent.start();
        QVERIFY(QTest::qWaitFor([&] { return isReady; }, 30000));
        agent.stop();
        QVERIFY(QFile(stop).open(QIODevice::WriteOnly));
        QVERIFY(QTest::qWaitFor([&] { return agent.statusText() == QLatin1String("extended"); },
                                30000));
        scheduler.advance(std::chrono::seconds(19));
        QVERIFY(QFile(end).open(QIODevice::WriteOnly));
        QVERIFY(QTest::qWaitFor([&] { return !agent.isAlive(); }, 30000));
        QCOMPARE(agent.lastExitStatus(), 0);
    }

    // In virtual time: without the extension, the start times out after 30 s. Without STOPPING=1,
    // the missing heartbeats would end the agent.
    void extendsStartAndStopsByItself()
    {
        const QTemporaryDir folder;
        const QString ready = folder.filePath(QStringLiteral("ready"));
        const QString end = folder.filePath(QStringLiteral("end"));
        VirtualClock clock;
        VirtualScheduler scheduler(clock);
        FixedLicenseProvider license(LicenseTier::Enterprise);
        AgentSupervisor supervisor(scheduler);
        supervisor.featureGate().setProvider(&license);
        ProcessDefinition definition = chaos(
            {QStringLiteral("notify"),
             QStringLiteral("EXTEND_TIMEOUT_USEC=60000000\nSTATUS=starts"), QStringLiteral("await"),
             ready, QStringLiteral("notify"), QStringLiteral("READY=1\nSTOPPING=1"),
             QStringLiteral("await"), end, QStringLiteral("exit"), QStringLiteral("0")});
        definition.readiness.kind = Readiness::Kind::Notify;
        HealthProbeDefinition heartbeat = heartbeatProbe();
        heartbeat.schedule.interval = std::chrono::seconds(1);
        definition.health = {heartbeat};
        definition.stop.terminate = std::chrono::minutes(20);
        RestartPolicy policy;
        policy.startTimeout = std::chrono::seconds(30);
        auto owned = std::make_unique<ProcessAgent>(definition, scheduler);
        ProcessAgent *const agent = owned.get();
        const auto added = supervisor.add(QStringLiteral("a"), std::move(owned), policy);
        QVERIFY(added);
        const QSignalSpy failures(&supervisor, &AgentSupervisor::agentFailed);
        const auto state = [&] { return supervisor.policyEvaluator().state(added.id); };
        const auto pass = [&](std::chrono::seconds time) {
            scheduler.advance(time);
            QCoreApplication::processEvents();
        };
        supervisor.startAll();
        pass({});
        QVERIFY(
            QTest::qWaitFor([&] { return agent->statusText() == QLatin1String("starts"); }, 30000));
        pass(std::chrono::seconds(55));
        QCOMPARE(state(), InstanceState::Starting);
        QVERIFY(QFile(ready).open(QIODevice::WriteOnly));
        QVERIFY(QTest::qWaitFor([&] { return state() == InstanceState::Running; }, 30000));
        pass(std::chrono::minutes(10));
        QCOMPARE(state(), InstanceState::Running);
        QVERIFY(QFile(end).open(QIODevice::WriteOnly));
        QVERIFY(QTest::qWaitFor([&] { return state() == InstanceState::Stopped; }, 30000));
        QCOMPARE(failures.count(), 0);
    }

    // In virtual time. The extension is limited to ten times the stop sequence, that is 50 s.
    void killsProcessThatHangsAfterStopping()
    {
        VirtualClock clock;
        VirtualScheduler scheduler(clock);
        ProcessDefinition definition =
            chaos({QStringLiteral("notify"),
                   QStringLiteral("READY=1\nSTOPPING=1\nEXTEND_TIMEOUT_USEC=60000000"),
                   QStringLiteral("hang")});
        definition.readiness.kind = Readiness::Kind::Notify;
        ProcessAgent agent(definition, scheduler);
        bool isReady = false;
        std::optional<Failure> failure;
        connect(&agent, &Agent::ready, this, [&] { isReady = true; });
        connect(&agent, &Agent::failed, this,
                [&](FailureReason reason, const FailureDetail &detail) {
                    failure = Failure{reason, detail};
                });
        agent.start();
        QVERIFY(QTest::qWaitFor([&] { return isReady; }, 30000));
        scheduler.advance(std::chrono::seconds(49));
        QCoreApplication::processEvents();
        QVERIFY(agent.isAlive());
        scheduler.advance(std::chrono::seconds(1));
        QVERIFY(QTest::qWaitFor([&] { return failure.has_value(); }, 30000));
        QCOMPARE(failure->reason, FailureReason::Timeout);
        QCOMPARE(failure->detail.message,
                 QStringLiteral("Process did not exit in time after STOPPING=1 and was killed"));
    }

    void ignoresOtherNotifications_data()
    {
        const Rows<QString, QString> row("how", "text");
        const QString inside = QStringLiteral("notify");
        row("status", inside, "STATUS=READY=1");
        row("not ready", inside, "READY=0");
        row("longer", inside, "READY=12");
        row("nothing", inside, {});
        row("another group", "notify-from-outside", "READY=1");
    }

    // Messages arrive in order, so the earlier ones were ignored when the last one makes it ready.
    void ignoresOtherNotifications()
    {
        QFETCH(QString, how);
        QFETCH(QString, text);
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("go"));
        ProcessDefinition definition = chaos(
            {how, text, QStringLiteral("out"), QStringLiteral("sent"), QStringLiteral("await"),
             file, QStringLiteral("notify"), QStringLiteral("READY=1"), QStringLiteral("hang")});
        definition.readiness.kind = Readiness::Kind::Notify;
        AgentLog log(definition);
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("out sent")));
        QVERIFY(!log.entries.contains(QStringLiteral("ready")));
        QVERIFY(QFile(file).open(QIODevice::WriteOnly));
        QVERIFY(log.waitFor(QStringLiteral("ready")));
    }

    void isNotReadyAfterStop()
    {
        ProcessDefinition definition = chaos("exit-on-term 0 out up hang");
        definition.readiness = {Readiness::Kind::Alive, 24h, {}};
        AgentLog log(definition);
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("out up")));
        log.agent.stop();
        QVERIFY(log.waitForEnd());
        QVERIFY(!log.entries.contains(QStringLiteral("ready")));
        QCOMPARE(log.entries.last(), QStringLiteral("stopped"));
    }
};

REKINDLE_TEST(ProcessReadinessTest)
#include "processreadinesstest.moc"
