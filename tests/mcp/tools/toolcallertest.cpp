// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/readyfuture_p.h"
#include "callerstage.h"
#include "testprogram.h"
#include "testrow.h"

#include <malloc.h>

#include <stdexcept>

using namespace Rekindle;
using namespace std::chrono_literals;
using Kind = McpError::Kind;
using End = ToolCallEnd;

/// Which calls are retried, when, and how they end, in virtual time.
class ToolCallerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Required by S3
    void hasDefaultsOfPreset();
    void retriesIsErrorUpToThreeTimes();
    void doesNotRetryInvalidInput_data();
    void doesNotRetryInvalidInput();
    void removesBreakersWithoutHistory();
    void clampsUnlimitedDurations();
    void retriesWithBackoff();
    void addsJitterUpToHalfOfDelay();

    void returnsResult();
    void retriesOnlyIfSafe_data();
    void retriesOnlyIfSafe();
    void waitsForServer();
    void endsIfServerCannotStart();
    void retriesOnRestartedServer();
    void reportsFinishedCall();
    void recordsTraceContext();
    void retriesHandlers_data();
    void retriesHandlers();
    void cancelsHandlerAtDeadline();
};

void ToolCallerTest::hasDefaultsOfPreset()
{
    const ToolCallerOptions options;
    QCOMPARE(options.policy.maxRetries, std::optional(3));
    QCOMPARE(options.policy.initialDelay, Duration(100ms));
    QCOMPARE(options.policy.maxDelay, Duration(1s));
    QCOMPARE(options.policy.multiplier, 2.0);
    QCOMPARE(options.policy.jitter.kind, JitterKind::Additive);
    QCOMPARE(options.policy.jitter.ratio, 0.5);
    QCOMPARE(options.policy.circuitBreaker->threshold, 5);
    QCOMPARE(options.policy.circuitBreaker->timeout, Duration(60s));
    QCOMPARE(options.retry, CallRetry::Safe);
}

void ToolCallerTest::retriesIsErrorUpToThreeTimes()
{
    CallerStage stage({.retry = CallRetry::Always});
    const QFuture<ToolCallOutcome> future = stage.call("writes");
    for (const Duration delay : {0ms, 100ms, 200ms, 400ms}) {
        QVERIFY(!future.isFinished());
        stage.advance(delay);
        stage.answerError();
    }
    QVERIFY(future.isFinished());
    const ToolCallOutcome outcome = future.result();
    QCOMPARE(outcome.end, End::AttemptsExhausted);
    QCOMPARE(outcome.retries(), 3);
    QCOMPARE(stage.sentCount(), 4);
    QVERIFY(!outcome.result.error);
    QVERIFY(outcome.result.isError());
    QCOMPARE(outcome.attempts.last().failure, QStringLiteral("ToolError"));
    QVERIFY(!outcome.succeeded());
}

void ToolCallerTest::doesNotRetryInvalidInput_data()
{
    // code: 0 for a result
    const Rows<int, QByteArray> row("code", "text");
    row("invalid params", -32602, "no");
    row("method not found", -32601, "no");
    row("invalid request", -32600, "no");
    row("unknown tool", -32603, "Unknown tool: x");
    row("unknown tool, as a result", 0, "unknown tool: x");
    row("S3", 0, "No test_path given");
}

void ToolCallerTest::doesNotRetryInvalidInput()
{
    QFETCH(int, code);
    QFETCH(QByteArray, text);
    CallerStage stage({.retry = CallRetry::Always});
    for (int i = 0; i < 10; ++i) {
        const QFuture<ToolCallOutcome> future = stage.call("reads");
        if (code == 0)
            stage.answerError(text);
        else
            stage.refuse(code, text);
        QCOMPARE(endOf(future), End::NotRetryable);
        QCOMPARE(future.result().retries(), 0);
    }
    QCOMPARE(stage.caller->breaker(QStringLiteral("reads")), CircuitBreakerInfo::closed());
    QCOMPARE(stage.scheduler.armedCount(), std::size_t(0));
}

// Names come from callers. Breakers for 2,000 long names would use 40 MB.
void ToolCallerTest::removesBreakersWithoutHistory()
{
    const QByteArray longName(10'000, 'x');
    CallerStage stage;
    const auto call = [&](int number) {
        const QFuture<ToolCallOutcome> future = stage.call(longName + QByteArray::number(number));
        stage.refuse(-32602, "Unknown tool");
        QCOMPARE(endOf(future), End::NotRetryable);
        // The records of the test itself
        stage.channel().sent.clear();
        stage.finished.clear();
        stage.log.clear();
    };
    call(0);
    const std::size_t before = ::mallinfo2().uordblks;
    for (int i = 1; i <= 2000; ++i)
        call(i);
    const std::size_t after = ::mallinfo2().uordblks; // 0 under a sanitizer
    QVERIFY2(after < before + 10'000'000, qPrintable(QString::number(after - before)));
}

void ToolCallerTest::clampsUnlimitedDurations()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> future =
        stage.call("reads", {.deadline = Duration::max(), .attemptTimeout = Duration::max()});
    stage.advance(24h);
    QVERIFY(!future.isFinished());
    stage.refuse();
    stage.advance(1s);
    QVERIFY(!future.isFinished());
    stage.answer();
    QVERIFY(hasSucceeded(future));
    QCOMPARE(future.result().retries(), 1);
}

void ToolCallerTest::retriesWithBackoff()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> future = stage.call("reads");
    stage.advance(50ms);
    stage.refuse();
    stage.advance(99ms);
    QCOMPARE(stage.sentCount(), 1);
    stage.advance(1ms);
    QCOMPARE(stage.sentCount(), 2);
    stage.refuse();
    stage.advance(199ms);
    QCOMPARE(stage.sentCount(), 2);
    stage.advance(1ms);
    QCOMPARE(stage.sentCount(), 3);
    stage.answer();
    QVERIFY(future.isFinished());
    const ToolCallOutcome outcome = future.result();
    QVERIFY(outcome.succeeded());
    QCOMPARE(outcome.retries(), 2);
    QCOMPARE(outcome.duration, Duration(350ms));
    QCOMPARE(outcome.attempts[0].duration, Duration(50ms));
    QCOMPARE(outcome.attempts[0].failure, QStringLiteral("Refused"));
    QCOMPARE(outcome.attempts[0].code, -32603);
    QCOMPARE(outcome.attempts[1].delay, Duration(100ms));
    QCOMPARE(outcome.attempts[1].begun, Duration(150ms));
    QCOMPARE(outcome.attempts[2].delay, Duration(200ms));
    QCOMPARE(outcome.attempts[2].failure, QString());
    QCOMPARE(stage.takeLog(),
             QStringLiteral("attempt 1, failed 1 Refused, retry 2 in 100ms, attempt 2, "
                            "failed 2 Refused, retry 3 in 200ms, attempt 3, Answered"));
}

void ToolCallerTest::addsJitterUpToHalfOfDelay()
{
    CallerStage stage({.random = [] { return 0.999; }});
    const QFuture<ToolCallOutcome> future = stage.call("reads");
    for (int i = 0; i < 4; ++i) {
        stage.refuse();
        stage.advance(700ms);
    }
    const QList<ToolCallAttempt> attempts = future.result().attempts;
    QCOMPARE(attempts.size(), 4);
    for (int i = 1; i < 4; ++i) {
        const Duration base = 100ms * (1 << (i - 1));
        QVERIFY(attempts[i].delay > base * 149 / 100);
        QVERIFY(attempts[i].delay <= base * 3 / 2);
    }
}

void ToolCallerTest::returnsResult()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> future =
        stage.caller->call(QStringLiteral("writes"), parsed(R"({"x":1})"));
    QCOMPARE(stage.channel().lastParams().value(QLatin1String("arguments")).toObject(),
             parsed(R"({"x":1})"));
    stage.answer(R"({"content":[{"type":"text","text":"done"}]})");
    QVERIFY(future.isFinished());
    QCOMPARE(future.resultCount(), 1);
    QVERIFY(hasSucceeded(future));
    QCOMPARE(future.result().result.text(), QStringLiteral("done"));
    QCOMPARE(future.result().attempts.size(), 1);
    QCOMPARE(stage.scheduler.armedCount(), std::size_t(0));
}

void ToolCallerTest::retriesOnlyIfSafe_data()
{
    const Rows<CallRetry, QByteArray, QByteArray, bool> row("retry", "tool", "failure", "again");
    row("written, not annotated", CallRetry::Safe, "writes", "lost", false);
    row("written, read-only", CallRetry::Safe, "reads", "lost", true);
    row("written, idempotent", CallRetry::Safe, "sets", "lost", true);
    row("never written", CallRetry::Safe, "writes", "unwritten", true);
    row("error, not annotated", CallRetry::Safe, "writes", "refused", false);
    row("error, read-only", CallRetry::Safe, "reads", "refused", true);
    row("no answer, not annotated", CallRetry::Safe, "writes", "timeout", false);
    row("no answer, read-only", CallRetry::Safe, "reads", "timeout", true);
    row("no answer, never written", CallRetry::Safe, "writes", "unwritten timeout", false);
    row("malformed, read-only", CallRetry::Safe, "reads", "malformed", true);
    row("malformed, not annotated", CallRetry::Safe, "writes", "malformed", false);
    row("full", CallRetry::Safe, "writes", "busy", true);
    row("always, lost", CallRetry::Always, "writes", "lost", true);
    row("always, error", CallRetry::Always, "writes", "refused", true);
    row("always, unknown tool", CallRetry::Always, "other", "timeout", true);
    row("never, lost", CallRetry::Never, "reads", "lost", false);
    row("never, error", CallRetry::Never, "reads", "refused", false);
    row("never, unwritten", CallRetry::Never, "writes", "unwritten", true);
}

void ToolCallerTest::retriesOnlyIfSafe()
{
    QFETCH(CallRetry, retry);
    QFETCH(QByteArray, tool);
    QFETCH(QByteArray, failure);
    QFETCH(bool, again);
    CallerStage stage({.retry = retry});
    const bool isWritten = !failure.startsWith("unwritten");
    stage.channel().writes = isWritten;
    stage.channel().full = failure == "busy";
    const QFuture<ToolCallOutcome> future = stage.call(tool);
    if (failure == "lost" || failure == "unwritten")
        stage.lose();
    else if (failure == "refused")
        stage.refuse();
    else if (failure.endsWith("timeout"))
        stage.advance(60s);
    else if (failure == "malformed")
        stage.answer("[]");
    stage.channel().full = false;
    stage.channel().writes = true;
    if (!stage.channel().open)
        stage.backend->comeUp();
    QCOMPARE(future.isFinished(), !again);
    if (!again) {
        QCOMPARE(endOf(future), End::NotRetryable);
        QCOMPARE(future.result().result.error.value().wasWritten, isWritten);
        return;
    }
    stage.advance(100ms);
    stage.answer();
    QVERIFY(hasSucceeded(future));
    QCOMPARE(future.result().retries(), 1);
}

void ToolCallerTest::waitsForServer()
{
    CallerStage stage;
    stage.lose();
    const QFuture<ToolCallOutcome> future = stage.call("writes");
    QCOMPARE(stage.backend->lastWithin, Duration(5min));
    QCOMPARE(stage.sentCount(), 0);
    stage.advance(70s); // more than the timeout of an attempt, which does not include the start
    stage.backend->comeUp();
    stage.settle();
    QCOMPARE(stage.sentCount(), 1);
    stage.advance(59s);
    stage.answer();
    QVERIFY(hasSucceeded(future));
    QCOMPARE(future.result().attempts.size(), 1);
    QCOMPARE(future.result().attempts[0].waitedForServer, Duration(70s));
    QCOMPARE(future.result().attempts[0].duration, Duration(129s));
}

void ToolCallerTest::endsIfServerCannotStart()
{
    CallerStage stage;
    stage.lose();
    const QFuture<ToolCallOutcome> future = stage.call("reads");
    const McpError error{.kind = Kind::NotReady, .message = QStringLiteral("given up")};
    stage.backend->failToCome(error);
    stage.settle();
    QCOMPARE(endOf(future), End::NotRetryable);
    QCOMPARE(future.result().result.error, error);
    QCOMPARE(future.result().attempts.size(), 1);
    QCOMPARE(future.result().attempts[0].message, QStringLiteral("given up"));
}

void ToolCallerTest::retriesOnRestartedServer()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> future = stage.call("reads");
    stage.lose();
    stage.advance(100ms);
    QCOMPARE(stage.sentCount(), 1);
    stage.advance(2s);
    stage.backend->comeUp();
    stage.settle();
    QCOMPARE(stage.sentCount(), 2);
    stage.answer();
    QVERIFY(hasSucceeded(future));
    QCOMPARE(future.result().attempts[0].failure, QStringLiteral("Lost"));
    QCOMPARE(future.result().attempts[1].waitedForServer, Duration(2s));
    QCOMPARE(stage.backend->respawned, 0);
}

void ToolCallerTest::reportsFinishedCall()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> future = stage.call("reads");
    stage.refuse();
    stage.advance(100ms);
    stage.answer();
    QCOMPARE(stage.finished.size(), 1);
    const ToolCallFinished record = stage.finished.first();
    QCOMPARE(record.agent, QStringLiteral("server"));
    QCOMPARE(record.tool, QStringLiteral("reads"));
    QCOMPARE(record.sequence, 1U);
    QCOMPARE(record.call, 1U);
    QCOMPARE(record.time, stage.clock.utcNow());
    QCOMPARE(record.end, End::Answered);
    QCOMPARE(record.retries(), 1);
    QCOMPARE(record.duration, Duration(100ms));
    QCOMPARE(record.attempts, future.result().attempts);
    QCOMPARE(record.failure, QString());
    QCOMPARE(record.breaker, CircuitBreakerState::Closed);
}

void ToolCallerTest::recordsTraceContext()
{
    CallerStage stage;
    const QString parent =
        QStringLiteral("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    (void)stage.call("reads", {.meta = {{QStringLiteral("traceparent"), parent}}});
    const QJsonObject meta = stage.channel().lastParams()[QLatin1String("_meta")].toObject();
    QCOMPARE(meta[QLatin1String("traceparent")].toString(), parent);
    QVERIFY(meta.contains(QLatin1String("progressToken")));
    stage.answer();
    QCOMPARE(stage.finished.first().traceParent, parent);
    QVERIFY(toJson(stage.finished.first()).contains("\"traceparent\":\"00-0af7"));
    (void)stage.call("reads");
    stage.answer();
    QVERIFY(!toJson(stage.finished.last()).contains("traceparent"));
}

void ToolCallerTest::retriesHandlers_data()
{
    QTest::addColumn<QString>("failure"); // of the first two attempts
    QTest::addColumn<CallRetry>("retry");
    QTest::addColumn<int>("attempts");
    QTest::addColumn<ToolCallEnd>("end");
    const auto row = [](const char *failure, CallRetry retry, int attempts, End end) {
        QTest::addRow("%s, %d", failure, attempts)
            << QString::fromLatin1(failure) << retry << attempts << end;
    };
    row("error", CallRetry::Always, 3, End::Answered);
    row("isError", CallRetry::Always, 3, End::Answered);
    row("exception", CallRetry::Always, 3, End::Answered);
    row("canceled", CallRetry::Always, 3, End::Answered);
    row("error", CallRetry::Safe, 1, End::NotRetryable);
}

// S3: a server retries its own handlers.
void ToolCallerTest::retriesHandlers()
{
    QFETCH(QString, failure);
    QFETCH(CallRetry, retry);
    QFETCH(int, attempts);
    QFETCH(ToolCallEnd, end);
    int calls = 0;
    const auto handler = [&](const QString &tool, const QJsonObject &) {
        McpAnswer answer;
        if (++calls > 2)
            answer.result = {{QStringLiteral("tool"), tool}};
        else if (failure == QLatin1String("exception"))
            throw std::runtime_error("no");
        else if (failure == QLatin1String("isError"))
            answer.result = {{QStringLiteral("isError"), true}};
        else
            answer.error = McpError{.kind = Kind::Refused, .code = -32603};
        if (calls <= 2 && failure == QLatin1String("canceled")) {
            QPromise<McpAnswer> promise;
            promise.start();
            return promise.future(); // canceled by the end of the promise
        }
        return readyFuture(answer);
    };
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    ToolCaller caller(QStringLiteral("own"), handler, scheduler, {.retry = retry});
    QSignalSpy finished(&caller, &ToolCaller::callFinished);
    const QFuture<ToolCallOutcome> future = caller.call(QStringLiteral("query"));
    QCoreApplication::processEvents();
    for (int i = 0; i < 3; ++i) {
        scheduler.advance(2s);
        QCoreApplication::processEvents();
    }
    QVERIFY(future.isFinished());
    QVERIFY(endOf(future) == end);
    QCOMPARE(calls, attempts);
    QCOMPARE(future.result().attempts.size(), attempts);
    if (end == End::Answered)
        QCOMPARE(future.result().result.result[QLatin1String("tool")].toString(),
                 QStringLiteral("query"));
    QCOMPARE(finished.size(), 1);
    QCOMPARE(finished[0][0].value<ToolCallFinished>().agent, QStringLiteral("own"));
    QCOMPARE(endOf(caller.listTools()), End::NotRetryable);
}

void ToolCallerTest::cancelsHandlerAtDeadline()
{
    QPromise<McpAnswer> promise;
    promise.start();
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    ToolCaller caller(QStringLiteral("own"),
                      [&promise](const QString &, const QJsonObject &) { return promise.future(); },
                      scheduler, {.deadline = 10s});
    const QFuture<ToolCallOutcome> future = caller.call(QStringLiteral("query"));
    scheduler.advance(10s);
    QVERIFY(promise.isCanceled());
    QCOMPARE(endOf(future), End::DeadlineExceeded);
}

REKINDLE_TEST(ToolCallerTest)
#include "toolcallertest.moc"
