// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Real servers that are started on demand, with bounded backoff (S0).

#include "mcp/host/serverstage.h"
#include "testprogram.h"

#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/ondemandserver.h>

#include <QSignalSpy>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

/// The preset with short delays.
OnDemandOptions quick(int retries = 5)
{
    OnDemandOptions options;
    options.spawn.initialDelay = 10ms;
    options.spawn.maxRetries = retries;
    return options;
}

bool isReady(ToolBackend &server)
{
    const QFuture<ToolBackend::Start> start = server.ensureStarted(30s);
    return comes(start) && !start.result();
}

} // namespace

class OnDemandServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // S0: bounded exponential backoff around spawn, handshake and tools/list
    void retriesFailedStarts();
    void reportsExhaustedStarts();
    void retriesFailedHandshakes_data();
    void retriesFailedHandshakes();
    void reportsMissingProgram();

    // S0: within the timeout of the caller
    void reportsStartTimeout();
    void stopsRetriesWithoutWaitingCallers();

    // S0: on demand
    void startsAtFirstCall();
    void concurrentCallersShareOneStart();
    void cancellationDoesNotAffectOtherCallers();
    void doesNotRestartIdleServer();
    void startsAtOnceAfterLoss();
    void respawnReplacesServerForAllCallers();
    void respawnStartsStoppedServer();
    void restartsAfterExit42();

    void stopsInOrder();
    void destructorKillsServer();
    void survivesDeletionInContinuation();
    void rejectsDuplicateName();

    // The supervisor stops, removes or outlives the server.
    void stopAllEndsWaits();
    void waitsDoNotRestartStoppingServer();
    void stopsRetriesAfterLastCancellation();
    void failsAfterRemovalFromSupervisor();
    void survivesSupervisorAsParent();
};

void OnDemandServerTest::retriesFailedStarts()
{
    ServerStage stage(ServerStage::Time::Virtual);
    OnDemandServer server(stage.supervisor, QStringLiteral("server"),
                          stage.sample(options({"--until", "2", "--exit-in-handshake", "1"})));
    const QFuture<ToolBackend::Start> start = server.ensureStarted(25s);
    stage.settle();
    // Each start waits for the delay of the preset.
    for (const Duration delay : {250ms, 500ms}) {
        QVERIFY(QTest::qWaitFor(
            [&] { return stage.snapshot()->nextStartAt == stage.clock.now() + delay; }, 30000));
        QVERIFY(!start.isFinished());
        stage.virtualTime.advance(delay);
    }
    QVERIFY(comes(start));
    QCOMPARE(faultOf(start), QString());
    QVERIFY(server.client().isReady());
    QVERIFY(!server.client().tools().isEmpty());
    QCOMPARE(stage.starts(), 3);
}

void OnDemandServerTest::reportsExhaustedStarts()
{
    ServerStage stage;
    OnDemandServer server(
        stage.supervisor, QStringLiteral("server"),
        stage.sample(options({"--err", "no database", "--exit-in-handshake", "3"})), quick(2));
    for (const int starts : {3, 6}) { // each call starts the server again
        const QFuture<ToolBackend::Start> start = server.ensureStarted(30s);
        QVERIFY(comes(start));
        QVERIFY2(faultOf(start).startsWith(QStringLiteral("NotReady: server cannot be started: ")),
                 qPrintable(faultOf(start)));
        QCOMPARE(start.result()->process.exitCode, 3);
        QCOMPARE(start.result()->process.stderrTail, options({"no database"}));
        QVERIFY(!start.result()->wasWritten);
        QCOMPARE(stage.starts(), starts);
        QCOMPARE(stage.snapshot()->state, InstanceState::Exhausted);
    }
}

void OnDemandServerTest::retriesFailedHandshakes_data()
{
    QTest::addColumn<QStringList>("failure");
    QTest::newRow("initialize refused") << options({"--initialize-error"});
    QTest::newRow("exit 0") << options({"--exit-in-handshake", "0"});
    QTest::newRow("stdout closed") << options({"--close-out"});
}

void OnDemandServerTest::retriesFailedHandshakes()
{
    QFETCH(QStringList, failure);
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"),
                          stage.sample(options({"--era", "legacy", "--until", "1"}) + failure),
                          quick());
    QVERIFY(isReady(server));
    QCOMPARE(stage.starts(), 2);
}

void OnDemandServerTest::reportsMissingProgram()
{
    ServerStage stage;
    ProcessDefinition definition = stage.sample();
    definition.program = QStringLiteral("no-such-mcp-server");
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), definition);
    const QFuture<ToolBackend::Start> start = server.ensureStarted(30s);
    QVERIFY(comes(start));
    QVERIFY2(faultOf(start).contains(QStringLiteral("no-such-mcp-server")),
             qPrintable(faultOf(start)));
    QCOMPARE(start.result()->process.exitCode, 127);
    QCOMPARE(stage.snapshot()->state, InstanceState::Failed); // a retry cannot succeed
}

void OnDemandServerTest::reportsStartTimeout()
{
    ServerStage stage(ServerStage::Time::Virtual);
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    const QFuture<ToolBackend::Start> early = server.ensureStarted(2s);
    stage.virtualTime.advance(2s - 1ns);
    QVERIFY(!early.isFinished());
    stage.virtualTime.advance(1ns);
    QVERIFY(early.isFinished());
    QCOMPARE(faultOf(early), QStringLiteral("NotReady: server was not ready within 2s"));
    // The start continues for the next caller.
    QVERIFY(isReady(server));
    QCOMPARE(stage.starts(), 1);
}

void OnDemandServerTest::stopsRetriesWithoutWaitingCallers()
{
    ServerStage stage(ServerStage::Time::Virtual);
    OnDemandServer server(stage.supervisor, QStringLiteral("server"),
                          stage.sample(options({"--exit-in-handshake", "3"})));
    const QFuture<ToolBackend::Start> late = server.ensureStarted(100ms);
    stage.settle();
    QVERIFY(QTest::qWaitFor([&] { return stage.snapshot()->nextStartAt.has_value(); }, 30000));
    QCOMPARE(stage.starts(), 1);
    stage.virtualTime.advance(100ms);
    QVERIFY(faultOf(late).contains(QStringLiteral("within 100ms")));
    QVERIFY(stage.waitFor(InstanceState::Stopped));

    // The same after a cancellation before the failure
    QFuture<ToolBackend::Start> cancelled = server.ensureStarted(1h);
    stage.settle();
    QVERIFY(stage.waitFor(InstanceState::Starting));
    cancelled.cancel();
    QVERIFY(stage.waitFor(InstanceState::Stopped));
    stage.virtualTime.advance(1h);
    QCOMPARE(stage.starts(), 2);
}

void OnDemandServerTest::startsAtFirstCall()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    QVERIFY(stage.supervisor.isIdle());
    QVERIFY(!server.restartsOnExit());
    QVERIFY(isReady(server));
    QCOMPARE(stage.starts(), 1);
    QVERIFY(server.ensureStarted(0s).isFinished());
    QVERIFY(!server.ensureStarted(0s).result());
}

void OnDemandServerTest::concurrentCallersShareOneStart()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"),
                          stage.sample(options({"--until", "1", "--exit-in-handshake", "1"})),
                          quick());
    QList<QFuture<ToolBackend::Start>> starts;
    for (int i = 0; i < 10; ++i)
        starts.push_back(server.ensureStarted(30s));
    for (const auto &start : std::as_const(starts)) {
        QVERIFY(comes(start));
        QCOMPARE(faultOf(start), QString());
    }
    QCOMPARE(stage.starts(), 2);
}

void OnDemandServerTest::cancellationDoesNotAffectOtherCallers()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"),
                          stage.sample(options({"--until", "1", "--exit-in-handshake", "1"})),
                          quick());
    QFuture<ToolBackend::Start> cancelled = server.ensureStarted(30s);
    const QFuture<ToolBackend::Start> other = server.ensureStarted(30s);
    cancelled.cancel();
    QVERIFY(comes(other));
    QCOMPARE(faultOf(other), QString());
    QCOMPARE(stage.starts(), 2);
}

void OnDemandServerTest::doesNotRestartIdleServer()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    QVERIFY(isReady(server));
    ::kill(pid_t(server.agent().processId()), SIGKILL);
    QVERIFY(stage.waitFor(InstanceState::Failed));
    QVERIFY(stage.supervisor.isIdle()); // no start is scheduled
    QCOMPARE(stage.starts(), 1);
    QVERIFY(isReady(server));
    QCOMPARE(stage.starts(), 2);
    QCOMPARE(stage.snapshot()->attempt, 0);
}

// The continuation runs before the engine processes the loss.
void OnDemandServerTest::startsAtOnceAfterLoss()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    QVERIFY(isReady(server));
    std::optional<QFuture<ToolBackend::Start>> next;
    server.client().call(QStringLiteral("crash")).then(&server, [&](const ToolResult &result) {
        QCOMPARE(result.error->kind, McpError::Kind::Lost);
        next = server.ensureStarted(30s);
    });
    QVERIFY(QTest::qWaitFor([&] { return next && next->isFinished(); }, 30000));
    QCOMPARE(faultOf(*next), QString());
    QCOMPARE(stage.starts(), 2);
    // The first attempt of a new start has no delay.
    QVERIFY2(!stage.log.text().contains(QStringLiteral("scheduled")), qPrintable(stage.log.text()));
}

void OnDemandServerTest::respawnReplacesServerForAllCallers()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    QVERIFY(isReady(server));
    const auto before = pid_t(server.agent().processId());
    const QFuture<ToolBackend::Start> one = server.respawn(30s);
    const QFuture<ToolBackend::Start> other = server.respawn(30s);
    const QFuture<ToolBackend::Start> third = server.ensureStarted(30s);
    for (const auto &start : {one, other, third}) {
        QVERIFY(comes(start));
        QCOMPARE(faultOf(start), QString());
    }
    QVERIFY(!isLiving(before));
    QVERIFY(server.client().isReady());
    QCOMPARE(stage.starts(), 2);
}

void OnDemandServerTest::respawnStartsStoppedServer()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    const QFuture<ToolBackend::Start> first = server.respawn(30s);
    QVERIFY(comes(first));
    QCOMPARE(faultOf(first), QString());
    QCOMPARE(stage.starts(), 1);
}

void OnDemandServerTest::restartsAfterExit42()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    QVERIFY(isReady(server));
    const QFuture<ToolResult> exits = server.client().call(QStringLiteral("exit42"));
    QVERIFY(QTest::qWaitFor([&] { return stage.snapshot()->generation == 2; }, 30000));
    QVERIFY(isReady(server));
    QCOMPARE(exits.result().text(), QStringLiteral("restarting"));
    QCOMPARE(stage.starts(), 2);
}

void OnDemandServerTest::stopsInOrder()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    QVERIFY(isReady(server));
    const auto process = pid_t(server.agent().processId());
    server.stop();
    QVERIFY(stage.waitFor(InstanceState::Stopped));
    QVERIFY(!isLiving(process));
    QVERIFY(!stage.log.text().contains(QStringLiteral("failed"))); // EOF was enough

    const QFuture<ToolBackend::Start> waiting = server.ensureStarted(30s);
    server.stop();
    QVERIFY(comes(waiting));
    QVERIFY2(faultOf(waiting).contains(QStringLiteral("server was stopped")),
             qPrintable(faultOf(waiting)));
    QVERIFY(isReady(server)); // the next call starts it again
}

void OnDemandServerTest::destructorKillsServer()
{
    ServerStage stage;
    auto server =
        std::make_unique<OnDemandServer>(stage.supervisor, QStringLiteral("server"),
                                         stage.sample(options({"--ignore-term", "--ignore-eof"})));
    QVERIFY(isReady(*server));
    const auto process = pid_t(server->agent().processId());
    QVERIFY(isLiving(process));
    const QFuture<ToolBackend::Start> waiting = server->respawn(30s);
    server.reset();
    QVERIFY2(faultOf(waiting).contains(QStringLiteral("was deleted")),
             qPrintable(faultOf(waiting)));
    QVERIFY(QTest::qWaitFor([&] { return !isLiving(process); }, 30000));
}

void OnDemandServerTest::survivesDeletionInContinuation()
{
    ServerStage stage;
    auto server = std::make_unique<OnDemandServer>(
        stage.supervisor, QStringLiteral("server"),
        stage.sample(options({"--exit-in-handshake", "1"})), quick(1));
    bool isReported = false;
    server->ensureStarted(30s).then([&](const ToolBackend::Start &) { server.reset(); });
    server->ensureStarted(30s).then([&](const ToolBackend::Start &) { isReported = true; });
    QVERIFY(QTest::qWaitFor([&] { return isReported; }, 30000));
    QVERIFY(!server);

    server = std::make_unique<OnDemandServer>(stage.supervisor, QStringLiteral("server"),
                                              stage.sample(options({"--silent", "initialize"})));
    server->ensureStarted(1ms).then([&](const ToolBackend::Start &) { server.reset(); });
    QVERIFY(QTest::qWaitFor([&] { return !server; }, 30000));
}

void OnDemandServerTest::rejectsDuplicateName()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    OnDemandServer other(stage.supervisor, QStringLiteral("server"), stage.sample());
    QVERIFY(server.faults().isEmpty());
    QCOMPARE(other.faults().size(), 1);
    const QFuture<ToolBackend::Start> start = other.ensureStarted(30s);
    QVERIFY(start.isFinished());
    QVERIFY2(faultOf(start).startsWith(QStringLiteral("NotReady: server was rejected: ")),
             qPrintable(faultOf(start)));
    QVERIFY(!other.client().isReady());
    QVERIFY(other.respawn(1s).isFinished());
    QVERIFY(isReady(server));
}

// The host starts the server, so that the wait does not start it.
void OnDemandServerTest::stopAllEndsWaits()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"),
                          stage.sample(options({"--silent", "initialize"})));
    QSignalSpy stopped(&stage.supervisor, &AgentSupervisor::allStopped);
    stage.supervisor.startAll();
    QVERIFY(QTest::qWaitFor([&] { return stage.starts() == 1; }, 30000));
    const QFuture<ToolBackend::Start> waiting = server.ensureStarted(10min);
    stage.supervisor.stopAll();
    QVERIFY(QTest::qWaitFor([&] { return stopped.size() == 1; }, 30000));
    QVERIFY(waiting.isFinished());
    QVERIFY2(faultOf(waiting).contains(QStringLiteral("server was stopped")),
             qPrintable(faultOf(waiting)));
    QCOMPARE(stage.starts(), 1);
}

void OnDemandServerTest::waitsDoNotRestartStoppingServer()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"),
                          stage.sample(options({"--ignore-eof"})));
    QSignalSpy stopped(&stage.supervisor, &AgentSupervisor::allStopped);
    QVERIFY(isReady(server));
    stage.supervisor.stopAll();
    QCOMPARE(stage.snapshot()->state, InstanceState::Stopping);
    const QFuture<ToolBackend::Start> call = server.ensureStarted(10min);
    const QFuture<ToolBackend::Start> again = server.respawn(10min);
    QVERIFY(!call.isFinished());
    QVERIFY(!again.isFinished());
    QVERIFY(QTest::qWaitFor([&] { return stopped.size() == 1; }, 30000));
    for (const auto &start : {call, again}) {
        QVERIFY(start.isFinished());
        QVERIFY2(faultOf(start).contains(QStringLiteral("server was stopped")),
                 qPrintable(faultOf(start)));
    }
    QCOMPARE(stage.starts(), 1);
}

void OnDemandServerTest::stopsRetriesAfterLastCancellation()
{
    ServerStage stage(ServerStage::Time::Virtual);
    OnDemandServer server(stage.supervisor, QStringLiteral("server"),
                          stage.sample(options({"--exit-in-handshake", "3"})));
    QFuture<ToolBackend::Start> one = server.ensureStarted(1h);
    QFuture<ToolBackend::Start> other = server.ensureStarted(1h);
    stage.settle();
    QVERIFY(stage.waitFor(InstanceState::Waiting));
    one.cancel();
    QCoreApplication::processEvents();
    QCOMPARE(stage.snapshot()->state, InstanceState::Waiting);
    other.cancel();
    QVERIFY(stage.waitFor(InstanceState::Stopped));
    stage.virtualTime.advance(1h);
    QCOMPARE(stage.starts(), 1);
}

void OnDemandServerTest::failsAfterRemovalFromSupervisor()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    QVERIFY(isReady(server));
    const auto process = pid_t(server.agent().processId());
    const QFuture<ToolBackend::Start> waiting = server.respawn(30s);
    stage.supervisor.remove(stage.supervisor.idOf(QStringLiteral("server")));
    QVERIFY(waiting.isFinished());
    QCOMPARE(faultOf(waiting), QStringLiteral("NotReady: server was removed from its supervisor"));
    // The agent is deleted by the event loop.
    QVERIFY(QTest::qWaitFor([&] { return !isLiving(process); }, 30000));
    QVERIFY(!server.client().isReady());
    for (const auto &start : {server.ensureStarted(30s), server.respawn(30s)}) {
        QVERIFY(start.isFinished());
        QVERIFY(faultOf(start).contains(QStringLiteral("was removed")));
    }
    server.stop();
    QCOMPARE(stage.starts(), 1);
}

void OnDemandServerTest::survivesSupervisorAsParent()
{
    const ServerStage stage;
    auto *supervisor = new AgentSupervisor;
    grantAll(*supervisor);
    auto *server =
        new OnDemandServer(*supervisor, QStringLiteral("server"), stage.sample(), {}, supervisor);
    const QFuture<ToolBackend::Start> waiting = server->ensureStarted(30s);
    delete supervisor;
    QVERIFY(waiting.isFinished());
    QCOMPARE(faultOf(waiting), QStringLiteral("NotReady: server was deleted"));
}

REKINDLE_TEST(OnDemandServerTest)
#include "ondemandservertest.moc"
