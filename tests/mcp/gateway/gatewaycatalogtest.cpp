// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaystage.h"
#include "testprogram.h"

#include <QTest>

using namespace Rekindle;
using namespace Rekindle::GatewayTexts;
using namespace std::chrono_literals;

// What the gateway lists for its servers, under which names, and when.
class GatewayCatalogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void listsWaitForServersAWhile();
    void aServerThatHasFailedIsNotWaitedFor();
    void lateServersAreAnnouncedOnce();
    void namesFollowTheFileAndStay();
    void namesThatNoClientTakes();
    void aCallBeforeAnyListWaits();
    void theToolsOfTheGateway();
    void theirOwnToolIsNotShadowed();
    void resourcesAndPrompts();
    void unsubscribeOfWhatIsNotListed();
    void templatesThatAreHardToFit();
    void whatWaitsIsBounded();

private:
    // Both servers are up, with these resources and templates, as JSON with commas.
    static void openWithResources(GatewayStage &stage, const QByteArray &resources,
                                  const QByteArray &templates);
};

void GatewayCatalogTest::listsWaitForServersAWhile()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    QVERIFY(stage.client(request("1", "tools/list")).isEmpty());
    QVERIFY(stage.come(1, R"({"name":"b"})").isEmpty());
    const QStringList complete = stage.come(0, R"({"name":"a"})");
    QCOMPARE(listed(complete), (QStringList{QStringLiteral("a"), QStringLiteral("b")}));

    GatewayStage slow(twoNames);
    (void)slow.openLegacy();
    (void)slow.come(1, R"({"name":"b"})");
    QVERIFY(slow.client(request("1", "tools/list")).isEmpty());
    QVERIFY(slow.pass(1900ms).isEmpty());
    QCOMPARE(listed(slow.pass(100ms)), QStringList{QStringLiteral("b")});
    // From now on nobody waits.
    QCOMPARE(listed(slow.client(request("2", "tools/list"))), QStringList{QStringLiteral("b")});
}

void GatewayCatalogTest::aServerThatHasFailedIsNotWaitedFor()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    (void)stage.come(1, R"({"name":"b"})");
    QVERIFY(stage.client(request("1", "tools/list")).isEmpty());
    const QByteArray id = stage.idOf(0, "initialize");
    QCOMPARE(listed(stage.refuse(0, id)), QStringList{QStringLiteral("b")});
    // The next process is greeted again, and its tools are told.
    QVERIFY(only(stage.start(0)).startsWith(QStringLiteral("0 ")));
    QVERIFY(stage.idOf(0, "initialize") != id);
    QCOMPARE(only(stage.come(0, R"({"name":"a"})")), QString::fromLatin1(listChanged));
}

void GatewayCatalogTest::lateServersAreAnnouncedOnce()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    (void)stage.pass(2s);
    QVERIFY(listed(stage.client(request("1", "tools/list"))).isEmpty());
    QCOMPARE(only(stage.come(0, R"({"name":"a"})")), QString::fromLatin1(listChanged));
    // It has not asked since.
    QVERIFY(stage.come(1, R"({"name":"b"})").isEmpty());
    QCOMPARE(listed(stage.client(request("2", "tools/list"))).size(), 2);
    // The same again is no change; something else is.
    const QByteArray changed = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";
    const auto listAgain = [&](const QByteArray &tools) {
        (void)stage.server(0, changed);
        return stage.server(0,
                            R"({"jsonrpc":"2.0","id":)" + stage.idOf(0, "tools/list")
                                + R"(,"result":{"tools":)" + tools + "}}");
    };
    QVERIFY(listAgain(R"([{"name":"a"}])").isEmpty());
    QCOMPARE(only(listAgain(R"([{"name":"a2"}])")), QString::fromLatin1(listChanged));
}

void GatewayCatalogTest::namesFollowTheFileAndStay()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    // The second is up first, and nobody has seen its tools: the first one keeps the name.
    (void)stage.come(1, R"({"name":"x"})");
    (void)stage.come(0, R"({"name":"x"})");
    const QStringList names{QStringLiteral("x"), QStringLiteral("two__x")};
    QCOMPARE(listed(stage.client(request("1", "tools/list"))), names);

    // Where the second one was seen under the name, it keeps it.
    GatewayStage late(twoNames);
    (void)late.openLegacy();
    (void)late.come(1, R"({"name":"x"})");
    (void)late.pass(2s);
    QCOMPARE(listed(late.client(request("1", "tools/list"))), QStringList{QStringLiteral("x")});
    (void)late.come(0, R"({"name":"x"})");
    QCOMPARE(listed(late.client(request("2", "tools/list"))),
             (QStringList{QStringLiteral("one__x"), QStringLiteral("x")}));
    QVERIFY(only(late.client(request("3", "tools/call", R"({"name":"x"})"))).startsWith(u'1'));
}

void GatewayCatalogTest::namesThatNoClientTakes()
{
    GatewayStage stage(
        {QStringLiteral("a b/ü"), QStringLiteral("a b/ü "), QStringLiteral("a_b__")});
    (void)stage.openLegacy();
    for (int i = 0; i < 3; ++i)
        (void)stage.come(i, R"({"name":"x"})");
    QCOMPARE(listed(stage.client(request("1", "tools/list"))),
             (QStringList{QStringLiteral("x"), QStringLiteral("a_b_____x"),
                          QStringLiteral("a_b___2__x")}));
}

void GatewayCatalogTest::aCallBeforeAnyListWaits()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    (void)stage.come(1, R"({"name":"x"})");
    const QByteArray call = request("1", "tools/call", R"({"name":"x"})");
    QVERIFY(stage.client(call).isEmpty()); // it may be the name of one of the first server
    QVERIFY(only(stage.come(0, R"({"name":"x"})")).startsWith(u'0'));
}

void GatewayCatalogTest::theToolsOfTheGateway()
{
    GatewayStage stage(twoNames, true);
    (void)stage.openLegacy();
    (void)stage.come(0, R"({"name":"a"})");
    (void)stage.come(1, {});
    QCOMPARE(listed(stage.client(request("1", "tools/list"))),
             (QStringList{QStringLiteral("a"), QStringLiteral("restart_server"),
                          QStringLiteral("verify_server_restarted")}));
    const QByteArray restart =
        R"({"name":"restart_server","arguments":{"server":"two","reason":"r"}})";
    QCOMPARE(only(stage.client(request("2", "tools/call", restart.constData()))),
             QStringLiteral("restart 1"));
    QVERIFY(stage.client(request("3", "tools/call", restart.constData())).isEmpty());
    const QStringList answers = stage.decide(1, true);
    QCOMPARE(answers.size(), 2);
    QVERIFY(answers[0].contains(QStringLiteral("\"isError\":false")));
    (void)stage.client(request("4", "tools/call", restart.constData()));
    QVERIFY(only(stage.decide(1, false)).contains(QStringLiteral("\"isError\":true")));
    for (const char *bad :
         {R"({"server":"three","reason":"r"})", R"({"reason":"r"})", R"({"server":"one"})"}) {
        const QByteArray params =
            R"({"name":"restart_server","arguments":)" + QByteArray(bad) + '}';
        QVERIFY(only(stage.client(request("5", "tools/call", params.constData())))
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

void GatewayCatalogTest::theirOwnToolIsNotShadowed()
{
    GatewayStage stage(twoNames, true);
    (void)stage.openLegacy();
    (void)stage.come(0, {});
    (void)stage.come(1, R"({"name":"restart_server"})");
    QCOMPARE(
        listed(stage.client(request("1", "tools/list"))),
        (QStringList{QStringLiteral("restart_server"), QStringLiteral("rekindle__restart_server"),
                     QStringLiteral("verify_server_restarted")}));
    QVERIFY(only(stage.client(request("2", "tools/call", R"({"name":"restart_server"})")))
                .startsWith(u'1'));
}

void GatewayCatalogTest::resourcesAndPrompts()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    for (int i = 0; i < 2; ++i) {
        (void)stage.server(
            i,
            R"({"jsonrpc":"2.0","id":)" + stage.idOf(i, "initialize")
                + R"(,"result":{"protocolVersion":"2025-11-25","capabilities":{"prompts":{},"resources":{}}}})");
        const auto answer = [&](const char *method, const QByteArray &result) {
            (void)stage.server(i,
                               R"({"jsonrpc":"2.0","id":)" + stage.idOf(i, method) + R"(,"result":)"
                                   + result + '}');
        };
        const QByteArray n = QByteArray::number(i);
        answer("prompts/list", R"({"prompts":[{"name":"p"}],"nextCursor":"more"})");
        answer("prompts/list", R"({"prompts":[{"name":"q)" + n + R"("}]})");
        answer("resources/list", R"({"resources":[{"uri":"both:"},{"uri":"r:)" + n + R"("}]})");
        answer("resources/templates/list",
               R"({"resourceTemplates":[{"uriTemplate":"t)" + n + R"(:{a}/{+b}"}]})");
    }
    QCOMPARE(listed(stage.client(request("1", "prompts/list")), "prompts").join(u' '),
             QStringLiteral("p q0 two__p q1"));
    QCOMPARE(listed(stage.client(request("2", "resources/list")), "resources", "uri").join(u' '),
             QStringLiteral("both: r:0 r:1"));
    QCOMPARE(listed(stage.client(request("3", "resources/templates/list")), "resourceTemplates",
                    "uriTemplate")
                 .size(),
             2);
    QCOMPARE(only(stage.client(request("4", "prompts/get", R"({"name":"two__p"})"))),
             QStringLiteral("1 ")
                 + QString::fromUtf8(request("4", "prompts/get", R"({"name":"p"})")));
    const auto target = [&](const char *id, const char *method, const char *params) {
        return only(stage.client(request(id, method, params))).left(1);
    };
    QCOMPARE(target("5", "resources/read", R"({"uri":"r:1"})"), QStringLiteral("1"));
    QCOMPARE(target("6", "resources/read", R"({"uri":"both:"})"), QStringLiteral("0"));
    QCOMPARE(target("7", "resources/read", R"({"uri":"t1:x/y/z"})"), QStringLiteral("1"));
    QCOMPARE(target("8", "resources/subscribe", R"({"uri":"r:0"})"), QStringLiteral("0"));
    QCOMPARE(target("9", "resources/read", R"({"uri":"t1:x"})"), QStringLiteral("C"));
    QCOMPARE(target("10", "completion/complete",
                    R"({"ref":{"type":"ref/resource","uri":"t1:{a}/{+b}"}})"),
             QStringLiteral("1"));
    QVERIFY(only(stage.client(request("11", "completion/complete",
                                      R"({"ref":{"type":"ref/prompt","name":"two__p"}})")))
                .endsWith(QStringLiteral(R"({"ref":{"type":"ref/prompt","name":"p"}}})")));
}

void GatewayCatalogTest::openWithResources(GatewayStage &stage, const QByteArray &resources,
                                           const QByteArray &templates)
{
    (void)stage.openLegacy();
    (void)stage.come(0, {});
    const auto answer = [&](const char *method, const QByteArray &result) {
        (void)stage.server(1,
                           R"({"jsonrpc":"2.0","id":)" + stage.idOf(1, method) + R"(,"result":)"
                               + result + '}');
    };
    answer("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{"resources":{}}})");
    answer("resources/list", R"({"resources":[)" + resources + "]}");
    answer("resources/templates/list", R"({"resourceTemplates":[)" + templates + "]}");
}

void GatewayCatalogTest::unsubscribeOfWhatIsNotListed()
{
    GatewayStage stage(twoNames);
    openWithResources(stage, R"({"uri":"r:"})", {});
    QVERIFY(only(stage.client(request("1", "resources/subscribe", R"({"uri":"r:"})")))
                .startsWith(u'1'));
    (void)stage.server(1, R"({"jsonrpc":"2.0","method":"notifications/resources/list_changed"})");
    (void)stage.server(1,
                       R"({"jsonrpc":"2.0","id":)" + stage.idOf(1, "resources/list")
                           + R"(,"result":{"resources":[]}})");
    QVERIFY(only(stage.client(request("2", "resources/read", R"({"uri":"r:"})"))).startsWith(u'C'));
    const char end[] = R"({"uri":"r:"})";
    QVERIFY(only(stage.client(request("3", "resources/unsubscribe", end))).startsWith(u'1'));
    QVERIFY(only(stage.client(request("4", "resources/unsubscribe", end))).startsWith(u'C'));
}

// Whoever tries one way after the other does not come to an end.
void GatewayCatalogTest::templatesThatAreHardToFit()
{
    GatewayStage stage(twoNames);
    const QByteArray hard = "t:{+x}" + QByteArray("{a}a").repeated(12) + "b{+y}";
    const QByteArray tooLong = "l:" + QByteArray(600, 'x') + "{+y}";
    openWithResources(stage, {},
                      R"({"uriTemplate":")" + hard + R"("},{"uriTemplate":")" + tooLong
                          + R"("},{"uriTemplate":"u:{a}/end{?q}"},{"uriTemplate":"open:{a"})");
    const auto target = [&](const QByteArray &uri) {
        static int id = 0;
        const QByteArray params = R"({"uri":")" + uri + R"("})";
        return only(stage.client(request(QByteArray::number(++id).constData(), "resources/read",
                                         params.constData())))
            .left(1);
    };
    const QByteArray many = QByteArray(60, 'a');
    QCOMPARE(target("t:" + QByteArray(12, 'a') + "b/" + many), QStringLiteral("1"));
    QCOMPARE(target("t:" + QByteArray(11, 'a') + "b/" + many), QStringLiteral("C"));
    QCOMPARE(target("u:x/end"), QStringLiteral("1"));
    QCOMPARE(target("u:x/end?q=1/2"), QStringLiteral("1"));
    QCOMPARE(target("u:x/y/end"), QStringLiteral("C"));
    QCOMPARE(target("u:x/en"), QStringLiteral("C"));
    QCOMPARE(target("open:{a"), QStringLiteral("C"));
    // Beyond what is compared.
    QCOMPARE(target("l:" + QByteArray(600, 'x')), QStringLiteral("C"));
    QCOMPARE(target("t:" + QByteArray(12, 'a') + "b" + QByteArray(5000, 'x')), QStringLiteral("C"));
}

void GatewayCatalogTest::whatWaitsIsBounded()
{
    GatewayStage stage(twoNames);
    (void)stage.openLegacy();
    const QByteArray params =
        R"({"name":"x","arguments":{"t":")" + QByteArray(9'000'000, 'x') + R"("}})";
    for (const char *id : {"1", "2", "3"})
        QVERIFY(stage.client(request(id, "tools/call", params.constData())).isEmpty());
    QVERIFY(only(stage.client(request("4", "tools/call", params.constData())))
                .contains(QStringLiteral("-32000")));
    QVERIFY(stage.client(request("5", "tools/list")).isEmpty());
}

REKINDLE_TEST(GatewayCatalogTest)
#include "gatewaycatalogtest.moc"
