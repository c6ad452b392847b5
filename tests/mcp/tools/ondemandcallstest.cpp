// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// S0 as a whole: calls and listings through ToolCaller to a real server that is started on demand.

#include "mcp/host/serverstage.h"
#include "testprogram.h"

#include <rekindle/mcp/ondemandserver.h>
#include <rekindle/mcp/toolcaller.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

/// A caller that never tries again by itself, so that what is made again is S0's doing.
struct Calls : ServerStage
{
    explicit Calls(bool restartsOnExit, Time time = Time::Real,
                   const QStringList &serverOptions = {}, ToolCallerOptions callerOptions = once())
        : ServerStage(time)
        , server(supervisor, QStringLiteral("server"), sample(serverOptions),
                 {.restartsOnExit = restartsOnExit})
        , caller(server, supervisor.scheduler(), std::move(callerOptions))
    {
    }

    static ToolCallerOptions once()
    {
        ToolCallerOptions options;
        options.policy.maxRetries = 0;
        return options;
    }

    QFuture<ToolCallOutcome> call(const char *tool)
    {
        return caller.call(QString::fromLatin1(tool), {{QStringLiteral("file"), file("died")}});
    }

    OnDemandServer server;
    ToolCaller caller;
};

} // namespace

class OnDemandCallsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstCallStartsTheServer();
    void restartOnExitOn();
    void restartOnExitOff();
    void listToolsRetriesWithRespawn();
    void retryInsideTheTimeoutBudget();
    void spawnFailuresEndWithTheTimeoutBudget();
    void theServerIsRemovedUnderCalls();
};

void OnDemandCallsTest::theFirstCallStartsTheServer()
{
    Calls stage(false);
    QCOMPARE(stage.starts(), 0);
    const QFuture<ToolCallOutcome> call = stage.call("state");
    QVERIFY(comes(call));
    QVERIFY(call.result().succeeded());
    QCOMPARE(stage.starts(), 1);
}

void OnDemandCallsTest::restartOnExitOn()
{
    Calls stage(true);
    const QFuture<ToolCallOutcome> call = stage.call("die_once");
    QVERIFY(comes(call));
    QCOMPARE(call.result().result.text(), QStringLiteral("survived"));
    QCOMPARE(call.result().attempts.size(), 2);
    QCOMPARE(stage.starts(), 2);

    // One respawn for each call, and not more.
    const QFuture<ToolCallOutcome> crash =
        stage.caller.call(QStringLiteral("crash"), {}, {.retry = CallRetry::Always});
    QVERIFY(comes(crash));
    QCOMPARE(crash.result().result.error->kind, McpError::Kind::Lost);
    QCOMPARE(crash.result().attempts.size(), 2);
    QCOMPARE(stage.starts(), 3);
}

void OnDemandCallsTest::restartOnExitOff()
{
    Calls stage(false);
    const QFuture<ToolCallOutcome> call = stage.call("die_once");
    QVERIFY(comes(call));
    QCOMPARE(call.result().result.error->kind, McpError::Kind::Lost);
    QCOMPARE(call.result().attempts.size(), 1);
    QVERIFY(stage.waitFor(InstanceState::Failed));
    QCOMPARE(stage.starts(), 1);
    const QFuture<ToolCallOutcome> next = stage.call("die_once");
    QVERIFY(comes(next));
    QCOMPARE(next.result().result.text(), QStringLiteral("survived"));
    QCOMPARE(stage.starts(), 2);
}

void OnDemandCallsTest::listToolsRetriesWithRespawn()
{
    // It dies of the question that comes after its handshake.
    Calls stage(true);
    const QFuture<ToolListOutcome> list = stage.caller.listTools();
    QVERIFY(comes(list));
    stage.server.client().call(QStringLiteral("crash"));
    const QFuture<ToolListOutcome> again = stage.caller.listTools();
    QVERIFY(comes(again));
    QCOMPARE(again.result().tools, list.result().tools);
    QCOMPARE(again.result().attempts.size(), 2);
    QCOMPARE(stage.starts(), 2);
}

void OnDemandCallsTest::retryInsideTheTimeoutBudget()
{
    ToolCallerOptions options; // the preset
    options.random = [] { return 0.0; };
    options.deadline = 10s;
    Calls stage(false, ServerStage::Time::Virtual, {}, options);
    const QFuture<ToolCallOutcome> call = stage.call("die_once");
    stage.settle();
    QVERIFY(QTest::qWaitFor(
        [&] { return stage.starts() == 1 && QFile::exists(stage.file("died")); }, 30000));
    QVERIFY(stage.waitFor(InstanceState::Failed));
    QVERIFY(!call.isFinished());
    stage.virtualTime.advance(100ms);
    stage.settle();
    QVERIFY(comes(call));
    QCOMPARE(call.result().result.text(), QStringLiteral("survived"));
    QCOMPARE(call.result().duration, Duration(100ms));
    QCOMPARE(stage.starts(), 2);
}

void OnDemandCallsTest::spawnFailuresEndWithTheTimeoutBudget()
{
    ToolCallerOptions options = Calls::once();
    options.deadline = 1s;
    Calls stage(true, ServerStage::Time::Virtual,
                {QStringLiteral("--exit-in-handshake"), QStringLiteral("3")}, options);
    const QFuture<ToolCallOutcome> call = stage.call("state");
    stage.settle();
    // After 250 and 500 ms more; the next one would come after the deadline.
    for (const Duration delay : {250ms, 500ms}) {
        QVERIFY(QTest::qWaitFor(
            [&] { return stage.snapshot()->nextStartAt == stage.clock.now() + delay; }, 30000));
        stage.virtualTime.advance(delay);
    }
    QVERIFY(QTest::qWaitFor([&] { return stage.starts() == 3 && stage.snapshot()->nextStartAt; },
                            30000));
    QVERIFY(!call.isFinished());
    stage.virtualTime.advance(250ms);
    QVERIFY(comes(call));
    QCOMPARE(call.result().end, ToolCallEnd::DeadlineExceeded);
    QCOMPARE(call.result().duration, Duration(1s));
    // Nobody waits for it any more.
    QVERIFY(stage.waitFor(InstanceState::Stopped));
    QCOMPARE(stage.starts(), 3);
}

void OnDemandCallsTest::theServerIsRemovedUnderCalls()
{
    Calls stage(true);
    const QFuture<ToolListOutcome> ready = stage.caller.listTools();
    QVERIFY(comes(ready));
    const QFuture<ToolCallOutcome> call = stage.call("silent");
    const QFuture<ToolListOutcome> listing = stage.caller.listTools();
    stage.supervisor.remove(stage.supervisor.idOf(QStringLiteral("server")));
    // Before the server has answered.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
    QVERIFY(call.isFinished());
    QCOMPARE(call.result().end, ToolCallEnd::NotRetryable);
    QCOMPARE(call.result().result.error->kind, McpError::Kind::Lost);
    QVERIFY(listing.isFinished());
    QCOMPARE(listing.result().end, ToolCallEnd::NotRetryable);
    QCOMPARE(stage.caller.breaker(QStringLiteral("silent")), CircuitBreakerInfo::closed());

    // The backend is there, and says what has happened to its server.
    QCoreApplication::processEvents();
    const QFuture<ToolCallOutcome> late = stage.call("state");
    QVERIFY(late.isFinished());
    QCOMPARE(late.result().result.error->kind, McpError::Kind::NotReady);
    QVERIFY2(late.result().result.error->message.contains(QStringLiteral("was removed")),
             qPrintable(late.result().result.error->message));
}

REKINDLE_TEST(OnDemandCallsTest)
#include "ondemandcallstest.moc"
