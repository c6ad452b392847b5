// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Calls that wait, are made again, or are answered with an error while the server is away.

#include "proxylines.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

class ProxyRetryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersWithAnErrorWhatMayHaveBeenDone();
    void repeatsWhatIsSafe();
    void repeatsWhatWasNotSeen();
    void repeatsNoMoreThanItsBound();
    void retryAlwaysAndNever();
    void holdsUntilTheHoldTime();
    void refusesAtOnceWhatCannotBeServed();
    void boundsWhatIsHeld();
    void answersPingsWhileTheServerIsAway();
    void cancelledWhileHeldAndInFlight();
    void progressAfterRetryGrows();
    void callTimeout();
    void doesNotKeepForEverWhatNobodyReads();
    void boundsWhatIsInFlight();
    void doesNotKeepWhatIsNotSentAgain();
};

void ProxyRetryTest::answersWithAnErrorWhatMayHaveBeenDone()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.client(call("1", "write"));
    LOG(stage.kill(), text("C error 1 -32000 serverEnded"));
    const QByteArray error = stage.lastAnswer();
    QVERIFY2(error.contains("SIGKILL"), error.constData());
    QVERIFY2(error.contains("last words"), error.constData());
    QVERIFY2(error.contains(R"("maybeExecuted":true)"), error.constData());
}

void ProxyRetryTest::repeatsWhatIsSafe()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.client(call("1", "read"));
    LOG(stage.kill(), );
    LOG(stage.client(call("2", "write")), );
    (void)stage.start();
    // The older one first.
    LOG(stage.server(handshakeAnswer("\"rekindle-1\"")), toServer(initialized),
        toServer(call("1", "read")), toServer(call("2", "write")));
}

void ProxyRetryTest::repeatsWhatWasNotSeen()
{
    ProxyOptions options;
    options.retry = CallRetry::Never;
    ProxyStage stage(options);
    stage.openLegacy();
    (void)stage.client(call("1", "write"));
    const quint64 seen = stage.sentBytes();
    (void)stage.client(call("2", "write"));
    // All but the end of the second one, whose newline does not count.
    LOG(stage.end(killed(stage.sentBytes() - 2)), text("C error 1 -32000 serverEnded"));
    QVERIFY(seen < stage.sentBytes());
    (void)stage.start();
    LOG(stage.server(handshakeAnswer("\"rekindle-1\"")), toServer(initialized),
        toServer(call("2", "write")));
}

void ProxyRetryTest::repeatsNoMoreThanItsBound()
{
    ProxyOptions options;
    options.maximumRetries = 2;
    ProxyStage stage(options);
    stage.openLegacy();
    (void)stage.client(call("1", "read"));
    for (const char *id : {"\"rekindle-1\"", "\"rekindle-2\""}) {
        LOG(stage.kill(), );
        (void)stage.start();
        QCOMPARE(stage.server(handshakeAnswer(id)).size(), 2);
    }
    LOG(stage.kill(), text("C error 1 -32000 serverEnded"));
}

void ProxyRetryTest::retryAlwaysAndNever()
{
    ProxyOptions options;
    options.retry = CallRetry::Always;
    ProxyStage always(options);
    always.openLegacy();
    (void)always.client(call("1", "write"));
    LOG(always.kill(), );
    QCOMPARE(always.session().unansweredCount(), 1);

    options.retry = CallRetry::Never;
    ProxyStage never(options);
    never.openLegacy();
    (void)never.client(call("1", "read"));
    LOG(never.kill(), text("C error 1 -32000 serverEnded"));
}

void ProxyRetryTest::holdsUntilTheHoldTime()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.kill();
    LOG(stage.client(call("1", "write")), );
    (void)stage.start(); // and it never answers the replay
    LOG(stage.pass(20s - 1ns), );
    LOG(stage.pass(1ns), text("C error 1 -32000 heldTooLong"));
}

void ProxyRetryTest::refusesAtOnceWhatCannotBeServed()
{
    ProxyStage stage;
    stage.openLegacy();
    ServerEnd end = killed();
    end.outlook.in = 19s;
    (void)stage.end(end);
    LOG(stage.client(call("1", "write")), );
    LOG(stage.expect({ServerOutlook::Kind::GivenUp, {}, QStringLiteral("attempts used up")}),
        text("C error 1 -32000 serverUnavailable"));
    QVERIFY(stage.lastAnswer().contains("attempts used up"));
    LOG(stage.expect({ServerOutlook::Kind::Restart, 21s, {}}), );
    LOG(stage.client(call("2", "write")), text("C error 2 -32000 serverUnavailable"));
    LOG(stage.pass(2s), );
    LOG(stage.client(call("3", "write")), );
}

void ProxyRetryTest::boundsWhatIsHeld()
{
    ProxyOptions options;
    options.maximumHeld = 2;
    ProxyStage stage(options);
    stage.openLegacy();
    (void)stage.kill();
    LOG(stage.client(call("1", "write")), );
    LOG(stage.client(call("2", "write")), );
    LOG(stage.client(call("3", "write")), text("C error 3 -32000 tooManyHeld"));
}

void ProxyRetryTest::answersPingsWhileTheServerIsAway()
{
    ProxyStage stage;
    stage.openLegacy();
    const QByteArray ping = R"({"jsonrpc":"2.0","id":"p","method":"ping"})";
    LOG(stage.client(ping), toServer(ping));
    LOG(stage.kill(), toClient(answerTo("\"p\"")));
    LOG(stage.client(ping), toClient(answerTo("\"p\"")));
    (void)stage.start();
    LOG(stage.client(ping), toClient(answerTo("\"p\"")));
}

void ProxyRetryTest::cancelledWhileHeldAndInFlight()
{
    ProxyStage stage;
    stage.openLegacy();
    const auto cancel = [](const char *id) -> QByteArray {
        return QByteArray(
                   R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)")
            + id + "}}";
    };
    (void)stage.client(call("1", "read"));
    (void)stage.client(call("2", "read"));
    LOG(stage.client(cancel("1")), toServer(cancel("1")));
    LOG(stage.client(cancel("2")), toServer(cancel("2")));
    LOG(stage.server(answerTo("2")), toClient(answerTo("2"))); // it came too late
    LOG(stage.kill(), );                                       // and is not made again
    (void)stage.client(call("3", "read"));
    LOG(stage.client(cancel("3")), );
    (void)stage.start();
    LOG(stage.server(handshakeAnswer("\"rekindle-1\"")), toServer(initialized));
    QCOMPARE(stage.session().unansweredCount(), 0);
}

void ProxyRetryTest::progressAfterRetryGrows()
{
    ProxyStage stage;
    stage.openLegacy();
    const auto progress = [](int value) -> QByteArray {
        return R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":)"
            + QByteArray::number(value) + "}}";
    };
    (void)stage.client(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","_meta":{"progressToken":"t"}}})");
    LOG(stage.server(progress(1)), toClient(progress(1)));
    LOG(stage.server(progress(2)), toClient(progress(2)));
    (void)stage.kill();
    (void)stage.start();
    (void)stage.server(handshakeAnswer("\"rekindle-1\""));
    LOG(stage.server(progress(1)), );
    LOG(stage.server(progress(2)), );
    LOG(stage.server(progress(3)), toClient(progress(3)));
}

void ProxyRetryTest::callTimeout()
{
    ProxyOptions options;
    options.callTimeout = 5s;
    ProxyStage stage(options);
    stage.openLegacy();
    (void)stage.client(call("1", "write"));
    LOG(stage.pass(5s),
        text(
            R"(S {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"timed out"}})"),
        text("C error 1 -32001 timedOut"));
    QVERIFY(stage.server(answerTo("1")).constFirst().startsWith(text("note")));
    (void)stage.client(
        R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"read","_meta":{"progressToken":"t"}}})");
    const QByteArray progress =
        R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}})";
    LOG(stage.server(progress), toClient(progress));
    QCOMPARE(stage.pass(5s).size(), 2);
    LOG(stage.server(progress), ); // it has its answer
    (void)stage.kill();
    LOG(stage.client(call("2", "write")), );
    LOG(stage.pass(5s), text("C error 2 -32001 timedOut"));
    // No server has seen it; why there is none is said.
    for (const char *part : {"did not restart", R"("maybeExecuted":false)", "SIGKILL"})
        QVERIFY2(stage.lastAnswer().contains(part), stage.lastAnswer().constData());
    (void)stage.start();
    (void)stage.server(handshakeAnswer("\"rekindle-1\""));
    (void)stage.client(call("3", "write"));
    QVERIFY(stage.pass(5s).contains(text("C error 3 -32001 timedOut")));
    QVERIFY(stage.lastAnswer().contains(R"("maybeExecuted":true)"));
    QVERIFY2(!stage.lastAnswer().contains("SIGKILL"), stage.lastAnswer().constData());
}

// Servers that end before they read anything, one after the other.
void ProxyRetryTest::doesNotKeepForEverWhatNobodyReads()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.client(call("1", "write"));
    LOG(stage.end(killed(0)), );
    for (const char *id : {"\"rekindle-1\"", "\"rekindle-2\""}) {
        LOG(stage.pass(9s), );
        (void)stage.start();
        (void)stage.server(handshakeAnswer(id));
        LOG(stage.end(killed(0)), );
    }
    LOG(stage.pass(2s), text("C error 1 -32000 heldTooLong"));
}

void ProxyRetryTest::boundsWhatIsInFlight()
{
    ProxyOptions options;
    options.maximumInFlight = 2;
    ProxyStage stage(options);
    stage.openLegacy();
    (void)stage.client(call("1", "write"));
    (void)stage.client(call("2", "write"));
    LOG(stage.client(call("3", "write")), text("C error 3 -32000 tooManyInFlight"));
    QVERIFY(stage.lastAnswer().contains(R"("maybeExecuted":false)"));
    (void)stage.server(answerTo("1"));
    LOG(stage.client(call("4", "write")), toServer(call("4", "write")));

    options = {};
    options.maximumInFlightBytes = call("1", "write").size();
    ProxyStage small(options);
    small.openLegacy();
    (void)small.client(call("1", "write"));
    LOG(small.client(call("2", "write")), text("C error 2 -32000 tooManyInFlight"));
    (void)small.server(answerTo("1"));
    LOG(small.client(call("3", "write")), toServer(call("3", "write")));
}

void ProxyRetryTest::doesNotKeepWhatIsNotSentAgain()
{
    ProxyStage stage;
    stage.openLegacy();
    QCOMPARE(stage.session().bytesInFlight(), 0);
    (void)stage.client(call("1", "write"));
    const quint64 first = stage.sentBytes();
    (void)stage.client(call("2", "read"));
    (void)stage.client(call("3", "write"));
    const qsizetype line = call("1", "write").size();
    const qsizetype all = stage.session().bytesInFlight();
    stage.session().serverHasTaken(first - 2); // not even the first one whole
    QCOMPARE(stage.session().bytesInFlight(), all);
    stage.session().serverHasTaken(stage.sentBytes() - 2); // the last one not
    QCOMPARE(stage.session().bytesInFlight(), all - line);
    stage.session().serverHasTaken(stage.sentBytes() - 2);
    QCOMPARE(stage.session().bytesInFlight(), all - line);
    // What comes of each is the same.
    LOG(stage.end(killed(stage.sentBytes() - 2)), text("C error 1 -32000 serverEnded"));
    (void)stage.start();
    LOG(stage.server(handshakeAnswer("\"rekindle-1\"")), toServer(initialized),
        toServer(call("2", "read")), toServer(call("3", "write")));
    stage.session().serverHasTaken(stage.sentBytes());
    LOG(stage.server(answerTo("3")), text("success"), toClient(answerTo("3")));

    // As long as nobody knows the tools it may be one that only reads.
    ProxyStage early;
    early.openLegacy(false);
    (void)early.client(call("1", "read"));
    early.session().serverHasTaken(early.sentBytes());
    QVERIFY(early.session().bytesInFlight() > 0);
}

REKINDLE_TEST(ProxyRetryTest)
#include "proxyretrytest.moc"
