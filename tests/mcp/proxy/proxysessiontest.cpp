// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxystage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

// The handshake and its replay, and what the proxy forwards.
class ProxySessionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void changesOnlyTheAnswerToInitialize()
    {
        ProxyStage stage;
        LOG(stage.start(), );
        LOG(stage.client(initializeRequest), toServer(initializeRequest));
        LOG(stage.server(
                R"({"jsonrpc":"2.0","id":0,"result":{"capabilities":{"tools":{ },"prompts":{"listChanged":false}},"protocolVersion":"2025-11-25"}})"),
            text(
                R"(C {"jsonrpc":"2.0","id":0,"result":{"capabilities":{"tools":{ "listChanged":true},"prompts":{"listChanged":true}},"protocolVersion":"2025-11-25"}})"),
            text("ready"));
        LOG(stage.client(initialized), toServer(initialized));
        const QByteArray unusual = R"( {"id" : "a\u0062" ,"jsonrpc":"2.0","method":"x/y" } )";
        LOG(stage.client(unusual), toServer(unusual));
        const QByteArray answer = R"({"result":[1 , 2],"id":"ab","jsonrpc":"2.0"})";
        LOG(stage.server(answer), text("answered"), toClient(answer));
        QCOMPARE(stage.session().unansweredCount(), 0);
    }

    void replaysTheHandshake()
    {
        ProxyStage stage;
        stage.start();
        stage.client(initializeRequest);
        stage.server(handshakeAnswer("0"));
        stage.client(initialized);
        LOG(stage.kill(), );
        LOG(stage.client(call("1", "write")), );
        LOG(stage.start(), text(crashMarker), text(initializeReplay));
        LOG(stage.client(call("\"1\"", "write")), );
        LOG(stage.server(handshakeAnswer("1000000001")), toServer(initialized), text("ready"),
            toServer(call("1", "write")), toServer(call("\"1\"", "write")));
        LOG(stage.server(answerTo("\"1\"")), text("answered"), toClient(answerTo("\"1\"")));
        LOG(stage.server(answerTo("1")), toClient(answerTo("1")));
    }

    void repeatsAnUnansweredInitialize()
    {
        ProxyStage stage;
        stage.start();
        stage.client(initializeRequest);
        LOG(stage.kill(), );
        LOG(stage.start(), text(crashMarker), toServer(initializeRequest));
        QVERIFY(stage.server(handshakeAnswer("0")).constFirst().startsWith(text("C {")));
        LOG(stage.client(initialized), toServer(initialized));
    }

    // A script may write a whole session without reading responses.
    void repeatsAPipelinedHandshake()
    {
        ProxyStage stage;
        stage.start();
        stage.client(initializeRequest);
        LOG(stage.client(initialized), toServer(initialized));
        LOG(stage.client(call("1", "write")), toServer(call("1", "write")));
        LOG(stage.end(killed(0)), );
        stage.start();
        LOG(stage.server(handshakeAnswer("0")).mid(1), toServer(initialized), text("ready"),
            toServer(call("1", "write")));

        // After initialize was refused, no server gets the other messages.
        ProxyStage late;
        late.start();
        late.client(initializeRequest);
        late.client(initialized);
        late.client(call("1", "write"));
        LOG(late.pass(21s), );
        LOG(late.end(killed(0)), text("C error 0 -32000 serverUnavailable"),
            text("C error 1 -32000 serverUnavailable"));
        LOG(late.start(), text(crashMarker));
    }

    // The responses could be confused.
    void refusesIdsOfItsOwnRequests()
    {
        ProxyStage stage;
        stage.openLegacy(false);
        LOG(stage.client(request("1000000001", "roots")), toServer(request("1000000001", "roots")));
        stage.server(answerTo("1000000001"));
        stage.kill();
        stage.start(); // with a replay, whose id is the first one that was not used before
        LOG(stage.client(request("1000000001", "roots")),
            toClient(failureOf("1000000001", -32600, OwnIds::refusal().toUtf8())));
    }

    // Each process declares other capabilities. Some servers exit on a method that they do not
    // know.
    void replaysDeclaredLogLevelAndSubscriptions()
    {
        ProxyStage stage;
        stage.openLegacy(false);
        const auto send = [&stage](const char *id, const char *method, const QByteArray &params) {
            stage.client(request(id, method, params));
            stage.server(answerTo(id));
        };
        send("5", "logging/setLevel", R"({"level":"debug"})");
        send("6", "resources/subscribe", R"({"uri":"a"})");
        send("7", "resources/subscribe", R"({"uri":"b"})");
        send("8", "resources/unsubscribe", R"({"uri":"a"})");
        const QByteArray level = R"("logging/setLevel","params":{"level":"debug"}})";
        const QByteArray uri = R"("resources/subscribe","params":{"uri":"b"}})";
        const auto replay = [&stage](const QByteArray &id, const QByteArray &capabilities) {
            stage.kill();
            stage.start();
            return stage.server(handshakeAnswer(id, "2025-11-25", capabilities));
        };
        LOG(replay("1000000001", R"({"tools":{},"resources":{"listChanged":true}})"),
            toServer(initialized), text("ready"));
        const auto own = [](const QByteArray &id, const QByteArray &rest) {
            return toServer(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":)" + rest);
        };
        LOG(replay("1000000002", R"({"logging":{},"resources":{}})"), toServer(initialized),
            own("1000000003", level));
        LOG(replay("1000000004", R"({"resources":{"subscribe":true}})"), toServer(initialized),
            own("1000000005", uri));
        LOG(replay("1000000006", R"({"logging":{},"resources":{"subscribe":true}})"),
            toServer(initialized), own("1000000007", level), own("1000000008", uri));
        LOG(stage.client(call("9", "write")), );
        LOG(stage.server(answerTo("1000000008")), );
        LOG(stage.server(failureOf("1000000007", -1)), text("ready"), toServer(call("9", "write")));
    }

    void refusesRequestsAfterARejectedReplay()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.kill();
        stage.client(call("1", "read"));
        stage.start();
        LOG(stage.server(failureOf("1000000001", -32603, "no database")),
            text("note the new server rejected the handshake of the session: no database"),
            text("C error 1 -32000 handshakeRefused"));
        LOG(stage.client(call("2", "read")), text("C error 2 -32000 handshakeRefused"));
        QVERIFY(stage.lastAnswer().contains("no database"));
        LOG(stage.pass(1h), );
        // The next server gets the handshake again.
        QVERIFY(stage.restart().contains(toServer(initialized)));
    }

    void rejectsAnotherProtocolVersion()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.kill();
        stage.start();
        stage.server(handshakeAnswer("1000000001", "2025-06-18"));
        LOG(stage.client(call("1", "read")), text("C error 1 -32000 handshakeRefused"));
        QVERIFY(stage.lastAnswer().contains("2025-06-18"));
    }

    void failsAServerThatDoesNotAnswerTheReplay()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.kill();
        stage.start();
        LOG(stage.pass(30s), text("fail it did not respond to the client's handshake in time"));
        LOG(stage.client(call("1", "read")), ); // held for the next server
    }

    void refusesInitializeWithoutAServerInTime()
    {
        ProxyStage stage;
        stage.start();
        stage.client(initializeRequest);
        LOG(stage.kill(), );
        LOG(stage.pass(19s), );
        stage.start();
        LOG(stage.pass(2s), ); // a running server has no deadline
        LOG(stage.kill(), text("C error 0 -32000 serverUnavailable"));

        ProxyStage missing;
        ServerExit end;
        end.detail.exitCode = 127;
        end.outlook = {ServerOutlook::Kind::GivenUp, {}, QStringLiteral("not found")};
        LOG(missing.end(end), );
        LOG(missing.client(initializeRequest), text("C error 0 -32000 serverUnavailable"));
    }

    void cancelsRequestsOfAnEndedServer()
    {
        ProxyStage stage;
        stage.openLegacy();
        LOG(stage.server(rootsRequest), toClient(rootsRequest));
        LOG(stage.client(answerTo("0")), toServer(answerTo("0")));
        LOG(stage.server(rootsRequest), toClient(rootsRequest));
        LOG(stage.kill(),
            text(
                R"(C {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0,"reason":"the server has ended"}})"));
        LOG(stage.client(answerTo("0")), );
    }

    // Every server numbers its requests from 0.
    void lateAnswersDoNotReachTheNewServer()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.server(rootsRequest);
        stage.restart();
        LOG(stage.server(rootsRequest),
            text(R"(C {"jsonrpc":"2.0","id":1000000002,"method":"roots/list"})"));
        LOG(stage.client(answerTo("0", R"("old")")), );
        LOG(stage.client(answerTo("1000000002", R"("new")")), toServer(answerTo("0", R"("new")")));
    }

    void boundsUnansweredRequestsOfTheServer()
    {
        ProxyStage stage;
        stage.openLegacy();
        const auto ask = [&stage](int id) {
            return stage.server(request(QByteArray::number(id), "sampling/createMessage"));
        };
        for (int id = 0; id < 999; ++id)
            QVERIFY(ask(id).constFirst().startsWith(text("C ")));
        // A repeated id is replaced, so that each request counts.
        LOG(ask(7), toClient(request("1000000001", "sampling/createMessage")));
        LOG(ask(1000),
            toServer(failureOf("1000", -32603, "The client has not answered 1000 requests yet")));
        LOG(stage.client(answerTo("7")), toServer(answerTo("7")));
        QVERIFY(ask(1001).constFirst().startsWith(text("C ")));
        LOG(stage.client(answerTo("1000000001")), toServer(answerTo("7")));
    }

    void dropsAnswersWithoutARequest()
    {
        ProxyStage stage;
        stage.openLegacy();
        QVERIFY(stage.server(answerTo("77")).constFirst().startsWith(text("note")));
        stage.client(call("1", "write"));
        LOG(stage.server(answerTo("1")), text("answered"), toClient(answerTo("1")));
        QVERIFY(stage.server(answerTo("1")).constFirst().startsWith(text("note")));
    }

    void answersBelongToTheOldestRequestWithTheId()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "write"));
        stage.client(call("1", "read"));
        stage.client(call("\"1\"", "write"));
        QCOMPARE(stage.session().unansweredCount(), 3);
        stage.server(answerTo("1"));
        QCOMPARE(stage.session().unansweredCount(), 2);
        LOG(stage.kill(), text(R"(C error "1" -32000 serverEnded)"));
    }

    // Its next process does not know them.
    void reportsTasksOfAnExitedServerAsFailed_data()
    {
        const Rows<QByteArray, QByteArray> row("created", "failed");
        const QByteArray fault =
            "The MCP server was terminated by SIGKILL before the task was finished";
        const QByteArray members = R"("taskId":"t","status":"STATUS","ttl":1)";
        const QByteArray working = QByteArray(members).replace("STATUS", "working");
        const QByteArray failed = QByteArray(members).replace("STATUS", "failed")
            + ",\"statusMessage\":\"" + fault + "\"";
        row("legacy", QByteArray("{\"task\":{" + working + "}}"), QByteArray('{' + failed + '}'));
        row("without a task", R"({"content":[]})", {});
    }

    void reportsTasksOfAnExitedServerAsFailed()
    {
        QFETCH(QByteArray, created);
        QFETCH(QByteArray, failed);
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "write"));
        stage.server(answerTo("1", created));
        const QByteArray get = request("2", "tasks/get", R"({"taskId":"t"})");
        const QByteArray unknown = failureOf("2", -32602, "unknown task");
        LOG(stage.client(get), toServer(get));
        LOG(stage.server(unknown), toClient(unknown)); // the server that has created it runs
        stage.restart();
        LOG(stage.client(get), toServer(get));
        LOG(stage.server(unknown), toClient(failed.isEmpty() ? unknown : answerTo("2", failed)));
        // The next process may have stored it.
        stage.client(get);
        QCOMPARE(stage.server(answerTo("2", "{}")).constLast(), toClient(answerTo("2", "{}")));
        stage.client(request("3", "tasks/result", R"({"taskId":"t"})"));
        const QString result = stage.server(failureOf("3", -32602, "unknown task")).join(u'\n');
        QCOMPARE(result.contains(QStringLiteral("SIGKILL")), !failed.isEmpty());
        QVERIFY(result.contains(QStringLiteral("\"error\"")));
    }

    void reportsFailedTasksToModernClients()
    {
        ServerTasks tasks;
        const QByteArray created =
            answerTo("1", R"({"resultType":"task","taskId":"t","status":"working"})");
        tasks.record(created, MessagePeek::at(created));
        const QByteArray line = request("2", "tasks/get", R"({"taskId":"t"})");
        const ClientRequest get = ClientRequest::of(line, MessagePeek::at(line));
        QVERIFY(!tasks.failureFor(get, McpProtocol::Revision::Modern));
        tasks.serverExited(QStringLiteral("exited"));
        const QByteArray failed =
            R"({"resultType":"complete","taskId":"t","status":"failed","statusMessage":"FAULT","error":{"code":-32603,"message":"FAULT"}})";
        QCOMPARE(*tasks.failureFor(get, McpProtocol::Revision::Modern),
                 answerTo("2",
                          QByteArray(failed).replace(
                              "FAULT", "The MCP server exited before the task was finished")));
    }

    void endsTheServerWhenTheClientCloses()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(call("1", "read"));
        stage.client(call("2", "read"));
        LOG(stage.closeClient(), );
        LOG(stage.server(answerTo("1")), text("answered"), toClient(answerTo("1")));
        LOG(stage.kill(), text("C error 2 -32000 serverEnded"));
    }
};

REKINDLE_TEST(ProxySessionTest)
#include "proxysessiontest.moc"
