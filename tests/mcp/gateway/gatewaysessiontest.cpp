// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaystage.h"
#include "testprogram.h"

#include <QTest>

using namespace Rekindle;
using namespace Rekindle::GatewayTexts;
using namespace std::chrono_literals;

// Who gets what.
class GatewaySessionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initializeIsAnsweredAtOnce();
    void versionsAreNegotiated();
    void callsPassByteForByte();
    void answersGoToTheServerThatAsked();
    void cancellation();
    void errorsNameTheServer();
    void unknownTools();
    void serverThatRefusesTheHandshake();
    void serverThatIsSilentInTheHandshake();
    void logLevelReachesAllServers();
    void modernEra();
    void nothingBeforeTheHandshake();
    void modernClientsHearOfEveryChange();
    void oddLines();
    void oddAnswersOfTheClient();
    void endOfTheClient();
};

void GatewaySessionTest::initializeIsAnsweredAtOnce()
{
    GatewayStage stage(twoNames);
    const QStringList actions = stage.openLegacy(); // no server has started
    QVERIFY2(actions.front().startsWith(QStringLiteral(
                 R"(C {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25")")),
             qPrintable(actions.front()));
    // The client's own params, and an id of the gateway.
    QCOMPARE(
        actions[1],
        QStringLiteral(
            R"(0 {"jsonrpc":"2.0","id":"gateway-1","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})"));
    QVERIFY(actions[2].startsWith(u'1'));
    QCOMPARE(actions.size(), 3);
    QVERIFY(only(stage.client(request("7", "ping"))).endsWith(QStringLiteral("\"result\":{}}")));
}

void GatewaySessionTest::versionsAreNegotiated()
{
    GatewayStage old(twoNames);
    QStringList actions =
        old.client(request("0", "initialize", R"({"protocolVersion":"2025-03-26"})"));
    QVERIFY(actions[0].contains(QStringLiteral("\"protocolVersion\":\"2025-03-26\"")));
    QVERIFY(actions[1].contains(QStringLiteral("\"protocolVersion\":\"2025-03-26\"")));
    GatewayStage future(twoNames);
    actions = future.client(request("0", "initialize", R"({"protocolVersion":"2999-01-01"})"));
    QVERIFY(actions[0].contains(QStringLiteral("\"protocolVersion\":\"2025-11-25\"")));
    QVERIFY(actions[1].contains(QStringLiteral("\"protocolVersion\":\"2025-11-25\"")));
}

void GatewaySessionTest::callsPassByteForByte()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    (void)stage.come(0, R"({"name":"x"})");
    (void)stage.come(1, R"({"name":"x"})");
    (void)stage.client(request("1", "tools/list"));
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
    QVERIFY(stage.server(1, answer).isEmpty()); // it was not asked
    QCOMPARE(only(stage.server(0, answer)), QLatin1String("C ") + QString::fromUtf8(answer));
    QVERIFY(stage.server(0, answer).isEmpty()); // once
}

void GatewaySessionTest::answersGoToTheServerThatAsked()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    (void)stage.come(0, {});
    (void)stage.come(1, {});
    const QByteArray ask =
        request("1", "sampling/createMessage", R"({"_meta":{"progressToken":5}})");
    const QString first = only(stage.server(0, ask));
    const QString second = only(stage.server(1, ask));
    QVERIFY(first.startsWith(QStringLiteral("C ")) && first != second);
    const QByteArray firstId = MessagePeek::at(first.mid(2).toUtf8()).id.json();
    const QByteArray secondId = MessagePeek::at(second.mid(2).toUtf8()).id.json();
    QCOMPARE(
        only(stage.client(
            R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)"
            + secondId + R"(,"progress":1}})")),
        QStringLiteral(
            R"(1 {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":5,"progress":1}})"));
    QCOMPARE(only(stage.client(R"({"jsonrpc":"2.0","id":)" + secondId + R"(,"result":{"b":2}})")),
             QStringLiteral(R"(1 {"jsonrpc":"2.0","id":1,"result":{"b":2}})"));
    // What the server does not want any more is cancelled under the client's id.
    const QString cancelled = only(stage.server(
        0, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"));
    QVERIFY(cancelled.startsWith(u'C') && cancelled.contains(QString::fromUtf8(firstId)));
    QVERIFY(stage.client(R"({"jsonrpc":"2.0","id":)" + firstId + R"(,"result":{}})").isEmpty());
    QCOMPARE(only(stage.server(0, request("3", "ping"))),
             QStringLiteral(R"(0 {"jsonrpc":"2.0","id":3,"result":{}})"));
}

void GatewaySessionTest::cancellation()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    (void)stage.come(0, R"({"name":"a"})");
    (void)stage.come(1, R"({"name":"b"})");
    (void)stage.client(request("5", "tools/call", R"({"name":"b"})"));
    const QByteArray cancel =
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})";
    QCOMPARE(only(stage.client(cancel)), QLatin1String("1 ") + QString::fromUtf8(cancel));
    QVERIFY(stage.server(1, R"({"jsonrpc":"2.0","id":5,"result":{}})").isEmpty());
    QVERIFY(stage.client(cancel).isEmpty());
    // One that waits is gone.
    GatewayStage waiting(twoNames);
    (void)waiting.openLegacy();
    (void)waiting.client(request("5", "tools/list"));
    (void)waiting.client(cancel);
    QVERIFY(waiting.pass(10s).isEmpty());
}

void GatewaySessionTest::errorsNameTheServer()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    (void)stage.come(0, R"({"name":"a"})");
    (void)stage.come(1, {});
    (void)stage.client(request("1", "tools/call", R"({"name":"a"})"));
    QCOMPARE(
        only(stage.refuse(0, "1")),
        QStringLiteral(
            R"(C {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"one: The MCP server is not running; it restarts in 1.5 s","data":{"source":"rekindle","reason":"serverUnavailable","maybeExecuted":false,"restartInMs":1500.0,"server":"one"}}})"));
    // Its tools stay listed.
    QCOMPARE(listed(stage.client(request("2", "tools/list"))), QStringList{QStringLiteral("a")});
}

void GatewaySessionTest::unknownTools()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    (void)stage.come(1, {});
    (void)stage.refuse(0, stage.idOf(0, "initialize"));
    const QString answer = only(stage.client(request("1", "tools/call", R"({"name":"nope"})")));
    QVERIFY2(answer.contains(QStringLiteral("-32602")), qPrintable(answer));
    QVERIFY(answer.contains(QStringLiteral(
        "Unknown tool: nope; server one is not ready: The MCP server is not running")));
    QVERIFY(only(stage.client(request("2", "nothing/at_all"))).contains(QStringLiteral("-32601")));
}

void GatewaySessionTest::serverThatRefusesTheHandshake()
{
    GatewayStage stage(twoNames);
    for (int i = 0; i < 2; ++i)
        (void)stage.start(i);
    (void)stage.openLegacy();
    const QStringList actions =
        stage.server(0,
                     R"({"jsonrpc":"2.0","id":)" + stage.idOf(0, "initialize")
                         + R"(,"error":{"code":-32600,"message":"no"}})");
    QCOMPARE(only(actions), QStringLiteral("fail 0"));
    // As does one that speaks something that nobody knows.
    const QStringList other =
        stage.server(1,
                     R"({"jsonrpc":"2.0","id":)" + stage.idOf(1, "initialize")
                         + R"(,"result":{"protocolVersion":"1999-01-01","capabilities":{}}})");
    QCOMPARE(only(other), QStringLiteral("fail 1"));
    QVERIFY(listed(stage.client(request("1", "tools/list"))).isEmpty());
}

void GatewaySessionTest::serverThatIsSilentInTheHandshake()
{
    GatewayStage stage(twoNames);
    (void)stage.start(0);
    (void)stage.openLegacy();
    (void)stage.come(1, {});
    QVERIFY(stage.pass(29s).isEmpty());
    QCOMPARE(only(stage.pass(1s)), QStringLiteral("fail 0"));
    // A new one has as long; one that has not started yet is not to blame.
    (void)stage.start(0);
    QCOMPARE(only(stage.pass(30s)), QStringLiteral("fail 0"));
}

void GatewaySessionTest::logLevelReachesAllServers()
{
    GatewayStage stage(twoNames);
    for (int i = 0; i < 2; ++i)
        (void)stage.start(i);
    (void)stage.openLegacy();
    const QByteArray hasLogging =
        R"(,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{}}}})";
    (void)stage.server(0, R"({"jsonrpc":"2.0","id":)" + stage.idOf(0, "initialize") + hasLogging);
    const QStringList now = stage.client(request("1", "logging/setLevel", R"({"level":"error"})"));
    QCOMPARE(now.size(), 2);
    QVERIFY(now[0].startsWith(u'0') && now[1].startsWith(u'C'));
    // The late one hears of it when it comes.
    const QStringList later =
        stage.server(1, R"({"jsonrpc":"2.0","id":)" + stage.idOf(1, "initialize") + hasLogging);
    QCOMPARE(later.size(), 2);
    QVERIFY(later[1].contains(QStringLiteral("logging/setLevel")));
    // So does one that was away.
    stage.end(1);
    QCOMPARE(stage.client(request("3", "logging/setLevel", R"({"level":"alert"})")).size(), 2);
    const QString back = stage.start(1).join(u'\n');
    QVERIFY2(back.contains(QStringLiteral("alert")), qPrintable(back));
    QVERIFY(only(stage.client(request("2", "logging/setLevel", R"({"level":"loud"})")))
                .contains(QStringLiteral("-32602")));
}

void GatewaySessionTest::modernEra()
{
    const char meta[] =
        R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"m","version":"1"},"progressToken":1})";
    const auto modern = [&](const char *id, const char *method, const QByteArray &more = {}) {
        const QByteArray params = '{' + more + (more.isEmpty() ? "" : ",") + meta + '}';
        return request(id, method, params.constData());
    };
    GatewayStage stage(twoNames);
    const QString facts = only(stage.client(modern("1", "server/discover")));
    QVERIFY2(facts.contains(QStringLiteral(R"("supportedVersions":["2026-07-28"])")),
             qPrintable(facts));
    // The servers are greeted in the legacy era, with the client's name.
    const QStringList opened = stage.client(modern("2", "tools/list"));
    QCOMPARE(opened.size(), 2);
    QVERIFY(opened[0].contains(QStringLiteral(R"("clientInfo":{"name":"m","version":"1"})")));
    (void)stage.come(0, R"({"name":"a"})");
    const QStringList answer = stage.come(1, R"({"name":"b"})");
    QCOMPARE(listed(answer).size(), 2);
    QVERIFY(answer.front().contains(QStringLiteral(R"("resultType":"complete","ttlMs":0)")));
    // What belongs to the modern era is nothing for such a server.
    QCOMPARE(
        only(stage.client(
            modern("3", "tools/call", R"("name":"a","arguments":{"n":12345678901234567890})"))),
        QStringLiteral(
            R"(0 {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","arguments":{"n":12345678901234567890},"_meta":{"progressToken":1}}})"));
    QCOMPARE(only(stage.server(0, R"({"jsonrpc":"2.0","id":3,"result":{"content":[]}})")),
             QStringLiteral(
                 R"(C {"jsonrpc":"2.0","id":3,"result":{"content":[],"resultType":"complete"}})"));
    (void)stage.client(modern("4", "tools/call", R"("name":"a")"));
    QVERIFY(only(stage.refuse(0, "4")).contains(QStringLiteral("\"code\":-31000")));
    QVERIFY(only(stage.server(0, request("9", "sampling/createMessage")))
                .startsWith(QStringLiteral(R"(0 {"jsonrpc":"2.0","id":9,"error")")));
    // Changes go to those who have asked for them.
    const QString acknowledged =
        only(stage.client(modern("\"s\"", "subscriptions/listen",
                                 R"("notifications":{"toolsListChanged":true,"other":true})")));
    QVERIFY2(
        acknowledged.endsWith(QStringLiteral(
            R"({"_meta":{"io.modelcontextprotocol/subscriptionId":"s"},"notifications":{"toolsListChanged":true}}})")),
        qPrintable(acknowledged));
    (void)stage.server(0, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    QCOMPARE(
        only(stage.server(0,
                          R"({"jsonrpc":"2.0","id":)" + stage.idOf(0, "tools/list")
                              + R"(,"result":{"tools":[]}})")),
        QStringLiteral(
            R"(C {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}})"));
    // What the era does not have.
    QVERIFY(only(stage.client(request("5", "tools/list"))).contains(QStringLiteral("-32602")));
    QVERIFY(only(stage.client(modern("6", "ping"))).contains(QStringLiteral("-32601")));
    QVERIFY(only(stage.client(request("7", "initialize"))).contains(QStringLiteral("-32600")));
}

void GatewaySessionTest::nothingBeforeTheHandshake()
{
    GatewayStage stage(twoNames);
    QVERIFY(only(stage.client(request("1", "tools/list"))).contains(QStringLiteral("-32600")));
    QVERIFY(stage.start(0).isEmpty());
    // A client that has only asked may well go on in the other era.
    (void)stage.client(request("2", "server/discover"));
    QCOMPARE(stage.openLegacy().size(), 3);
}

// Those too that come between its list and its subscription.
void GatewaySessionTest::modernClientsHearOfEveryChange()
{
    const auto modern = [](const char *id, const char *method, const QByteArray &more = {}) {
        const QByteArray params =
            R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})" + more + '}';
        return request(id, method, params.constData());
    };
    const auto subscribe = [&](const char *id) {
        return modern(id, "subscriptions/listen", R"(,"notifications":{"toolsListChanged":true})");
    };
    GatewayStage stage({QStringLiteral("one")});
    (void)stage.client(modern("1", "tools/list"));
    QCOMPARE(listed(stage.come(0, R"({"name":"a"})")).size(), 1);
    const auto change = [&](const char *name) {
        (void)stage.server(0, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
        return stage.server(0,
                            R"({"jsonrpc":"2.0","id":)" + stage.idOf(0, "tools/list")
                                + R"(,"result":{"tools":[{"name":")" + name + R"("}]}})");
    };
    QVERIFY(change("b").isEmpty()); // nobody listens
    const QStringList begun = stage.client(subscribe("2"));
    QCOMPARE(begun.size(), 2);
    QVERIFY(begun[0].contains(QStringLiteral("acknowledged")));
    QVERIFY(begun[1].contains(QStringLiteral("notifications/tools/list_changed")));
    QVERIFY(change("c").isEmpty()); // it has not asked since
    QCOMPARE(listed(stage.client(modern("3", "tools/list"))).size(), 1);
    QCOMPARE(change("d").size(), 1);
    // What it knows is no change.
    (void)stage.client(modern("4", "tools/list"));
    QCOMPARE(stage.client(subscribe("5")).size(), 1);
}

void GatewaySessionTest::oddLines()
{
    GatewayStage stage(twoNames);
    QVERIFY(only(stage.client("garbage")).contains(QStringLiteral("-32700")));
    QVERIFY(only(stage.client("[]x")).contains(QStringLiteral("-32700")));
    QVERIFY(stage.client("  ").isEmpty());
    QVERIFY(only(stage.client(R"({"id":1})")).contains(QStringLiteral("-32600")));
    QCOMPARE(stage.client('[' + request("1", "ping") + ',' + request("2", "ping") + ']').size(), 2);
    QVERIFY(only(stage.client("[]")).contains(QStringLiteral("-32600")));
    // An answer to nothing.
    QVERIFY(stage.client(R"({"jsonrpc":"2.0","id":1,"result":{}})").isEmpty());
    (void)stage.openLegacy();
    (void)stage.come(0, R"({"name":"a"})");
    (void)stage.come(1, {});
    const QByteArray call = request("1", "tools/call", R"({"name":"a"})");
    (void)stage.client(call);
    QVERIFY(only(stage.client(call)).contains(QStringLiteral("-32600"))); // the id is taken
}

// The server may make something of them; nobody else is to hear of them.
void GatewaySessionTest::oddAnswersOfTheClient()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    const auto ask = [&] {
        const QString asked = only(stage.server(0, request("1", "roots/list")));
        return MessagePeek::at(asked.mid(2).toUtf8()).id.json();
    };
    QCOMPARE(only(stage.client(R"({"id":)" + ask() + R"(,"result":{"roots":[]}})")),
             QStringLiteral(R"(0 {"id":1,"result":{"roots":[]}})"));
    QCOMPARE(
        only(stage.client(R"({"jsonrpc":"2.0","id":)" + ask() + R"(,"result":{},"error":null})")),
        QStringLiteral(R"(0 {"jsonrpc":"2.0","id":1,"result":{},"error":null})"));
    QCOMPARE(only(stage.client(R"({"jsonrpc":"2.0","id":)" + ask() + '}')),
             QStringLiteral(R"(0 {"jsonrpc":"2.0","id":1})"));
    // What cannot be read is told to the server.
    QVERIFY(only(stage.client(R"({"jsonrpc":"2.0","id":)" + ask() + R"(,"result":{"n":NaN}})"))
                .startsWith(QStringLiteral(R"(0 {"jsonrpc":"2.0","id":1,"error")")));
    QVERIFY(stage.client(R"({"id":99,"result":{}})").isEmpty()); // to nothing
}

void GatewaySessionTest::endOfTheClient()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    (void)stage.client(request("1", "tools/list"));
    QVERIFY(only(stage.closeClient()).contains(QStringLiteral("-32000")));
    QVERIFY(stage.client(request("2", "ping")).isEmpty());
    QVERIFY(stage.closeClient().isEmpty());
}

REKINDLE_TEST(GatewaySessionTest)
#include "gatewaysessiontest.moc"
