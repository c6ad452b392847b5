// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Lines that are too long, no JSON, no message, or several.

#include "proxylines.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

class ProxyOddLinesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersThatCannotBeReadArePassedOn_data();
    void answersThatCannotBeReadArePassedOn();
    void halfAnAnswerIsNone();
    void aReplayThatCannotBeReadHasFailed();
    void errorsOfTheClientCarryItsId();
    void answersThatAreNearlyRight();
    void aNearlyRightHandshake();
    void aServersBadRequestAnswersNothing();
    void batchOfTheServer();
    void badBatchesOfTheClient();
    void longLinesOfTheServer();
    void longHandshakes();
    void badAnswersOfTheClient();
    void longAnswersOfTheClient();
};

void ProxyOddLinesTest::answersThatCannotBeReadArePassedOn_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("NaN") << QByteArray(R"({"jsonrpc":"2.0","id":1,"result":{"x":NaN}})");
    QTest::newRow("id last") << QByteArray(R"({"jsonrpc":"2.0","result":-Infinity,"id":1})");
    QTest::newRow("control") << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"a\tb\"}");
    QTest::newRow("deep") << R"({"jsonrpc":"2.0","id":1,"result":)" + QByteArray(2000, '[')
            + QByteArray(2000, ']') + '}';
    QTest::newRow("twice") << QByteArray(R"({"jsonrpc":"2.0","id":1,"id":1,"result":{}})");
}

void ProxyOddLinesTest::answersThatCannotBeReadArePassedOn()
{
    QFETCH(QByteArray, line);
    ProxyStage stage;
    stage.openLegacy();
    QVERIFY(stage.server(line).constFirst().startsWith(text("note"))); // nobody has asked
    (void)stage.client(call("1", "write"));
    LOG(stage.server(line), toClient(line));
    QCOMPARE(stage.session().unansweredCount(), 0);
}

// A server was killed while it wrote.
void ProxyOddLinesTest::halfAnAnswerIsNone()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.client(call("1", "read"));
    const QByteArray answer = R"({"jsonrpc":"2.0","id":1,"result":{"text":"all of it"}})";
    QVERIFY(stage.serverRest(answer.chopped(9)).constFirst().startsWith(text("note")));
    QCOMPARE(stage.session().unansweredCount(), 1);
    LOG(stage.serverRest(answer), text("success"), toClient(answer));
    QCOMPARE(stage.session().unansweredCount(), 0);
    LOG(stage.serverRest(" "), );
}

void ProxyOddLinesTest::aReplayThatCannotBeReadHasFailed()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.kill();
    (void)stage.start();
    LOG(stage.server(R"({"jsonrpc":"2.0","id":"rekindle-1","result":NaN})"),
        text("note the new server rejected the handshake of the session: its response cannot be "
             "read"));
}

void ProxyOddLinesTest::errorsOfTheClientCarryItsId()
{
    ProxyStage stage;
    stage.openLegacy();
    LOG(stage.client(R"({"jsonrpc":"2.0","id":7,"method":"x","params":{"y":NaN}})"),
        text(
            R"(C {"jsonrpc":"2.0","id":7,"error":{"code":-32700,"message":"Parse error: it is not JSON"}})"));
}

void ProxyOddLinesTest::answersThatAreNearlyRight()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.client(call("1", "write"));
    const QByteArray old = R"({"id":1,"result":{},"error":null})";
    LOG(stage.server(old), text("success"), toClient(old));
    (void)stage.client(call("2", "write"));
    const QByteArray failed = R"({"id":2,"error":"no"})";
    LOG(stage.server(failed), toClient(failed));
}

void ProxyOddLinesTest::aNearlyRightHandshake()
{
    ProxyStage stage;
    (void)stage.start();
    (void)stage.client(initializeRequest);
    LOG(stage.server(
            R"({"id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}},"error":null})"),
        text(
            R"(C {"id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}}},"error":null})"));
    (void)stage.client(initialized);
    (void)stage.kill();
    (void)stage.start();
    LOG(stage.server(R"({"id":"rekindle-1","result":{"protocolVersion":"2025-11-25"}})"),
        toServer(initialized));
}

void ProxyOddLinesTest::aServersBadRequestAnswersNothing()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.client(call("1", "write"));
    QVERIFY(
        stage.server(R"({"id":1,"method":"roots/list"})").constFirst().startsWith(text("note")));
    LOG(stage.server(answerTo("1")), text("success"), toClient(answerTo("1")));
    // One that it waits for gets an error, though it was not to be read.
    const QStringList log =
        stage.server(R"({"jsonrpc":"2.0","id":1,"method":"roots/list","params":NaN})");
    QCOMPARE(log.size(), 2);
    QVERIFY(log[1].startsWith(text(R"(S {"jsonrpc":"2.0","id":1,"error":{"code":-32700)")));
}

void ProxyOddLinesTest::batchOfTheServer()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.client('[' + call("1", "write") + ',' + call("2", "write") + ']');
    LOG(stage.server('[' + answerTo("1") + ", " + answerTo("2") + ']'), text("success"),
        toClient(answerTo("1")), toClient(answerTo("2")));
    QCOMPARE(stage.session().unansweredCount(), 0);
    LOG(stage.kill(), );
}

void ProxyOddLinesTest::badBatchesOfTheClient()
{
    ProxyStage stage;
    stage.openLegacy();
    const QStringList empty = stage.client("[ ]");
    QCOMPARE(empty.size(), 1);
    QVERIFY(empty[0].contains(text(R"("id":null,"error":{"code":-32600)")));
    const QStringList nested = stage.client("[[],7," + call("1", "write") + ']');
    QCOMPARE(nested.size(), 3);
    QVERIFY(nested[0].contains(text("-32600")));
    QVERIFY(nested[1].contains(text("-32600")));
    QCOMPARE(nested[2], toServer(call("1", "write")));
}

void ProxyOddLinesTest::longLinesOfTheServer()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.client(call("1", "write"));
    (void)stage.client(call("2", "write"));
    // A request has an id of its own.
    const QStringList request = stage.serverTooLong(
        R"({"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":)");
    QCOMPARE(request.size(), 2);
    QVERIFY(request[1].startsWith(text(R"(S {"jsonrpc":"2.0","id":1,"error":{"code":-32600)")));
    // A notification is not waited for by anybody.
    QCOMPARE(stage.serverTooLong(R"({"jsonrpc":"2.0","method":"notifications/message","params":)")
                 .size(),
             1);
    QCOMPARE(stage.serverTooLong(R"({"jsonrpc":"2.0","id":1,"result":)").constLast(),
             text("C error 1 -32000 answerTooLong"));
    QCOMPARE(stage.session().unansweredCount(), 1);
    QVERIFY(
        stage.serverTooLong(R"({"jsonrpc":"2.0","result":)").constLast().startsWith(text("fail")));
}

void ProxyOddLinesTest::longHandshakes()
{
    ProxyStage stage;
    (void)stage.start();
    (void)stage.client(initializeRequest);
    QCOMPARE(stage.serverTooLong(R"({"jsonrpc":"2.0","id":0,"result":)").constLast(),
             text("C error 0 -32000 answerTooLong"));
    QCOMPARE(stage.session().unansweredCount(), 0);

    ProxyStage replay;
    replay.openLegacy();
    (void)replay.kill();
    (void)replay.start();
    QCOMPARE(replay.serverTooLong(R"({"jsonrpc":"2.0","id":"rekindle-1","result":)").constLast(),
             text("note the new server rejected the handshake of the session: its response exceeds "
                  "the size limit"));
}

void ProxyOddLinesTest::badAnswersOfTheClient()
{
    ProxyStage stage;
    stage.openLegacy();
    const auto ask = [&stage] {
        (void)stage.server(R"({"jsonrpc":"2.0","id":0,"method":"roots/list"})");
    };
    ask();
    const QByteArray old = R"({"id":0,"result":{}})";
    LOG(stage.client(old), toServer(old));
    LOG(stage.client(old), ); // nobody has asked
    ask();
    const QStringList log = stage.client(R"({"jsonrpc":"2.0","id":0,"result":{"x":NaN}})");
    QCOMPARE(log.size(), 1);
    QVERIFY(log[0].startsWith(text(R"(S {"jsonrpc":"2.0","id":0,"error":{"code":-32603)")));
    LOG(stage.client(R"({"jsonrpc":"2.0","id":0,"result":{"x":NaN}})"), );
    // Half a line may be anything.
    ask();
    const QByteArray half = "{\"jsonrpc\":\"2.0\",\"id\":0,\"res";
    QVERIFY(stage.client(half).constFirst().contains(text(R"("id":null)")));
}

void ProxyOddLinesTest::longAnswersOfTheClient()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.server(R"({"jsonrpc":"2.0","id":0,"method":"roots/list"})");
    const QStringList log = stage.clientTooLong(R"({"jsonrpc":"2.0","id":0,"result":)");
    QCOMPARE(log.size(), 1);
    QVERIFY(log[0].startsWith(text(R"(S {"jsonrpc":"2.0","id":0,"error":{"code":-32603)")));
    LOG(stage.clientTooLong(R"({"jsonrpc":"2.0","id":0,"result":)"), );
    const QStringList request =
        stage.clientTooLong(R"({"jsonrpc":"2.0","id":3,"method":"x","params":)");
    QVERIFY(request.constFirst().startsWith(text(R"(C {"jsonrpc":"2.0","id":3,"error")")));
}

REKINDLE_TEST(ProxyOddLinesTest)
#include "proxyoddlinestest.moc"
