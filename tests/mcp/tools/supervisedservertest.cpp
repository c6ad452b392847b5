// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Real servers that are kept running (S2), with backoff in virtual time.

#include "contains.h"
#include "mcp/host/serverstage.h"
#include "testprogram.h"

#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/supervisedserver.h>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

RestartPolicy atOnce()
{
    RestartPolicy policy;
    policy.type = RestartPolicyType::Immediate;
    return policy;
}

/// One started server.
struct Supervised : ServerStage
{
    explicit Supervised(const QStringList &serverOptions = {},
                        const RestartPolicy &policy = atOnce(), Time time = Time::Real)
        : ServerStage(time)
        , server(supervisor, QStringLiteral("server"), sample(serverOptions), policy)
    {
        server.start();
        settle();
    }

    bool waitForReady(quint64 generation)
    {
        return QTest::qWaitFor(
            [&] { return server.client().isReady() && snapshot()->generation == generation; },
            30000);
    }
    /// Checks that the next start is after `expected`, and advances the time to it.
    bool passBackOff(Duration expected)
    {
        const bool waits = QTest::qWaitFor(
            [&] { return snapshot()->nextStartAt == clock.now() + expected; }, 30000);
        const int before = starts();
        virtualTime.advance(expected - 1ns);
        QCoreApplication::processEvents();
        const bool isStill = starts() == before && snapshot()->state == InstanceState::Waiting;
        virtualTime.advance(1ns);
        return waits && isStill;
    }

    SupervisedServer server;
};

} // namespace

class SupervisedServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The tests of S2, by their original names, and what S2 states
    void killProcessGroup();
    void drainPending();
    void spawnAndSend();
    void supervisorDetectsChildExitAndRestarts();
    void supervisorRespectsCancellationDuringBackoff();
    void supervisorStopsAfterMaxRestarts();
    void handshakeAndDiscoveryAfterEveryStart();
    void handshakeFailureTriggersRestartWithBackoff();
    void crashIsDetectedByEofOnStdout();
    void restartCounterResetsAfter60sHealthy();
    void requestedRestartCostsNoAttempt();

    // ToolBackend
    void ensureStartedWaitsForReady();
    void ensureStartedFailsAtOnceWithoutHope();
    void ensureStartedFailsWithoutRestarts();
    void respawnReplacesServer();
};

void SupervisedServerTest::killProcessGroup()
{
    // The grandchild inherits the pipes and does not exit.
    ServerStage stage;
    ProcessDefinition definition = stage.sample();
    const QString command =
        QStringLiteral("sleep 1000000 & echo $! > '%1'; exec '%2' --starts '%3'")
            .arg(stage.file("grandchild"), definition.program, stage.file("starts"));
    definition.program = QStringLiteral("/bin/sh");
    definition.arguments = {QStringLiteral("-c"), command};
    SupervisedServer server(stage.supervisor, QStringLiteral("server"), definition, atOnce());
    server.start();
    const QFuture<ToolBackend::Start> ready = server.ensureStarted(30s);
    QVERIFY(comes(ready));
    QFile file(stage.file("grandchild"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const pid_t grandchild = file.readAll().trimmed().toInt();
    QVERIFY(isLiving(grandchild));
    ::kill(pid_t(server.agent().processId()), SIGKILL);
    QVERIFY(QTest::qWaitFor([&] { return stage.starts() == 2; }, 30000));
    QVERIFY(QTest::qWaitFor([&] { return !isLiving(grandchild); }, 30000));
}

void SupervisedServerTest::drainPending()
{
    Supervised stage;
    QVERIFY(stage.waitForReady(1));
    QList<QFuture<ToolResult>> pending;
    for (int i = 0; i < 16; ++i)
        pending.push_back(stage.server.client().call(QStringLiteral("silent")));
    stage.server.client().call(QStringLiteral("crash"));
    QVERIFY(stage.waitForReady(2));
    for (const QFuture<ToolResult> &call : std::as_const(pending)) {
        QVERIFY(call.isFinished());
        QCOMPARE(call.result().error->kind, McpError::Kind::Lost);
        QCOMPARE(call.result().error->process.signal, SIGKILL);
    }
    QCOMPARE(stage.snapshot()->lastFailure->reason, FailureReason::ProcessCrash);
}

void SupervisedServerTest::spawnAndSend()
{
    Supervised stage;
    QVERIFY(stage.waitForReady(1));
    const QFuture<ToolResult> echo = stage.server.client().call(
        QStringLiteral("echo"), {{QStringLiteral("message"), QStringLiteral("m")}});
    QVERIFY(comes(echo));
    QCOMPARE(echo.result().text(), QStringLiteral("m"));
}

void SupervisedServerTest::supervisorDetectsChildExitAndRestarts()
{
    // As in S2: `true` exits at once with 0 and is restarted three times.
    ServerStage stage(ServerStage::Time::Virtual);
    RestartPolicy policy = *preset(u"stdio-backend");
    policy.maxRetries = 3;
    ProcessDefinition definition;
    definition.program = QStringLiteral("true");
    SupervisedServer server(stage.supervisor, QStringLiteral("server"), definition, policy);
    server.start();
    QVERIFY(QTest::qWaitFor(
        [&] {
            if (stage.snapshot()->state == InstanceState::Waiting)
                stage.virtualTime.advanceToNext();
            return stage.snapshot()->state == InstanceState::Exhausted;
        },
        30000));
    QCOMPARE(stage.log.text().count(QStringLiteral("started")), 4);
    QCOMPARE(stage.clock.now(), Instant{} + 1s + 2s + 4s);
}

void SupervisedServerTest::supervisorRespectsCancellationDuringBackoff()
{
    Supervised stage(options({"--exit-in-handshake", "1"}), *preset(u"stdio-backend"),
                     ServerStage::Time::Virtual);
    QVERIFY(stage.waitFor(InstanceState::Waiting));
    QVERIFY(stage.snapshot()->nextStartAt.has_value());
    const QFuture<ToolBackend::Start> waiting = stage.server.ensureStarted(1min);
    QVERIFY(!waiting.isFinished());
    stage.server.stop();
    // At once, without time or the event loop
    QCOMPARE(stage.snapshot()->state, InstanceState::Stopped);
    QVERIFY(faultOf(waiting).startsWith(QStringLiteral("NotReady: server is stopped")));
    stage.virtualTime.advance(1h);
    QCOMPARE(stage.starts(), 1);
}

void SupervisedServerTest::supervisorStopsAfterMaxRestarts()
{
    RestartPolicy policy = atOnce();
    policy.maxRetries = 2;
    Supervised stage(options({"--exit-in-handshake", "3"}), policy);
    const QFuture<ToolBackend::Start> waiting = stage.server.ensureStarted(30s);
    QVERIFY(stage.waitFor(InstanceState::Exhausted));
    QCOMPARE(stage.starts(), 3);
    QVERIFY2(faultOf(waiting).startsWith(QStringLiteral("NotReady: server was given up: ")),
             qPrintable(faultOf(waiting)));
    QCOMPARE(waiting.result()->process.exitCode, 3);
}

void SupervisedServerTest::handshakeAndDiscoveryAfterEveryStart()
{
    Supervised stage(options({"--from", "2", "--with", "extra"}));
    for (quint64 start = 1; start <= 3; ++start) {
        QVERIFY(stage.waitForReady(start));
        // The server rejects calls before its own handshake.
        QCOMPARE(stage.server.client().serverInfo()[QLatin1String("version")].toString(),
                 QString::number(start));
        const QList<McpTool> tools = stage.server.client().tools();
        const bool hasExtra = std::any_of(tools.begin(), tools.end(), [](const McpTool &tool) {
            return tool.name == QLatin1String("extra");
        });
        QCOMPARE(hasExtra, start > 1);
        ::kill(pid_t(stage.server.agent().processId()), SIGKILL);
    }
}

void SupervisedServerTest::handshakeFailureTriggersRestartWithBackoff()
{
    Supervised stage(options({"--revision", "legacy", "--until", "2", "--initialize-error"}),
                     *preset(u"stdio-backend"), ServerStage::Time::Virtual);
    QVERIFY(stage.passBackOff(1s));
    QVERIFY(stage.passBackOff(2s));
    QVERIFY(stage.waitForReady(3));
    VERIFY_CONTAINS(stage.log.text(), "started failed:InitializationFailed scheduled#1");
    QCOMPARE(stage.starts(), 3);
}

void SupervisedServerTest::crashIsDetectedByEofOnStdout()
{
    Supervised stage(options({"--ignore-eof", "--ignore-term"}));
    QVERIFY(stage.waitForReady(1));
    const auto process = pid_t(stage.server.agent().processId());
    const QFuture<ToolResult> call = stage.server.client().call(QStringLiteral("mute"));
    QVERIFY(stage.waitForReady(2)); // although the process keeps running
    QVERIFY(!isLiving(process));
    QCOMPARE(call.result().error->kind, McpError::Kind::Lost);
    QCOMPARE(stage.snapshot()->lastFailure->reason, FailureReason::ProcessCrash);
}

void SupervisedServerTest::restartCounterResetsAfter60sHealthy()
{
    Supervised stage({}, *preset(u"stdio-backend"), ServerStage::Time::Virtual);
    QVERIFY(stage.waitForReady(1));
    const auto crash = [&] { ::kill(pid_t(stage.server.agent().processId()), SIGKILL); };
    crash();
    QVERIFY(stage.passBackOff(1s));
    QVERIFY(stage.waitForReady(2));
    stage.virtualTime.advance(60s - 1ns);
    crash();
    QVERIFY(stage.passBackOff(2s));
    QVERIFY(stage.waitForReady(3));
    QCOMPARE(stage.snapshot()->attempt, 2);
    stage.virtualTime.advance(60s);
    QCOMPARE(stage.snapshot()->attempt, 0);
    crash();
    QVERIFY(stage.passBackOff(1s));
    QVERIFY(stage.waitForReady(4));
}

void SupervisedServerTest::requestedRestartCostsNoAttempt()
{
    RestartPolicy policy;
    policy.type = RestartPolicyType::None;
    Supervised stage({}, policy);
    QVERIFY(stage.waitForReady(1));
    stage.server.client().call(QStringLiteral("exit42"));
    QVERIFY(stage.waitForReady(2));
    QCOMPARE(stage.snapshot()->attempt, 0);
}

void SupervisedServerTest::ensureStartedWaitsForReady()
{
    Supervised stage(options({"--until", "1", "--exit-in-handshake", "1"}),
                     *preset(u"stdio-backend"), ServerStage::Time::Virtual);
    QVERIFY(!stage.server.restartsOnExit());
    const QFuture<ToolBackend::Start> start = stage.server.ensureStarted(30s);
    QVERIFY(stage.passBackOff(1s));
    QCOMPARE(faultOf(start), QString());
    QVERIFY(stage.server.client().isReady());
    QVERIFY(stage.server.ensureStarted(0s).isFinished());
}

void SupervisedServerTest::ensureStartedFailsAtOnceWithoutHope()
{
    ServerStage stage(ServerStage::Time::Virtual);
    SupervisedServer server(stage.supervisor, QStringLiteral("server"),
                            stage.sample(options({"--exit-in-handshake", "7"})));
    const QFuture<ToolBackend::Start> early = server.ensureStarted(30s);
    QVERIFY(early.isFinished());
    QCOMPARE(faultOf(early), QStringLiteral("NotReady: server is stopped"));

    server.start();
    stage.settle();
    const QFuture<ToolBackend::Start> hasty = server.ensureStarted(500ms);
    const QFuture<ToolBackend::Start> patient = server.ensureStarted(1500ms);
    QVERIFY(comes(hasty)); // as soon as the start has failed
    QVERIFY2(faultOf(hasty).startsWith(
                 QStringLiteral("NotReady: server is down, its next start is in 1s: ")),
             qPrintable(faultOf(hasty)));
    QCOMPARE(hasty.result()->process.exitCode, 7);
    QVERIFY(!patient.isFinished());
    QVERIFY(server.ensureStarted(500ms).isFinished());
}

void SupervisedServerTest::ensureStartedFailsWithoutRestarts()
{
    const QStringList exits = options({"--exit-in-handshake", "7"});
    Supervised withoutRestarts(exits, {.type = RestartPolicyType::None});
    const QString failed = faultOf(withoutRestarts.server.ensureStarted(30s));
    QVERIFY2(failed.startsWith(QStringLiteral("NotReady: server has failed: ")),
             qPrintable(failed));

    Supervised withoutLicense(exits);
    withoutLicense.supervisor.featureGate().setProvider(nullptr);
    const QString gated = faultOf(withoutLicense.server.ensureStarted(30s));
    QVERIFY2(gated.startsWith(QStringLiteral(
                 "NotReady: server has failed (the license tier permits no restarts): ")),
             qPrintable(gated));
}

void SupervisedServerTest::respawnReplacesServer()
{
    Supervised stage;
    QVERIFY(stage.waitForReady(1));
    const auto before = pid_t(stage.server.agent().processId());
    const QFuture<ToolBackend::Start> respawned = stage.server.respawn(30s);
    const QFuture<ToolBackend::Start> other = stage.server.ensureStarted(30s);
    QVERIFY(!other.isFinished()); // the old server is still stopping
    QVERIFY(comes(respawned));
    QVERIFY(comes(other));
    QCOMPARE(faultOf(respawned), QString());
    QVERIFY(!isLiving(before));
    QCOMPARE(stage.starts(), 2);
    QCOMPARE(stage.snapshot()->attempt, 0);
}

REKINDLE_TEST(SupervisedServerTest)
#include "supervisedservertest.moc"
