// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "callerstage.h"
#include "testprogram.h"

#include <QTest>

using namespace Rekindle;
using namespace std::chrono_literals;
using State = CircuitBreakerState;
using End = ToolCallEnd;

/// The circuit breaker of each tool, in virtual time.
class ToolCallerBreakerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // S3's own list
    void breakerOpenAndCloseTransitions();
    void resetsAfterItsDuration();
    void opensAfterFiveFailedCallsAndThenRefusesAtOnce();

    void callsCountNotAttempts();
    void eachToolHasItsOwn();
    void aCallLostWithItsServerDoesNotCount();
    void isErrorCountsUnderAlwaysAlone();
    void halfOpenLetsExactlyOneThrough();
    void whatIsNoEvidenceGivesTheSlotBack_data();
    void whatIsNoEvidenceGivesTheSlotBack();
    void aLateResultChangesNothing();
    void noAttemptWhileOthersHaveOpenedIt();
    void resetByHand();
    void off();

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

void ToolCallerBreakerTest::breakerOpenAndCloseTransitions()
{
    CallerStage stage;
    open(stage);
    stage.advance(60s);
    const QFuture<ToolCallOutcome> probe = stage.call("writes");
    QCOMPARE(stateOf(stage), State::HalfOpen);
    stage.answer();
    QVERIFY(probe.result().succeeded());
    QCOMPARE(stateOf(stage), State::Closed);
    QCOMPARE(
        stage.takeLog(),
        (QStringList{QStringLiteral("breaker of writes HalfOpen 0s"), QStringLiteral("attempt 1"),
                     QStringLiteral("breaker of writes Closed 0s"), QStringLiteral("Answered")}));

    open(stage);
    stage.advance(60s);
    const ToolCallOutcome again = stage.failCall();
    QVERIFY(again.breakerOpened);
    QCOMPARE(stateOf(stage), State::Open);
}

void ToolCallerBreakerTest::resetsAfterItsDuration()
{
    CallerStage stage;
    open(stage);
    stage.advance(60s - 1ns);
    QCOMPARE(stage.call("writes").result().end, End::BreakerOpen);
    stage.advance(1ns);
    const QFuture<ToolCallOutcome> probe = stage.call("writes");
    QVERIFY(!probe.isFinished());
    stage.answer();
    QVERIFY(probe.result().succeeded());
}

void ToolCallerBreakerTest::opensAfterFiveFailedCallsAndThenRefusesAtOnce()
{
    CallerStage stage;
    for (int i = 1; i <= 5; ++i) {
        const ToolCallOutcome outcome = stage.failCall();
        QCOMPARE(outcome.breakerOpened, i == 5);
        QCOMPARE(stage.finished.last().breakerOpened, i == 5);
        QCOMPARE(stateOf(stage), i == 5 ? State::Open : State::Closed);
    }
    QCOMPARE(
        stage.log.mid(stage.log.size() - 2),
        (QStringList{QStringLiteral("breaker of writes Open 1m"), QStringLiteral("NotRetryable")}));
    const int sent = stage.sentCount();
    stage.advance(20s);
    const QFuture<ToolCallOutcome> refused = stage.caller->call(QStringLiteral("writes"));
    QVERIFY(refused.isFinished());
    QCOMPARE(refused.result().end, End::BreakerOpen);
    QCOMPARE(refused.result().retryAfter, std::optional<Duration>(40s));
    QVERIFY(refused.result().attempts.isEmpty());
    QCOMPARE(refused.result().result.error->kind, McpError::Kind::NotReady);
    QVERIFY(refused.result().result.error->message.contains(QStringLiteral("40s")));
    QCOMPARE(stage.sentCount(), sent);
    QCOMPARE(stage.finished.last().end, End::BreakerOpen);
    QCOMPARE(stage.finished.last().breaker, State::Open);
    // A success in between begins the count anew.
    CallerStage other;
    for (int i = 0; i < 20; ++i) {
        other.failCall();
        if (i % 4 == 3) {
            const QFuture<ToolCallOutcome> good = other.call("writes");
            other.answer();
            QVERIFY(good.result().succeeded());
        }
    }
    QCOMPARE(stateOf(other), State::Closed);
}

void ToolCallerBreakerTest::callsCountNotAttempts()
{
    ToolCallerOptions options;
    options.retry = CallRetry::Always;
    CallerStage stage(options);
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
    QVERIFY(saved.result().succeeded());
    QCOMPARE(stage.caller->breaker(QStringLiteral("writes")).failureCount, 0);
}

void ToolCallerBreakerTest::eachToolHasItsOwn()
{
    CallerStage stage;
    open(stage);
    const QFuture<ToolCallOutcome> other = stage.call("sets");
    stage.answer();
    QVERIFY(other.result().succeeded());
    QCOMPARE(stateOf(stage), State::Open);
}

void ToolCallerBreakerTest::aCallLostWithItsServerDoesNotCount()
{
    CallerStage stage;
    for (int i = 0; i < 10; ++i) {
        const QFuture<ToolCallOutcome> future = stage.call("writes");
        stage.lose();
        QCOMPARE(future.result().end, End::NotRetryable);
        stage.backend->comeUp();
    }
    QCOMPARE(stage.caller->breaker(QStringLiteral("writes")), CircuitBreakerInfo::closed());
}

void ToolCallerBreakerTest::isErrorCountsUnderAlwaysAlone()
{
    for (const CallRetry retry : {CallRetry::Safe, CallRetry::Always, CallRetry::Never}) {
        ToolCallerOptions options;
        options.retry = retry;
        options.policy.maxRetries = 0;
        CallerStage stage(options);
        for (int i = 0; i < 5; ++i) {
            stage.call("writes");
            stage.answerError();
        }
        QCOMPARE(stateOf(stage), retry == CallRetry::Always ? State::Open : State::Closed);
    }
}

void ToolCallerBreakerTest::halfOpenLetsExactlyOneThrough()
{
    CallerStage stage;
    open(stage);
    stage.advance(60s);
    const int sent = stage.sentCount();
    const QFuture<ToolCallOutcome> probe = stage.call("writes");
    stage.advance(10s);
    const QFuture<ToolCallOutcome> second = stage.call("writes");
    QVERIFY(second.isFinished());
    QCOMPARE(second.result().end, End::BreakerOpen);
    // By then the probe has come to its end.
    QCOMPARE(second.result().retryAfter, std::optional<Duration>(5min - 10s));
    QCOMPARE(stage.sentCount(), sent + 1);
    stage.answer();
    QVERIFY(probe.result().succeeded());
    const QFuture<ToolCallOutcome> third = stage.call("writes");
    QVERIFY(!third.isFinished());
    stage.answer();
}

void ToolCallerBreakerTest::whatIsNoEvidenceGivesTheSlotBack_data()
{
    QTest::addColumn<QByteArray>("how");
    for (const char *how : {"cancelled", "lost", "input", "busy", "start"})
        QTest::newRow(how) << QByteArray(how);
}

void ToolCallerBreakerTest::whatIsNoEvidenceGivesTheSlotBack()
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
    QFuture<ToolCallOutcome> probe = stage.call("writes");
    if (how == "cancelled") {
        probe.cancel();
        stage.settle();
    } else if (how == "lost") {
        stage.lose();
    } else if (how == "input") {
        stage.refuse(-32602);
    } else if (how == "start") {
        stage.backend->failToCome({});
        stage.settle();
    }
    QVERIFY(probe.isFinished());
    QCOMPARE(stateOf(stage), State::Open);
    stage.channel().full = false;
    if (!stage.channel().open)
        stage.backend->comeUp();
    const QFuture<ToolCallOutcome> next = stage.call("writes");
    QVERIFY(!next.isFinished());
    QCOMPARE(stateOf(stage), State::HalfOpen);
    stage.answer();
    QVERIFY(next.result().succeeded());
    QCOMPARE(stateOf(stage), State::Closed);
}

void ToolCallerBreakerTest::aLateResultChangesNothing()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> slow = stage.call("writes");
    const qint64 id = stage.lastIdOf();
    open(stage);
    stage.channel().answer(id, "{\"content\":[]}");
    QVERIFY(slow.result().succeeded());
    QCOMPARE(stateOf(stage), State::Open);
    QCOMPARE(stage.caller->breaker(QStringLiteral("writes")).failureCount, 5);
}

void ToolCallerBreakerTest::noAttemptWhileOthersHaveOpenedIt()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> waits = stage.call("reads");
    stage.refuse();
    ToolCallOptions once;
    once.retry = CallRetry::Never;
    for (int i = 0; i < 5; ++i) {
        stage.call("reads", once);
        stage.refuse();
    }
    const int sent = stage.sentCount();
    QVERIFY(!waits.isFinished());
    stage.advance(100ms);
    QVERIFY(waits.isFinished());
    QCOMPARE(waits.result().end, End::BreakerOpen);
    QCOMPARE(waits.result().result.error->kind, McpError::Kind::Refused); // what had failed
    QVERIFY(waits.result().retryAfter.has_value());
    QCOMPARE(stage.sentCount(), sent);
}

void ToolCallerBreakerTest::resetByHand()
{
    CallerStage stage;
    open(stage);
    stage.caller->resetBreaker(QStringLiteral("writes"));
    stage.caller->resetBreaker(QStringLiteral("unknown"));
    QCOMPARE(stage.takeLog(), QStringList(QStringLiteral("breaker of writes Closed 0s")));
    const QFuture<ToolCallOutcome> future = stage.call("writes");
    stage.answer();
    QVERIFY(future.result().succeeded());
}

void ToolCallerBreakerTest::off()
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
