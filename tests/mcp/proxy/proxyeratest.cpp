// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxystage.h"
#include "testprogram.h"

#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

constexpr char meta[] = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})";

QByteArray modern(const char *id, const char *method, const char *more = "")
{
    return QByteArray(R"({"jsonrpc":"2.0","id":)") + id + R"(,"method":")" + method
        + R"(","params":{)" + more + meta + "}}";
}

QByteArray answerTo(const char *id, const char *result = "{}")
{
    return QByteArray(R"({"jsonrpc":"2.0","id":)") + id + R"(,"result":)" + result + '}';
}

QString toServer(const QByteArray &line) { return QLatin1String("S ") + QString::fromUtf8(line); }
QString toClient(const QByteArray &line) { return QLatin1String("C ") + QString::fromUtf8(line); }
QString text(const char *words) { return QString::fromUtf8(words); }

const QByteArray initialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";
const QByteArray discover = modern("0", "server/discover");
const QByteArray listen =
    modern("\"sub\"", "subscriptions/listen", R"("notifications":{"toolsListChanged":true},)");
const QByteArray acknowledged =
    R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"sub"}}})";

} // namespace

#define LOG(expression, ...) QCOMPARE(expression, (QStringList{__VA_ARGS__}))

// What differs by the era of the protocol, and what the proxy adds to lists.
class ProxyEraTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void modernNeedsNoReplay();
    void modernErrorsHaveOtherCodes();
    void subscriptionsAreOpenedAgain();
    void aSubscriptionThatEndsIsNotOpenedAgain();
    void aServerCancelsNothingButSubscriptions();
    void ourOwnListRequestHasNoProgressToken();
    void modernListChangedGoesToSubscriptions();
    void discoverThatKillsALegacyServer();
    void initializeAfterAnUnansweredDiscover();
    void initializeAfterARefusedDiscover();
    void toolsAreAddedOnTheLastPage();
    void aServerWithoutTools();
    void changedListsAreAnnouncedOnce();
    void theServersOwnAnnouncementIsEnough();
    void restartIsAnsweredBeforeItHappens();
    void refusedRestart();
    void restartOfAServerThatIsGivenUp();
    void verifyAsksTheMarkerFirst_data();
    void verifyAsksTheMarkerFirst();
};

void ProxyEraTest::modernNeedsNoReplay()
{
    ProxyStage stage;
    (void)stage.start();
    const QByteArray list = modern("1", "tools/list");
    LOG(stage.client(list), toServer(list));
    QCOMPARE(stage.session().revision(), ProtocolRevision::Modern);
    LOG(stage.kill(), ); // it only reads
    LOG(stage.start(), text("marker crash 137 it was terminated by SIGKILL"), toServer(list));
    QVERIFY(stage.session().isLive());
}

void ProxyEraTest::modernErrorsHaveOtherCodes()
{
    ProxyStage stage;
    (void)stage.start();
    (void)stage.client(modern("1", "tools/call", R"("name":"write",)"));
    LOG(stage.kill(), text("C error 1 -31000 serverEnded"));
}

void ProxyEraTest::subscriptionsAreOpenedAgain()
{
    ProxyStage stage;
    (void)stage.start();
    LOG(stage.client(listen), toServer(listen));
    LOG(stage.server(acknowledged), toClient(acknowledged));
    LOG(stage.kill(), );
    LOG(stage.start(), text("marker crash 137 it was terminated by SIGKILL"), toServer(listen));
    LOG(stage.server(acknowledged), ); // the client has had it
    const QByteArray changed =
        R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"sub"}}})";
    LOG(stage.server(changed), toClient(changed));
    // One that was never acknowledged is another matter.
    ProxyStage early;
    (void)early.start();
    (void)early.client(listen);
    (void)early.kill();
    (void)early.start();
    LOG(early.server(acknowledged), toClient(acknowledged));
}

void ProxyEraTest::aSubscriptionThatEndsIsNotOpenedAgain()
{
    ProxyStage stage;
    (void)stage.start();
    (void)stage.client(listen);
    const QByteArray cancelled =
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"sub"}})";
    LOG(stage.client(cancelled), toServer(cancelled));
    (void)stage.kill();
    LOG(stage.start(), text("marker crash 137 it was terminated by SIGKILL"));
}

void ProxyEraTest::aServerCancelsNothingButSubscriptions()
{
    ProxyStage stage;
    (void)stage.start();
    (void)stage.client(modern("1", "tools/call", R"("name":"write",)"));
    (void)stage.server(
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
    LOG(stage.server(answerTo("1")), text("success"), toClient(answerTo("1")));
}

void ProxyEraTest::ourOwnListRequestHasNoProgressToken()
{
    ProxyStage stage;
    (void)stage.start();
    const QByteArray request =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","_meta":{"progressToken":"t","io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})";
    LOG(stage.client(request), toServer(request));
    LOG(stage.pass(300ms),
        toServer(
            QByteArray(R"({"jsonrpc":"2.0","id":"rekindle-1","method":"tools/list","params":{)")
            + meta + "}}"));
}

void ProxyEraTest::modernListChangedGoesToSubscriptions()
{
    ProxyStage stage;
    (void)stage.start();
    (void)stage.client(listen);
    (void)stage.client(modern("1", "tools/list"));
    LOG(stage.server(answerTo("1", R"({"tools":[{"name":"a"}],"ttlMs":60000})")).mid(0, 0), );
    QVERIFY(stage.lastAnswer().contains(R"("ttlMs":0})"));
    (void)stage.kill();
    (void)stage.start();
    LOG(stage.pass(300ms),
        toServer(
            QByteArray(R"({"jsonrpc":"2.0","id":"rekindle-1","method":"tools/list","params":{)")
            + meta + "}}"));
    LOG(stage.server(answerTo("\"rekindle-1\"", R"({"tools":[{"name":"b"}]})")),
        text(
            R"(C {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"sub"}}})"));
}

// As servers do that end on anything before initialize.
void ProxyEraTest::discoverThatKillsALegacyServer()
{
    ProxyStage stage;
    (void)stage.start();
    LOG(stage.client(discover), toServer(discover));
    const QStringList log = stage.kill();
    QCOMPARE(log.size(), 1);
    QVERIFY2(log.constFirst().contains(text("-32601")), qPrintable(log.constFirst()));
    LOG(stage.client(initialize), );
    LOG(stage.start(), text("marker crash 137 it was terminated by SIGKILL"), toServer(initialize));
    QCOMPARE(stage.session().revision(), ProtocolRevision::Legacy);
}

void ProxyEraTest::initializeAfterAnUnansweredDiscover()
{
    ProxyStage stage;
    (void)stage.start();
    (void)stage.client(discover);
    const QStringList log = stage.client(initialize);
    QCOMPARE(log.size(), 2);
    QVERIFY(log[0].contains(text("-32601")));
    QVERIFY(log[1].startsWith(text("restart")));
    LOG(stage.decide(true), );
    QVERIFY(stage.server(answerTo("0")).constFirst().startsWith(text("note"))); // too late
    ServerEnd end;
    end.kind = ServerEnd::Kind::Requested;
    (void)stage.end(end);
    QCOMPARE(stage.start().constLast(), toServer(initialize));
}

void ProxyEraTest::initializeAfterARefusedDiscover()
{
    ProxyStage stage;
    (void)stage.start();
    (void)stage.client(discover);
    const QByteArray no = R"({"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"what?"}})";
    LOG(stage.server(no), toClient(no));
    LOG(stage.client(initialize), toServer(initialize));
}

void ProxyEraTest::toolsAreAddedOnTheLastPage()
{
    ProxyStage stage;
    stage.openLegacy(false);
    (void)stage.client(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
    const QByteArray first = answerTo("1", R"({"tools":[{"name":"a"}],"nextCursor":"2"})");
    LOG(stage.server(first), toClient(first));
    (void)stage.client(R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"2"}})");
    (void)stage.server(answerTo("2", R"({"tools":[ ],"x" : 1.0})"));
    QVERIFY(stage.lastAnswer().startsWith(
        R"({"jsonrpc":"2.0","id":2,"result":{"tools":[ {"name":"restart_server")"));
    QVERIFY(stage.lastAnswer().endsWith(R"(],"x" : 1.0}})"));

    // A server's own tool of that name, on whichever page, is left alone.
    (void)stage.client(R"({"jsonrpc":"2.0","id":3,"method":"tools/list"})");
    (void)stage.server(answerTo("3", R"({"tools":[{"name":"restart_server"}],"nextCursor":"2"})"));
    (void)stage.client(R"({"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"2"}})");
    (void)stage.server(answerTo("4", R"({"tools":[{"name":"b"}]})"));
    QVERIFY(!stage.lastAnswer().contains("restart_server\""));
    QVERIFY(stage.lastAnswer().contains("verify_server_restarted"));
    const QByteArray call =
        R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"restart_server"}})";
    LOG(stage.client(call), toServer(call));
}

void ProxyEraTest::aServerWithoutTools()
{
    ProxyStage stage;
    (void)stage.start();
    (void)stage.client(initialize);
    LOG(stage.server(answerTo("1", R"({"protocolVersion":"2025-11-25","capabilities":{}})")),
        text(
            R"(C {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}}}})"));
    const QStringList log = stage.client(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
    QVERIFY(log.constFirst().startsWith(text("C ")));
    QVERIFY(log.constFirst().contains(text("restart_server")));
}

void ProxyEraTest::changedListsAreAnnouncedOnce()
{
    ProxyStage stage;
    stage.openLegacy();
    const auto restartWith = [&](const char *handshake, const char *list, const char *tools) {
        (void)stage.kill();
        (void)stage.start();
        (void)stage.server(
            answerTo(handshake, R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}}})"));
        const QStringList asked = stage.pass(300ms);
        return asked + stage.server(answerTo(list, tools));
    };
    const QString ask = text(R"(S {"jsonrpc":"2.0","id":"rekindle-2","method":"tools/list"})");
    LOG(restartWith("\"rekindle-1\"", "\"rekindle-2\"", R"({"tools":[{"name":"read"}]})"), ask,
        text(R"(C {"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"));
    QCOMPARE(
        restartWith("\"rekindle-3\"", "\"rekindle-4\"", R"({"tools":[{"name":"read"}]})").size(),
        1);
}

void ProxyEraTest::theServersOwnAnnouncementIsEnough()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.kill();
    (void)stage.start();
    (void)stage.server(answerTo("\"rekindle-1\"",
                                R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}}})"));
    const QByteArray changed = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";
    LOG(stage.server(changed), toClient(changed));
    (void)stage.pass(300ms);
    LOG(stage.server(answerTo("\"rekindle-2\"", R"({"tools":[]})")), );
}

void ProxyEraTest::restartIsAnsweredBeforeItHappens()
{
    ProxyStage stage;
    stage.openLegacy();
    LOG(stage
            .client(
                R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"restart_server","arguments":{}}})")
            .mid(1), ); // refused: it needs a reason
    QVERIFY(stage.lastAnswer().contains("reason"));
    LOG(stage.client(
            R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"restart_server","arguments":{"reason":"why"}}})"),
        text("restart why"));
    QCOMPARE(stage.decide(true).size(), 1);
    QVERIFY(stage.lastAnswer().startsWith(R"({"jsonrpc":"2.0","id":2,"result")"));
    // From here on calls wait for the next one.
    LOG(stage.client(
            R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"write"}})"), );
    ServerEnd end;
    end.detail.exitCode = 0;
    (void)stage.end(end);
    QVERIFY(stage.start().contains(text("marker restart_server 42 why")));
}

void ProxyEraTest::refusedRestart()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.client(
        R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"restart_server","arguments":{"reason":"why"}}})");
    (void)stage.decide(false);
    QVERIFY(stage.lastAnswer().contains(R"("isError":true)"));
    QVERIFY(stage.session().isLive());
}

void ProxyEraTest::restartOfAServerThatIsGivenUp()
{
    ProxyStage stage;
    stage.openLegacy();
    ServerEnd end = killed();
    end.outlook = {ServerOutlook::Kind::GivenUp, {}, text("no more")};
    (void)stage.end(end);
    LOG(stage.client(
            R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"restart_server","arguments":{"reason":"again"}}})"),
        text("restart again"));
    QCOMPARE(stage.decide(true).size(), 1);
    LOG(stage.client(
            R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"write"}})"), );
    QVERIFY(stage.start().contains(text("marker restart_server 42 again")));
}

void ProxyEraTest::verifyAsksTheMarkerFirst_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<bool>("isError");
    QTest::newRow("none") << QByteArray() << QByteArray("No restart marker found") << true;
    QTest::newRow("unreadable") << QByteArray("{") << QByteArray("Failed to read") << true;
    QTest::newRow("incomplete") << QByteArray(R"({"timestamp":"2026-01-13T22:35:00Z"})")
                                << QByteArray("Invalid restart marker schema") << true;
    QTest::newRow("too old") << QByteArray(
        R"({"timestamp":"2026-01-01T00:00:00+00:00","reason":"r","exit_code":42})")
                             << QByteArray("No recent restart") << true;
    QTest::newRow("another exit code") << QByteArray(
        R"({"timestamp":"2026-01-13T22:35:00.123456+00:00","reason":"r","exit_code":1})")
                                       << QByteArray("Warning") << false;
    QTest::newRow("good") << QByteArray(
        R"({"timestamp":"2026-01-13T22:35:00.123456+00:00","reason":"r","exit_code":42})")
                          << QByteArray("Server restart verified") << false;
}

void ProxyEraTest::verifyAsksTheMarkerFirst()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, expected);
    QFETCH(bool, isError);
    ProxyStage stage;
    stage.openLegacy();
    LOG(stage.client(
            R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"verify_server_restarted","arguments":{"since_timestamp":"2026-01-13T22:30:00Z"}}})"),
        text("read marker"));
    (void)stage.marker(json.isEmpty() ? MarkerReading{}
                                      : markerFromJson(json, QStringLiteral("marker")));
    QVERIFY2(stage.lastAnswer().contains(expected), stage.lastAnswer().constData());
    QCOMPARE(stage.lastAnswer().contains(R"("isError":true)"), isError);
}

REKINDLE_TEST(ProxyEraTest)
#include "proxyeratest.moc"
