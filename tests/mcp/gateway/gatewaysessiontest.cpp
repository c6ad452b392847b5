// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "gatewaystage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

QByteArray modern(const QByteArray &id, const QByteArray &method, const QByteArray &members = {})
{
    return request(
        id, method,
        R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"m","version":"1"},"progressToken":1})"
            + (members.isEmpty() ? QByteArray() : ',' + members) + '}');
}

QByteArray subscription(const QByteArray &id)
{
    return modern(id, "subscriptions/listen",
                  R"("notifications":{"toolsListChanged":true,"other":true})");
}

QByteArray idIn(const QString &action) { return MessagePeek::at(action.mid(2).toUtf8()).id.json(); }

} // namespace

// The handshakes and the routes of messages.
class GatewaySessionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersInitializeBeforeServersStart()
    {
        GatewayStage stage(twoNames);
        const QStringList actions = stage.openLegacy();
        QVERIFY2(actions.front().startsWith(QStringLiteral(
                     R"(C {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25")")),
                 qPrintable(actions.front()));
        // The client's own params, and an id of the gateway.
        QCOMPARE(
            actions[1],
            QStringLiteral(
                R"(0 {"jsonrpc":"2.0","id":1000000001,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})"));
        QVERIFY(actions[2].startsWith(u'1'));
        QCOMPARE(actions.size(), 3);
        QCOMPARE(only(stage.client(request("7", "ping"))), toClient(answerTo("7")));
    }

    void negotiatesTheVersion_data()
    {
        const Rows<QByteArray, QString> row("requested", "negotiated");
        row("known", "2025-03-26", "2025-03-26");
        row("unknown", "2999-01-01", "2025-11-25");
    }

    void negotiatesTheVersion()
    {
        QFETCH(QByteArray, requested);
        QFETCH(QString, negotiated);
        GatewayStage stage(oneName);
        const QString version = QStringLiteral(R"("protocolVersion":"%1")").arg(negotiated);
        for (const QString &action : stage.client(request(
                 "0", "initialize",
                 QByteArray(R"({"protocolVersion":"VERSION"})").replace("VERSION", requested))))
            VERIFY_CONTAINS(action, version);
    }

    void forwardsCallsByteForByte()
    {
        GatewayStage stage(twoNames);
        stage.open({R"({"name":"x"})", R"({"name":"x"})"});
        stage.client(request("1", "tools/list"));
        const QByteArray own =
            R"( {"id":"a\u0062","method":"tools/call","jsonrpc":"2.0","params":{"arguments":{"z":12345678901234567890,"a":1.0},"name":"x"}})";
        QCOMPARE(only(stage.client(own)), QLatin1String("0 ") + QString::fromUtf8(own));
        QCOMPARE(
            only(stage.client(
                R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"two__x","arguments":{"z":12345678901234567890, "a" : 1e400}}})")),
            QStringLiteral(
                R"(1 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x","arguments":{"z":12345678901234567890, "a" : 1e400}}})"));
        const QByteArray answer =
            R"({"result":{"content":[],"n":12345678901234567890},"id":"ab","jsonrpc":"2.0"})";
        QVERIFY(stage.server(1, answer).isEmpty()); // the request went to the other server
        QCOMPARE(only(stage.server(0, answer)), toClient(answer));
        QVERIFY(stage.server(0, answer).isEmpty());
    }

    void refusesIdsOfItsOwnRequests()
    {
        GatewayStage stage(oneName);
        stage.openLegacy(); // with the request 1000000001 to the server
        QCOMPARE(only(stage.client(request("1000000001", "tools/list"))),
                 toClient(failureOf("1000000001", -32600, OwnIds::refusal().toUtf8())));
    }

    void offersOnlySelectedTools()
    {
        GatewayOptions options{.servers = twoNames, .inject = false};
        options.tools.insert(0,
                             {.only = QStringList{QStringLiteral("a"), QStringLiteral("b")},
                              .except = {QStringLiteral("b")}});
        GatewayStage stage(options);
        stage.open({R"({"name":"a"},{"name":"b"},{"name":"c"})", R"({"name":"b"})"});
        QCOMPARE(stage.tools("1"), QStringLiteral("a b"));
        QVERIFY(only(stage.client(request("2", "tools/call", R"({"name":"c"})")))
                    .startsWith(QLatin1String("C ")));
        QVERIFY(only(stage.client(request("3", "tools/call", R"({"name":"b"})")))
                    .startsWith(QLatin1String("1 "))); // no name was given out twice
    }

    void forwardsRequestsOfServersWithUniqueIds()
    {
        GatewayStage stage(twoNames);
        stage.open({{}, {}});
        const QByteArray sampling =
            request("1", "sampling/createMessage", R"({"_meta":{"progressToken":5}})");
        const QString first = only(stage.server(0, sampling));
        const QString second = only(stage.server(1, sampling));
        QVERIFY(first.startsWith(QStringLiteral("C ")) && first != second);
        QCOMPARE(
            only(stage.client(
                R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)"
                + idIn(second) + R"(,"progress":1}})")),
            QStringLiteral(
                R"(1 {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":5,"progress":1}})"));
        QCOMPARE(only(stage.client(answerTo(idIn(second), R"({"b":2})"))),
                 QStringLiteral(R"(1 {"jsonrpc":"2.0","id":1,"result":{"b":2}})"));
        // A server's cancellation gets the id that the client knows.
        QCOMPARE(only(stage.server(0, cancellationOf("1"))), toClient(cancellationOf(idIn(first))));
        QVERIFY(stage.client(answerTo(idIn(first))).isEmpty());
        QCOMPARE(only(stage.server(0, request("3", "ping"))),
                 QStringLiteral(R"(0 {"jsonrpc":"2.0","id":3,"result":{}})"));
    }

    void cancelsRequests()
    {
        GatewayStage stage(twoNames);
        stage.open({R"({"name":"a"})", R"({"name":"b"})"});
        stage.client(request("5", "tools/call", R"({"name":"b"})"));
        QCOMPARE(only(stage.client(cancellationOf("5"))),
                 QLatin1String("1 ") + QString::fromUtf8(cancellationOf("5")));
        QVERIFY(stage.server(1, answerTo("5")).isEmpty());
        QVERIFY(stage.client(cancellationOf("5")).isEmpty());

        GatewayStage waiting(twoNames);
        waiting.openLegacy();
        waiting.client(request("5", "tools/list"));
        waiting.client(cancellationOf("5"));
        QVERIFY(waiting.pass(10s).isEmpty());
    }

    void errorsNameTheServer()
    {
        GatewayStage stage(twoNames);
        stage.open({R"({"name":"a"})", {}});
        stage.client(request("1", "tools/call", R"({"name":"a"})"));
        QCOMPARE(
            only(stage.refuse(0, "1")),
            QStringLiteral(
                R"(C {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"one: The MCP server is not running; it restarts in 1.5 s","data":{"source":"rekindle","reason":"serverUnavailable","maybeExecuted":false,"restartInMs":1500.0,"server":"one"}}})"));
        QCOMPARE(stage.tools("2"), text("a")); // its tools stay listed
    }

    void rejectsUnknownToolsAndMethods()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        stage.come(1, {});
        stage.refuse(0, stage.idOf(0, "initialize"));
        const QString answer = only(stage.client(request("1", "tools/call", R"({"name":"nope"})")));
        VERIFY_CONTAINS(answer, "-32602");
        QVERIFY(answer.contains(QStringLiteral("Unknown tool: nope; server one is not ready (The "
                                               "MCP server is not running; it restarts "
                                               "in 1.5 s)")));
        QVERIFY(
            only(stage.client(request("2", "nothing/at_all"))).contains(QStringLiteral("-32601")));
    }

    void failsServersWithoutAValidHandshake()
    {
        GatewayStage stage(twoNames);
        for (int i = 0; i < 2; ++i)
            stage.start(i);
        stage.openLegacy();
        QCOMPARE(only(stage.answer(1, "initialize",
                                   R"({"protocolVersion":"1999-01-01","capabilities":{}})")),
                 QStringLiteral("fail 1"));
        QCOMPARE(stage.tools("1"), QString());
    }

    void failsServersAfterTheHandshakeTime()
    {
        GatewayStage stage(twoNames);
        stage.start(0);
        stage.openLegacy();
        stage.come(1, {});
        QVERIFY(stage.pass(29s).isEmpty());
        QCOMPARE(only(stage.pass(1s)), QStringLiteral("fail 0"));
        // The time of the next process begins with its start.
        stage.start(0);
        QCOMPARE(only(stage.pass(30s)), QStringLiteral("fail 0"));
    }

    void handshakeTimeIsOfEachServer()
    {
        GatewayStage stage(GatewayOptions{
            .servers = twoNames, .inject = false, .handshakeTimes = {{0, 5s}, {1, 60s}}});
        for (int i = 0; i < 2; ++i)
            stage.start(i);
        stage.openLegacy();
        QCOMPARE(only(stage.pass(5s)), QStringLiteral("fail 0"));
        QVERIFY(stage.pass(54s).isEmpty());
        QCOMPARE(only(stage.pass(1s)), QStringLiteral("fail 1"));
    }

    void setsTheLogLevelOfAllServers()
    {
        GatewayStage stage(twoNames);
        for (int i = 0; i < 2; ++i)
            stage.start(i);
        stage.openLegacy();
        const QByteArray hasLogging =
            R"({"protocolVersion":"2025-11-25","capabilities":{"logging":{}}})";
        stage.answer(0, "initialize", hasLogging);
        const QStringList now =
            stage.client(request("1", "logging/setLevel", R"({"level":"error"})"));
        QCOMPARE(now.size(), 2);
        QVERIFY(now[0].startsWith(u'0') && now[1].startsWith(u'C'));
        // Also of a server that is ready later, and of one that restarts.
        const QStringList later = stage.answer(1, "initialize", hasLogging);
        QCOMPARE(later.size(), 2);
        QVERIFY(later[1].contains(QStringLiteral("logging/setLevel")));
        stage.end(1);
        QCOMPARE(stage.client(request("3", "logging/setLevel", R"({"level":"alert"})")).size(), 2);
        stage.start(1);
        const QString back = stage.replay(1, R"({"logging":{}})").join(u'\n');
        VERIFY_CONTAINS(back, "alert");
        QVERIFY(only(stage.client(request("2", "logging/setLevel", R"({"level":"loud"})")))
                    .contains(QStringLiteral("-32602")));
    }

    // The proxy session of a server replays the level that the server has accepted.
    void sendsTheLogLevelOnceToEachProcess()
    {
        GatewayStage stage(oneName);
        stage.start(0);
        stage.openLegacy();
        const QByteArray logging = R"({"logging":{}})";
        stage.answer(0, "initialize",
                     R"({"protocolVersion":"2025-11-25","capabilities":)" + logging + '}');
        stage.client(request("1", "logging/setLevel", R"({"level":"error"})"));
        const auto restart = [&stage, &logging] {
            stage.end(0);
            stage.start(0);
            return stage.replay(0, logging);
        };
        QCOMPARE(restart().size(), 1); // not accepted yet
        stage.answer(0, "logging/setLevel", "{}");
        LOG(restart(), );
        LOG(restart(), );
        stage.client(request("2", "logging/setLevel", R"({"level":"alert"})"));
        stage.answer(0, "logging/setLevel", "{}");
        LOG(restart(), );
    }

    void servesModernClients()
    {
        GatewayStage stage(twoNames);
        const QString discovered = only(stage.client(modern("1", "server/discover")));
        VERIFY_CONTAINS(discovered, R"("supportedVersions":["2026-07-28"])");
        // Servers get a legacy handshake with the client's name.
        const QStringList opened = stage.client(modern("2", "tools/list"));
        QCOMPARE(opened.size(), 2);
        QVERIFY(opened[0].contains(QStringLiteral(R"("clientInfo":{"name":"m","version":"1"})")));
        stage.come(0, R"({"name":"a"})");
        const QStringList answer = stage.come(1, R"({"name":"b"})");
        QCOMPARE(listed(answer), text("a b"));
        QVERIFY(answer.front().contains(QStringLiteral(R"("resultType":"complete","ttlMs":0)")));
        // They get no members of the modern revision.
        QCOMPARE(
            only(stage.client(
                modern("3", "tools/call", R"("name":"a","arguments":{"n":12345678901234567890})"))),
            QStringLiteral(
                R"(0 {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":{"progressToken":1},"name":"a","arguments":{"n":12345678901234567890}}})"));
        QCOMPARE(
            only(stage.server(0, answerTo("3", R"({"content":[]})"))),
            QStringLiteral(
                R"(C {"jsonrpc":"2.0","id":3,"result":{"content":[],"resultType":"complete"}})"));
        stage.client(modern("4", "tools/call", R"("name":"a")"));
        QVERIFY(only(stage.refuse(0, "4")).contains(QStringLiteral("\"code\":-31000")));
        QVERIFY(only(stage.server(0, request("9", "sampling/createMessage")))
                    .startsWith(QStringLiteral(R"(0 {"jsonrpc":"2.0","id":9,"error")")));
        stage.client(modern("8", "tools/call", R"("name":"a")"));
        for (const char *begin : {R"("method":"notifications/cancelled","params":{"requestId":8,)",
                                  R"("method":"notifications/custom","params":{)"}) {
            const QByteArray meta =
                R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})";
            const QString sent =
                stage.client(R"({"jsonrpc":"2.0",)" + QByteArray(begin) + meta + "}}").join(u'\n');
            QVERIFY2(sent.startsWith(QStringLiteral("0 ")), qPrintable(sent));
            QVERIFY2(!sent.contains(QStringLiteral("protocolVersion")), qPrintable(sent));
        }
        // Changes are announced in subscriptions.
        const QString acknowledged = only(stage.client(subscription("\"s\"")));
        QVERIFY2(
            acknowledged.endsWith(QStringLiteral(
                R"({"_meta":{"io.modelcontextprotocol/subscriptionId":"s"},"notifications":{"toolsListChanged":true}}})")),
            qPrintable(acknowledged));
        QCOMPARE(
            only(stage.changeTools(0, {})),
            QStringLiteral(
                R"(C {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}})"));
        QVERIFY(only(stage.client(request("5", "tools/list"))).contains(QStringLiteral("-32602")));
        QVERIFY(only(stage.client(modern("6", "ping"))).contains(QStringLiteral("-32601")));
        QVERIFY(only(stage.client(request("7", "initialize"))).contains(QStringLiteral("-32600")));
    }

    void requiresAHandshake()
    {
        GatewayStage stage(twoNames);
        QVERIFY(only(stage.client(request("1", "tools/list"))).contains(QStringLiteral("-32600")));
        QVERIFY(stage.start(0).isEmpty());
        // After server/discover, the client may continue with a legacy revision.
        stage.client(request("2", "server/discover"));
        QCOMPARE(stage.openLegacy().size(), 3);
    }

    // Including changes between its list and its subscription.
    void announcesEachChangeToModernClients()
    {
        GatewayStage stage(oneName);
        stage.client(modern("1", "tools/list"));
        QCOMPARE(listed(stage.come(0, R"({"name":"a"})")), text("a"));
        QVERIFY(stage.changeTools(0, R"({"name":"b"})").isEmpty()); // no subscription yet
        const QStringList subscribed = stage.client(subscription("2"));
        QCOMPARE(subscribed.size(), 2);
        QVERIFY(subscribed[0].contains(QStringLiteral("acknowledged")));
        QVERIFY(subscribed[1].contains(QStringLiteral("notifications/tools/list_changed")));
        // The client has not listed since.
        QVERIFY(stage.changeTools(0, R"({"name":"c"})").isEmpty());
        QCOMPARE(listed(stage.client(modern("3", "tools/list"))), text("c"));
        QCOMPARE(stage.changeTools(0, R"({"name":"d"})").size(), 1);
        stage.client(modern("4", "tools/list"));
        QCOMPARE(stage.client(subscription("5")).size(), 1); // it knows the last change
    }

    void rejectsMalformedLines()
    {
        GatewayStage stage(twoNames);
        QVERIFY(only(stage.client("garbage")).contains(QStringLiteral("-32700")));
        QVERIFY(only(stage.client("[]x")).contains(QStringLiteral("-32700")));
        QVERIFY(stage.client("  ").isEmpty());
        QVERIFY(only(stage.client(R"({"id":1})")).contains(QStringLiteral("-32600")));
        QCOMPARE(stage.client('[' + request("1", "ping") + ',' + request("2", "ping") + ']').size(),
                 2);
        QVERIFY(only(stage.client("[]")).contains(QStringLiteral("-32600")));
        QVERIFY(stage.client(answerTo("1")).isEmpty()); // to an unknown request
        stage.open({R"({"name":"a"})", {}});
        stage.client(request("1", "tools/call", R"({"name":"a"})"));
        QVERIFY(only(stage.client(request("1", "tools/call", R"({"name":"a"})")))
                    .contains(QStringLiteral("-32600"))); // the id is in use
    }

    // The server may accept them.
    void forwardsInvalidAnswersOfTheClient()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        const auto openId = [&] { return idIn(only(stage.server(0, request("1", "roots/list")))); };
        QCOMPARE(only(stage.client(R"({"id":)" + openId() + R"(,"result":{"roots":[]}})")),
                 QStringLiteral(R"(0 {"id":1,"result":{"roots":[]}})"));
        QCOMPARE(only(stage.client(R"({"jsonrpc":"2.0","id":)" + openId()
                                   + R"(,"result":{},"error":null})")),
                 QStringLiteral(R"(0 {"jsonrpc":"2.0","id":1,"result":{},"error":null})"));
        QCOMPARE(only(stage.client(R"({"jsonrpc":"2.0","id":)" + openId() + '}')),
                 QStringLiteral(R"(0 {"jsonrpc":"2.0","id":1})"));
        // The server gets an error instead of an unreadable response.
        QVERIFY(only(stage.client(answerTo(openId(), R"({"n":NaN})")))
                    .startsWith(QStringLiteral(R"(0 {"jsonrpc":"2.0","id":1,"error")")));
        QVERIFY(stage.client(R"({"id":99,"result":{}})").isEmpty()); // to an unknown request
    }

    void refusesWaitingRequestsWhenTheClientCloses()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        stage.client(request("1", "tools/list"));
        QVERIFY(only(stage.closeClient()).contains(QStringLiteral("-32000")));
        QVERIFY(stage.client(request("2", "ping")).isEmpty());
        QVERIFY(stage.closeClient().isEmpty());
    }
};

REKINDLE_TEST(GatewaySessionTest)
#include "gatewaysessiontest.moc"
