// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "proxystage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

constexpr char lost[] = "C error 1 -32000 serverEnded";
constexpr char unavailable[] = "C error 1 -32000 serverUnavailable";

ServerExit restartingIn(const ProxyStage &stage, Duration time)
{
    ServerExit end = killed();
    end.outlook.restartAt = stage.now() + time;
    return end;
}

QByteArray progress(int value)
{
    return R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":)"
        + QByteArray::number(value) + "}}";
}

const QByteArray callWithProgress =
    request("1", "tools/call", R"({"name":"read","_meta":{"progressToken":"t"}})");

} // namespace

// Requests that are held, repeated or refused because a server ended or does not respond.
class ProxyRetryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refusesCallsThatMayHaveBeenExecuted()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "write"));
        LOG(stage.kill(), text(lost));
        for (const char *part : {"SIGKILL", "last words", R"("maybeExecuted":true)"})
            VERIFY_CONTAINS(stage.lastAnswer(), part);
    }

    void repeatsSafeCallsFirst()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "read"));
        LOG(stage.kill(), );
        LOG(stage.client(call("2", "write")), );
        stage.start();
        LOG(stage.server(handshakeAnswer("1000000001")), toServer(initialized), text("ready"),
            toServer(call("1", "read")), toServer(call("2", "write")));
    }

    void repeatsUnreadCalls()
    {
        ProxyStage stage({.retry = CallRetry::Never});
        stage.openLegacy();
        stage.client(call("1", "write"));
        stage.client(call("2", "write"));
        // All but the last byte of the second call, and its newline.
        LOG(stage.end(killed(stage.sentBytes() - 2)), text(lost));
        stage.start();
        LOG(stage.server(handshakeAnswer("1000000001")), toServer(initialized), text("ready"),
            toServer(call("2", "write")));
    }

    // The call most likely causes the exits, so the next server starts without the backoff.
    void repeatsACallOnlyOnce_data()
    {
        const Rows<CallRetry, QByteArray, QString> row("retry", "request", "name");
        row("read-only tool", CallRetry::Safe, QByteArray(call("1", "read")), "tools/call read");
        row("any tool", CallRetry::Always, QByteArray(call("1", "write")), "tools/call write");
        row("resource", CallRetry::Safe, request("1", "resources/read", R"({"uri":"x:y"})"),
            "resources/read");
        row("list", CallRetry::Safe, request("1", "prompts/list"), "prompts/list");
    }

    void repeatsACallOnlyOnce()
    {
        QFETCH(const CallRetry, retry);
        QFETCH(const QByteArray, request);
        QFETCH(const QString, name);
        ProxyStage stage({.retry = retry});
        stage.openLegacy();
        stage.client(request);
        QVERIFY(!stage.kill().contains(text("sooner")));
        stage.start();
        QVERIFY(stage.server(handshakeAnswer("1000000001")).contains(toServer(request)));
        const QStringList end = stage.end(restartingIn(stage, 10s));
        LOG(end, text("C error 1 -32000 serverEnded"), text("sooner"));
        VERIFY_CONTAINS(stage.lastAnswer(),
                        QString(name + QLatin1String(", which is not sent a third time")).toUtf8());
        QVERIFY(stage.lastAnswer().contains(R"("restartInMs":0)"));
    }

    void startsNoSoonerForUnreadRequests()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "read"));
        stage.kill();
        stage.start();
        stage.server(handshakeAnswer("1000000001"));
        QVERIFY(!stage.end(killed(0)).contains(text("sooner")));
    }

    void limitsRetries()
    {
        ProxyStage stage({.maximumRetries = 2});
        stage.openLegacy();
        stage.client(call("1", "read"));
        for (int i = 0; i < 2; ++i)
            QCOMPARE(
                stage.restart().mid(2),
                (QStringList{toServer(initialized), text("ready"), toServer(call("1", "read"))}));
        LOG(stage.kill(), text(lost), text("sooner"));
    }

    // The server exits every 15 s.
    void endsRepeatedCallsAtDeadline()
    {
        ProxyStage stage({.maximumRetries = 5});
        stage.openLegacy();
        stage.client(call("1", "read"));
        for (int i = 0; i < 3; ++i) {
            LOG(stage.pass(15s).filter(QStringLiteral("C ")), );
            QVERIFY(stage.restart().contains(toServer(call("1", "read"))));
        }
        LOG(stage.pass(5s - 1ns).filter(QStringLiteral("C ")), );
        QCOMPARE(stage.pass(1ns).filter(QStringLiteral("C ")),
                 QStringList{QStringLiteral("C error 1 -32001 timedOut")});
        QCOMPARE(stage.calls().size(), 1);
        const ToolCallFinished &record = stage.calls().constFirst();
        QVERIFY(record.end == ToolCallEnd::DeadlineExceeded);
        QCOMPARE(record.attempts.size(), 4);
        QVERIFY(record.duration == 50s);
    }

    void holdsRepeatedCallsUntilDeadline()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "read"));
        stage.pass(40s);
        LOG(stage.kill(), );
        LOG(stage.pass(10s - 1ns), );
        LOG(stage.pass(1ns), text("C error 1 -32001 timedOut"));
    }

    void refusesRepeatsThatCannotMeetDeadline()
    {
        ProxyStage restart;
        restart.openLegacy();
        restart.client(call("1", "read"));
        restart.pass(40s);
        LOG(restart.end(restartingIn(restart, 11s)), text(unavailable));

        ProxyStage late; // the first attempt has no limit
        late.openLegacy();
        late.client(call("1", "read"));
        LOG(late.pass(10min), );
        LOG(late.kill(), text(lost));
        QVERIFY(late.calls().constFirst().end == ToolCallEnd::DeadlineExceeded);
    }

    void retriesAllCallsOrNone()
    {
        ProxyStage always({.retry = CallRetry::Always});
        always.openLegacy();
        always.client(call("1", "write"));
        LOG(always.kill(), );
        QCOMPARE(always.session().unansweredCount(), 1);

        ProxyStage never({.retry = CallRetry::Never});
        never.openLegacy();
        never.client(call("1", "read"));
        LOG(never.kill(), text(lost));
    }

    void refusesHeldCallsAfterTheHoldTime()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.kill();
        LOG(stage.client(call("1", "write")), );
        stage.start(); // it does not respond to the replay
        LOG(stage.pass(20s - 1ns), );
        LOG(stage.pass(1ns), text("C error 1 -32000 heldTooLong"));
    }

    // Servers exit before they read the call.
    void doesNotExtendTheHoldTime()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "write"));
        LOG(stage.end(killed(0)), );
        for (const char *id : {"1000000001", "1000000002"}) {
            LOG(stage.pass(9s), );
            stage.start();
            stage.server(handshakeAnswer(id));
            LOG(stage.end(killed(0)), );
        }
        LOG(stage.pass(2s), text("C error 1 -32000 heldTooLong"));
    }

    void refusesCallsWithoutAServerInTime()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.end(restartingIn(stage, 19s));
        LOG(stage.client(call("1", "write")), );
        LOG(stage.expect({ServerOutlook::Kind::GivenUp, {}, QStringLiteral("attempts used up")}),
            text(unavailable));
        QVERIFY(stage.lastAnswer().contains("attempts used up"));
        LOG(stage.expect({ServerOutlook::Kind::Restart, stage.now() + 21s, {}}), );
        LOG(stage.client(call("2", "write")), text("C error 2 -32000 serverUnavailable"));
        LOG(stage.pass(2s), );
        LOG(stage.client(call("3", "write")), );
    }

    // For example, while the breaker is open.
    void holdsCallsOnlyIfAServerStartsInTime()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.end(restartingIn(stage, 20s));
        LOG(stage.client(call("1", "write")), text(unavailable));
        LOG(stage.expect({ServerOutlook::Kind::Restart, stage.now() + 20s - 1ms, {}}), );
        LOG(stage.client(call("2", "write")), );
        LOG(stage.pass(20s - 1ms), );
        stage.start();
        LOG(stage.server(handshakeAnswer("1000000001")), toServer(initialized), text("ready"),
            toServer(call("2", "write")));
    }

    void limitsHeldRequests()
    {
        ProxyStage stage({.maximumHeld = 2});
        stage.openLegacy();
        stage.kill();
        LOG(stage.client(call("1", "write")), );
        LOG(stage.client(call("2", "write")), );
        LOG(stage.client(call("3", "write")), text("C error 3 -32000 tooManyHeld"));
    }

    void answersPingsWithoutAServer()
    {
        ProxyStage stage;
        stage.openLegacy();
        const QByteArray ping = request("\"p\"", "ping");
        LOG(stage.client(ping), toServer(ping));
        LOG(stage.kill(), toClient(answerTo("\"p\"")));
        LOG(stage.client(ping), toClient(answerTo("\"p\"")));
        stage.start();
        LOG(stage.client(ping), toClient(answerTo("\"p\"")));
    }

    void doesNotRepeatCancelledCalls()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "read"));
        stage.client(call("2", "read"));
        LOG(stage.client(cancellationOf("1")), toServer(cancellationOf("1")));
        LOG(stage.client(cancellationOf("2")), toServer(cancellationOf("2")));
        LOG(stage.server(answerTo("2")), toClient(answerTo("2"))); // the response was on its way
        LOG(stage.kill(), );
        stage.client(call("3", "read"));
        LOG(stage.client(cancellationOf("3")), );
        stage.start();
        LOG(stage.server(handshakeAnswer("1000000001")), toServer(initialized), text("ready"));
        QCOMPARE(stage.session().unansweredCount(), 0);
    }

    void progressGrowsAcrossRetries()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(callWithProgress);
        LOG(stage.server(progress(1)), toClient(progress(1)));
        LOG(stage.server(progress(2)), toClient(progress(2)));
        stage.restart();
        LOG(stage.server(progress(1)), );
        LOG(stage.server(progress(2)), );
        LOG(stage.server(progress(3)), toClient(progress(3)));
    }

    void refusesCallsAfterTheCallTimeout()
    {
        ProxyStage stage({.callTimeout = 5s});
        stage.openLegacy();
        stage.client(call("1", "write"));
        LOG(stage.pass(5s),
            text(
                R"(S {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"timed out"}})"),
            text("C error 1 -32001 timedOut"));
        QVERIFY(stage.server(answerTo("1")).constFirst().startsWith(text("note")));
        stage.client(callWithProgress);
        LOG(stage.server(progress(1)), toClient(progress(1)));
        QCOMPARE(stage.pass(5s).size(), 2);
        LOG(stage.server(progress(1)), ); // no progress follows the error
        stage.kill();
        LOG(stage.client(call("2", "write")), );
        LOG(stage.pass(5s), text("C error 2 -32001 timedOut"));
        // No server has read it; the error says why no server runs.
        for (const char *part : {"did not restart", R"("maybeExecuted":false)", "SIGKILL"})
            VERIFY_CONTAINS(stage.lastAnswer(), part);
        stage.start();
        stage.server(handshakeAnswer("1000000001"));
        stage.client(call("3", "write"));
        QVERIFY(stage.pass(5s).contains(text("C error 3 -32001 timedOut")));
        QVERIFY(stage.lastAnswer().contains(R"("maybeExecuted":true)"));
        QVERIFY2(!stage.lastAnswer().contains("SIGKILL"), stage.lastAnswer().constData());
    }

    // The gateway reads the lists of each new process itself.
    void requestsOfTheGatewayAreNeitherHeldNorRepeated()
    {
        ProxyStage stage;
        stage.openLegacy();
        const QByteArray first = request("\"own\"", "prompts/list");
        LOG(stage.gateway(first), toServer(first));
        LOG(stage.kill(), text("C error \"own\" -32000 serverEnded"));
        LOG(stage.gateway(request("\"held\"", "prompts/list")),
            text("C error \"held\" -32000 serverUnavailable"));
        QVERIFY(!stage.session().needsServer());
        QVERIFY(!stage.start().join(u'\n').contains(QStringLiteral("prompts/list")));
    }

    void requestsOfTheGatewayHaveNoTimeout()
    {
        ProxyStage stage({.callTimeout = 5s});
        stage.openLegacy();
        stage.gateway(request("\"own\"", "tools/list"));
        stage.client(call("\"g\"", "write"));
        QCOMPARE(stage.pass(1min).filter(QStringLiteral("C error")),
                 QStringList{QStringLiteral("C error \"g\" -32001 timedOut")});
    }

    void limitsRequestsInFlight_data()
    {
        const Rows<qsizetype, qsizetype> row("maximum", "maximumBytes");
        row("requests", qsizetype{2}, ProxyOptions().maximumInFlightBytes);
        // The last request may exceed the limit.
        row("bytes", ProxyOptions().maximumInFlight, call("1", "write").size() + 1);
    }

    void limitsRequestsInFlight()
    {
        QFETCH(qsizetype, maximum);
        QFETCH(qsizetype, maximumBytes);
        ProxyStage stage({.maximumInFlight = maximum, .maximumInFlightBytes = maximumBytes});
        stage.openLegacy();
        stage.client(call("1", "write"));
        stage.client(call("2", "write"));
        LOG(stage.client(call("3", "write")), text("C error 3 -32000 tooManyInFlight"));
        QVERIFY(stage.lastAnswer().contains(R"("maybeExecuted":false)"));
        stage.server(answerTo("1"));
        LOG(stage.client(call("4", "write")), toServer(call("4", "write")));
    }

    // As behind a gateway.
    void holdsCallsForARestartThatIsDueSoon()
    {
        ProxyStage stage({.inject = false, .failFastBeforeReady = true});
        stage.openLegacy();
        stage.client(call("1", "write"));
        stage.client(call("2", "read"));
        LOG(stage.end(restartingIn(stage, 19s)), text(lost));
        LOG(stage.client(call("3", "write")), );
        stage.start();
        LOG(stage.server(handshakeAnswer("1000000001")), toServer(initialized), text("ready"),
            toServer(call("2", "read")), toServer(call("3", "write")));
        stage.end(restartingIn(stage, 21s));
        LOG(stage.client(call("4", "read")), text("C error 4 -32000 serverUnavailable"));
    }
};

REKINDLE_TEST(ProxyRetryTest)
#include "proxyretrytest.moc"
