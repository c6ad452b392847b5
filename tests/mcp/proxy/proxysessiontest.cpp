// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The handshake and its replay, and what passes through.

#include "proxylines.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

class ProxySessionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void passesThroughAndRewritesOnlyTheHandshakesAnswer();
    void replaysTheHandshakeAndSwallowsItsAnswer();
    void forwardsTheFirstInitializeAgain();
    void pipelinedHandshake();
    void replaysLevelAndSubscriptions();
    void replayAnsweredWithAnErrorDoesNotLoop();
    void anotherProtocolVersion();
    void replayThatIsNeverAnswered();
    void initializeThatNobodyAnswers();
    void requestsOfADeadServerAreCancelled();
    void lateAnswerDoesNotReachTheNewServer();
    void answersToNothingAreDropped();
    void idsThatRepeat();
    void badLinesOfTheClient();
    void noiseOfTheServer();
    void batchOfTheClient();
    void clientCloses();
};

void ProxySessionTest::passesThroughAndRewritesOnlyTheHandshakesAnswer()
{
    ProxyStage stage;
    LOG(stage.start(), );
    LOG(stage.client(initializeRequest), toServer(initializeRequest));
    LOG(stage.server(
            R"({"jsonrpc":"2.0","id":0,"result":{"capabilities":{"tools":{ },"prompts":{"listChanged":false}},"protocolVersion":"2025-11-25"}})"),
        text(
            R"(C {"jsonrpc":"2.0","id":0,"result":{"capabilities":{"tools":{ "listChanged":true},"prompts":{"listChanged":true}},"protocolVersion":"2025-11-25"}})"));
    LOG(stage.client(initialized), toServer(initialized));
    const QByteArray odd = R"( {"id" : "a\u0062" ,"jsonrpc":"2.0","method":"x/y" } )";
    LOG(stage.client(odd), toServer(odd));
    const QByteArray answer = R"({"result":[1 , 2],"id":"ab","jsonrpc":"2.0"})";
    LOG(stage.server(answer), text("success"), toClient(answer));
    QCOMPARE(stage.session().unansweredCount(), 0);
}

void ProxySessionTest::replaysTheHandshakeAndSwallowsItsAnswer()
{
    ProxyStage stage;
    (void)stage.start();
    (void)stage.client(initializeRequest);
    (void)stage.server(handshakeAnswer("0"));
    (void)stage.client(initialized);
    LOG(stage.kill(), );
    LOG(stage.client(call("1", "write")), );
    LOG(stage.start(), text("marker crash 137 it was terminated by SIGKILL"),
        text(initializeReplay));
    LOG(stage.client(call("\"1\"", "write")), );
    LOG(stage.server(handshakeAnswer("\"rekindle-1\"")), toServer(initialized),
        toServer(call("1", "write")), toServer(call("\"1\"", "write")));
    LOG(stage.server(answerTo("\"1\"")), text("success"), toClient(answerTo("\"1\"")));
    LOG(stage.server(answerTo("1")), toClient(answerTo("1")));
}

void ProxySessionTest::forwardsTheFirstInitializeAgain()
{
    ProxyStage stage;
    (void)stage.start();
    (void)stage.client(initializeRequest);
    LOG(stage.kill(), );
    LOG(stage.start(), text("marker crash 137 it was terminated by SIGKILL"),
        toServer(initializeRequest));
    QVERIFY(stage.server(handshakeAnswer("0")).constFirst().startsWith(text("C {")));
    LOG(stage.client(initialized), toServer(initialized));
}

// A script that pipes a whole session does not wait for answers.
void ProxySessionTest::pipelinedHandshake()
{
    ProxyStage stage;
    (void)stage.start();
    (void)stage.client(initializeRequest);
    LOG(stage.client(initialized), toServer(initialized));
    LOG(stage.client(call("1", "write")), toServer(call("1", "write")));
    ServerEnd end = killed(0); // it has read nothing
    LOG(stage.end(end), );
    (void)stage.start();
    const QStringList log = stage.server(handshakeAnswer("0"));
    QCOMPARE(log.mid(1), (QStringList{toServer(initialized), toServer(call("1", "write"))}));

    // Nothing of it goes to a server that has not had the beginning.
    ProxyStage late;
    (void)late.start();
    (void)late.client(initializeRequest);
    (void)late.client(initialized);
    (void)late.client(call("1", "write"));
    LOG(late.pass(21s), );
    LOG(late.end(killed(0)), text("C error 0 -32000 serverUnavailable"),
        text("C error 1 -32000 serverUnavailable"));
    LOG(late.start(), text("marker crash 137 it was terminated by SIGKILL"));
}

void ProxySessionTest::replaysLevelAndSubscriptions()
{
    ProxyStage stage;
    stage.openLegacy(false);
    const QByteArray level =
        R"({"jsonrpc":"2.0","id":5,"method":"logging/setLevel","params":{"level":"debug"}})";
    const QByteArray a =
        R"({"jsonrpc":"2.0","id":6,"method":"resources/subscribe","params":{"uri":"a"}})";
    const QByteArray b =
        R"({"jsonrpc":"2.0","id":7,"method":"resources/subscribe","params":{"uri":"b"}})";
    const QByteArray notA =
        R"({"jsonrpc":"2.0","id":8,"method":"resources/unsubscribe","params":{"uri":"a"}})";
    for (const auto &[line, id] : {std::pair{level, "5"}, {a, "6"}, {b, "7"}, {notA, "8"}}) {
        (void)stage.client(line);
        (void)stage.server(answerTo(id));
    }
    (void)stage.kill();
    (void)stage.start();
    LOG(stage.client(call("9", "write")), );
    LOG(stage.server(handshakeAnswer("\"rekindle-1\"")), toServer(initialized),
        text(
            R"(S {"jsonrpc":"2.0","id":"rekindle-2","method":"logging/setLevel","params":{"level":"debug"}})"),
        text(
            R"(S {"jsonrpc":"2.0","id":"rekindle-3","method":"resources/subscribe","params":{"uri":"b"}})"));
    LOG(stage.server(answerTo("\"rekindle-3\"")), );
    LOG(stage.server(R"({"jsonrpc":"2.0","id":"rekindle-2","error":{"code":-1,"message":"no"}})"),
        toServer(call("9", "write")));
}

void ProxySessionTest::replayAnsweredWithAnErrorDoesNotLoop()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.kill();
    (void)stage.client(call("1", "read"));
    (void)stage.start();
    LOG(stage.server(
            R"({"jsonrpc":"2.0","id":"rekindle-1","error":{"code":-32603,"message":"no database"}})"),
        text("note the new server rejected the handshake of the session: no database"),
        text("C error 1 -32000 handshakeRefused"));
    LOG(stage.client(call("2", "read")), text("C error 2 -32000 handshakeRefused"));
    QVERIFY(stage.lastAnswer().contains("no database"));
    LOG(stage.pass(1h), );
    // The next server is asked again.
    (void)stage.kill();
    QCOMPARE(stage.start().size(), 2);
    QVERIFY(stage.server(handshakeAnswer("\"rekindle-2\"")).contains(toServer(initialized)));
}

void ProxySessionTest::anotherProtocolVersion()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.kill();
    (void)stage.start();
    (void)stage.server(handshakeAnswer("\"rekindle-1\"", "2025-06-18"));
    LOG(stage.client(call("1", "read")), text("C error 1 -32000 handshakeRefused"));
    QVERIFY(stage.lastAnswer().contains("2025-06-18"));
}

void ProxySessionTest::replayThatIsNeverAnswered()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.kill();
    (void)stage.start();
    LOG(stage.pass(30s), text("fail it did not respond to the client's handshake in time"));
    LOG(stage.client(call("1", "read")), ); // the next server may
}

void ProxySessionTest::initializeThatNobodyAnswers()
{
    ProxyStage stage;
    (void)stage.start();
    (void)stage.client(initializeRequest);
    LOG(stage.kill(), );
    LOG(stage.pass(19s), );
    (void)stage.start();
    LOG(stage.pass(2s), ); // while there is a server, it may take its time
    LOG(stage.kill(), text("C error 0 -32000 serverUnavailable"));

    ProxyStage hopeless;
    ServerEnd end;
    end.detail.exitCode = 127;
    end.outlook = {ServerOutlook::Kind::GivenUp, {}, QStringLiteral("not found")};
    LOG(hopeless.end(end), );
    LOG(hopeless.client(initializeRequest), text("C error 0 -32000 serverUnavailable"));
}

void ProxySessionTest::requestsOfADeadServerAreCancelled()
{
    ProxyStage stage;
    stage.openLegacy();
    const QByteArray roots = R"({"jsonrpc":"2.0","id":0,"method":"roots/list"})";
    LOG(stage.server(roots), toClient(roots));
    LOG(stage.client(answerTo("0")), toServer(answerTo("0")));
    LOG(stage.server(roots), toClient(roots));
    LOG(stage.kill(),
        text(
            R"(C {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0,"reason":"the server has ended"}})"));
    LOG(stage.client(answerTo("0")), );
}

// Both servers count from 0.
void ProxySessionTest::lateAnswerDoesNotReachTheNewServer()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.server(R"({"jsonrpc":"2.0","id":0,"method":"roots/list"})");
    (void)stage.kill();
    (void)stage.start();
    (void)stage.server(handshakeAnswer("\"rekindle-1\""));
    LOG(stage.server(R"({"jsonrpc":"2.0","id":0,"method":"roots/list"})"),
        text(R"(C {"jsonrpc":"2.0","id":"rekindle-2","method":"roots/list"})"));
    LOG(stage.client(answerTo("0", R"("old")")), );
    LOG(stage.client(answerTo("\"rekindle-2\"", R"("new")")), toServer(answerTo("0", R"("new")")));
}

void ProxySessionTest::answersToNothingAreDropped()
{
    ProxyStage stage;
    stage.openLegacy();
    QVERIFY(stage.server(answerTo("77")).constFirst().startsWith(text("note")));
    (void)stage.client(call("1", "write"));
    LOG(stage.server(answerTo("1")), text("success"), toClient(answerTo("1")));
    QVERIFY(stage.server(answerTo("1")).constFirst().startsWith(text("note")));
}

void ProxySessionTest::idsThatRepeat()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.client(call("1", "write"));
    (void)stage.client(call("1", "read"));
    (void)stage.client(call("\"1\"", "write"));
    QCOMPARE(stage.session().unansweredCount(), 3);
    (void)stage.server(answerTo("1"));
    QCOMPARE(stage.session().unansweredCount(), 2);
    // The oldest was answered: the one that may be repeated is left.
    LOG(stage.kill(), text(R"(C error "1" -32000 serverEnded)"));
}

void ProxySessionTest::badLinesOfTheClient()
{
    ProxyStage stage;
    stage.openLegacy();
    for (const QByteArray &line :
         {QByteArray("garbage"), QByteArray(R"({"jsonrpc":"2.0","id":1,"meth)"),
          QByteArray("\0\0", 2)}) {
        QVERIFY(stage.client(line).constFirst().contains(text("-32700")));
    }
    QVERIFY(stage.client(R"({"jsonrpc":"2.0"})").constFirst().contains(text("-32600")));
    LOG(stage.client("  "), );
    stage.session().clientLineTooLong({R"({"jsonrpc":"2.0","id":12,"method":"x")", true, "}}", 100},
                                      stage.now());
    QCOMPARE(stage.session().takeActions().size(), 1U);
}

void ProxySessionTest::noiseOfTheServer()
{
    ProxyStage stage;
    stage.openLegacy();
    QVERIFY(stage.server("listening on stdio").constFirst().startsWith(text("note")));
    QVERIFY(stage.server("\xff\xfe").constFirst().startsWith(text("note")));
    LOG(stage.server(""), );
}

void ProxySessionTest::batchOfTheClient()
{
    ProxyStage stage;
    stage.openLegacy();
    LOG(stage.client("[ " + call("1", "write") + " , " + call("2", "read") + "]"),
        toServer(call("1", "write")), toServer(call("2", "read")));
}

void ProxySessionTest::clientCloses()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.client(call("1", "read"));
    (void)stage.client(call("2", "read"));
    LOG(stage.closeClient(), text("end"));
    LOG(stage.server(answerTo("1")), text("success"), toClient(answerTo("1")));
    LOG(stage.kill(), text("C error 2 -32000 serverEnded"));
}

REKINDLE_TEST(ProxySessionTest)
#include "proxysessiontest.moc"
