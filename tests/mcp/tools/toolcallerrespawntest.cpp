// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "callerstage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;
using End = ToolCallEnd;

/// A server that is started on demand (S0), and tools/list, in virtual time.
class ToolCallerRespawnTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void respawnsAndRetriesOnceWithinDeadline();
    void retryHasRemainingTime();
    void secondLossEndsCall();
    void respawnsOnlyIfRetryIsSafe_data();
    void respawnsOnlyIfRetryIsSafe();
    void respawnDoesNotUseRetriesOfPolicy();
    void lostCallsShareNewServer();
    void timeoutDoesNotRestartServer();
    void doesNotRespawnWithoutRestartOnExit();

    void listsTools();
    void failedListingRespawnsOnce_data();
    void failedListingRespawnsOnce();
    void restartsPagedListing();
    void listingHasDeadline();

private:
    struct OnDemand : CallerStage
    {
        explicit OnDemand(ToolCallerOptions options = {})
            : CallerStage(std::move(options))
        {
            backend->onDemand = true;
        }
        void comeUp()
        {
            backend->comeUp();
            settle();
        }
    };
};

void ToolCallerRespawnTest::respawnsAndRetriesOnceWithinDeadline()
{
    OnDemand stage;
    const QFuture<ToolCallOutcome> future = stage.call("reads", {.deadline = 10s});
    stage.advance(2s);
    stage.lose();
    QCOMPARE(stage.backend->respawned, 1);
    QCOMPARE(stage.backend->lastWithin, Duration(8s));
    stage.advance(3s);
    stage.comeUp();
    QCOMPARE(stage.sentCount(), 2);
    stage.answer();
    QVERIFY(hasSucceeded(future));
    QCOMPARE(future.result().retries(), 1);
    QCOMPARE(future.result().attempts[1].delay, Duration(0));
    QCOMPARE(future.result().attempts[1].waitedForServer, Duration(3s));
    QCOMPARE(stage.takeLog(),
             QStringLiteral("attempt 1, failed 1 Lost, attempt 2, respawning, Answered"));
}

void ToolCallerRespawnTest::retryHasRemainingTime()
{
    OnDemand stage;
    const QFuture<ToolCallOutcome> future = stage.call("reads", {.deadline = 10s});
    stage.advance(4s);
    stage.lose();
    stage.advance(5s);
    stage.comeUp();
    stage.advance(1s - 1ns);
    QVERIFY(!future.isFinished());
    stage.advance(1ns);
    QCOMPARE(endOf(future), End::DeadlineExceeded);
    QCOMPARE(future.result().duration, Duration(10s));

    OnDemand other; // no server is ready in time
    const QFuture<ToolCallOutcome> never = other.call("reads", {.deadline = 10s});
    other.lose();
    other.advance(10s);
    QCOMPARE(endOf(never), End::DeadlineExceeded);
    QCOMPARE(other.backend->respawned, 1);
}

void ToolCallerRespawnTest::secondLossEndsCall()
{
    OnDemand stage;
    const QFuture<ToolCallOutcome> future = stage.call("reads");
    stage.lose();
    stage.comeUp();
    stage.lose();
    QCOMPARE(endOf(future), End::AttemptsExhausted);
    QCOMPARE(future.result().retries(), 1);
    QCOMPARE(stage.backend->respawned, 1);
}

void ToolCallerRespawnTest::respawnsOnlyIfRetryIsSafe_data()
{
    const Rows<CallRetry, QByteArray, bool, bool> row("retry", "tool", "written", "again");
    row("written", CallRetry::Safe, "writes", true, false);
    row("unwritten", CallRetry::Safe, "writes", false, true);
    row("read-only", CallRetry::Safe, "reads", true, true);
    row("always", CallRetry::Always, "writes", true, true);
    row("never", CallRetry::Never, "reads", true, false);
}

void ToolCallerRespawnTest::respawnsOnlyIfRetryIsSafe()
{
    QFETCH(CallRetry, retry);
    QFETCH(QByteArray, tool);
    QFETCH(bool, written);
    QFETCH(bool, again);
    OnDemand stage({.retry = retry});
    stage.channel().writes = written;
    const QFuture<ToolCallOutcome> future = stage.call(tool);
    stage.lose();
    QCOMPARE(future.isFinished(), !again);
    QCOMPARE(stage.backend->respawned, again ? 1 : 0);
    if (!again) {
        QCOMPARE(endOf(future), End::NotRetryable);
        // The next call starts the server.
        const QFuture<ToolCallOutcome> next = stage.call("writes");
        stage.comeUp();
        stage.answer();
        QVERIFY(hasSucceeded(next));
    }
}

void ToolCallerRespawnTest::respawnDoesNotUseRetriesOfPolicy()
{
    ToolCallerOptions options;
    options.policy.maxRetries = 0;
    OnDemand none(options);
    const QFuture<ToolCallOutcome> future = none.call("reads");
    none.lose();
    none.comeUp();
    none.answer();
    QVERIFY(hasSucceeded(future));

    OnDemand all;
    const QFuture<ToolCallOutcome> many = all.call("reads");
    for (int i = 0; i < 3; ++i) {
        all.refuse();
        all.advance(1s);
    }
    all.lose();
    all.comeUp();
    QVERIFY(!many.isFinished());
    all.refuse();
    QCOMPARE(endOf(many), End::AttemptsExhausted);
    QCOMPARE(many.result().retries(), 4);
}

void ToolCallerRespawnTest::lostCallsShareNewServer()
{
    OnDemand stage;
    QList<QFuture<ToolCallOutcome>> futures;
    for (int i = 0; i < 5; ++i)
        futures.push_back(stage.call("reads"));
    stage.lose();
    stage.comeUp();
    QCOMPARE(stage.sentCount(), 10);
    stage.answerAll();
    for (const QFuture<ToolCallOutcome> &future : std::as_const(futures))
        QVERIFY(hasSucceeded(future));
}

void ToolCallerRespawnTest::timeoutDoesNotRestartServer()
{
    OnDemand stage;
    const QFuture<ToolCallOutcome> other = stage.call("writes");
    const QFuture<ToolCallOutcome> slow = stage.call("reads", {.attemptTimeout = 1s});
    stage.advance(1s);
    QCOMPARE(stage.backend->respawned, 0);
    QVERIFY(!other.isFinished());
    stage.advance(100ms);
    stage.answer();
    QVERIFY(hasSucceeded(slow));
}

void ToolCallerRespawnTest::doesNotRespawnWithoutRestartOnExit()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> future = stage.call("reads");
    stage.lose();
    stage.advance(1s);
    QCOMPARE(stage.backend->respawned, 0);
    QCOMPARE(stage.backend->ensured, 2);
    QVERIFY(!future.isFinished());
}

void ToolCallerRespawnTest::listsTools()
{
    CallerStage stage;
    const QFuture<ToolListOutcome> future = stage.caller->listTools();
    stage.channel().answer(stage.lastIdOf("tools/list"), R"({"tools":[{"name":"x"}]})");
    QVERIFY(hasSucceeded(future));
    QCOMPARE(future.result().tools.size(), 1);
    QCOMPARE(future.result().tools[0].name, QStringLiteral("x"));
    QVERIFY(stage.finished.isEmpty());
}

void ToolCallerRespawnTest::failedListingRespawnsOnce_data()
{
    const Rows<bool> row("exits");
    row("exits", true);
    row("does not answer", false);
}

void ToolCallerRespawnTest::failedListingRespawnsOnce()
{
    QFETCH(bool, exits);
    for (const bool helps : {true, false}) {
        OnDemand stage;
        const QFuture<ToolListOutcome> future = stage.caller->listTools();
        const auto fail = [&] { exits ? stage.lose() : stage.advance(60s); };
        fail();
        QCOMPARE(stage.backend->respawned, 1);
        stage.comeUp();
        QVERIFY(!future.isFinished());
        if (!helps) {
            fail();
            QCOMPARE(endOf(future), End::AttemptsExhausted);
            QCOMPARE(stage.backend->respawned, 1);
            continue;
        }
        stage.channel().answer(stage.lastIdOf("tools/list"), R"({"tools":[{"name":"x"}]})");
        QVERIFY(hasSucceeded(future));
        QCOMPARE(future.result().retries(), 1);
    }
}

void ToolCallerRespawnTest::restartsPagedListing()
{
    OnDemand stage;
    const QFuture<ToolListOutcome> future = stage.caller->listTools();
    stage.channel().answer(stage.lastIdOf("tools/list"),
                           R"({"tools":[{"name":"x"}],"nextCursor":"2"})");
    QVERIFY(!future.isFinished());
    stage.lose(); // between two pages: the listing starts again
    stage.comeUp();
    stage.channel().answer(stage.lastIdOf("tools/list"),
                           R"({"tools":[{"name":"x"}],"nextCursor":"2"})");
    QCOMPARE(stage.channel().lastParams().value(QLatin1String("cursor")), QStringLiteral("2"));
    stage.channel().answer(stage.lastIdOf("tools/list"), R"({"tools":[{"name":"y"}]})");
    QVERIFY(future.isFinished());
    QCOMPARE(future.result().tools.size(), 2);
}

void ToolCallerRespawnTest::listingHasDeadline()
{
    OnDemand stage;
    const QFuture<ToolListOutcome> future = stage.caller->listTools({.deadline = 3s});
    stage.advance(3s);
    QCOMPARE(endOf(future), End::DeadlineExceeded);
    QVERIFY(future.result().tools.isEmpty());
    QCOMPARE(stage.sentCount("notifications/cancelled"), 1);
}

REKINDLE_TEST(ToolCallerRespawnTest)
#include "toolcallerrespawntest.moc"
