// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "httpserver.h"
#include "processes.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/probes/networkprobes.h>
#include <rekindle/process/healthchecks.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

class Idler final : public Agent
{
public:
    void start() override
    {
        Q_EMIT started();
        Q_EMIT ready();
    }
    void stop() override { Q_EMIT stopped(); }
};

/// A ready agent with a probe, and the result of the monitor.
class HealthRun
{
public:
    explicit HealthRun(HealthProbeDefinition probe)
    {
        probe.schedule.interval = 50ms;
        probe.schedule.misses = 2;
        QVERIFY(monitor.watch(id, &agent).isEmpty());
        QVERIFY(monitor.setHealth(id, makeHealthChecks({probe}, agent, {}, scheduler)).isEmpty());
        QObject::connect(
            &monitor, &AgentMonitor::agentUnhealthy, &agent,
            [this](const QUuid &, quint64, const Failure &failure) { unhealthy = failure; });
        agent.start();
    }

    [[nodiscard]] bool waitUntilUnhealthy() const
    {
        return QTest::qWaitFor([this] { return unhealthy.has_value(); }, 30000);
    }

    TimerScheduler scheduler;
    Idler agent;
    AgentMonitor monitor{scheduler};
    QUuid id = QUuid::createUuid();
    std::optional<Failure> unhealthy;
};

} // namespace

/// Faulty targets: each probe ends with a result, nothing blocks, and no process or
/// connection remains.
class BadTargetsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reportsFaultyServers_data();
    void reportsFaultyServers();
    void unresolvableNamesFail_data();
    void unresolvableNamesFail();
    void killsCommandThatForksAndHangs();
    void endsCommandWithEndlessOutput();
};

void BadTargetsTest::reportsFaultyServers_data()
{
    const Rows<QByteArray, bool, QString> row("answer", "closes", "why");
    row("no response", {}, false, "no answer within 600ms");
    row("half of a head", "HTTP/1.1 200 OK\r\nX-Dr", false, "no answer within 600ms");
    row("garbage", QByteArray::fromHex("00ff01fe0d0a0d0a1b5b33316d"), true,
        "health probe http failed 2 times in a row");
}

void BadTargetsTest::reportsFaultyServers()
{
    QFETCH(QByteArray, answer);
    QFETCH(bool, closes);
    QFETCH(QString, why);
    const HttpServer server(answer, closes);
    HealthProbeDefinition probe = httpProbe(server.url());
    probe.schedule.timeout = 200ms;
    HealthRun run(probe);
    QVERIFY(run.waitUntilUnhealthy());
    QCOMPARE(run.unhealthy->reason, FailureReason::HealthCheckFailed);
    VERIFY_CONTAINS(run.unhealthy->detail.message, why);
    QVERIFY(!run.unhealthy->detail.message.contains(QChar(0x1b)));
    for (const ProbeResult &result : run.monitor.health(run.id).history)
        QVERIFY(!result.ok);
    // All connections are closed.
    QTRY_COMPARE_WITH_TIMEOUT(server.connections, 0, 30000);
}

void BadTargetsTest::unresolvableNamesFail_data()
{
    const Rows<HealthProbeDefinition> row("probe");
    row("tcp", tcpProbe(QStringLiteral("no-such-host.invalid"), 80));
    row("http", httpProbe(QUrl(QStringLiteral("http://no-such-host.invalid/"))));
}

void BadTargetsTest::unresolvableNamesFail()
{
    QFETCH(HealthProbeDefinition, probe);
    probe.schedule.timeout = 200ms;
    HealthRun run(probe);
    QVERIFY(run.waitUntilUnhealthy());
    QVERIFY2(run.unhealthy->detail.message.startsWith(QLatin1String("health probe ")),
             qPrintable(run.unhealthy->detail.message));
    QCOMPARE(run.monitor.health(run.id).consecutiveMisses, 3);
}

void BadTargetsTest::killsCommandThatForksAndHangs()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("pids"));
    HealthProbeDefinition probe =
        execProbe(QStringList{QStringLiteral(REKINDLE_CHAOSAGENT)}
                  + QStringLiteral("ignore-term append %1 fork group-ignoring-term %1 hang")
                        .arg(file)
                        .split(u' '));
    probe.schedule.timeout = 500ms;
    HealthRun run(probe);
    QVERIFY(run.waitUntilUnhealthy());
    QVERIFY(run.unhealthy->detail.message.contains(QLatin1String("no answer within 1.5s")));
    // Two processes for each run, at least for the last run, which has the longest timeout.
    QVERIFY(numbersIn(file).size() >= 2);
    QTRY_VERIFY_WITH_TIMEOUT(!isAnyLiving(numbersIn(file)), 30000);
}

void BadTargetsTest::endsCommandWithEndlessOutput()
{
    HealthProbeDefinition probe = execProbe({QStringLiteral("yes"), QString(1000, u'y')});
    probe.schedule.timeout = 200ms;
    HealthRun run(probe);
    QVERIFY(run.waitUntilUnhealthy());
    QVERIFY(run.unhealthy->detail.message.endsWith(QLatin1String("no answer within 600ms")));
}

REKINDLE_TEST(BadTargetsTest)
#include "badtargetstest.moc"
