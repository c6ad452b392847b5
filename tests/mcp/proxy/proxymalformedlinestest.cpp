// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxystage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// The server gets an error instead of the client's response.
bool isInternalErrorToServer(const QStringList &log)
{
    return log.size() == 1
        && log[0].startsWith(text(R"(S {"jsonrpc":"2.0","id":0,"error":{"code":-32603)"));
}

} // namespace

// Lines that are too long, not JSON, not a message, or several messages.
class ProxyMalformedLinesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void forwardsUnreadableAnswers_data()
    {
        const Rows<QByteArray> row("line");
        row("NaN", R"({"jsonrpc":"2.0","id":1,"result":{"x":NaN}})");
        row("id last", R"({"jsonrpc":"2.0","result":-Infinity,"id":1})");
        row("control character", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"a\tb\"}");
        row("deep", answerTo("1", QByteArray(2000, '[') + QByteArray(2000, ']')));
        row("repeated id", R"({"jsonrpc":"2.0","id":1,"id":1,"result":{}})");
    }

    void forwardsUnreadableAnswers()
    {
        QFETCH(QByteArray, line);
        ProxyStage stage;
        stage.openLegacy();
        QVERIFY(stage.server(line).constFirst().startsWith(text("note"))); // without a request
        stage.client(call("1", "write"));
        LOG(stage.server(line), toClient(line));
        QCOMPARE(stage.session().unansweredCount(), 0);
    }

    // The server was killed while it wrote.
    void skipsTruncatedAnswers()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "read"));
        const QByteArray answer = answerTo("1", R"({"text":"all of it"})");
        QVERIFY(stage.serverRest(answer.chopped(9)).constFirst().startsWith(text("note")));
        QCOMPARE(stage.session().unansweredCount(), 1);
        LOG(stage.serverRest(answer), text("answered"), toClient(answer));
        QCOMPARE(stage.session().unansweredCount(), 0);
        LOG(stage.serverRest(" "), );
    }

    void rejectsAnUnreadableAnswerToTheReplay()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.kill();
        stage.start();
        LOG(stage.server(answerTo("1000000001", "NaN")),
            text("note the new server rejected the handshake of the session: its response cannot "
                 "be read"));
    }

    void errorsForTheClientHaveItsId()
    {
        ProxyStage stage;
        stage.openLegacy();
        LOG(stage.client(request("7", "x", R"({"y":NaN})")),
            text(
                R"(C {"jsonrpc":"2.0","id":7,"error":{"code":-32700,"message":"Parse error: it is not JSON"}})"));
    }

    void forwardsInvalidAnswers()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "write"));
        const QByteArray old = R"({"id":1,"result":{},"error":null})";
        LOG(stage.server(old), text("answered"), toClient(old));
        stage.client(call("2", "write"));
        const QByteArray failed = R"({"id":2,"error":"no"})";
        LOG(stage.server(failed), toClient(failed));
    }

    void acceptsInvalidHandshakeAnswers()
    {
        ProxyStage stage;
        stage.start();
        stage.client(initializeRequest);
        LOG(stage.server(
                R"({"id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}},"error":null})"),
            text(
                R"(C {"id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}}},"error":null})"),
            text("ready"));
        stage.client(initialized);
        stage.kill();
        stage.start();
        LOG(stage.server(R"({"id":1000000001,"result":{"protocolVersion":"2025-11-25"}})"),
            toServer(initialized), text("ready"));
    }

    void invalidRequestsOfTheServerAnswerNothing()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "write"));
        QVERIFY(stage.server(R"({"id":1,"method":"roots/list"})")
                    .constFirst()
                    .startsWith(text("note")));
        LOG(stage.server(answerTo("1")), text("answered"), toClient(answerTo("1")));
        // The server waits for a response to an unreadable request.
        const QStringList log = stage.server(request("1", "roots/list", "NaN"));
        QCOMPARE(log.size(), 2);
        QVERIFY(log[1].startsWith(text(R"(S {"jsonrpc":"2.0","id":1,"error":{"code":-32700)")));
    }

    void splitsBatches()
    {
        ProxyStage stage;
        stage.openLegacy();
        LOG(stage.client("[ " + call("1", "write") + " , " + call("2", "read") + "]"),
            toServer(call("1", "write")), toServer(call("2", "read")));
        LOG(stage.server('[' + answerTo("1") + ", " + answerTo("2") + ']'), text("answered"),
            toClient(answerTo("1")), toClient(answerTo("2")));
        QCOMPARE(stage.session().unansweredCount(), 0);
        LOG(stage.kill(), );
    }

    void rejectsInvalidItemsOfBatches()
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

    void rejectsInvalidLinesOfTheClient()
    {
        ProxyStage stage;
        stage.openLegacy();
        for (const QByteArray &line :
             {QByteArray("garbage"), call("1", "read").first(26), QByteArray("\0\0", 2)})
            QVERIFY(stage.client(line).constFirst().contains(text("-32700")));
        QVERIFY(stage.client(R"({"jsonrpc":"2.0"})").constFirst().contains(text("-32600")));
        LOG(stage.client("  "), );
        QCOMPARE(stage.clientTooLong(R"({"jsonrpc":"2.0","id":12,"method":"x")").size(), 1);
    }

    void skipsNoiseOfTheServer()
    {
        ProxyStage stage;
        stage.openLegacy();
        QVERIFY(stage.server("listening on stdio").constFirst().startsWith(text("note")));
        QVERIFY(stage.server("\xff\xfe").constFirst().startsWith(text("note")));
        LOG(stage.server(""), );
    }

    void reportsLongLinesOfTheServer()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "write"));
        stage.client(call("2", "write"));
        const QStringList request = stage.serverTooLong(
            R"({"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":)");
        QCOMPARE(request.size(), 2);
        QVERIFY(request[1].startsWith(text(R"(S {"jsonrpc":"2.0","id":1,"error":{"code":-32600)")));
        QCOMPARE(
            stage.serverTooLong(R"({"jsonrpc":"2.0","method":"notifications/message","params":)")
                .size(),
            1);
        QCOMPARE(stage.serverTooLong(R"({"jsonrpc":"2.0","id":1,"result":)").constLast(),
                 text("C error 1 -32000 answerTooLong"));
        QCOMPARE(stage.session().unansweredCount(), 1);
        // It may be the response to any request.
        QVERIFY(stage.serverTooLong(R"({"jsonrpc":"2.0","result":)")
                    .constLast()
                    .startsWith(text("fail")));
    }

    // A cancelled request and a newer one may have the id.
    void longResponseAnswersOneRequest()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "write"));
        stage.client(cancellationOf("1"));
        stage.client(call("1", "read"));
        QCOMPARE(stage.serverTooLong(R"({"jsonrpc":"2.0","id":1,"result":)").constLast(),
                 text("C error 1 -32000 answerTooLong"));
        LOG(stage.server(answerTo("1")), toClient(answerTo("1"))); // of the other request
    }

    void rejectsLongHandshakeAnswers()
    {
        ProxyStage stage;
        stage.start();
        stage.client(initializeRequest);
        QCOMPARE(stage.serverTooLong(R"({"jsonrpc":"2.0","id":0,"result":)").constLast(),
                 text("C error 0 -32000 answerTooLong"));
        QCOMPARE(stage.session().unansweredCount(), 0);

        ProxyStage replay;
        replay.openLegacy();
        replay.kill();
        replay.start();
        QCOMPARE(
            replay.serverTooLong(R"({"jsonrpc":"2.0","id":1000000001,"result":)").constLast(),
            text("note the new server rejected the handshake of the session: its response exceeds "
                 "the size limit"));
    }

    void reportsInvalidAnswersOfTheClient()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.server(rootsRequest);
        const QByteArray old = R"({"id":0,"result":{}})";
        LOG(stage.client(old), toServer(old));
        LOG(stage.client(old), ); // without a request
        stage.server(rootsRequest);
        const QByteArray unreadable = answerTo("0", R"({"x":NaN})");
        QVERIFY(isInternalErrorToServer(stage.client(unreadable)));
        LOG(stage.client(unreadable), );
        // A truncated line may be any message.
        stage.server(rootsRequest);
        QVERIFY(stage.client(answerTo("0").first(28)).constFirst().contains(text(R"("id":null)")));
    }

    void reportsLongAnswersOfTheClient()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.server(rootsRequest);
        const QByteArray answer = R"({"jsonrpc":"2.0","id":0,"result":)";
        QVERIFY(isInternalErrorToServer(stage.clientTooLong(answer)));
        LOG(stage.clientTooLong(answer), );
        const QStringList request =
            stage.clientTooLong(R"({"jsonrpc":"2.0","id":3,"method":"x","params":)");
        QVERIFY(request.constFirst().startsWith(text(R"(C {"jsonrpc":"2.0","id":3,"error")")));
    }
};

REKINDLE_TEST(ProxyMalformedLinesTest)
#include "proxymalformedlinestest.moc"
