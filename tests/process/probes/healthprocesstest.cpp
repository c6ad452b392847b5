// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "closedport.h"
#include "eventlog.h"
#include "fulllicense.h"
#include "process/agentlog.h"
#include "processes.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/probes/networkprobes.h>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

constexpr HealthSchedule quick{.interval = 100ms, .timeout = 200ms, .misses = 2};
constexpr HealthSchedule readinessSchedule{.interval = 10ms};

/// A supervised process with the probes of its definition, which is restarted immediately.
class Patient
{
public:
    explicit Patient(const ProcessDefinition &definition)
        : log(supervisor.policyEvaluator())
    {
        grantAll(supervisor);
        auto owned = std::make_unique<ProcessAgent>(definition, supervisor.scheduler());
        agent = owned.get();
        RestartPolicy policy;
        policy.type = RestartPolicyType::Immediate;
        const auto added =
            supervisor.add(QStringLiteral("patient"), std::move(owned), policy, true);
        id = added.id;
        faults = added.faults;
        QObject::connect(
            &supervisor.monitor(), &AgentMonitor::agentUnhealthy, agent,
            [this](const QUuid &, quint64, const Failure &theFailure) { failure = theFailure; });
    }

    [[nodiscard]] bool waitForHealth(AgentHealthStatus::State state) const
    {
        return QTest::qWaitFor([&] { return supervisor.monitor().health(id).state == state; },
                               30000);
    }

    AgentSupervisor supervisor;
    EventLog log;
    ProcessAgent *agent = nullptr;
    QUuid id;
    QList<Fault> faults;
    Failure failure;
};

} // namespace

class HealthProcessTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void replacesStoppedProcess();
    void replacesProcessThatGivesUp();
    void setsWatchdogUsec();
    void ignoresHeartbeatsOfOtherGroups();
    void execProbeDetectsFailure();
    void readyByProbe_data();
    void readyByProbe();
    void hungReadinessProbeIsRepeated();
};

// A stopped process sends no heartbeat and does not handle SIGTERM.
void HealthProcessTest::replacesStoppedProcess()
{
    ProcessDefinition definition = chaos("beat 0");
    definition.health = {heartbeatProbe(quick)};
    Patient patient(definition);
    QVERIFY(patient.faults.isEmpty());
    patient.supervisor.start(patient.id);
    QVERIFY(patient.waitForHealth(AgentHealthStatus::State::Healthy));
    const auto first = static_cast<pid_t>(patient.agent->processId());

    ::kill(first, SIGSTOP);
    QTRY_VERIFY_WITH_TIMEOUT(patient.agent->processId() != 0 && patient.agent->processId() != first,
                             30000);
    QVERIFY(!isLiving(first));
    QCOMPARE(patient.failure.reason, FailureReason::HealthCheckFailed);
    QCOMPARE(patient.failure.detail.processId, first);
    QVERIFY(patient.waitForHealth(AgentHealthStatus::State::Healthy));
    QCOMPARE(patient.log.text().section(QStringLiteral("failed:"), 1).section(u' ', 0, 0),
             QStringLiteral("HealthCheckFailed"));
}

void HealthProcessTest::replacesProcessThatGivesUp()
{
    ProcessDefinition definition = chaos("err trouble notify WATCHDOG=trigger hang");
    definition.health = {heartbeatProbe({.interval = 1h})};
    Patient patient(definition);
    patient.supervisor.start(patient.id);
    QTRY_VERIFY_WITH_TIMEOUT(patient.supervisor.snapshot(patient.id)->generation >= 2, 30000);
    QCOMPARE(patient.failure.detail.message,
             QStringLiteral("health probe heartbeat: it sent WATCHDOG=trigger"));
    QCOMPARE(patient.failure.detail.stderrTail, QStringList(QStringLiteral("trouble")));
}

void HealthProcessTest::setsWatchdogUsec()
{
    qputenv("WATCHDOG_USEC", "1");
    qputenv("WATCHDOG_PID", "1");
    ProcessDefinition definition = chaos("env WATCHDOG_USEC env WATCHDOG_PID exit 0");
    const auto output = [&] {
        AgentLog log(definition);
        log.agent.start();
        log.waitForEnd();
        return log.entries.filter(QStringLiteral("out ")).join(u' ');
    };
    QCOMPARE(output(), QStringLiteral("out WATCHDOG_USEC unset out WATCHDOG_PID unset"));
    definition.health = {heartbeatProbe(quick)};
    QCOMPARE(output(), QStringLiteral("out WATCHDOG_USEC=100000 out WATCHDOG_PID unset"));
    qunsetenv("WATCHDOG_USEC");
    qunsetenv("WATCHDOG_PID");
}

// Messages arrive in order, so the heartbeat was ignored when the process is ready.
void HealthProcessTest::ignoresHeartbeatsOfOtherGroups()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("go"));
    ProcessDefinition definition = chaos(
        "notify-from-outside WATCHDOG=1 notify READY=1 await %1 notify WATCHDOG=1 hang", file);
    definition.readiness.kind = Readiness::Kind::Notify;
    definition.health = {heartbeatProbe(quick)};
    AgentLog log(definition);
    int beats = 0;
    connect(&log.agent, &Agent::heartbeat, this, [&] { ++beats; });
    log.agent.start();
    QVERIFY(log.waitFor(QStringLiteral("ready")));
    QCOMPARE(beats, 0);
    QVERIFY(QFile(file).open(QIODevice::WriteOnly));
    QTRY_COMPARE_WITH_TIMEOUT(beats, 1, 30000);
}

// The process is alive, but unhealthy without its file.
void HealthProcessTest::execProbeDetectsFailure()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("works"));
    QVERIFY(QFile(file).open(QIODevice::WriteOnly));
    ProcessDefinition definition = chaos("hang");
    HealthProbeDefinition probe =
        execProbe({QStringLiteral("test"), QStringLiteral("-e"), file}, quick);
    probe.schedule.timeout = 10s;
    definition.health = {probe};
    Patient patient(definition);
    patient.supervisor.start(patient.id);
    QVERIFY(patient.waitForHealth(AgentHealthStatus::State::Healthy));
    QVERIFY(QFile::remove(file));
    QTRY_VERIFY_WITH_TIMEOUT(patient.failure.detail.message.contains(QLatin1String("exit code 1")),
                             30000);
    QVERIFY(QFile(file).open(QIODevice::WriteOnly));
    QVERIFY(patient.waitForHealth(AgentHealthStatus::State::Healthy));
}

void HealthProcessTest::readyByProbe_data()
{
    const Rows<bool> row("isTcp");
    row("tcp", true);
    row("exec", false);
}

void HealthProcessTest::readyByProbe()
{
    QFETCH(bool, isTcp);
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("up"));
    const ClosedPort port;
    const HealthProbeDefinition probe = isTcp
        ? tcpProbe(QStringLiteral("127.0.0.1"), port.number(), readinessSchedule)
        : execProbe({QStringLiteral("test"), QStringLiteral("-e"), file}, readinessSchedule);

    ProcessDefinition definition = chaos("hang");
    definition.readiness.kind = Readiness::Kind::Probe;
    definition.readiness.probe = probe;
    AgentLog log(definition);
    log.agent.start();
    QVERIFY(log.waitFor(QStringLiteral("started")));
    QCOMPARE(log.entries, QStringList{QStringLiteral("started")});
    QVERIFY(port.open());
    QVERIFY(QFile(file).open(QIODevice::WriteOnly));
    QVERIFY(log.waitFor(QStringLiteral("ready")));
    QCOMPARE(log.entries.size(), 2);
}

// The timeout of the probe ends each run; only the start timeout ends the start.
void HealthProcessTest::hungReadinessProbeIsRepeated()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("pids"));
    ProcessDefinition definition = chaos("hang");
    definition.readiness.kind = Readiness::Kind::Probe;
    definition.readiness.probe = execProbe({QStringLiteral(REKINDLE_CHAOSAGENT),
                                            QStringLiteral("append"), file, QStringLiteral("hang")},
                                           {.interval = 10ms, .timeout = 200ms});
    AgentLog log(definition);
    log.agent.start();
    QTRY_VERIFY_WITH_TIMEOUT(numbersIn(file).size() >= 3, 30000);
    log.agent.kill();
    QVERIFY(log.waitForEnd());
    QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(numbersIn(file)), 30000);
    QVERIFY(!log.entries.contains(QStringLiteral("ready")));
}

REKINDLE_TEST(HealthProcessTest)
#include "healthprocesstest.moc"
