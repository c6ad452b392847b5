// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaystage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

constexpr char clientMeta[] =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"m","version":"1"})";

/// A request of a modern client; `meta` are further members of `_meta`.
QByteArray modernRequest(const QByteArray &id, const QByteArray &method,
                         const QByteArray &members = {}, const QByteArray &meta = {})
{
    return request(id, method, '{' + QByteArray(clientMeta) + meta + '}' + members + '}');
}

QByteArray messageOf(const QByteArray &level)
{
    return R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":")" + level
        + R"(","data":1}})";
}

constexpr char discovered[] =
    R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"logging":{}}})";

/// The first server rejects initialize. Returns the actions.
QStringList reject(GatewayStage &stage, int code = -32022)
{
    return stage.server(0,
                        R"({"jsonrpc":"2.0","id":)" + stage.idOf(0, "initialize")
                            + R"(,"error":{"code":)" + QByteArray::number(code)
                            + R"(,"message":"no"}})");
}

/// The handshake of the first server, which supports only a modern revision. Returns the actions of
/// the list.
QStringList comeModern(GatewayStage &stage, const QByteArray &tools)
{
    (void)reject(stage);
    (void)stage.answer(0, "server/discover", discovered);
    return stage.answer(0, "tools/list", R"({"tools":[)" + tools + "]}");
}

} // namespace

// Clients and servers of different revisions.
class GatewayRevisionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void servesLegacyClientsWithModernServers()
    {
        GatewayStage stage(oneName);
        stage.start(0);
        stage.openLegacy();
        const QString meta = QStringLiteral(
            R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}})");
        QCOMPARE(
            only(reject(stage)),
            QStringLiteral(
                R"(0 {"jsonrpc":"2.0","id":1000000002,"method":"server/discover","params":{%1}})")
                .arg(meta));
        // There is no notifications/initialized; changes are announced in a subscription.
        const QStringList opened = stage.answer(0, "server/discover", discovered);
        QCOMPARE(opened.size(), 2);
        QVERIFY(opened[0].contains(QStringLiteral(
            R"("params":{"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true},"_meta":{)")));
        QVERIFY(
            opened[1].contains(QStringLiteral(R"("method":"tools/list","params":{%1})").arg(meta)));
        QVERIFY(
            stage
                .server(
                    0,
                    R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{}})")
                .isEmpty());
        stage.answer(0, "tools/list", R"({"tools":[{"name":"a"}]})");
        QCOMPARE(stage.tools("1"), text("a"));
        // The client's own members of _meta stay.
        QCOMPARE(only(stage.client(request("2", "tools/call", R"({"name":"a","_meta":{"x":1}})"))),
                 QStringLiteral(
                     R"(0 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a",%1}})")
                     .arg(QString(meta).insert(9, QStringLiteral(R"("x":1,)"))));
        QCOMPARE(only(stage.server(0, answerTo("2", R"({"content":[]})"))),
                 toClient(answerTo("2", R"({"content":[]})")));
        // The level is a member of each request.
        QCOMPARE(stage.client(request("3", "logging/setLevel", R"({"level":"error"})")).size(), 1);
        QVERIFY(only(stage.client(request("4", "tools/call", R"({"name":"a"})")))
                    .contains(QStringLiteral(R"("io.modelcontextprotocol/logLevel":"error"})")));
        QVERIFY(stage.client(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})")
                    .isEmpty());
        QCOMPARE(stage.changeTools(0, R"({"name":"b"})").size(), 1); // list_changed
    }

    void addsNothingToRequestsWithoutMembers()
    {
        GatewayContext context(GatewayOptions{.servers = oneName});
        context.at(0).isModern = true;
        for (const QByteArray &line :
             {QByteArray(R"({"jsonrpc":"2.0","id":1,"method":"x"})"), request("2", "x", "[]")}) {
            context.forward(0, line);
            QCOMPARE(context.takeActions().front().bytes, line);
        }
    }

    void servesModernClientsWithModernServers()
    {
        GatewayStage stage(oneName);
        stage.start(0);
        stage.client(modernRequest("1", "tools/list"));
        QCOMPARE(listed(comeModern(stage, R"({"name":"a"})")), text("a"));
        const QByteArray call =
            modernRequest("2", "tools/call", R"(,"name":"a")",
                          R"(,"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}})");
        QCOMPARE(only(stage.client(call)), QStringLiteral("0 ") + QString::fromUtf8(call));
    }

    void discoversEachProcessOfAModernServer()
    {
        GatewayStage stage(oneName);
        stage.start(0);
        stage.openLegacy();
        comeModern(stage, R"({"name":"a"})");
        QCOMPARE(stage.tools("1"), text("a"));
        stage.end(0);
        QVERIFY(only(stage.start(0)).contains(QStringLiteral(R"("method":"server/discover")")));
        QCOMPARE(stage.tools("2"), text("a"));
        QCOMPARE(stage.answer(0, "server/discover", discovered).size(), 2);
        QCOMPARE(stage.answer(0, "tools/list", R"({"tools":[{"name":"b"}]})").size(), 1);
        QCOMPARE(stage.tools("3"), text("b"));
    }

    // Its new code may support another revision.
    void initializesAProcessThatRejectedTheDiscovery()
    {
        GatewayStage stage(oneName);
        stage.start(0);
        stage.openLegacy();
        comeModern(stage, {});
        stage.end(0);
        stage.start(0);
        QCOMPARE(only(stage.server(0,
                                   R"({"jsonrpc":"2.0","id":)" + stage.idOf(0, "server/discover")
                                       + R"(,"error":{"code":-32601,"message":"unknown"}})")),
                 text("fail 0"));
        stage.end(0);
        QVERIFY(only(stage.start(0)).contains(QStringLiteral(R"("method":"initialize")")));
        QCOMPARE(stage.come(0, R"({"name":"a"})").size(), 0);
        QCOMPARE(stage.tools("1"), text("a"));
    }

    void failsServersThatRejectBoth_data()
    {
        const Rows<QByteArray> row("response");
        row("an error", R"("error":{"code":-32601,"message":"unknown"})");
        row("another version",
            R"("result":{"supportedVersions":["2099-01-01"],"capabilities":{}})");
        row("no versions", R"("result":{})");
    }

    void failsServersThatRejectBoth()
    {
        QFETCH(QByteArray, response);
        GatewayStage stage(oneName);
        stage.start(0);
        stage.openLegacy();
        reject(stage, -32603);
        QCOMPARE(only(stage.server(0,
                                   R"({"jsonrpc":"2.0","id":)" + stage.idOf(0, "server/discover")
                                       + ',' + response + '}')),
                 text("fail 0"));
    }

    void failsServersThatDoNotAnswerTheDiscovery()
    {
        GatewayStage stage(oneName);
        stage.start(0);
        stage.openLegacy();
        QVERIFY(stage.pass(10s).isEmpty());
        reject(stage);
        QVERIFY(stage.pass(20s - 1ns).isEmpty());
        QCOMPARE(only(stage.pass(1ns)), text("fail 0"));
        stage.end(0);
        stage.refuse(0, stage.idOf(0, "server/discover"));
        QVERIFY(only(stage.start(0)).contains(QStringLiteral(R"("method":"initialize")")));
    }

    // Only while the server works on a request that asks for them, and from its level.
    void forwardsLogMessagesToModernClients()
    {
        GatewayStage stage(twoNames);
        stage.client(modernRequest("1", "tools/list"));
        for (int i = 0; i < 2; ++i) {
            stage.answer(
                i, "initialize",
                R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}}})");
            stage.answer(i, "tools/list", R"({"tools":[{"name":"a"}]})");
        }
        stage.client(modernRequest("2", "tools/call", R"(,"name":"a")"));
        QVERIFY(stage.server(0, messageOf("error")).isEmpty());
        const auto callWithLevel = [&stage](const char *id, const char *level) {
            return stage.client(
                modernRequest(id, "tools/call", R"(,"name":"a")",
                              ",\"io.modelcontextprotocol/logLevel\":" + QByteArray(level)));
        };
        const QStringList called = callWithLevel("3", R"("warning")");
        QCOMPARE(called.size(), 3); // to both servers, and the call
        QVERIFY2(called[0].endsWith(QStringLiteral(
                     R"("method":"logging/setLevel","params":{"level":"warning"}})")),
                 qPrintable(called[0]));
        QVERIFY(!called[2].contains(QStringLiteral("logLevel")));
        QVERIFY(stage.server(0, messageOf("info")).isEmpty());
        QCOMPARE(only(stage.server(0, messageOf("warning"))), toClient(messageOf("warning")));
        QVERIFY(stage.server(1, messageOf("error")).isEmpty()); // it works on no request
        QCOMPARE(callWithLevel("4", R"("error")").size(), 1);
        QCOMPARE(callWithLevel("5", R"("loud")").size(), 1);
        stage.server(0, answerTo("3", "{}"));
        QVERIFY(stage.server(0, messageOf("warning")).isEmpty());
        QCOMPARE(only(stage.server(0, messageOf("alert"))), toClient(messageOf("alert")));
        stage.server(0, answerTo("4", "{}"));
        QVERIFY(stage.server(0, messageOf("alert")).isEmpty());
    }
};

REKINDLE_TEST(GatewayRevisionTest)
#include "gatewayrevisiontest.moc"
