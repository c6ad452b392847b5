// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatewaystage.h"
#include "testprogram.h"

#include <QTest>

using namespace Rekindle;
using namespace Rekindle::GatewayTexts;
using namespace std::chrono_literals;

// Servers that are not as they should be, or not as they were.
class GatewayServersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nearlyRightAnswersReachTheClient_data();
    void nearlyRightAnswersReachTheClient();
    void nearlyRightAnswersToTheGateway();
    void unreadableAnswersToTheGateway();
    void aListThatFailedIsReadAgain();
    void aRestartBetweenPages();
    void aListThatChangedWhileItFailed();
    void anotherProcessMayHaveOtherLists();
    void aServerThatIsAProxyItself();
    void nothingOfItBeforeTheClientComes();
    void onDemandAtTheFirstList();
    void onDemandAtTheFirstCall();
    void onDemandThatDoesNotComeUp();
    void requestsWithoutEnd();
    void aListWithoutEnd();
};

namespace {

const QString noteText = QStringLiteral("note");

QByteArray answer(const QByteArray &id, const QByteArray &result)
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + result + '}';
}

QByteArray failure(const QByteArray &id, int code)
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":)" + QByteArray::number(code)
        + R"(,"message":"no"}})";
}

// The only server has the tool `a`.
void open(GatewayStage &stage)
{
    (void)stage.openLegacy();
    (void)stage.start(0);
    (void)stage.come(0, R"({"name":"a"})");
}

QStringList toolsOf(GatewayStage &stage, const char *id)
{
    return listed(stage.client(request(id, "tools/list")));
}

const QStringList oneName{QStringLiteral("one")};
const QStringList onlyA{QStringLiteral("a")};

} // namespace

// As its proxy session lets them pass.
void GatewayServersTest::nearlyRightAnswersReachTheClient_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("NaN") << QByteArray(R"({"jsonrpc":"2.0","id":1,"result":{"n":NaN}})");
    QTest::newRow("NaN before the id")
        << QByteArray(R"({"jsonrpc":"2.0","result":{"n":NaN},"id":1})");
    QTest::newRow("control character")
        << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"t\":\"\x01\"}}");
    QTest::newRow("a member twice")
        << QByteArray(R"({"jsonrpc":"2.0","id":1,"result":{},"result":{}})");
    QTest::newRow("no version") << QByteArray(R"({"id":1,"result":{}})");
    QTest::newRow("error null") << QByteArray(
        R"({"jsonrpc":"2.0","id":1,"result":{},"error":null})");
}

void GatewayServersTest::nearlyRightAnswersReachTheClient()
{
    QFETCH(QByteArray, line);
    GatewayStage stage(oneName);
    open(stage);
    const QByteArray call = request("1", "tools/call", R"({"name":"a"})");
    QCOMPARE(only(stage.client(call)).left(1), QStringLiteral("0"));
    QCOMPARE(only(stage.server(0, line)), QLatin1String("C ") + QString::fromUtf8(line));
    QCOMPARE(only(stage.client(call)).left(1), QStringLiteral("0")); // the id is free again
}

void GatewayServersTest::nearlyRightAnswersToTheGateway()
{
    GatewayStage stage(twoNames);
    for (int i = 0; i < 2; ++i)
        (void)stage.start(i);
    (void)stage.openLegacy();
    const QByteArray facts = R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}}})";
    const auto say = [&](int server, const char *method, const QByteArray &result) {
        const QByteArray begin = server == 0 ? "{" : R"({"jsonrpc":"2.0","error":null,)";
        return stage.server(server,
                            begin + R"("id":)" + stage.idOf(server, method) + R"(,"result":)"
                                + result + '}');
    };
    for (int i = 0; i < 2; ++i) {
        QVERIFY(!say(i, "initialize", facts).contains(QStringLiteral("fail %1").arg(i)));
        const QByteArray name = i == 0 ? "a" : "b";
        QVERIFY(say(i, "tools/list", R"({"tools":[{"name":")" + name + R"("}]})").isEmpty());
    }
    QCOMPARE(toolsOf(stage, "1"), (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
}

void GatewayServersTest::unreadableAnswersToTheGateway()
{
    GatewayStage stage(oneName);
    open(stage);
    (void)stage.server(0, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    QCOMPARE(only(stage.server(0, answer(stage.idOf(0, "tools/list"), R"({"tools":[NaN]})"))),
             noteText);
    QCOMPARE(toolsOf(stage, "1"), onlyA); // what it had before

    GatewayStage other(oneName);
    (void)other.start(0);
    (void)other.openLegacy();
    QCOMPARE(only(other.server(0, answer(other.idOf(0, "initialize"), R"({"n":NaN})"))),
             QStringLiteral("fail 0"));
}

void GatewayServersTest::aListThatFailedIsReadAgain()
{
    GatewayStage stage(oneName);
    (void)stage.openLegacy();
    (void)stage.start(0);
    (void)stage.server(0,
                       answer(stage.idOf(0, "initialize"),
                              R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}}})"));
    const QByteArray first = stage.idOf(0, "tools/list");
    stage.end(0);
    QCOMPARE(only(stage.refuse(0, first)), noteText);
    QVERIFY(toolsOf(stage, "1").isEmpty());
    (void)stage.start(0);
    QVERIFY(stage.idOf(0, "tools/list") != first);
    QCOMPARE(
        only(stage.server(0, answer(stage.idOf(0, "tools/list"), R"({"tools":[{"name":"a"}]})"))),
        QString::fromLatin1(listChanged));
    QCOMPARE(toolsOf(stage, "2"), onlyA);
}

// What the new process says to the old one's page is not of its list.
void GatewayServersTest::aRestartBetweenPages()
{
    GatewayStage stage(oneName);
    open(stage);
    (void)stage.server(0, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    (void)stage.server(
        0, answer(stage.idOf(0, "tools/list"), R"({"tools":[{"name":"b"}],"nextCursor":"2"})"));
    const QByteArray second = stage.idOf(0, "tools/list");
    stage.end(0);
    (void)stage.start(0);
    const QByteArray again = stage.idOf(0, "tools/list");
    QVERIFY(again != second);
    QVERIFY(stage.server(0, answer(second, R"({"tools":[{"name":"c"}]})")).isEmpty());
    QCOMPARE(toolsOf(stage, "1"), onlyA);
    QCOMPARE(only(stage.server(0, answer(again, R"({"tools":[{"name":"d"}]})"))),
             QString::fromLatin1(listChanged));
    QCOMPARE(toolsOf(stage, "2"), QStringList{QStringLiteral("d")});
}

void GatewayServersTest::aListThatChangedWhileItFailed()
{
    GatewayStage stage(oneName);
    open(stage);
    const QByteArray changed = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";
    (void)stage.server(0, changed);
    const QByteArray first = stage.idOf(0, "tools/list");
    QVERIFY(stage.server(0, changed).isEmpty());
    QCOMPARE(stage.server(0, failure(first, -32603)).size(), 2); // a note, and once more
    QVERIFY(stage.idOf(0, "tools/list") != first);
}

// The first one had tools alone.
void GatewayServersTest::anotherProcessMayHaveOtherLists()
{
    GatewayStage stage(oneName);
    open(stage);
    QVERIFY(listed(stage.client(request("1", "prompts/list")), "prompts").isEmpty());
    QCOMPARE(toolsOf(stage, "2"), onlyA);
    stage.end(0);
    QCOMPARE(stage.start(0).size(), listKindCount);
    const QString response = only(
        stage.server(0, answer(stage.idOf(0, "prompts/list"), R"({"prompts":[{"name":"p"}]})")));
    QVERIFY2(response.contains(QStringLiteral("notifications/prompts/list_changed")),
             qPrintable(response));
    QCOMPARE(listed(stage.client(request("3", "prompts/list")), "prompts"),
             QStringList{QStringLiteral("p")});
    // No such method: none of these any more, which is nothing to speak of.
    QCOMPARE(only(stage.server(0, failure(stage.idOf(0, "tools/list"), -32601))),
             QString::fromLatin1(listChanged));
    QVERIFY(toolsOf(stage, "4").isEmpty());
    QVERIFY(stage.server(0, failure(stage.idOf(0, "resources/list"), -32601)).isEmpty());
    QVERIFY(stage.server(0, failure(stage.idOf(0, "resources/templates/list"), -32601)).isEmpty());
}

// Its errors look like those of the proxy session before it, and it lives.
void GatewayServersTest::aServerThatIsAProxyItself()
{
    GatewayStage stage(oneName);
    (void)stage.openLegacy();
    (void)stage.start(0);
    QCOMPARE(only(stage.server(
                 0,
                 R"({"jsonrpc":"2.0","id":)" + stage.idOf(0, "initialize")
                     + R"(,"error":{"code":-32000,"message":"no","data":{"source":"rekindle"}}})")),
             QStringLiteral("fail 0"));
    stage.end(0);
    QVERIFY(only(stage.start(0)).startsWith(QStringLiteral("0 ")));
    // Without a waiting request, the client only gets the notification.
    stage.end(0);
    QVERIFY(stage.refuse(0, stage.idOf(0, "initialize")).isEmpty());
    (void)stage.start(0);
    (void)stage.come(0, R"({"name":"a"})");
    QCOMPARE(toolsOf(stage, "1"), onlyA);
}

void GatewayServersTest::nothingOfItBeforeTheClientComes()
{
    GatewayStage stage(oneName);
    (void)stage.start(0);
    QVERIFY(stage.server(0, R"({"jsonrpc":"2.0","method":"notifications/message","params":{}})")
                .isEmpty());
    const QString refused = only(stage.server(0, request("1", "roots/list")));
    QVERIFY2(refused.startsWith(u'0') && refused.contains(QStringLiteral("-32601")),
             qPrintable(refused));
    QCOMPARE(only(stage.server(0, request("2", "ping"))),
             QStringLiteral(R"(0 {"jsonrpc":"2.0","id":2,"result":{}})"));
    (void)stage.openLegacy();
    QVERIFY(only(stage.server(0, request("1", "roots/list"))).startsWith(u'C'));
}

// It is greeted, which has it started, when the client needs its list; that waits for it, however
// long after the session's begin it comes.
void GatewayServersTest::onDemandAtTheFirstList()
{
    GatewayStage stage(twoNames, false, {1});
    QVERIFY(!stage.openLegacy().join(u'\n').contains(QStringLiteral("\n1 ")));
    (void)stage.start(0);
    (void)stage.come(0, R"({"name":"a"})");
    QVERIFY(stage.idOf(1, "initialize").isEmpty());
    (void)stage.pass(1h);
    QVERIFY(toolsOf(stage, "1").isEmpty());
    QVERIFY(!stage.idOf(1, "initialize").isEmpty());
    (void)stage.start(1);
    QCOMPARE(listed(stage.come(1, R"({"name":"b"})")),
             (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
}

void GatewayServersTest::onDemandAtTheFirstCall()
{
    GatewayStage stage(oneName, false, {0});
    (void)stage.openLegacy();
    QVERIFY(stage.client(request("1", "logging/setLevel", R"({"level":"info"})"))
                .filter(QStringLiteral("0 "))
                .isEmpty());
    const QStringList first = stage.client(request("2", "tools/call", R"({"name":"a"})"));
    QVERIFY2(only(first).contains(QStringLiteral("initialize")), qPrintable(only(first)));
    (void)stage.start(0);
    const QStringList then = stage.come(0, R"({"name":"a"})");
    QVERIFY2(only(then).contains(QStringLiteral("tools/call")), qPrintable(only(then)));
}

void GatewayServersTest::onDemandThatDoesNotComeUp()
{
    GatewayStage stage(oneName, false, {0});
    (void)stage.openLegacy();
    QVERIFY(toolsOf(stage, "1").isEmpty());
    const QByteArray first = stage.idOf(0, "initialize");
    const QStringList response = stage.refuse(0, first);
    QVERIFY2(only(response).contains(QStringLiteral("\"tools\":[]")), qPrintable(only(response)));
    // A call of an unknown tool does not start another attempt, a list request does.
    const QString refused = only(stage.client(request("2", "tools/call", R"({"name":"a"})")));
    QVERIFY2(
        refused.contains(QStringLiteral("server one is not ready: The MCP server is not running")),
        qPrintable(refused));
    QVERIFY(toolsOf(stage, "3").isEmpty());
    QVERIFY(stage.idOf(0, "initialize") != first);
}

void GatewayServersTest::requestsWithoutEnd()
{
    GatewayStage stage(twoNames);
    for (int i = 0; i < 2; ++i)
        (void)stage.start(i);
    (void)stage.openLegacy();
    const QByteArray ask = request("1", "roots/list");
    QString last;
    for (int i = 0; i < 1000; ++i) {
        last = only(stage.server(0, ask));
        QVERIFY(last.startsWith(u'C'));
    }
    QVERIFY(only(stage.server(0, ask)).startsWith(u'0'));
    QVERIFY(only(stage.server(1, ask)).startsWith(u'C')); // that is not its fault
    // Each answer makes room for one.
    const QByteArray id = MessagePeek::at(last.mid(2).toUtf8()).id.json();
    (void)stage.client(answer(id, "{}"));
    QVERIFY(only(stage.server(0, ask)).startsWith(u'C'));
}

void GatewayServersTest::aListWithoutEnd()
{
    GatewayStage stage(oneName);
    open(stage);
    (void)stage.server(0, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    const QByteArray large = R"({"tools":[{"name":"b","title":")" + QByteArray(9'000'000, 'x');
    QStringList actions;
    int pages = 0;
    for (QByteArray id; id != stage.idOf(0, "tools/list") && pages < 10; ++pages) {
        id = stage.idOf(0, "tools/list");
        const QByteArray cursor = QByteArray::number(pages);
        actions = stage.server(0, answer(id, large + R"("}],"nextCursor":")" + cursor + "\"}"));
    }
    QCOMPARE(pages, 4);
    QCOMPARE(actions.front(), noteText);
}

REKINDLE_TEST(GatewayServersTest)
#include "gatewayserverstest.moc"
