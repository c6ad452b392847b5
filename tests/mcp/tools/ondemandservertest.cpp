// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Real servers that are started on demand, with bounded backoff (S0).

#include "mcp/host/serverstage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/ondemandserver.h>

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

/// A host with one server.
struct OnDemand : ServerStage
{
    explicit OnDemand(const QStringList &serverOptions = {}, const OnDemandOptions &options = {},
                      Time time = Time::Real)
        : ServerStage(time)
        , server(supervisor, QStringLiteral("server"), sample(serverOptions), options)
    {
    }

    bool isReady()
    {
        const QFuture<ToolBackend::Start> start = server.ensureStarted(30s);
        return comes(start) && !start.result();
    }
    [[nodiscard]] pid_t process() const { return pid_t(server.agent().processId()); }

    OnDemandServer server;
};

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
    OnDemand stage(options({"--until", "2", "--exit-in-handshake", "1"}), {},
                   ServerStage::Time::Virtual);
    const QFuture<ToolBackend::Start> start = stage.server.ensureStarted(25s);
    stage.settle();
    // Each start waits for the delay of the preset.
    for (const Duration delay : {250ms, 500ms}) {
        QVERIFY(QTest::qWaitFor(
            [&] { return stage.snapshot()->nextStartAt == stage.clock.now() + delay; }, 30000));
        QVERIFY(!start.isFinished());
        stage.virtualTime.advance(delay);
    }
    QCOMPARE(faultOf(start), QString());
    QVERIFY(stage.server.client().isReady());
    QVERIFY(!stage.server.client().tools().isEmpty());
    QCOMPARE(stage.starts(), 3);
}

void OnDemandServerTest::reportsExhaustedStarts()
{
    OnDemand stage(options({"--err", "no database", "--exit-in-handshake", "3"}), quick(2));
    for (const int starts : {3, 6}) { // each call starts the server again
        const QFuture<ToolBackend::Start> start = stage.server.ensureStarted(30s);
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
    const Rows<QStringList> row("failure");
    row("initialize refused", options({"--initialize-error"}));
    row("exit 0", options({"--exit-in-handshake", "0"}));
    row("stdout closed", options({"--close-out"}));
}

void OnDemandServerTest::retriesFailedHandshakes()
{
    QFETCH(QStringList, failure);
    OnDemand stage(options({"--revision", "legacy", "--until", "1"}) + failure, quick());
    QVERIFY(stage.isReady());
    QCOMPARE(stage.starts(), 2);
}

void OnDemandServerTest::reportsMissingProgram()
{
    ServerStage stage;
    ProcessDefinition definition = stage.sample();
    definition.program = QStringLiteral("no-such-mcp-server");
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), definition);
    const QFuture<ToolBackend::Start> start = server.ensureStarted(30s);
    QVERIFY2(faultOf(start).contains(QStringLiteral("no-such-mcp-server")),
             qPrintable(faultOf(start)));
    QCOMPARE(start.result()->process.exitCode, 127);
    QCOMPARE(stage.snapshot()->state, InstanceState::Failed); // a retry cannot succeed
}

void OnDemandServerTest::reportsStartTimeout()
{
    OnDemand stage({}, {}, ServerStage::Time::Virtual);
    const QFuture<ToolBackend::Start> early = stage.server.ensureStarted(2s);
    stage.virtualTime.advance(2s - 1ns);
    QVERIFY(!early.isFinished());
    stage.virtualTime.advance(1ns);
    QVERIFY(early.isFinished());
    QCOMPARE(faultOf(early), QStringLiteral("NotReady: server was not ready within 2s"));
    // The start continues for the next caller.
    QVERIFY(stage.isReady());
    QCOMPARE(stage.starts(), 1);
}

void OnDemandServerTest::stopsRetriesWithoutWaitingCallers()
{
    OnDemand stage(options({"--exit-in-handshake", "3"}), {}, ServerStage::Time::Virtual);
    const QFuture<ToolBackend::Start> late = stage.server.ensureStarted(100ms);
    stage.settle();
    QVERIFY(QTest::qWaitFor([&] { return stage.snapshot()->nextStartAt.has_value(); }, 30000));
    QCOMPARE(stage.starts(), 1);
    stage.virtualTime.advance(100ms);
    QVERIFY(faultOf(late).contains(QStringLiteral("within 100ms")));
    QVERIFY(stage.waitFor(InstanceState::Stopped));

    // The same after a cancellation before the failure
    QFuture<ToolBackend::Start> cancelled = stage.server.ensureStarted(1h);
    stage.settle();
    QVERIFY(stage.waitFor(InstanceState::Starting));
    cancelled.cancel();
    QVERIFY(stage.waitFor(InstanceState::Stopped));
    stage.virtualTime.advance(1h);
    QCOMPARE(stage.starts(), 2);
}

void OnDemandServerTest::startsAtFirstCall()
{
    OnDemand stage;
    QVERIFY(stage.supervisor.isIdle());
    QVERIFY(!stage.server.restartsOnExit());
    QVERIFY(stage.isReady());
    QCOMPARE(stage.starts(), 1);
    QVERIFY(stage.server.ensureStarted(0s).isFinished());
    QVERIFY(!stage.server.ensureStarted(0s).result());
}

void OnDemandServerTest::concurrentCallersShareOneStart()
{
    OnDemand stage(options({"--until", "1", "--exit-in-handshake", "1"}), quick());
    QList<QFuture<ToolBackend::Start>> starts;
    for (int i = 0; i < 10; ++i)
        starts.push_back(stage.server.ensureStarted(30s));
    starts.takeFirst().cancel(); // does not affect the others
    for (const auto &start : std::as_const(starts))
        QCOMPARE(faultOf(start), QString());
    QCOMPARE(stage.starts(), 2);
}

void OnDemandServerTest::doesNotRestartIdleServer()
{
    OnDemand stage;
    QVERIFY(stage.isReady());
    ::kill(stage.process(), SIGKILL);
    QVERIFY(stage.waitFor(InstanceState::Failed));
    QVERIFY(stage.supervisor.isIdle()); // no start is scheduled
    QCOMPARE(stage.starts(), 1);
    QVERIFY(stage.isReady());
    QCOMPARE(stage.starts(), 2);
    QCOMPARE(stage.snapshot()->attempt, 0);
}

// The continuation runs before the engine processes the loss.
void OnDemandServerTest::startsAtOnceAfterLoss()
{
    OnDemand stage;
    QVERIFY(stage.isReady());
    std::optional<QFuture<ToolBackend::Start>> next;
    stage.server.client()
        .call(QStringLiteral("crash"))
        .then(&stage.server, [&](const ToolResult &result) {
            QCOMPARE(result.error->kind, McpError::Kind::Lost);
            next = stage.server.ensureStarted(30s);
        });
    QVERIFY(QTest::qWaitFor([&] { return next && next->isFinished(); }, 30000));
    QCOMPARE(faultOf(*next), QString());
    QCOMPARE(stage.starts(), 2);
    // The first attempt of a new start has no delay.
    QVERIFY2(!stage.log.text().contains(QStringLiteral("scheduled")), qPrintable(stage.log.text()));
}

void OnDemandServerTest::respawnReplacesServerForAllCallers()
{
    OnDemand stage;
    QVERIFY(stage.isReady());
    const auto before = stage.process();
    const QFuture<ToolBackend::Start> one = stage.server.respawn(30s);
    const QFuture<ToolBackend::Start> other = stage.server.respawn(30s);
    const QFuture<ToolBackend::Start> third = stage.server.ensureStarted(30s);
    for (const auto &start : {one, other, third})
        QCOMPARE(faultOf(start), QString());
    QVERIFY(!isLiving(before));
    QVERIFY(stage.server.client().isReady());
    QCOMPARE(stage.starts(), 2);
}

void OnDemandServerTest::respawnStartsStoppedServer()
{
    OnDemand stage;
    const QFuture<ToolBackend::Start> first = stage.server.respawn(30s);
    QCOMPARE(faultOf(first), QString());
    QCOMPARE(stage.starts(), 1);
}

void OnDemandServerTest::restartsAfterExit42()
{
    OnDemand stage;
    QVERIFY(stage.isReady());
    const QFuture<ToolResult> exits = stage.server.client().call(QStringLiteral("exit42"));
    QVERIFY(QTest::qWaitFor([&] { return stage.snapshot()->generation == 2; }, 30000));
    QVERIFY(stage.isReady());
    QCOMPARE(exits.result().text(), QStringLiteral("restarting"));
    QCOMPARE(stage.starts(), 2);
}

void OnDemandServerTest::stopsInOrder()
{
    OnDemand stage;
    QVERIFY(stage.isReady());
    const auto process = stage.process();
    stage.server.stop();
    QVERIFY(stage.waitFor(InstanceState::Stopped));
    QVERIFY(!isLiving(process));
    QVERIFY(!stage.log.text().contains(QStringLiteral("failed"))); // EOF was enough

    const QFuture<ToolBackend::Start> waiting = stage.server.ensureStarted(30s);
    stage.server.stop();
    QVERIFY2(faultOf(waiting).contains(QStringLiteral("server was stopped")),
             qPrintable(faultOf(waiting)));
    QVERIFY(stage.isReady()); // the next call starts it again
}

void OnDemandServerTest::destructorKillsServer()
{
    ServerStage stage;
    auto server =
        std::make_unique<OnDemandServer>(stage.supervisor, QStringLiteral("server"),
                                         stage.sample(options({"--ignore-term", "--ignore-eof"})));
    QVERIFY(comes(server->ensureStarted(30s)));
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
    OnDemand stage;
    OnDemandServer other(stage.supervisor, QStringLiteral("server"), stage.sample());
    QVERIFY(stage.server.faults().isEmpty());
    QCOMPARE(other.faults().size(), 1);
    const QFuture<ToolBackend::Start> start = other.ensureStarted(30s);
    QVERIFY(start.isFinished());
    QVERIFY2(faultOf(start).startsWith(QStringLiteral("NotReady: server was rejected: ")),
             qPrintable(faultOf(start)));
    QVERIFY(!other.client().isReady());
    QVERIFY(other.respawn(1s).isFinished());
    QVERIFY(stage.isReady());
}

// The host starts the server, so that the wait does not start it.
void OnDemandServerTest::stopAllEndsWaits()
{
    OnDemand stage(options({"--silent", "initialize"}));
    QSignalSpy stopped(&stage.supervisor, &AgentSupervisor::allStopped);
    stage.supervisor.startAll();
    QVERIFY(QTest::qWaitFor([&] { return stage.starts() == 1; }, 30000));
    const QFuture<ToolBackend::Start> waiting = stage.server.ensureStarted(10min);
    stage.supervisor.stopAll();
    QVERIFY(QTest::qWaitFor([&] { return stopped.size() == 1; }, 30000));
    QVERIFY(waiting.isFinished());
    QVERIFY2(faultOf(waiting).contains(QStringLiteral("server was stopped")),
             qPrintable(faultOf(waiting)));
    QCOMPARE(stage.starts(), 1);
}

void OnDemandServerTest::waitsDoNotRestartStoppingServer()
{
    OnDemand stage(options({"--ignore-eof"}));
    QSignalSpy stopped(&stage.supervisor, &AgentSupervisor::allStopped);
    QVERIFY(stage.isReady());
    stage.supervisor.stopAll();
    QCOMPARE(stage.snapshot()->state, InstanceState::Stopping);
    const QFuture<ToolBackend::Start> call = stage.server.ensureStarted(10min);
    const QFuture<ToolBackend::Start> again = stage.server.respawn(10min);
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
    OnDemand stage(options({"--exit-in-handshake", "3"}), {}, ServerStage::Time::Virtual);
    QFuture<ToolBackend::Start> one = stage.server.ensureStarted(1h);
    QFuture<ToolBackend::Start> other = stage.server.ensureStarted(1h);
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
    OnDemand stage;
    QVERIFY(stage.isReady());
    const auto process = stage.process();
    const QFuture<ToolBackend::Start> waiting = stage.server.respawn(30s);
    stage.supervisor.remove(stage.supervisor.idOf(QStringLiteral("server")));
    QVERIFY(waiting.isFinished());
    QCOMPARE(faultOf(waiting), QStringLiteral("NotReady: server was removed from its supervisor"));
    // The agent is deleted by the event loop.
    QVERIFY(QTest::qWaitFor([&] { return !isLiving(process); }, 30000));
    QVERIFY(!stage.server.client().isReady());
    for (const auto &start : {stage.server.ensureStarted(30s), stage.server.respawn(30s)}) {
        QVERIFY(start.isFinished());
        QVERIFY(faultOf(start).contains(QStringLiteral("was removed")));
    }
    stage.server.stop();
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
