// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "callerstage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;
using Kind = McpError::Kind;
using End = ToolCallEnd;

/// Deadlines, cancellation, deletion, and reentrant slots, in virtual time.
class ToolCallerEndTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void deadlineEndsAttempt();
    void deadlineCoversAllAttempts();
    void deadlineCoversServerStart();
    void endsAtOnceIfRetryHasNoTime();
    void progressDoesNotExtendDeadline();
    void acceptsAnswerJustBeforeDeadline();
    void cancels_data();
    void cancels();
    void deletionCancelsPendingCalls();
    void backendDeletionEndsPendingCalls();
    void acceptsCallsFromSlots();
    void survivesDeletionInSlot_data();
    void survivesDeletionInSlot();
};

void ToolCallerEndTest::deadlineEndsAttempt()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> future = stage.call("reads", {.deadline = 3s});
    const qint64 id = stage.lastIdOf();
    stage.advance(3s - 1ns);
    QVERIFY(!future.isFinished());
    stage.advance(1ns);
    QCOMPARE(endOf(future), End::DeadlineExceeded);
    QCOMPARE(future.result().result.error->kind, Kind::Timeout);
    QCOMPARE(future.result().duration, Duration(3s));
    QCOMPARE(stage.sentCount("notifications/cancelled"), 1);
    QCOMPARE(stage.channel().lastParams().value(QLatin1String("requestId")).toInteger(), id);
    QCOMPARE(stage.scheduler.armedCount(), std::size_t(0));
    // The server was available but did not answer.
    QCOMPARE(stage.caller->breaker(QStringLiteral("reads")).failureCount, 1);
}

void ToolCallerEndTest::deadlineCoversAllAttempts()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> future =
        stage.call("reads", {.deadline = 2500ms, .attemptTimeout = 1s});
    stage.advance(1s + 100ms + 1s + 200ms);
    QCOMPARE(stage.sentCount(), 3);
    stage.advance(200ms - 1ns);
    QVERIFY(!future.isFinished());
    stage.advance(1ns);
    QCOMPARE(endOf(future), End::DeadlineExceeded);
    QCOMPARE(future.result().attempts.size(), 3);
    QCOMPARE(future.result().duration, Duration(2500ms));
    QCOMPARE(stage.sentCount("notifications/cancelled"), 3);
}

void ToolCallerEndTest::deadlineCoversServerStart()
{
    CallerStage stage;
    stage.lose();
    const QFuture<ToolCallOutcome> future = stage.call("reads", {.deadline = 3s});
    QCOMPARE(stage.backend->lastWithin, Duration(3s));
    stage.advance(3s);
    QCOMPARE(endOf(future), End::DeadlineExceeded);
    QCOMPARE(future.result().result.error->kind, Kind::NotReady);
    QCOMPARE(stage.caller->breaker(QStringLiteral("reads")), CircuitBreakerInfo::closed());
    stage.backend->comeUp(); // too late
    stage.settle();
    QCOMPARE(stage.sentCount(), 0);
}

void ToolCallerEndTest::endsAtOnceIfRetryHasNoTime()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> future = stage.call("reads", {.deadline = 105ms});
    stage.refuse();
    QCOMPARE(endOf(future), End::DeadlineExceeded);
    QCOMPARE(future.result().result.error->kind, Kind::Refused);
    QCOMPARE(future.result().duration, Duration(0));
    // The failure of the tool counts.
    QCOMPARE(stage.caller->breaker(QStringLiteral("reads")).failureCount, 1);

    const QFuture<ToolCallOutcome> enough = stage.call("reads", {.deadline = 110ms});
    stage.refuse();
    QVERIFY(!enough.isFinished());
    stage.advance(110ms);
}

void ToolCallerEndTest::progressDoesNotExtendDeadline()
{
    CallerStage stage;
    QList<double> values;
    const QFuture<ToolCallOutcome> future =
        stage.call("writes",
                   {.deadline = 5s,
                    .attemptTimeout = 2s,
                    .onProgress = [&values](const McpProgress &progress) {
                        values.push_back(progress.progress);
                    }});
    const QByteArray token = QByteArray::number(stage.lastIdOf());
    for (int i = 1; i <= 4; ++i) {
        stage.advance(1s);
        stage.channel().notify("notifications/progress",
                               R"({"progressToken":)" + token + R"(,"progress":)"
                                   + QByteArray::number(i) + '}');
    }
    QCOMPARE(values, (QList<double>{1, 2, 3, 4}));
    QVERIFY(!future.isFinished());
    stage.advance(1s);
    QCOMPARE(endOf(future), End::DeadlineExceeded);
}

void ToolCallerEndTest::acceptsAnswerJustBeforeDeadline()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> future = stage.call("reads", {.deadline = 1s});
    stage.advance(1s - 1ns);
    stage.channel().answer(stage.lastIdOf(), "{\"content\":[]}");
    // The event loop does not run in between.
    stage.scheduler.advance(1s);
    QVERIFY(hasSucceeded(future));
}

void ToolCallerEndTest::cancels_data()
{
    const Rows<QByteArray, int> row("during", "requests");
    row("request", "request", 1);
    row("wait", "wait", 1);
    row("server start", "start", 0);
}

void ToolCallerEndTest::cancels()
{
    QFETCH(QByteArray, during);
    QFETCH(int, requests);
    CallerStage stage;
    if (during == "start")
        stage.lose();
    QFuture<ToolCallOutcome> future = stage.call("reads");
    const qint64 id = stage.lastIdOf();
    if (during == "wait")
        stage.refuse();
    future.cancel();
    // A wait expires before the event loop reports the cancellation.
    stage.scheduler.advance(100ms);
    stage.settle();
    QVERIFY(future.isFinished() && future.isCanceled());
    QCOMPARE(stage.sentCount("notifications/cancelled"), during == "request" ? 1 : 0);
    QCOMPARE(stage.finished.last().end, End::Cancelled);
    if (during == "request")
        QCOMPARE(stage.finished.last().attempts.last().failure, QStringLiteral("Cancelled"));
    QCOMPARE(stage.scheduler.armedCount(), std::size_t(0));
    QCOMPARE(stage.caller->breaker(QStringLiteral("reads")), CircuitBreakerInfo::closed());
    // What comes later has no effect.
    if (during == "start")
        stage.backend->comeUp();
    else
        stage.channel().answer(id, "{\"content\":[]}");
    stage.advance(10min);
    QCOMPARE(stage.finished.size(), 1);
    QCOMPARE(stage.sentCount(), requests);
}

void ToolCallerEndTest::deletionCancelsPendingCalls()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> sent = stage.call("reads");
    const QFuture<ToolCallOutcome> waiting = stage.call("reads");
    stage.refuse();
    const QFuture<ToolListOutcome> listing = stage.caller->listTools();
    stage.caller.reset();
    stage.settle();
    QVERIFY(sent.isFinished() && sent.isCanceled());
    QVERIFY(waiting.isFinished() && waiting.isCanceled());
    QVERIFY(listing.isFinished() && listing.isCanceled());
    QCOMPARE(stage.sentCount("notifications/cancelled"), 2);
    stage.advance(10min);
    QCOMPARE(stage.scheduler.armedCount(), std::size_t(0));
}

void ToolCallerEndTest::backendDeletionEndsPendingCalls()
{
    CallerStage stage;
    const QFuture<ToolCallOutcome> sent = stage.call("reads");
    const QFuture<ToolCallOutcome> waiting = stage.call("reads");
    stage.refuse();
    const QFuture<ToolListOutcome> listing = stage.caller->listTools();
    stage.backend.reset();
    QCoreApplication::processEvents();
    stage.scheduler.advance(1s);
    QCOMPARE(endOf(sent), End::NotRetryable);
    QCOMPARE(sent.result().result.error->kind, Kind::Lost);
    QVERIFY(sent.result().result.error->wasWritten);
    QCOMPARE(endOf(waiting), End::NotRetryable);
    QCOMPARE(endOf(listing), End::NotRetryable);
    QCOMPARE(stage.finished.last().agent, QStringLiteral("server"));
    const QFuture<ToolCallOutcome> late = stage.caller->call(QStringLiteral("reads"));
    QCOMPARE(endOf(late), End::NotRetryable);
}

void ToolCallerEndTest::acceptsCallsFromSlots()
{
    CallerStage stage;
    QList<QFuture<ToolCallOutcome>> more;
    int called = 0; // signals of a call are emitted before call() returns
    const auto callUpTo = [&](int most) {
        if (called < most) {
            ++called;
            more.push_back(stage.caller->call(QStringLiteral("writes")));
        }
    };
    QObject::connect(stage.caller.get(), &ToolCaller::attemptStarted, stage.caller.get(),
                     [&] { callUpTo(3); });
    QObject::connect(stage.caller.get(), &ToolCaller::callFinished, stage.caller.get(),
                     [&] { callUpTo(6); });
    const QFuture<ToolCallOutcome> first = stage.call("writes");
    for (int i = 0; i < 20; ++i)
        stage.answerAll();
    QVERIFY(first.isFinished());
    QCOMPARE(more.size(), 6);
    for (const QFuture<ToolCallOutcome> &future : std::as_const(more))
        QVERIFY(hasSucceeded(future));
}

void ToolCallerEndTest::survivesDeletionInSlot_data()
{
    const Rows<QByteArray> row("which");
    for (const char *which : {"attemptStarted", "attemptFailed", "retryScheduled", "respawning",
                              "breakerOpen", "breakerHalfOpen", "callFinished", "continuation"})
        row(which, QByteArray(which));
}

void ToolCallerEndTest::survivesDeletionInSlot()
{
    QFETCH(QByteArray, which);
    ToolCallerOptions options;
    options.policy.circuitBreaker->threshold = 1;
    CallerStage stage(options);
    stage.backend->onDemand = which == "respawning";
    ToolCaller *const of = stage.caller.get();
    QObject context;
    int deletions = 0;
    const auto end = [&] {
        ++deletions;
        stage.caller.reset();
    };
    bool opened = false;
    const auto endAt = [&](const char *name, auto signal) {
        if (which == name)
            QObject::connect(of, signal, &context, end);
    };
    endAt("attemptStarted", &ToolCaller::attemptStarted);
    endAt("attemptFailed", &ToolCaller::attemptFailed);
    endAt("retryScheduled", &ToolCaller::retryScheduled);
    endAt("respawning", &ToolCaller::respawning);
    endAt("callFinished", &ToolCaller::callFinished);
    if (which.startsWith("breaker"))
        QObject::connect(of, &ToolCaller::breakerStateChanged, &context,
                         [&](const QString &, CircuitBreakerState, CircuitBreakerState now) {
                             opened = opened || now == CircuitBreakerState::Open;
                             if (which == "breakerOpen" || now == CircuitBreakerState::HalfOpen)
                                 end();
                         });
    const char *const tool = which.startsWith("breaker") ? "writes" : "reads";
    QFuture<ToolCallOutcome> future = stage.caller->call(QString::fromLatin1(tool));
    QFuture<void> after;
    if (which == "continuation")
        after = future.then([&](const ToolCallOutcome &) { end(); });
    stage.settle();
    for (int i = 0; i < 10 && stage.caller; ++i) {
        if (which == "respawning" && stage.channel().open)
            stage.lose();
        else
            stage.refuse();
        stage.advance(500ms);
    }
    if (which == "breakerHalfOpen") {
        QVERIFY(opened);
        stage.advance(60s);
        future = stage.caller->call(QString::fromLatin1(tool));
    }
    stage.settle();
    QCOMPARE(deletions, 1);
    QVERIFY(future.isFinished()); // with any outcome
    stage.advance(10min);
    QCOMPARE(stage.scheduler.armedCount(), std::size_t(0));
}

REKINDLE_TEST(ToolCallerEndTest)
#include "toolcallerendtest.moc"
