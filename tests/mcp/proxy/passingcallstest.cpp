// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "proxystage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

constexpr int internalError = -32603;

// Without jitter, so that delays are exact: 100 ms, 200 ms, 400 ms.
ProxyOptions exact(CallRetry retry = CallRetry::Safe)
{
    ProxyOptions options;
    options.calls.retry = retry;
    options.calls.policy.jitter.kind = JitterKind::None;
    return options;
}

QByteArray toolError(const QByteArray &id, const QByteArray &words = "no")
{
    return answerTo(id,
                    R"({"content":[{"type":"text","text":")" + words + R"("}],"isError":true})");
}

/// Only what is sent to the client and to the server.
QStringList lines(const QStringList &actions)
{
    return actions.filter(QRegularExpression(QStringLiteral("^[CS] ")));
}

/// "tool: end, attempts with their failures, failure of the call".
QString summary(const ToolCallFinished &call)
{
    QStringList attempts;
    for (const ToolCallAttempt &attempt : call.attempts)
        attempts.append(attempt.failure.isEmpty() ? QStringLiteral("ok") : attempt.failure);
    return QStringLiteral("%1: %2 [%3] %4")
        .arg(call.tool, toText(call.end), attempts.join(u' '), call.failure)
        .trimmed();
}

} // namespace

// Retries, breakers and records of the tool calls that pass (S3).
class PassingCallsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void retriesFailedCalls()
    {
        ProxyStage stage(exact());
        stage.openLegacy();
        LOG(stage.client(call("1", "read")), toServer(call("1", "read")));
        LOG(stage.server(failureOf("1", internalError)), );
        QCOMPARE(stage.session().unansweredCount(), 1);
        LOG(stage.pass(99ms), );
        // MCP forbids to use an id twice.
        LOG(stage.pass(1ms), toServer(call("1000000001", "read")));
        LOG(stage.server(failureOf("1000000001", internalError)), );
        LOG(stage.pass(200ms), toServer(call("1000000002", "read")));
        LOG(lines(stage.server(answerTo("1000000002"))), toClient(answerTo("1")));
        QCOMPARE(stage.session().unansweredCount(), 0);

        QCOMPARE(stage.calls().size(), 1);
        const ToolCallFinished &record = stage.calls().constFirst();
        QCOMPARE(summary(record), QStringLiteral("read: Answered [Refused Refused ok]"));
        QCOMPARE(record.retries(), 2);
        QVERIFY(record.duration == 300ms);
        QVERIFY(record.attempts.at(2).delay == 200ms);
        QCOMPARE(record.attempts.at(0).code, internalError);
    }

    void recordsTraceContext()
    {
        ProxyStage stage(exact());
        stage.openLegacy();
        stage.client(
            R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","_meta":{"traceparent":"00-1-2-01"}}})");
        stage.server(answerTo("1"));
        QCOMPARE(stage.calls().constLast().traceParent, QStringLiteral("00-1-2-01"));
    }

    void forwardsLastFailure()
    {
        ProxyStage stage(exact());
        stage.openLegacy();
        stage.client(call("1", "read"));
        stage.server(failureOf("1", internalError));
        for (const char *id : {"1000000001", "1000000002"}) {
            QCOMPARE(stage.pass(1s).size(), 1);
            LOG(stage.server(failureOf(id, internalError)), );
        }
        QCOMPARE(stage.pass(1s).size(), 1);
        LOG(stage.server(failureOf("1000000003", internalError, "last")),
            toClient(failureOf("1", internalError, "last")));
        QCOMPARE(summary(stage.calls().constFirst()),
                 QStringLiteral("read: AttemptsExhausted [Refused Refused Refused Refused] "
                                "Refused"));
    }

    void retriesOnlySafeCalls_data()
    {
        const Rows<CallRetry, QByteArray, QByteArray, bool> row("retry", "tool", "response",
                                                                "isRetried");
        const QByteArray error = failureOf("1", internalError);
        row("read-only", CallRetry::Safe, "read", error, true);
        row("not annotated", CallRetry::Safe, "write", error, false);
        row("isError is an answer", CallRetry::Safe, "read", toolError("1"), false);
        row("always: not annotated", CallRetry::Always, "write", error, true);
        row("always: isError", CallRetry::Always, "write", toolError("1"), true);
        row("always: invalid input", CallRetry::Always, "write",
            toolError("1", "Input validation error: x"), false);
        row("always: invalid params", CallRetry::Always, "read", failureOf("1", -32602), false);
        row("always: URL elicitation", CallRetry::Always, "read", failureOf("1", -32042), false);
        row("always: canceled", CallRetry::Always, "read", failureOf("1", -32800), false);
        row("always: canceled, as the SDK for Python", CallRetry::Always, "read",
            failureOf("1", 0, "Request cancelled"), false);
        row("always: unknown tool", CallRetry::Always, "read", toolError("1", "Unknown tool: x"),
            false);
        row("never", CallRetry::Never, "read", error, false);
        row("a result", CallRetry::Always, "read", answerTo("1"), false);
    }
    void retriesOnlySafeCalls()
    {
        QFETCH(CallRetry, retry);
        QFETCH(QByteArray, tool);
        QFETCH(QByteArray, response);
        QFETCH(bool, isRetried);
        ProxyStage stage(exact(retry));
        stage.openLegacy();
        stage.client(call("1", tool));
        const QStringList forwarded = lines(stage.server(response));
        QCOMPARE(forwarded, isRetried ? QStringList() : QStringList(toClient(response)));
        QCOMPARE(stage.pass(100ms).size(), isRetried ? 1 : 0);
    }

    // The deadline does not end the first attempt.
    void makesNoRetryAfterDeadline()
    {
        ProxyStage stage(exact());
        stage.openLegacy();
        stage.client(call("1", "read"));
        LOG(stage.pass(10min), );
        LOG(stage.server(failureOf("1", internalError)), toClient(failureOf("1", internalError)));
        QCOMPARE(summary(stage.calls().constFirst()),
                 QStringLiteral("read: DeadlineExceeded [Refused] Refused"));
    }

    void endsHangingRetryAtDeadline()
    {
        ProxyStage stage(exact());
        stage.openLegacy();
        stage.client(call("1", "read"));
        stage.server(failureOf("1", internalError));
        LOG(stage.pass(100ms), toServer(call("1000000001", "read")));
        LOG(stage.pass(49'900ms - 1ns), );
        LOG(stage.pass(1ns),
            text(
                R"(S {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1000000001,"reason":"timed out"}})"),
            toClient(failureOf("1", internalError)));
        QCOMPARE(summary(stage.calls().constLast()),
                 QStringLiteral("read: DeadlineExceeded [Refused Timeout] Timeout"));
        QVERIFY(stage.calls().constLast().duration == 50s);
        QCOMPARE(stage.session().unansweredCount(), 0);
        QVERIFY(stage.server(answerTo("1000000001")).constFirst().startsWith(text("note")));
    }

    // A server that starts again and does not become ready.
    void endsHeldRetryAtDeadline()
    {
        ProxyStage stage(exact());
        stage.openLegacy();
        stage.client(call("1", "read"));
        stage.pass(45s);
        stage.server(failureOf("1", internalError));
        stage.kill();
        LOG(stage.pass(5s), toClient(failureOf("1", internalError)));
        QCOMPARE(summary(stage.calls().constLast()),
                 QStringLiteral("read: DeadlineExceeded [Refused] Refused"));
    }

    void readsAnnotationsForSafeRetries_data()
    {
        const Rows<CallRetry> row("retry");
        row("never", CallRetry::Never);
        row("always", CallRetry::Always);
    }
    void readsAnnotationsForSafeRetries()
    {
        QFETCH(CallRetry, retry); // after an exit of the server
        ProxyOptions options = exact();
        options.inject = false;
        options.retry = retry;
        ProxyStage stage(options);
        stage.openLegacy(/*listTools=*/false);
        QVERIFY(stage.pass(1s).join(u'\n').contains(QStringLiteral("tools/list")));
        stage.server(answerTo(
            "1000000001", R"({"tools":[{"name":"read","annotations":{"readOnlyHint":true}}]})"));
        stage.client(call("1", "read"));
        LOG(stage.server(failureOf("1", internalError)), );
        LOG(stage.pass(100ms), toServer(call("1000000002", "read")));

        options.calls.retry = CallRetry::Never;
        ProxyStage never(options);
        never.openLegacy(/*listTools=*/false);
        LOG(never.pass(1s), );
    }

    void opensBreakerOfTool()
    {
        ProxyStage stage(exact(CallRetry::Never));
        stage.openLegacy();
        const auto fail = [&stage] {
            stage.client(call("1", "write"));
            return stage.server(failureOf("1", internalError));
        };
        for (int i = 0; i < 5; ++i)
            LOG(fail(), toClient(failureOf("1", internalError)));
        QVERIFY(stage.calls().constLast().breakerOpened);
        QVERIFY(stage.calls().constLast().breaker == CircuitBreakerState::Open);

        stage.pass(20s);
        QCOMPARE(stage.client(call("2", "write")).size(), 1);
        for (const char *part : {R"("id":2)", R"("isError":true)", "admitted in 40s"})
            VERIFY_CONTAINS(stage.lastAnswer(), part);
        QCOMPARE(summary(stage.calls().constLast()),
                 QStringLiteral("write: BreakerOpen [] NotReady"));
        LOG(stage.client(call("3", "read")), toServer(call("3", "read"))); // another tool

        // One trial, whose success closes the breaker.
        stage.pass(40s);
        LOG(stage.client(call("4", "write")), toServer(call("4", "write")));
        QVERIFY(stage.client(call("5", "write")).constFirst().contains(QLatin1String("isError")));
        LOG(lines(stage.server(answerTo("4"))), toClient(answerTo("4")));
        LOG(stage.client(call("6", "write")), toServer(call("6", "write")));
    }

    void countsNoErrorOfTheCall()
    {
        ProxyStage stage(exact(CallRetry::Never));
        stage.openLegacy();
        for (const int code : {-32600, -32601, -32602, -32042, -32800, -32042}) {
            stage.client(call("1", "write"));
            LOG(stage.server(failureOf("1", code)), toClient(failureOf("1", code)));
        }
        QVERIFY(stage.calls().constLast().breaker == CircuitBreakerState::Closed);
    }

    // New code gets a new chance.
    void requestedRestartClosesBreakers()
    {
        ProxyStage stage(exact(CallRetry::Never));
        stage.openLegacy();
        for (int i = 0; i < 5; ++i) {
            stage.client(call("1", "write"));
            stage.server(failureOf("1", internalError));
        }
        stage.kill(); // a crash changes nothing
        stage.start();
        stage.server(handshakeAnswer("1000000001"));
        QVERIFY(stage.client(call("2", "write")).constFirst().contains(QLatin1String("isError")));
        stage.requestRestart("a file has changed");
        stage.decide(true);
        stage.kill();
        stage.start();
        stage.server(handshakeAnswer("1000000002"));
        LOG(stage.client(call("3", "write")), toServer(call("3", "write")));
    }

    // Calls have no time limit, so a trial could keep the breaker half-open.
    void replacesTrialWithoutResponse()
    {
        ProxyStage stage(exact(CallRetry::Never));
        stage.openLegacy();
        for (int i = 0; i < 5; ++i) {
            stage.client(call("1", "write"));
            stage.server(failureOf("1", internalError));
        }
        stage.pass(60s);
        LOG(stage.client(call("2", "write")), toServer(call("2", "write")));
        stage.pass(49s);
        QVERIFY(stage.client(call("3", "write")).constFirst().contains(QLatin1String("isError")));
        stage.pass(1s);
        LOG(stage.client(call("4", "write")), toServer(call("4", "write")));
        LOG(lines(stage.server(answerTo("2"))), toClient(answerTo("2")));
        LOG(lines(stage.server(answerTo("4"))), toClient(answerTo("4")));
        QVERIFY(stage.calls().constLast().breaker == CircuitBreakerState::Closed);
    }

    void exitOfServerCountsInNoBreaker()
    {
        ProxyStage stage(exact());
        stage.openLegacy();
        for (int i = 0; i < 6; ++i) {
            stage.client(call("1", "write"));
            LOG(stage.kill(), text("C error 1 -32000 serverEnded"));
            stage.start();
            stage.server(handshakeAnswer(QByteArray::number(OwnIds::usualFirst + i)));
        }
        QCOMPARE(summary(stage.calls().constLast()),
                 QStringLiteral("write: NotRetryable [Lost] Lost"));
        QVERIFY(stage.calls().constLast().breaker == CircuitBreakerState::Closed);
    }

    // Waiting calls are limited as held ones are.
    void forwardsFailureIfTooManyWait()
    {
        ProxyOptions options = exact();
        options.maximumHeld = 1;
        ProxyStage stage(options);
        stage.openLegacy();
        stage.client(call("1", "read"));
        stage.client(call("2", "read"));
        LOG(stage.server(failureOf("1", internalError)), );
        LOG(stage.server(failureOf("2", internalError)), toClient(failureOf("2", internalError)));
        QCOMPARE(stage.session().unansweredCount(), 1);
        QCOMPARE(summary(stage.calls().constLast()),
                 QStringLiteral("read: NotRetryable [Refused] Refused"));
    }

    void countsResponsesOfWaitingCalls()
    {
        ProxyOptions options = exact();
        options.maximumHeldBytes = 1000;
        ProxyStage stage(options);
        stage.openLegacy();
        const auto fail = [&stage](const QByteArray &id, int size) {
            stage.client(call(id, "read"));
            return stage.server(failureOf(id, internalError, QByteArray(size, 'x')));
        };
        LOG(fail("1", 1000), toClient(failureOf("1", internalError, QByteArray(1000, 'x'))));
        LOG(fail("2", 500), );
        LOG(fail("3", 500), toClient(failureOf("3", internalError, QByteArray(500, 'x'))));
        QCOMPARE(stage.pass(100ms).size(), 1);
        LOG(fail("4", 500), ); // call 2 does not wait anymore
    }

    void fullQueueDoesNotHideTheReason_data()
    {
        // seconds: until the response
        const Rows<int, qint64, QString> row("maxRetries", "seconds", "end");
        row("no retries", 0, qint64{0}, "AttemptsExhausted");
        row("no time", 3, qint64{600}, "DeadlineExceeded");
    }
    void fullQueueDoesNotHideTheReason()
    {
        QFETCH(int, maxRetries);
        QFETCH(qint64, seconds);
        QFETCH(QString, end);
        ProxyOptions options = exact();
        options.maximumHeld = 0;
        options.calls.policy.maxRetries = maxRetries;
        ProxyStage stage(options);
        stage.openLegacy();
        stage.client(call("1", "read"));
        stage.pass(std::chrono::seconds(seconds));
        stage.server(failureOf("1", internalError));
        QCOMPARE(summary(stage.calls().constLast()),
                 QStringLiteral("read: %1 [Refused] Refused").arg(end));
    }

    void cancelsRetry()
    {
        ProxyStage stage(exact());
        stage.openLegacy();
        stage.client(call("1", "read"));
        stage.server(failureOf("1", internalError));
        LOG(stage.client(cancellationOf("1")), );
        LOG(stage.pass(10s), );
        QCOMPARE(summary(stage.calls().constLast()),
                 QStringLiteral("read: Cancelled [Refused] Cancelled"));

        // The server knows the retry by its own id.
        stage.client(call("2", "read"));
        stage.server(failureOf("2", internalError));
        LOG(stage.pass(100ms), toServer(call("1000000001", "read")));
        LOG(stage.client(cancellationOf("2")), toServer(cancellationOf("1000000001")));
        QCOMPARE(stage.session().unansweredCount(), 0);
        LOG(stage.server(answerTo("1000000001")),
            text("note unexpected or repeated response with id 1000000001"));
    }

    void answersWaitingCallsAtEnd()
    {
        ProxyStage stage(exact());
        stage.openLegacy();
        stage.client(call("1", "read"));
        stage.server(failureOf("1", internalError));
        LOG(stage.closeClient(), toClient(failureOf("1", internalError)));
        LOG(stage.pass(10s), );
    }

    void continuesRetryOnNextServer()
    {
        ProxyStage stage(exact());
        stage.openLegacy();
        stage.client(call("1", "read"));
        stage.server(failureOf("1", internalError));
        LOG(stage.kill(), );
        LOG(stage.pass(100ms), ); // held
        stage.start();
        LOG(lines(stage.server(handshakeAnswer("1000000002"))), toServer(initialized),
            toServer(call("1000000001", "read")));
        LOG(lines(stage.server(answerTo("1000000001"))), toClient(answerTo("1")));
    }
};

REKINDLE_TEST(PassingCallsTest)
#include "passingcallstest.moc"
