// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "callerstage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;
using State = CircuitBreakerState;
using End = ToolCallEnd;

/// The circuit breaker of each tool, in virtual time.
class ToolCallerBreakerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Required by S3
    void opensAndCloses();
    void resetsAfterTimeout();
    void opensAfterFiveFailedCalls();

    void countsCallsNotAttempts();
    void isolatesTools();
    void ignoresCallsLostWithServer();
    void countsIsErrorOnlyWithAlways();
    void halfOpenAdmitsOneCall();
    void releasesTrialWithoutEvidence_data();
    void releasesTrialWithoutEvidence();
    void ignoresLateResult();
    void rejectsRetryIfOpenedByOtherCalls();
    void neverOpensWithoutPolicy();

private:
    static void open(CallerStage &stage, const char *tool = "writes")
    {
        for (int i = 0; i < 5; ++i)
            stage.failCall(tool);
        QCOMPARE(stage.caller->breaker(QString::fromLatin1(tool)).state, State::Open);
        stage.takeLog();
    }
    static State stateOf(const CallerStage &stage)
    {
        return stage.caller->breaker(QStringLiteral("writes")).state;
    }
};

void ToolCallerBreakerTest::opensAndCloses()
{
    CallerStage stage;
    open(stage);
    stage.advance(60s);
    const QFuture<ToolCallOutcome> trial = stage.call("writes");
    QCOMPARE(stateOf(stage), State::HalfOpen);
    stage.answer();
    QVERIFY(hasSucceeded(trial));
    QCOMPARE(stateOf(stage), State::Closed);
    QCOMPARE(stage.takeLog(),
             QStringLiteral("breaker of writes HalfOpen 0s, attempt 1, "
                            "breaker of writes Closed 0s, Answered"));

    open(stage);
    stage.advance(60s);
    const ToolCallOutcome again = stage.failCall();
    QVERIFY(again.breakerOpened);
    QCOMPARE(stateOf(stage), State::Open);
}

void ToolCallerBreakerTest::resetsAfterTimeout()
{
    CallerStage stage;
    open(stage);
    stage.advance(60s - 1ns);
    QCOMPARE(stage.call("writes").result().end, End::BreakerOpen);
    stage.advance(1ns);
    const QFuture<ToolCallOutcome> trial = stage.call("writes");
    QVERIFY(!trial.isFinished());
    stage.answer();
    QVERIFY(hasSucceeded(trial));
}

void ToolCallerBreakerTest::opensAfterFiveFailedCalls()
{
    CallerStage stage;
    for (int i = 1; i <= 5; ++i) {
        const ToolCallOutcome outcome = stage.failCall();
        QCOMPARE(outcome.breakerOpened, i == 5);
        QCOMPARE(stage.finished.last().breakerOpened, i == 5);
        QCOMPARE(stateOf(stage), i == 5 ? State::Open : State::Closed);
    }
    QVERIFY(stage.takeLog().endsWith(QStringLiteral("breaker of writes Open 1m, NotRetryable")));
    const int sent = stage.sentCount();
    stage.advance(20s);
    const QFuture<ToolCallOutcome> refused = stage.caller->call(QStringLiteral("writes"));
    QCOMPARE(endOf(refused), End::BreakerOpen);
    QCOMPARE(refused.result().retryAfter, std::optional<Duration>(40s));
    QVERIFY(refused.result().attempts.isEmpty());
    QCOMPARE(refused.result().result.error->kind, McpError::Kind::NotReady);
    QVERIFY(refused.result().result.error->message.contains(QStringLiteral("40s")));
    QCOMPARE(stage.sentCount(), sent);
    QCOMPARE(stage.finished.last().end, End::BreakerOpen);
    QCOMPARE(stage.finished.last().breaker, State::Open);
    // A success resets the count.
    CallerStage other;
    for (int i = 0; i < 20; ++i) {
        other.failCall();
        if (i % 4 == 3) {
            const QFuture<ToolCallOutcome> good = other.call("writes");
            other.answer();
            QVERIFY(hasSucceeded(good));
        }
    }
    QCOMPARE(stateOf(other), State::Closed);
}

void ToolCallerBreakerTest::countsCallsNotAttempts()
{
    CallerStage stage({.retry = CallRetry::Always});
    for (int i = 0; i < 4; ++i) {
        const QFuture<ToolCallOutcome> future = stage.call("writes");
        for (int attempt = 0; attempt < 4; ++attempt) {
            stage.answerError();
            stage.advance(1s);
        }
        QCOMPARE(future.result().retries(), 3);
    }
    QCOMPARE(stage.caller->breaker(QStringLiteral("writes")).failureCount, 4);
    QCOMPARE(stateOf(stage), State::Closed);
    const QFuture<ToolCallOutcome> saved = stage.call("writes");
    stage.answerError();
    stage.advance(100ms);
    stage.answer();
    QVERIFY(hasSucceeded(saved));
    QCOMPARE(stage.caller->breaker(QStringLiteral("writes")).failureCount, 0);
}

void ToolCallerBreakerTest::isolatesTools()
{
    CallerStage stage;
    open(stage);
    const QFuture<ToolCallOutcome> other = stage.call("sets");
    stage.answer();
    QVERIFY(hasSucceeded(other));
    QCOMPARE(stateOf(stage), State::Open);
}

void ToolCallerBreakerTest::ignoresCallsLostWithServer()
{
    CallerStage stage;
    for (int i = 0; i < 10; ++i) {
        const QFuture<ToolCallOutcome> future = stage.call("writes");
        stage.lose();
        QCOMPARE(endOf(future), End::NotRetryable);
        stage.backend->comeUp();
    }
    QCOMPARE(stage.caller->breaker(QStringLiteral("writes")), CircuitBreakerInfo::closed());
}

void ToolCallerBreakerTest::countsIsErrorOnlyWithAlways()
{
    for (const CallRetry retry : {CallRetry::Safe, CallRetry::Always, CallRetry::Never}) {
        ToolCallerOptions options;
        options.retry = retry;
        options.policy.maxRetries = 0;
        CallerStage stage(options);
        const bool isFailure = retry == CallRetry::Always;
        for (int i = 0; i < 5; ++i) {
            const QFuture<ToolCallOutcome> future = stage.call("reads");
            stage.answerError();
            QCOMPARE(endOf(future), isFailure ? End::AttemptsExhausted : End::Answered);
            QVERIFY(future.result().result.isError());
            QVERIFY(!future.result().succeeded());
        }
        const CircuitBreakerInfo breaker = stage.caller->breaker(QStringLiteral("reads"));
        QCOMPARE(breaker.state, isFailure ? State::Open : State::Closed);
        QCOMPARE(breaker.failureCount, isFailure ? 5 : 0);
        QCOMPARE(breaker.lastSuccessAt.has_value(), !isFailure);
    }
}

void ToolCallerBreakerTest::halfOpenAdmitsOneCall()
{
    CallerStage stage;
    open(stage);
    stage.advance(60s);
    const int sent = stage.sentCount();
    const QFuture<ToolCallOutcome> trial = stage.call("writes");
    stage.advance(10s);
    const QFuture<ToolCallOutcome> second = stage.call("writes");
    QCOMPARE(endOf(second), End::BreakerOpen);
    // The trial ends by then.
    QCOMPARE(second.result().retryAfter, std::optional<Duration>(5min - 10s));
    QCOMPARE(stage.sentCount(), sent + 1);
    stage.answer();
    QVERIFY(hasSucceeded(trial));
    const QFuture<ToolCallOutcome> third = stage.call("writes");
    QVERIFY(!third.isFinished());
    stage.answer();
}

void ToolCallerBreakerTest::releasesTrialWithoutEvidence_data()
{
    const Rows<QByteArray> row("how");
    for (const char *how : {"cancelled", "lost", "input", "busy", "start"})
        row(how, QByteArray(how));
}

void ToolCallerBreakerTest::releasesTrialWithoutEvidence()
{
    QFETCH(QByteArray, how);
    ToolCallerOptions options;
    options.policy.maxRetries = 0;
    CallerStage stage(options);
    open(stage);
    stage.advance(60s);
    if (how == "start")
        stage.lose();
    stage.channel().full = how == "busy";
    QFuture<ToolCallOutcome> trial = stage.call("writes");
    if (how == "cancelled") {
        trial.cancel();
        stage.settle();
    } else if (how == "lost") {
        stage.lose();
    } else if (how == "input") {
        stage.refuse(-32602);
    } else if (how == "start") {
        stage.backend->failToCome({});
        stage.settle();
    }
    QVERIFY(trial.isFinished());
    QCOMPARE(stateOf(stage), State::Open);
    stage.channel().full = false;
    if (!stage.channel().open)
        stage.backend->comeUp();
    const QFuture<ToolCallOutcome> next = stage.call("writes");
    QVERIFY(!next.isFinished());
    QCOMPARE(stateOf(stage), State::HalfOpen);
    stage.answer();
    QVERIFY(hasSucceeded(next));
    QCOMPARE(stateOf(stage), State::Closed);
}

void ToolCallerBreakerTest::ignoresLateResult()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> slow = stage.call("writes");
    const qint64 id = stage.lastIdOf();
    open(stage);
    stage.channel().answer(id, "{\"content\":[]}");
    QVERIFY(hasSucceeded(slow));
    QCOMPARE(stateOf(stage), State::Open);
    QCOMPARE(stage.caller->breaker(QStringLiteral("writes")).failureCount, 5);
}

void ToolCallerBreakerTest::rejectsRetryIfOpenedByOtherCalls()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> waiting = stage.call("reads");
    stage.refuse();
    for (int i = 0; i < 5; ++i) {
        stage.call("reads", {.retry = CallRetry::Never});
        stage.refuse();
    }
    const int sent = stage.sentCount();
    QVERIFY(!waiting.isFinished());
    stage.advance(100ms);
    QCOMPARE(endOf(waiting), End::BreakerOpen);
    QCOMPARE(waiting.result().result.error->kind,
             McpError::Kind::Refused); // of the earlier attempt
    QVERIFY(waiting.result().retryAfter.has_value());
    QCOMPARE(stage.sentCount(), sent);
}

void ToolCallerBreakerTest::neverOpensWithoutPolicy()
{
    ToolCallerOptions options;
    options.policy.circuitBreaker = std::nullopt;
    CallerStage stage(options);
    for (int i = 0; i < 20; ++i)
        QCOMPARE(stage.failCall().end, End::NotRetryable);
    QCOMPARE(stateOf(stage), State::Closed);
}

REKINDLE_TEST(ToolCallerBreakerTest)
#include "toolcallerbreakertest.moc"
