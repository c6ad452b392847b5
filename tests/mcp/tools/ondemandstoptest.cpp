// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcp/host/serverstage.h"
#include "testprogram.h"

#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/ondemandserver.h>

#include <QSignalSpy>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

bool isReady(ToolBackend &server)
{
    const QFuture<ToolBackend::Start> start = server.ensureStarted(30s);
    return comes(start) && !start.result();
}

} // namespace

/// A server on demand whose supervisor ends it, or ends itself, while somebody waits for it.
class OnDemandStopTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stopAllWhileACallWaits();
    void callWhileItIsBeingStopped();
    void noStartForWhoHasCancelled();
    void removedFromItsSupervisor();
    void supervisorAsItsParent();
};

// Started by the host, so that the wait of the call is not what starts it.
void OnDemandStopTest::stopAllWhileACallWaits()
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

void OnDemandStopTest::callWhileItIsBeingStopped()
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

void OnDemandStopTest::noStartForWhoHasCancelled()
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

void OnDemandStopTest::removedFromItsSupervisor()
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

void OnDemandStopTest::supervisorAsItsParent()
{
    const ServerStage stage;
    auto *supervisor = new AgentSupervisor;
    grantAll(*supervisor);
    auto *server =
        new OnDemandServer(*supervisor, QStringLiteral("server"), stage.sample(), {}, supervisor);
    const QFuture<ToolBackend::Start> waiting = server->ensureStarted(30s);
    delete supervisor;
    QVERIFY(waiting.isFinished());
    QCOMPARE(faultOf(waiting), QStringLiteral("NotReady: server is not kept any more"));
}

REKINDLE_TEST(OnDemandStopTest)
#include "ondemandstoptest.moc"
