// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processes.h"
#include "testprogram.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/probes/networkprobes.h>
#include <rekindle/process/healthchecks.h>

#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>

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

/// Answers each connection according to its mode.
class BadServer : public QTcpServer
{
public:
    explicit BadServer(const QString &mode)
    {
        listen(QHostAddress::LocalHost);
        connect(this, &QTcpServer::newConnection, this, [this, mode] {
            QTcpSocket *const socket = nextPendingConnection();
            ++connections;
            connect(socket, &QTcpSocket::disconnected, socket, [this, socket] {
                --connections;
                socket->deleteLater();
            });
            serve(*socket, mode);
        });
    }

    int connections = 0;

private:
    static void serve(QTcpSocket &socket, const QString &mode)
    {
        if (mode == QLatin1String("silent"))
            return;
        if (mode == QLatin1String("garbage")) {
            socket.write(QByteArray::fromHex("00ff01fe0d0a0d0a1b5b33316d"));
            socket.disconnectFromHost();
            return;
        }
        if (mode == QLatin1String("slow")) { // and good in the end
            drip(socket, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false);
            return;
        }
        // An endless header.
        drip(socket, "HTTP/1.1 200 OK\r\nX-Drip: ", true);
    }

    static void drip(QTcpSocket &socket, const QByteArray &bytes, bool endless)
    {
        auto *const pause = new QTimer(&socket);
        connect(pause, &QTimer::timeout, &socket,
                [&socket, pause, bytes, endless, at = qsizetype{0}]() mutable {
                    socket.write(at < bytes.size() ? bytes.mid(at++, 1) : QByteArray("x"));
                    if (!endless && at == bytes.size())
                        pause->stop();
                });
        pause->start(2);
    }
};

/// A ready agent with a probe, and the result of the monitor.
class HealthRun
{
public:
    explicit HealthRun(HealthProbeDefinition probe)
    {
        probe.schedule.interval = 50ms;
        probe.schedule.misses = 2;
        monitor.watch(id, &agent);
        monitor.setHealth(id, makeHealthChecks({probe}, agent, {}, scheduler));
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

HealthProbeDefinition http(const QTcpServer &server)
{
    return httpProbe(QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(server.serverPort())));
}

} // namespace

/// Faulty targets: each probe ends with a result, nothing blocks, and no process or
/// connection remains.
class BadTargetsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reportsFaultyServers_data();
    void reportsFaultyServers();
    void slowAnswerInTimeIsSuccess();
    void unresolvableNamesFail_data();
    void unresolvableNamesFail();
    void killsCommandThatForksAndHangs();
    void endsCommandWithEndlessOutput();
};

void BadTargetsTest::reportsFaultyServers_data()
{
    QTest::addColumn<QString>("mode");
    QTest::addColumn<QString>("why");
    QTest::newRow("no response") << "silent"
                                 << "no answer within 600ms";
    QTest::newRow("endless response") << "drip"
                                      << "no answer within 600ms";
    QTest::newRow("garbage") << "garbage"
                             << "health probe http failed 2 times in a row";
}

void BadTargetsTest::reportsFaultyServers()
{
    QFETCH(QString, mode);
    QFETCH(QString, why);
    const BadServer server(mode);
    HealthProbeDefinition probe = http(server);
    probe.schedule.timeout = 200ms;
    HealthRun run(probe);
    QVERIFY(run.waitUntilUnhealthy());
    QCOMPARE(run.unhealthy->reason, FailureReason::HealthCheckFailed);
    QVERIFY2(run.unhealthy->detail.message.contains(why),
             qPrintable(run.unhealthy->detail.message));
    QVERIFY(!run.unhealthy->detail.message.contains(QChar(0x1b)));
    for (const ProbeResult &result : run.monitor.health(run.id).history)
        QVERIFY(!result.ok);
    // All connections are closed.
    QTRY_COMPARE_WITH_TIMEOUT(server.connections, 0, 30000);
}

void BadTargetsTest::slowAnswerInTimeIsSuccess()
{
    const BadServer server(QStringLiteral("slow"));
    HealthProbeDefinition probe = http(server);
    probe.schedule.timeout = 20s;
    const HealthRun run(probe);
    QTRY_COMPARE_WITH_TIMEOUT(run.monitor.health(run.id).state, AgentHealthStatus::State::Healthy,
                              30000);
    const ProbeResult result = run.monitor.health(run.id).history.first();
    QVERIFY2(result.took >= 50ms, qPrintable(durationToString(result.took)));
}

void BadTargetsTest::unresolvableNamesFail_data()
{
    QTest::addColumn<HealthProbeDefinition>("probe");
    QTest::newRow("tcp") << tcpProbe(QStringLiteral("no-such-host.invalid"), 80);
    QTest::newRow("http") << httpProbe(QUrl(QStringLiteral("http://no-such-host.invalid/")));
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
