// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "gatewaystage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

const QString noteText = QStringLiteral("note");

// The only server has the tool `a`.
void open(GatewayStage &stage)
{
    stage.openLegacy();
    stage.start(0);
    stage.come(0, R"({"name":"a"})");
}

} // namespace

// Servers that violate the protocol, restart, or start on demand.
class GatewayServersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // A proxy session forwards them.
    void forwardsInvalidAnswers_data()
    {
        const Rows<QByteArray> row("line");
        row("NaN", R"({"jsonrpc":"2.0","id":1,"result":{"n":NaN}})");
        row("NaN before the id", R"({"jsonrpc":"2.0","result":{"n":NaN},"id":1})");
        row("control character", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"t\":\"\x01\"}}");
        row("repeated member", R"({"jsonrpc":"2.0","id":1,"result":{},"result":{}})");
        row("no version", R"({"id":1,"result":{}})");
        row("error null", R"({"jsonrpc":"2.0","id":1,"result":{},"error":null})");
    }

    void forwardsInvalidAnswers()
    {
        QFETCH(QByteArray, line);
        GatewayStage stage(oneName);
        open(stage);
        QCOMPARE(stage.receiver("1", "tools/call", R"({"name":"a"})"), text("0"));
        QCOMPARE(only(stage.server(0, line)), toClient(line));
        QCOMPARE(stage.receiver("1", "tools/call", R"({"name":"a"})"), text("0")); // a free id
    }

    void acceptsInvalidAnswersToItsOwnRequests()
    {
        GatewayStage stage(twoNames);
        for (int i = 0; i < 2; ++i)
            stage.start(i);
        stage.openLegacy();
        const auto answer = [&](int server, const char *method, const QByteArray &result) {
            const QByteArray begin = server == 0 ? "{" : R"({"jsonrpc":"2.0","error":null,)";
            return stage.server(server,
                                begin + R"("id":)" + stage.idOf(server, method) + R"(,"result":)"
                                    + result + '}');
        };
        for (int i = 0; i < 2; ++i) {
            const QStringList actions = answer(
                i, "initialize", R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}}})");
            QVERIFY(!actions.contains(QStringLiteral("fail %1").arg(i)));
            const QByteArray name = i == 0 ? "a" : "b";
            QVERIFY(answer(i, "tools/list",
                           QByteArray(R"({"tools":[{"name":"NAME"}]})").replace("NAME", name))
                        .isEmpty());
        }
        QCOMPARE(stage.tools("1"), text("a b"));
    }

    void rejectsUnreadableAnswersToItsOwnRequests()
    {
        GatewayStage stage(oneName);
        open(stage);
        QCOMPARE(only(stage.changeTools(0, "NaN")), noteText);
        QCOMPARE(stage.tools("1"), text("a")); // the earlier list

        GatewayStage other(oneName);
        other.start(0);
        other.openLegacy();
        QCOMPARE(only(other.answer(0, "initialize", R"({"n":NaN})")), QStringLiteral("fail 0"));
    }

    void readsFailedListsAgainAfterARestart()
    {
        GatewayStage stage(oneName);
        stage.openLegacy();
        stage.start(0);
        stage.answer(0, "initialize",
                     R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}}})");
        const QByteArray first = stage.idOf(0, "tools/list");
        stage.end(0);
        QCOMPARE(only(stage.refuse(0, first)), noteText);
        QCOMPARE(stage.tools("1"), QString());
        QVERIFY(stage.start(0).isEmpty()); // its capabilities are unknown
        stage.replay(0);
        QVERIFY(stage.idOf(0, "tools/list") != first);
        QCOMPARE(only(stage.answer(0, "tools/list", R"({"tools":[{"name":"a"}]})")),
                 toClient(toolsChanged));
        QCOMPARE(stage.tools("2"), text("a"));
    }

    // The response of the new process to a page of the old one does not belong to its list.
    void restartsBetweenPages()
    {
        GatewayStage stage(oneName);
        open(stage);
        stage.server(0, toolsChanged);
        stage.answer(0, "tools/list", R"({"tools":[{"name":"b"}],"nextCursor":"2"})");
        const QByteArray second = stage.idOf(0, "tools/list");
        stage.end(0);
        stage.refuse(0, second);
        stage.start(0);
        stage.replay(0);
        QVERIFY(stage.idOf(0, "tools/list") != second);
        QVERIFY(stage.server(0, answerTo(second, R"({"tools":[{"name":"c"}]})")).isEmpty());
        QCOMPARE(stage.tools("1"), text("a"));
        QCOMPARE(only(stage.answer(0, "tools/list", R"({"tools":[{"name":"d"}]})")),
                 toClient(toolsChanged));
        QCOMPARE(stage.tools("2"), text("d"));
    }

    void readsListsAgainThatChangeWhileTheyAreRead()
    {
        GatewayStage stage(oneName);
        open(stage);
        stage.server(0, toolsChanged);
        const QByteArray first = stage.idOf(0, "tools/list");
        QVERIFY(stage.server(0, toolsChanged).isEmpty());
        QCOMPARE(stage.server(0, failureOf(first, -32603)).size(), 2); // a note and a request
        QVERIFY(stage.idOf(0, "tools/list") != first);
    }

    // Each process has other capabilities. Some servers exit on a request that they do not know.
    void readsOnlyListsThatTheRunningProcessOffers()
    {
        GatewayStage stage(oneName);
        open(stage);
        QCOMPARE(listed(stage.client(request("1", "prompts/list")), "prompts"), QString());
        QCOMPARE(stage.tools("2"), text("a"));
        stage.end(0);
        QVERIFY(stage.start(0).isEmpty());
        const QString read = only(stage.replay(0));
        VERIFY_CONTAINS(read, "tools/list");
        QVERIFY(stage.answer(0, "tools/list", R"({"tools":[{"name":"a"}]})").isEmpty());

        stage.end(0);
        stage.start(0);
        // It has no tools anymore.
        const QStringList second = stage.replay(0, R"({"prompts":{},"resources":{}})");
        QCOMPARE(second.size(), 4);
        QCOMPARE(second.front(), toClient(toolsChanged));
        QCOMPARE(stage.tools("3"), QString());
        const QString response =
            only(stage.answer(0, "prompts/list", R"({"prompts":[{"name":"p"}]})"));
        VERIFY_CONTAINS(response, "notifications/prompts/list_changed");
        QCOMPARE(listed(stage.client(request("4", "prompts/list")), "prompts"), text("p"));
        // "Method not found" is an empty list and needs no note.
        QVERIFY(stage.server(0, failureOf(stage.idOf(0, "resources/list"), -32601)).isEmpty());
    }

    // The server declares resources, but exits on the list of templates.
    void skipsTemplatesThatAProcessExitedOn()
    {
        GatewayStage stage(oneName);
        const QByteArray capabilities = R"({"tools":{},"resources":{}})";
        const QString requested = QStringLiteral("resources/templates/list");
        const auto exitInTemplates = [&stage](const QByteArray &first = {}) {
            if (first.isEmpty())
                stage.answer(0, "tools/list", R"({"tools":[]})");
            stage.answer(0, "resources/list", R"({"resources":[]})");
            QStringList actions = stage.end(0);
            stage.refuse(0, stage.idOf(0, "resources/templates/list"));
            stage.refuse(0, first);
            stage.start(0);
            return actions;
        };
        stage.openLegacy();
        stage.start(0);
        stage.answer(0, "initialize",
                     R"({"protocolVersion":"2025-11-25","capabilities":)" + capabilities + '}');
        // It may have exited because of tools/list.
        LOG(exitInTemplates(stage.idOf(0, "tools/list")), );
        QVERIFY(stage.replay(0, capabilities).join(u' ').contains(requested));
        LOG(exitInTemplates(), noteText);
        QStringList actions = stage.replay(0, capabilities);
        QCOMPARE(actions.size(), 2);
        QVERIFY(!actions.join(u' ').contains(requested));
        stage.answer(0, "tools/list", R"({"tools":[{"name":"a"}]})");
        stage.answer(0, "resources/list", R"({"resources":[]})");
        QCOMPARE(stage.tools("1"), text("a"));
        QCOMPARE(stage.client(request("2", "resources/templates/list")).size(), 1);

        stage.decide(0, true);
        stage.end(0);
        stage.start(0);
        QVERIFY(stage.replay(0, capabilities).join(u' ').contains(requested));
    }

    // The lists are read after the handshake. Until then, a notification about them is ignored.
    void readsNoListsOfAProcessThatIsNotReady()
    {
        GatewayStage stage(oneName);
        open(stage);
        stage.server(0, toolsChanged);
        stage.server(0, toolsChanged); // the list is to be read twice
        stage.end(0);
        QCOMPARE(only(stage.refuse(0, stage.idOf(0, "tools/list"))), noteText);
        stage.start(0);
        QVERIFY(stage.server(0, toolsChanged).isEmpty());
        QCOMPARE(stage.replay(0).size(), 1);
    }

    void progressExtendsTheHandshake()
    {
        GatewayStage stage(
            GatewayOptions{.servers = oneName, .inject = false, .handshakeTimes = {{0, 5s}}});
        stage.start(0);
        stage.openLegacy();
        for (int i = 0; i < 12; ++i) {
            LOG(stage.pass(4s), );
            stage.session().serverProgressed(0, stage.now());
        }
        LOG(stage.pass(2s - 1ns), );
        QCOMPARE(only(stage.pass(1ns)), QStringLiteral("fail 0"));
    }

    // The server is a proxy itself: its errors look like errors of a proxy session, but it runs.
    void failsServersThatRefuseTheHandshakeLikeAProxy()
    {
        GatewayStage stage(oneName);
        stage.openLegacy();
        stage.start(0);
        const auto refuse = [&stage](const QByteArray &method) {
            return only(stage.server(
                0,
                R"({"jsonrpc":"2.0","id":)" + stage.idOf(0, method)
                    + R"(,"error":{"code":-32000,"message":"no","data":{"source":"rekindle"}}})"));
        };
        QVERIFY(refuse("initialize").contains(QStringLiteral("server/discover")));
        QCOMPARE(refuse("server/discover"), QStringLiteral("fail 0"));
        stage.end(0);
        QVERIFY(only(stage.start(0)).startsWith(QStringLiteral("0 ")));
        stage.end(0);
        QVERIFY(stage.refuse(0, stage.idOf(0, "initialize")).isEmpty());
        stage.start(0);
        stage.come(0, R"({"name":"a"})");
        QCOMPARE(stage.tools("1"), text("a"));
    }

    void forwardsNothingBeforeTheClientOpensTheSession()
    {
        GatewayStage stage(oneName);
        stage.start(0);
        QVERIFY(stage.server(0, R"({"jsonrpc":"2.0","method":"notifications/message","params":{}})")
                    .isEmpty());
        const QString refused = only(stage.server(0, request("1", "roots/list")));
        QVERIFY2(refused.startsWith(u'0') && refused.contains(QStringLiteral("-32601")),
                 qPrintable(refused));
        QCOMPARE(only(stage.server(0, request("2", "ping"))),
                 QStringLiteral(R"(0 {"jsonrpc":"2.0","id":2,"result":{}})"));
        stage.openLegacy();
        QVERIFY(only(stage.server(0, request("1", "roots/list"))).startsWith(u'C'));
    }

    // At any time of the session; the list waits for the server.
    void startsOnDemandForAList()
    {
        GatewayStage stage(twoNames, false, {1});
        QVERIFY(!stage.openLegacy().join(u'\n').contains(QStringLiteral("\n1 ")));
        stage.start(0);
        stage.come(0, R"({"name":"a"})");
        QVERIFY(stage.idOf(1, "initialize").isEmpty());
        stage.pass(1h);
        QVERIFY(stage.client(request("1", "tools/list")).size() == 1);
        QVERIFY(!stage.idOf(1, "initialize").isEmpty());
        stage.start(1);
        QCOMPARE(listed(stage.come(1, R"({"name":"b"})")), text("a b"));
    }

    void startsOnDemandForACall()
    {
        GatewayStage stage(oneName, false, {0});
        stage.openLegacy();
        QVERIFY(stage.client(request("1", "logging/setLevel", R"({"level":"info"})"))
                    .filter(QStringLiteral("0 "))
                    .isEmpty());
        const QStringList first = stage.client(request("2", "tools/call", R"({"name":"a"})"));
        QVERIFY2(only(first).contains(QStringLiteral("initialize")), qPrintable(only(first)));
        stage.start(0);
        const QStringList then = stage.come(0, R"({"name":"a"})");
        QVERIFY2(only(then).contains(QStringLiteral("tools/call")), qPrintable(only(then)));
    }

    // Nothing else would start it, because its tools are not known (S0).
    void startsOnDemandOnceMoreAfterAnExitBeforeTheLists()
    {
        GatewayStage stage(oneName, false, {0});
        stage.openLegacy();
        QCOMPARE(stage.tools("1"), QString());
        const auto exitInList = [&stage] {
            stage.start(0);
            stage.answer(0, "initialize",
                         R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}}})");
            const QByteArray list = stage.idOf(0, "tools/list");
            QStringList actions = stage.end(0);
            return actions += stage.refuse(0, list);
        };
        const QStringList first = exitInList();
        QVERIFY2(first.join(u'\n').contains(QStringLiteral("\"initialize\"")),
                 qPrintable(first.join(u'\n')));
        const QStringList second = exitInList();
        QCOMPARE(listed(second), QString()); // the response to the client
        QVERIFY2(!second.join(u'\n').contains(QStringLiteral("initialize")),
                 qPrintable(second.join(u'\n')));
        // The next list request starts it again.
        QCOMPARE(stage.tools("2"), QString());
        stage.start(0);
        QCOMPARE(listed(stage.come(0, R"({"name":"a"})")), text("a"));
    }

    void retriesAStartOnDemandOnlyForAList()
    {
        GatewayStage stage(oneName, false, {0});
        stage.openLegacy();
        QCOMPARE(stage.tools("1"), QString());
        const QByteArray first = stage.idOf(0, "initialize");
        const QString response = only(stage.refuse(0, first));
        VERIFY_CONTAINS(response, "\"tools\":[]");
        const QString refused = only(stage.client(request("2", "tools/call", R"({"name":"a"})")));
        VERIFY_CONTAINS(refused, "server one is not ready (The MCP server is not running");
        QCOMPARE(stage.tools("3"), QString());
        QVERIFY(stage.idOf(0, "initialize") != first);
    }

    void limitsTheSizeOfLists()
    {
        GatewayStage stage(oneName);
        open(stage);
        stage.server(0, toolsChanged);
        const QByteArray large =
            QByteArray(R"({"tools":[{"name":"b","title":"TEXT"}],"nextCursor":"PAGE"})")
                .replace("TEXT", QByteArray(9'000'000, 'x'));
        QStringList actions;
        int pages = 0;
        for (QByteArray id; id != stage.idOf(0, "tools/list") && pages < 10; ++pages) {
            id = stage.idOf(0, "tools/list");
            actions = stage.answer(0, "tools/list",
                                   QByteArray(large).replace("PAGE", QByteArray::number(pages)));
        }
        QCOMPARE(pages, 4);
        QCOMPARE(actions.front(), noteText);
    }
};

REKINDLE_TEST(GatewayServersTest)
#include "gatewayserverstest.moc"
