// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "gatewaystage.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

// The lists of the gateway: their entries, the unique names, and when they are answered.
class GatewayCatalogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void listsWaitForServersWithinTheListTime()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        QVERIFY(stage.client(request("1", "tools/list")).isEmpty());
        QVERIFY(stage.come(1, R"({"name":"b"})").isEmpty());
        QCOMPARE(listed(stage.come(0, R"({"name":"a"})")), text("a b"));

        GatewayStage slow(twoNames);
        slow.openLegacy();
        slow.come(1, R"({"name":"b"})");
        QVERIFY(slow.client(request("1", "tools/list")).isEmpty());
        QVERIFY(slow.pass(1900ms).isEmpty());
        QCOMPARE(listed(slow.pass(100ms)), text("b"));
        QCOMPARE(slow.tools("2"), text("b")); // later lists do not wait
    }

    void listsDoNotWaitForFailedServers()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        stage.come(1, R"({"name":"b"})");
        QVERIFY(stage.client(request("1", "tools/list")).isEmpty());
        const QByteArray id = stage.idOf(0, "initialize");
        QCOMPARE(listed(stage.refuse(0, id)), text("b"));
        // The next process gets another handshake, and its tools are announced.
        QVERIFY(only(stage.start(0)).startsWith(QStringLiteral("0 ")));
        QVERIFY(stage.idOf(0, "initialize") != id);
        QCOMPARE(only(stage.come(0, R"({"name":"a"})")), toClient(toolsChanged));
    }

    void announcesLateServersOnce()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        stage.pass(2s);
        QCOMPARE(stage.tools("1"), QString());
        QCOMPARE(only(stage.come(0, R"({"name":"a"})")), toClient(toolsChanged));
        QVERIFY(stage.come(1, R"({"name":"b"})").isEmpty()); // the client has not listed since
        QCOMPARE(stage.tools("2"), text("a b"));
        QVERIFY(stage.changeTools(0, R"({"name":"a"})").isEmpty()); // no change
        QCOMPARE(only(stage.changeTools(0, R"({"name":"a2"})")), toClient(toolsChanged));
    }

    void namesFollowTheFile()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        // The second server is ready first, but the client has not seen its tools.
        stage.come(1, R"({"name":"x"})");
        stage.come(0, R"({"name":"x"})");
        QCOMPARE(stage.tools("1"), text("x two__x"));

        // Also if the client has listed the tool of the second server under this name. Until its
        // next list, the name means that tool.
        GatewayStage late(twoNames);
        late.openLegacy();
        late.come(1, R"({"name":"x"})");
        late.pass(2s);
        QCOMPARE(late.tools("1"), text("x"));
        QCOMPARE(only(late.come(0, R"({"name":"x"})")), toClient(toolsChanged));
        QCOMPARE(late.receiver("2", "tools/call", R"({"name":"x"})"), text("1"));
        QCOMPARE(late.tools("3"), text("x two__x"));
        QCOMPARE(late.receiver("4", "tools/call", R"({"name":"x"})"), text("0"));
        QCOMPARE(late.receiver("5", "tools/call", R"({"name":"two__x"})"), text("1"));
    }

    // The names of a client that lists nothing.
    void namesWithoutAListFollowTheFile()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        stage.come(1, R"({"name":"x"})");
        stage.pass(2s);
        QCOMPARE(stage.receiver("1", "tools/call", R"({"name":"x"})"), text("1"));
        stage.come(0, R"({"name":"x"})");
        QCOMPARE(stage.receiver("2", "tools/call", R"({"name":"x"})"), text("0"));
    }

    // In every order of three servers with the same tools.
    void namesDoNotDependOnTheOrderOfStarts()
    {
        const QStringList names{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
        std::vector<int> order{0, 1, 2};
        do {
            GatewayStage stage(names);
            stage.openLegacy();
            stage.pass(2s);
            int id = 0;
            for (const int server : order) {
                stage.come(server, R"({"name":"x"},{"name":"b__x"})");
                (void)stage.tools(QByteArray::number(++id).constData());
            }
            QCOMPARE(stage.tools("9"), text("x b__x b__x_2 b__b__x c__x c__b__x"));
        } while (std::next_permutation(order.begin(), order.end()));
    }

    void neverReusesNames()
    {
        GatewayStage stage(twoNames);
        stage.open({R"({"name":"x"},{"name":"two__y"})", R"({"name":"x"},{"name":"y"})"});
        QCOMPARE(stage.tools("1"), text("x two__y two__x y"));
        stage.changeTools(0, {});
        QCOMPARE(stage.tools("2"), text("two__x y"));
        QCOMPARE(stage.receiver("3", "tools/call", R"({"name":"x"})"), text("C"));
        stage.changeTools(0, R"({"name":"y"},{"name":"x"})");
        QCOMPARE(stage.tools("4"), text("one__y x two__x y"));

        GatewayStage prefixed(twoNames);
        prefixed.open({R"({"name":"a"},{"name":"two__a"})", R"({"name":"a"})"});
        QCOMPARE(prefixed.tools("1"), text("a two__a two__a_2"));
        QCOMPARE(prefixed.receiver("2", "tools/call", R"({"name":"two__a"})"), text("0"));
        QCOMPARE(prefixed.receiver("3", "tools/call", R"({"name":"two__a_2"})"), text("1"));
    }

    void prefixesHaveOnlyPermittedCharacters()
    {
        GatewayStage stage(
            {QStringLiteral("a b/ü"), QStringLiteral("a b/ü "), QStringLiteral("a_b__")});
        stage.open({R"({"name":"x"})", R"({"name":"x"})", R"({"name":"x"})"});
        QCOMPARE(stage.tools("1"), text("x a_b_____x a_b___2__x"));
    }

    void callsBeforeTheFirstListWait()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        stage.come(1, R"({"name":"x"})");
        // It may be the name of a tool of the first server.
        QVERIFY(stage.client(request("1", "tools/call", R"({"name":"x"})")).isEmpty());
        QVERIFY(only(stage.come(0, R"({"name":"x"})")).startsWith(u'0'));
    }

    // The client may know the tool from an earlier session.
    void callsWaitForServersThatAreStarting()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        stage.come(0, R"({"name":"a"})");
        stage.pass(2s);
        QCOMPARE(stage.tools("1"), text("a"));
        QVERIFY(stage.client(request("2", "tools/call", R"({"name":"b"})")).isEmpty());
        QVERIFY(stage.pass(19s).isEmpty());
        const QStringList ready = stage.come(1, R"({"name":"b"})");
        QVERIFY2(ready.join(u'\n').contains(QStringLiteral("1 {\"jsonrpc\":\"2.0\",\"id\":2,")),
                 qPrintable(ready.join(u'\n')));
        QCOMPARE(stage.receiver("3", "tools/call", R"({"name":"c"})"), text("C"));
    }

    void callsWaitAtMostTheCallTime()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        stage.come(0, R"({"name":"a"})");
        stage.pass(10s);
        QVERIFY(stage.client(request("1", "tools/call", R"({"name":"b"})")).isEmpty());
        QVERIFY(stage.pass(19s).isEmpty());
        const QString refused = only(stage.pass(1s));
        VERIFY_CONTAINS(refused, "Unknown tool: b; server two is not ready");
    }

    void callsDoNotWaitForALongListTime()
    {
        GatewayStage stage(twoNames, false, {}, 1min);
        stage.openLegacy();
        stage.come(1, R"({"name":"b"})");
        QVERIFY(stage.client(request("1", "tools/list")).isEmpty());
        QVERIFY(stage.client(request("2", "tools/call", R"({"name":"b"})")).isEmpty());
        QVERIFY(only(stage.pass(20s)).startsWith(u'1'));
        QCOMPARE(listed(stage.pass(40s)), text("b"));

        // No earlier server in the file can have the tool.
        GatewayStage first(twoNames, false, {}, 1min);
        first.openLegacy();
        first.come(0, R"({"name":"a"})");
        QCOMPARE(first.receiver("1", "tools/call", R"({"name":"a"})"), text("0"));
    }

    void callsDoNotWaitForFailedServers()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        stage.come(0, R"({"name":"a"})");
        QVERIFY(stage.client(request("1", "tools/call", R"({"name":"b"})")).isEmpty());
        const QString refused = only(stage.refuse(1, stage.idOf(1, "initialize")));
        VERIFY_CONTAINS(refused, "Unknown tool: b; server two is not ready (");
        // Its next process is starting.
        stage.start(1);
        QVERIFY(stage.client(request("2", "tools/call", R"({"name":"b"})")).isEmpty());
        QVERIFY(stage.come(1, R"({"name":"b"})").join(u'\n').contains(QStringLiteral("1 {")));
    }

    void injectsItsOwnTools()
    {
        GatewayStage stage(twoNames, true);
        stage.open({R"({"name":"a"})", {}});
        QCOMPARE(stage.tools("1"), text("a restart_server verify_server_restarted"));
        const QByteArray restart =
            R"({"name":"restart_server","arguments":{"server":"two","reason":"r"}})";
        QCOMPARE(only(stage.client(request("2", "tools/call", restart))),
                 QStringLiteral("restart 1"));
        QVERIFY(stage.client(request("3", "tools/call", restart)).isEmpty());
        const QStringList answers = stage.decide(1, true);
        QCOMPARE(answers.size(), 2);
        QVERIFY(answers[0].contains(QStringLiteral("\"isError\":false")));
        stage.client(request("4", "tools/call", restart));
        QVERIFY(only(stage.decide(1, true, QStringLiteral("it is missing")))
                    .contains(QStringLiteral("The server was not running: it is missing")));
        stage.client(request("4", "tools/call", restart));
        QVERIFY(only(stage.decide(1, false)).contains(QStringLiteral("\"isError\":true")));
        for (const char *invalid :
             {R"({"server":"three","reason":"r"})", R"({"reason":"r"})", R"({"server":"one"})"}) {
            const QByteArray params =
                R"({"name":"restart_server","arguments":)" + QByteArray(invalid) + '}';
            QVERIFY(only(stage.client(request("5", "tools/call", params)))
                        .contains(QStringLiteral("\"isError\":true")));
        }
        QCOMPARE(
            only(stage.client(request(
                "6", "tools/call",
                R"({"name":"verify_server_restarted","arguments":{"server":"one","since_timestamp":"2020-01-01T00:00:00Z"}})"))),
            QStringLiteral("describe 0"));
        stage.session().serverDescribed(0, {});
        QVERIFY(stage.session().takeActions().front().bytes.contains("has not been restarted"));
    }

    void doesNotShadowToolsOfServers()
    {
        GatewayStage stage(twoNames, true);
        stage.open({{}, R"({"name":"restart_server"})"});
        QCOMPARE(stage.tools("1"),
                 text("restart_server rekindle__restart_server verify_server_restarted"));
        QCOMPARE(stage.receiver("2", "tools/call", R"({"name":"restart_server"})"), text("1"));
    }

    void routesResourcesAndPrompts()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        for (int i = 0; i < 2; ++i) {
            const QByteArray n = QByteArray::number(i);
            stage.answer(
                i, "initialize",
                R"({"protocolVersion":"2025-11-25","capabilities":{"prompts":{},"resources":{}}})");
            stage.answer(i, "prompts/list", R"({"prompts":[{"name":"p"}],"nextCursor":"more"})");
            stage.answer(i, "prompts/list",
                         QByteArray(R"({"prompts":[{"name":"qN"}]})").replace('N', n));
            stage.answer(
                i, "resources/list",
                QByteArray(R"({"resources":[{"uri":"both:"},{"uri":"r:N"}]})").replace('N', n));
            stage.answer(i, "resources/templates/list",
                         QByteArray(R"({"resourceTemplates":[{"uriTemplate":"tN:{a}/{+b}"}]})")
                             .replace('N', n));
        }
        QCOMPARE(listed(stage.client(request("1", "prompts/list")), "prompts"),
                 text("p q0 two__p q1"));
        QCOMPARE(listed(stage.client(request("2", "resources/list")), "resources", "uri"),
                 text("both: r:0 r:1"));
        QCOMPARE(listed(stage.client(request("3", "resources/templates/list")), "resourceTemplates",
                        "uriTemplate"),
                 text("t0:{a}/{+b} t1:{a}/{+b}"));
        QCOMPARE(only(stage.client(request("4", "prompts/get", R"({"name":"two__p"})"))),
                 QLatin1String("1 ")
                     + QString::fromUtf8(request("4", "prompts/get", R"({"name":"p"})")));
        QCOMPARE(stage.receiver("5", "resources/read", R"({"uri":"r:1"})"), text("1"));
        QCOMPARE(stage.receiver("6", "resources/read", R"({"uri":"both:"})"), text("0"));
        QCOMPARE(stage.receiver("7", "resources/read", R"({"uri":"t1:x/y/z"})"), text("1"));
        QCOMPARE(stage.receiver("8", "resources/subscribe", R"({"uri":"r:0"})"), text("0"));
        QCOMPARE(stage.receiver("9", "resources/read", R"({"uri":"t1:x"})"), text("C"));
        QCOMPARE(stage.receiver("10", "completion/complete",
                                R"({"ref":{"type":"ref/resource","uri":"t1:{a}/{+b}"}})"),
                 text("1"));
        QVERIFY(only(stage.client(request("11", "completion/complete",
                                          R"({"ref":{"type":"ref/prompt","name":"two__p"}})")))
                    .endsWith(QStringLiteral(R"({"ref":{"type":"ref/prompt","name":"p"}}})")));
    }

    void unsubscribesFromUnlistedResources()
    {
        GatewayStage stage(twoNames);
        openWithResources(stage, R"({"uri":"r:"})", {});
        const QByteArray resource = R"({"uri":"r:"})";
        QCOMPARE(stage.receiver("1", "resources/subscribe", resource), text("1"));
        stage.server(1, R"({"jsonrpc":"2.0","method":"notifications/resources/list_changed"})");
        stage.answer(1, "resources/list", R"({"resources":[]})");
        QCOMPARE(stage.receiver("2", "resources/read", resource), text("C"));
        QCOMPARE(stage.receiver("3", "resources/unsubscribe", resource), text("1"));
        QCOMPARE(stage.receiver("4", "resources/unsubscribe", resource), text("C"));
    }

    // Backtracking would take exponential time.
    void matchesTemplatesInBoundedTime()
    {
        GatewayStage stage(twoNames);
        const QByteArray ambiguous = "t:{+x}" + QByteArray("{a}a").repeated(12) + "b{+y}";
        const QByteArray tooLong = "l:" + QByteArray(600, 'x') + "{+y}";
        openWithResources(
            stage, {},
            QByteArray(
                R"({"uriTemplate":"AMBIGUOUS"},{"uriTemplate":"LONG"},{"uriTemplate":"u:{a}/end{?q}"},{"uriTemplate":"OPEN"})")
                .replace("AMBIGUOUS", ambiguous)
                .replace("LONG", tooLong)
                .replace("OPEN", "open:{a"));
        const auto receiver = [&](const QByteArray &uri) {
            static int id = 0;
            return stage.receiver(QByteArray::number(++id).constData(), "resources/read",
                                  QByteArray(R"({"uri":"URI"})").replace("URI", uri));
        };
        QCOMPARE(receiver("t:" + QByteArray(12, 'a') + "b/" + QByteArray(60, 'a')), text("1"));
        QCOMPARE(receiver("t:" + QByteArray(11, 'a') + "b/" + QByteArray(60, 'a')), text("C"));
        QCOMPARE(receiver("u:x/end"), text("1"));
        QCOMPARE(receiver("u:x/end?q=1/2"), text("1"));
        QCOMPARE(receiver("u:x/y/end"), text("C"));
        QCOMPARE(receiver("u:x/en"), text("C"));
        QCOMPARE(receiver("open:{a"), text("C"));
        // Longer than the limits.
        QCOMPARE(receiver("l:" + QByteArray(600, 'x')), text("C"));
        QCOMPARE(receiver("t:" + QByteArray(12, 'a') + "b" + QByteArray(5000, 'x')), text("C"));
    }

    void limitsWaitingRequests()
    {
        GatewayStage stage(twoNames);
        stage.openLegacy();
        const QByteArray params = QByteArray(R"({"name":"x","arguments":{"t":"TEXT"}})")
                                      .replace("TEXT", QByteArray(9'000'000, 'x'));
        for (const char *id : {"1", "2", "3"})
            QVERIFY(stage.client(request(id, "tools/call", params)).isEmpty());
        QVERIFY(only(stage.client(request("4", "tools/call", params)))
                    .contains(QStringLiteral("-32000")));
        QVERIFY(stage.client(request("5", "tools/list")).isEmpty());
    }

private:
    // The second server has these resources and templates, as JSON with commas.
    static void openWithResources(GatewayStage &stage, const QByteArray &resources,
                                  const QByteArray &templates)
    {
        stage.openLegacy();
        stage.come(0, {});
        stage.answer(1, "initialize",
                     R"({"protocolVersion":"2025-11-25","capabilities":{"resources":{}}})");
        stage.answer(1, "resources/list", R"({"resources":[)" + resources + "]}");
        stage.answer(1, "resources/templates/list", R"({"resourceTemplates":[)" + templates + "]}");
    }
};

REKINDLE_TEST(GatewayCatalogTest)
#include "gatewaycatalogtest.moc"
