// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// S0 and S3: calls and listings of a real server that is started on demand, and their records in a
// real store.

#include "mcp/host/serverstage.h"
#include "testprogram.h"

#include <rekindle/mcp/ondemandserver.h>
#include <rekindle/mcp/toolcaller.h>
#include <rekindle/telemetry/historyreader.h>
#include <rekindle/telemetry/telemetrystore.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

/// A caller without retries of its own policy, so that only S0 repeats calls.
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

/// The same with the policy of calls, and with a store.
struct StoredCalls : Calls
{
    explicit StoredCalls(const ToolCallerOptions &options = {})
        : Calls(true, Time::Real, {}, options)
    {
        QObject::connect(&caller, &ToolCaller::callFinished, &store,
                         &TelemetryStore::appendToolCall);
    }

    QList<StoredEvent> events()
    {
        store.close();
        HistoryReader reader(file("store.sqlite"));
        return reader.events({.type = toolCallFinishedType});
    }

    TelemetryStore store{{.path = file("store.sqlite")}};
};

QJsonObject dataOf(const StoredEvent &event)
{
    return QJsonDocument::fromJson(event.data).object();
}

} // namespace

class OnDemandCallsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void respawnsOnceWithRestartOnExit();
    void doesNotRespawnWithoutRestartOnExit();
    void respawnsForListing();
    void retriesWithinDeadline();
    void failedStartsEndAtDeadline();
    void removalEndsPendingCalls();

    // S3: the store
    void storesRetryCount();
    void storesRetriedAndPlainCalls();
    void storesBreakerOpenings();
};

void OnDemandCallsTest::respawnsOnceWithRestartOnExit()
{
    Calls stage(true);
    const QFuture<ToolCallOutcome> call = stage.call("die_once");
    QVERIFY(comes(call));
    QCOMPARE(call.result().result.text(), QStringLiteral("survived"));
    QCOMPARE(call.result().attempts.size(), 2);
    QCOMPARE(stage.starts(), 2);

    // Each call respawns the server only once.
    const QFuture<ToolCallOutcome> crash =
        stage.caller.call(QStringLiteral("crash"), {}, {.retry = CallRetry::Always});
    QVERIFY(comes(crash));
    QCOMPARE(crash.result().result.error->kind, McpError::Kind::Lost);
    QCOMPARE(crash.result().attempts.size(), 2);
    QCOMPARE(stage.starts(), 3);

    // A call that may have been carried out is not repeated.
    const QFuture<ToolCallOutcome> writing = stage.caller.call(
        QStringLiteral("die_once_writing"), {{QStringLiteral("file"), stage.file("wrote")}});
    QVERIFY(comes(writing));
    QCOMPARE(writing.result().end, ToolCallEnd::NotRetryable);
    QCOMPARE(writing.result().result.error->kind, McpError::Kind::Lost);
    QCOMPARE(writing.result().attempts.size(), 1);
}

void OnDemandCallsTest::doesNotRespawnWithoutRestartOnExit()
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

void OnDemandCallsTest::respawnsForListing()
{
    // The server exits during the second listing.
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

void OnDemandCallsTest::retriesWithinDeadline()
{
    ToolCallerOptions options;
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

void OnDemandCallsTest::failedStartsEndAtDeadline()
{
    ToolCallerOptions options = Calls::once();
    options.deadline = 1s;
    Calls stage(true, ServerStage::Time::Virtual,
                {QStringLiteral("--exit-in-handshake"), QStringLiteral("3")}, options);
    const QFuture<ToolCallOutcome> call = stage.call("state");
    stage.settle();
    // Further starts after 250 and 500 ms; the next one would be after the deadline.
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
    // No caller waits anymore, so the start is not retried.
    QVERIFY(stage.waitFor(InstanceState::Stopped));
    QCOMPARE(stage.starts(), 3);
}

void OnDemandCallsTest::removalEndsPendingCalls()
{
    Calls stage(true);
    const QFuture<ToolListOutcome> ready = stage.caller.listTools();
    QVERIFY(comes(ready));
    const QFuture<ToolCallOutcome> call = stage.call("silent");
    const QFuture<ToolListOutcome> listing = stage.caller.listTools();
    stage.supervisor.remove(stage.supervisor.idOf(QStringLiteral("server")));
    // The agent is deleted before the server answers.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
    QVERIFY(call.isFinished());
    QCOMPARE(call.result().end, ToolCallEnd::NotRetryable);
    QCOMPARE(call.result().result.error->kind, McpError::Kind::Lost);
    QVERIFY(listing.isFinished());
    QCOMPARE(listing.result().end, ToolCallEnd::NotRetryable);
    QCOMPARE(stage.caller.breaker(QStringLiteral("silent")), CircuitBreakerInfo::closed());

    // The backend still exists and reports why there is no server.
    QCoreApplication::processEvents();
    const QFuture<ToolCallOutcome> late = stage.call("state");
    QVERIFY(late.isFinished());
    QCOMPARE(late.result().result.error->kind, McpError::Kind::NotReady);
    QVERIFY2(late.result().result.error->message.contains(QStringLiteral("was removed")),
             qPrintable(late.result().result.error->message));
}

void OnDemandCallsTest::storesRetryCount()
{
    ToolCallerOptions options;
    options.retry = CallRetry::Always;
    StoredCalls stage(options);
    const QFuture<ToolCallOutcome> call = stage.call("crash");
    QVERIFY(comes(call));
    QCOMPARE(call.result().end, ToolCallEnd::AttemptsExhausted);

    const QList<StoredEvent> events = stage.events();
    QCOMPARE(events.size(), 1);
    QCOMPARE(events[0].type, QStringLiteral("tool.finished"));
    QCOMPARE(events[0].agent, QStringLiteral("server"));
    const QJsonObject data = dataOf(events[0]);
    QVERIFY(data[QLatin1String("retries")].toInt() > 0);
    QCOMPARE(data[QLatin1String("tool")].toString(), QStringLiteral("crash"));
    QCOMPARE(data[QLatin1String("end")].toString(), QStringLiteral("AttemptsExhausted"));
    QCOMPARE(data[QLatin1String("failure")].toString(), QStringLiteral("Lost"));
    QCOMPARE(data[QLatin1String("attempts")].toArray().size(), 2);
    QVERIFY(data[QLatin1String("durationMs")].toDouble() > 0);
    QVERIFY(events[0].toCloudEvent().contains(R"("id":"call-1")"));
}

void OnDemandCallsTest::storesRetriedAndPlainCalls()
{
    StoredCalls stage;
    for (const int retries : {1, 0}) {
        const QFuture<ToolCallOutcome> call = stage.call("die_once");
        QVERIFY(comes(call));
        QVERIFY2(call.result().succeeded(), qPrintable(toText(call.result().end)));
        QCOMPARE(call.result().retries(), retries);
    }
    const QList<StoredEvent> events = stage.events();
    QCOMPARE(events.size(), 2);
    QCOMPARE(dataOf(events[0])[QLatin1String("retries")].toInt(), 1);
    QCOMPARE(dataOf(events[1])[QLatin1String("retries")].toInt(), 0);
    QCOMPARE(events[1].sequence, 2);
}

void OnDemandCallsTest::storesBreakerOpenings()
{
    ToolCallerOptions options;
    options.attemptTimeout = 50ms;
    options.policy.circuitBreaker->threshold = 2;
    StoredCalls stage(options);
    for (int i = 0; i < 3; ++i)
        QVERIFY(comes(stage.call("silent")));
    const QList<StoredEvent> events = stage.events();
    QCOMPARE(events.size(), 3);
    QCOMPARE(dataOf(events[0])[QLatin1String("breakerOpened")].toBool(), false);
    QCOMPARE(dataOf(events[1])[QLatin1String("breakerOpened")].toBool(), true);
    QCOMPARE(dataOf(events[1])[QLatin1String("breaker")].toString(), QStringLiteral("Open"));
    QCOMPARE(dataOf(events[2])[QLatin1String("end")].toString(), QStringLiteral("BreakerOpen"));
}

REKINDLE_TEST(OnDemandCallsTest)
#include "ondemandcallstest.moc"
