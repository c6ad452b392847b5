// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The manager of S0, with real servers: started by who needs them, with bounded back-off.

#include "mcp/host/serverstage.h"
#include "testprogram.h"

#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/ondemandserver.h>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

/// As the preset, quicker.
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
    // S0: bounded exponential back-off around spawn, handshake and tools/list.
    void spawnFailureInjectedThenItWorks();
    void spawnFailureInjectedForEver();
    void handshakeFailureIsASpawnFailure_data();
    void handshakeFailureIsASpawnFailure();
    void programThatIsNotThere();

    // S0: within the time that the caller has.
    void lateStartIsToldInTime();
    void retriesAreNotMadeForNobody();

    // S0: on demand.
    void nothingRunsBeforeTheFirstCall();
    void concurrentCallersShareOneStart();
    void cancelledCallerDisturbsNobody();
    void serverThatDiesIdleStaysGone();
    void deathIsFollowedByAStartAtOnce();
    void respawnReplacesTheServerForAll();
    void respawnOfWhatIsGone();
    void exit42IsGranted();

    void stopEndsItInOrder();
    void destructionLeavesNoOrphan();
    void deletionInAContinuation();
    void nameThatIsTaken();
};

void OnDemandServerTest::spawnFailureInjectedThenItWorks()
{
    ServerStage stage(ServerStage::Time::Virtual);
    OnDemandServer server(stage.supervisor, QStringLiteral("server"),
                          stage.sample(options({"--until", "2", "--exit-in-handshake", "1"})));
    const QFuture<ToolBackend::Start> start = server.ensureStarted(25s);
    stage.settle();
    // The preset's delays, and nothing before they are over.
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

void OnDemandServerTest::spawnFailureInjectedForEver()
{
    ServerStage stage;
    OnDemandServer server(
        stage.supervisor, QStringLiteral("server"),
        stage.sample(options({"--err", "no database", "--exit-in-handshake", "3"})), quick(2));
    for (const int starts : {3, 6}) { // each call that needs it may try anew
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

void OnDemandServerTest::handshakeFailureIsASpawnFailure_data()
{
    QTest::addColumn<QStringList>("failure");
    QTest::newRow("initialize refused") << options({"--initialize-error"});
    QTest::newRow("exit 0") << options({"--exit-in-handshake", "0"});
    QTest::newRow("stdout closed") << options({"--close-out"});
}

void OnDemandServerTest::handshakeFailureIsASpawnFailure()
{
    QFETCH(QStringList, failure);
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"),
                          stage.sample(options({"--era", "legacy", "--until", "1"}) + failure),
                          quick());
    QVERIFY(isReady(server));
    QCOMPARE(stage.starts(), 2);
}

void OnDemandServerTest::programThatIsNotThere()
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
    QCOMPARE(stage.snapshot()->state, InstanceState::Failed); // trying again would not help
}

void OnDemandServerTest::lateStartIsToldInTime()
{
    ServerStage stage(ServerStage::Time::Virtual);
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    const QFuture<ToolBackend::Start> hasty = server.ensureStarted(2s);
    stage.virtualTime.advance(2s - 1ns);
    QVERIFY(!hasty.isFinished());
    stage.virtualTime.advance(1ns);
    QVERIFY(hasty.isFinished());
    QCOMPARE(faultOf(hasty), QStringLiteral("NotReady: server was not ready within 2s"));
    // The start that it began is there for the next one.
    QVERIFY(isReady(server));
    QCOMPARE(stage.starts(), 1);
}

void OnDemandServerTest::retriesAreNotMadeForNobody()
{
    ServerStage stage(ServerStage::Time::Virtual);
    OnDemandServer server(stage.supervisor, QStringLiteral("server"),
                          stage.sample(options({"--exit-in-handshake", "3"})));
    const QFuture<ToolBackend::Start> patient = server.ensureStarted(100ms);
    stage.settle();
    QVERIFY(QTest::qWaitFor([&] { return stage.snapshot()->nextStartAt.has_value(); }, 30000));
    QCOMPARE(stage.starts(), 1);
    stage.virtualTime.advance(100ms);
    QVERIFY(faultOf(patient).contains(QStringLiteral("within 100ms")));
    QVERIFY(stage.waitFor(InstanceState::Stopped));

    // Nor where they were cancelled before it failed.
    QFuture<ToolBackend::Start> cancelled = server.ensureStarted(1h);
    stage.settle();
    QVERIFY(stage.waitFor(InstanceState::Starting));
    cancelled.cancel();
    QVERIFY(stage.waitFor(InstanceState::Stopped));
    stage.virtualTime.advance(1h);
    QCOMPARE(stage.starts(), 2);
}

void OnDemandServerTest::nothingRunsBeforeTheFirstCall()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    QVERIFY(stage.supervisor.isIdle());
    QVERIFY(!server.restartsOnExit());
    QVERIFY(isReady(server));
    QCOMPARE(stage.starts(), 1);
    QVERIFY(server.ensureStarted(0s).isFinished()); // it is there
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

void OnDemandServerTest::cancelledCallerDisturbsNobody()
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

void OnDemandServerTest::serverThatDiesIdleStaysGone()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    QVERIFY(isReady(server));
    ::kill(pid_t(server.agent().processId()), SIGKILL);
    QVERIFY(stage.waitFor(InstanceState::Failed));
    QVERIFY(stage.supervisor.isIdle()); // nothing is planned
    QCOMPARE(stage.starts(), 1);
    QVERIFY(isReady(server));
    QCOMPARE(stage.starts(), 2);
    QCOMPARE(stage.snapshot()->attempt, 0);
}

// The caller hears of the loss before the engine does.
void OnDemandServerTest::deathIsFollowedByAStartAtOnce()
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
    // No back-off: the first try of a new start waits for nothing.
    QVERIFY2(!stage.log.text().contains(QStringLiteral("scheduled")), qPrintable(stage.log.text()));
}

void OnDemandServerTest::respawnReplacesTheServerForAll()
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

void OnDemandServerTest::respawnOfWhatIsGone()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    const QFuture<ToolBackend::Start> first = server.respawn(30s);
    QVERIFY(comes(first));
    QCOMPARE(faultOf(first), QString());
    QCOMPARE(stage.starts(), 1);
}

void OnDemandServerTest::exit42IsGranted()
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

void OnDemandServerTest::stopEndsItInOrder()
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
    QVERIFY(isReady(server)); // and the next call starts it all the same
}

void OnDemandServerTest::destructionLeavesNoOrphan()
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
    QVERIFY2(faultOf(waiting).contains(QStringLiteral("not kept any more")),
             qPrintable(faultOf(waiting)));
    QVERIFY(QTest::qWaitFor([&] { return !isLiving(process); }, 30000));
}

void OnDemandServerTest::deletionInAContinuation()
{
    ServerStage stage;
    auto server = std::make_unique<OnDemandServer>(
        stage.supervisor, QStringLiteral("server"),
        stage.sample(options({"--exit-in-handshake", "1"})), quick(1));
    bool isTold = false;
    server->ensureStarted(30s).then([&](const ToolBackend::Start &) { server.reset(); });
    server->ensureStarted(30s).then([&](const ToolBackend::Start &) { isTold = true; });
    QVERIFY(QTest::qWaitFor([&] { return isTold; }, 30000));
    QVERIFY(!server);

    server = std::make_unique<OnDemandServer>(stage.supervisor, QStringLiteral("server"),
                                              stage.sample(options({"--silent", "initialize"})));
    server->ensureStarted(1ms).then([&](const ToolBackend::Start &) { server.reset(); });
    QVERIFY(QTest::qWaitFor([&] { return !server; }, 30000));
}

void OnDemandServerTest::nameThatIsTaken()
{
    ServerStage stage;
    OnDemandServer server(stage.supervisor, QStringLiteral("server"), stage.sample());
    OnDemandServer other(stage.supervisor, QStringLiteral("server"), stage.sample());
    QVERIFY(server.faults().isEmpty());
    QCOMPARE(other.faults().size(), 1);
    const QFuture<ToolBackend::Start> start = other.ensureStarted(30s);
    QVERIFY(start.isFinished());
    QVERIFY2(faultOf(start).startsWith(QStringLiteral("NotReady: server was refused: ")),
             qPrintable(faultOf(start)));
    QVERIFY(!other.client().isReady());
    QVERIFY(other.respawn(1s).isFinished());
    QVERIFY(isReady(server));
}

REKINDLE_TEST(OnDemandServerTest)
#include "ondemandservertest.moc"
