// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The tools that the proxy offers beside the server's, and what it must know of those.

#include "proxylines.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

QByteArray restart(const char *id)
{
    return QByteArray(R"({"jsonrpc":"2.0","id":)") + id
        + R"(,"method":"tools/call","params":{"name":"restart_server","arguments":{"reason":"why"}}})";
}

QByteArray verify(const char *id)
{
    return QByteArray(R"({"jsonrpc":"2.0","id":)") + id
        + R"(,"method":"tools/call","params":{"name":"verify_server_restarted","arguments":{"since_timestamp":"2026-01-13T22:30:00Z"}}})";
}

bool answers(const QString &line, const char *id)
{
    return line.startsWith(QStringLiteral(R"(C {"jsonrpc":"2.0","id":%1,)").arg(text(id)));
}

const QString askForTools = text(R"(S {"jsonrpc":"2.0","id":"rekindle-1","method":"tools/list"})");

} // namespace

class ProxyToolsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void severalRestartsAtOnce();
    void aSecondRestartDoesNotUndoTheFirst();
    void theHostWantsARestart();
    void theHostWantsARestartOfAFailedServer();
    void severalQuestionsAtOnce();
    void aServerThatDoesNotRun();
    void aServersOwnToolIsNotShadowedBeforeAListing();
    void aCallWaitsForTheToolsNoLongerThanForAServer();
    void aCallThatWaitsForTheToolsOfADeadServer();
    void noMoreCallsWaitForTheToolsThanForAServer_data();
    void noMoreCallsWaitForTheToolsThanForAServer();
    void aResourceIsNoTool();
    void annotationsAreKnownWithoutAListing();
    void theClientsOwnListingIsEnough();
    void listsWithoutEnd();
    void changesAreSeenIfTheClientListsFirst();
};

void ProxyToolsTest::severalRestartsAtOnce()
{
    ProxyStage stage;
    stage.openLegacy();
    LOG(stage.client(restart("1")), text("restart why"));
    LOG(stage.client(restart("2")), ); // one is enough
    QCOMPARE(stage.session().unansweredCount(), 2);
    const QStringList log = stage.decide(true);
    QCOMPARE(log.size(), 2);
    QVERIFY(answers(log[0], "1"));
    QVERIFY(answers(log[1], "2"));
    LOG(stage.client(restart("3")).mid(1), );
    QVERIFY(stage.lastAnswer().contains("already"));
}

void ProxyToolsTest::aSecondRestartDoesNotUndoTheFirst()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.client(restart("1"));
    (void)stage.decide(true);
    LOG(stage.decide(false), ); // nothing was asked for
    (void)stage.kill();
    QVERIFY(stage.start().contains(text("marker restart_server 42 why")));
}

// --watch
void ProxyToolsTest::theHostWantsARestart()
{
    ProxyStage stage;
    stage.openLegacy();
    LOG(stage.want("a.py changed"), text("restart a.py changed"));
    LOG(stage.decide(true), );         // nobody waits for an answer
    LOG(stage.want("b.py changed"), ); // the new one is not started yet
    (void)stage.client(call("1", "write"));
    (void)stage.kill();
    QVERIFY(stage.start().contains(text("marker watch 42 a.py changed")));
    // While the new one is on its way: it may have read the old file.
    LOG(stage.want("b.py changed"), text("restart b.py changed"));
    LOG(stage.decide(true), );
    (void)stage.kill();
    QVERIFY(stage.start().contains(text("marker watch 42 b.py changed")));
    LOG(stage.server(handshakeAnswer("\"rekindle-2\"")), toServer(initialized),
        toServer(call("1", "write")));
    // Refused: all goes on.
    LOG(stage.want("c.py changed"), text("restart c.py changed"));
    LOG(stage.decide(false), );
    LOG(stage.client(call("2", "write")), toServer(call("2", "write")));
    // Nobody is left to use it.
    (void)stage.closeClient();
    LOG(stage.want("d.py changed"), );
}

// Its policy may not start another one: what has changed would be forgotten.
void ProxyToolsTest::theHostWantsARestartOfAFailedServer()
{
    ProxyStage stage;
    stage.openLegacy();
    stage.session().failServer(text("it is silent"), stage.now());
    const QStringList log = stage.want("a.py changed");
    QVERIFY(!log.isEmpty());
    QCOMPARE(log.last(), text("restart a.py changed"));
    LOG(stage.decide(true), );
    LOG(stage.want("b.py changed"), ); // the new one is not started yet
    (void)stage.end(killed());
    (void)stage.start();
    const auto &record = stage.session().record();
    QVERIFY(record.lastRestart);
    QCOMPARE(record.lastRestart->reason, text("a.py changed"));
    QVERIFY2(record.lastEnd.contains(text("it is silent")), qPrintable(record.lastEnd));
}

void ProxyToolsTest::aServerThatDoesNotRun()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.kill();
    LOG(stage.client(verify("1")), text("read marker"));
    (void)stage.marker({});
    for (const char *part : {"not running: it was terminated by SIGKILL", R"("running":false)",
                             R"("current_pid":0)", R"("handshake_done":false)"})
        QVERIFY2(stage.lastAnswer().contains(part), stage.lastAnswer().constData());
    (void)stage.start();
    (void)stage.client(verify("2"));
    QVERIFY2(!stage.lastAnswer().contains("not running"), stage.lastAnswer().constData());
}

void ProxyToolsTest::severalQuestionsAtOnce()
{
    ProxyStage stage;
    stage.openLegacy();
    LOG(stage.client(verify("1")), text("read marker"));
    LOG(stage.client(verify("2")), );
    const QStringList log = stage.marker({});
    QCOMPARE(log.size(), 2);
    QVERIFY(answers(log[0], "1"));
    QVERIFY(answers(log[1], "2"));
    LOG(stage.client(verify("3")), text("read marker"));
}

void ProxyToolsTest::aServersOwnToolIsNotShadowedBeforeAListing()
{
    ProxyStage stage;
    stage.openLegacy(false);
    LOG(stage.client(restart("1")), askForTools);
    LOG(stage.client(verify("2")), );
    QCOMPARE(stage.session().unansweredCount(), 2);
    LOG(stage.server(answerTo("\"rekindle-1\"", R"({"tools":[{"name":"restart_server"}]})")),
        toServer(restart("1")), text("read marker"));
    LOG(stage.client(restart("3")), toServer(restart("3")));

    ProxyStage atOnce;
    (void)atOnce.start();
    (void)atOnce.client(initializeRequest);
    (void)atOnce.client(initialized);
    LOG(atOnce.client(restart("1")), );
    QCOMPARE(atOnce.server(handshakeAnswer("0")).constLast(), askForTools);

    ProxyStage without;
    without.openLegacy(false);
    (void)without.client(restart("1"));
    LOG(without.server(
            R"({"jsonrpc":"2.0","id":"rekindle-1","error":{"code":-32601,"message":""}})"),
        text("restart why"));
}

void ProxyToolsTest::aCallWaitsForTheToolsNoLongerThanForAServer()
{
    ProxyStage stage;
    stage.openLegacy(false);
    (void)stage.client(restart("1"));
    LOG(stage.pass(20s - 1ns), );
    LOG(stage.pass(1ns), text("restart why")); // it is what a server that hangs needs
}

void ProxyToolsTest::aCallThatWaitsForTheToolsOfADeadServer()
{
    ProxyStage stage;
    stage.openLegacy(false);
    (void)stage.client(restart("1"));
    LOG(stage.kill(), text("restart why"));
    QVERIFY(answers(stage.decide(true).constFirst(), "1"));

    ProxyStage closed;
    closed.openLegacy(false);
    (void)closed.client(restart("1"));
    LOG(closed.closeClient(), text("end"));
    LOG(closed.kill(), text("C error 1 -32000 serverUnavailable"));
}

void ProxyToolsTest::noMoreCallsWaitForTheToolsThanForAServer_data()
{
    QTest::addColumn<qsizetype>("most");
    QTest::addColumn<qsizetype>("mostBytes");
    QTest::newRow("calls") << qsizetype{2} << ProxyOptions().maximumHeldBytes;
    QTest::newRow("bytes") << ProxyOptions().maximumHeld << 2 * restart("1").size();
}

void ProxyToolsTest::noMoreCallsWaitForTheToolsThanForAServer()
{
    QFETCH(qsizetype, most);
    QFETCH(qsizetype, mostBytes);
    ProxyOptions options;
    options.maximumHeld = most;
    options.maximumHeldBytes = mostBytes;
    ProxyStage stage(options);
    stage.openLegacy(false);
    LOG(stage.client(restart("1")), askForTools);
    LOG(stage.client(restart("2")), );
    LOG(stage.client(restart("3")), text("C error 3 -32000 tooManyHeld"));
    QCOMPARE(stage.session().unansweredCount(), 2);
    // There is room again.
    LOG(stage.client(
            R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})"), );
    LOG(stage.client(restart("4")), );
    LOG(stage.client(restart("5")), text("C error 5 -32000 tooManyHeld"));
    LOG(stage.kill(), text("restart why"));
    QCOMPARE(stage.decide(true).size(), 2);
    // And with the next server.
    (void)stage.start();
    (void)stage.server(handshakeAnswer("\"rekindle-2\""));
    (void)stage.client(restart("6"));
    (void)stage.client(restart("7"));
    LOG(stage.client(restart("8")), text("C error 8 -32000 tooManyHeld"));
    QCOMPARE(stage.session().unansweredCount(), 2);
}

void ProxyToolsTest::aResourceIsNoTool()
{
    ProxyStage stage;
    stage.openLegacy();
    const QByteArray subscribe =
        R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"restart_server","arguments":{"reason":"why"}}})";
    LOG(stage.client(subscribe), toServer(subscribe));
}

void ProxyToolsTest::annotationsAreKnownWithoutAListing()
{
    ProxyStage stage;
    stage.openLegacy(false);
    LOG(stage.pass(300ms), askForTools);
    LOG(stage.server(
            answerTo("\"rekindle-1\"",
                     R"({"tools":[{"name":"read","annotations":{"readOnlyHint":true}}]})")), );
    (void)stage.client(call("1", "read"));
    LOG(stage.kill(), ); // made again

    // Unless nobody would make anything of it.
    ProxyOptions options;
    options.inject = false;
    options.retry = CallRetry::Never;
    ProxyStage plain(options);
    plain.openLegacy(false);
    LOG(plain.pass(1s), );
}

void ProxyToolsTest::theClientsOwnListingIsEnough()
{
    ProxyStage stage;
    stage.openLegacy();
    LOG(stage.pass(1s), );
}

void ProxyToolsTest::listsWithoutEnd()
{
    ProxyStage same;
    same.openLegacy(false);
    (void)same.pass(300ms);
    const char page[] = R"({"tools":[],"nextCursor":"x"})";
    QCOMPARE(same.server(answerTo("\"rekindle-1\"", page)).size(), 1);
    LOG(same.server(answerTo("\"rekindle-2\"", page)), text("note tools/list has no last page"));

    ProxyStage other;
    other.openLegacy(false);
    (void)other.pass(300ms);
    int pages = 0;
    for (QStringList log{askForTools}; log.constFirst().startsWith(text("S ")); ++pages) {
        const QByteArray id = "\"rekindle-" + QByteArray::number(pages + 1) + '"';
        const QByteArray next =
            R"({"tools":[],"nextCursor":")" + QByteArray::number(pages) + R"("})";
        log = other.server(answerTo(id.constData(), next.constData()));
        QVERIFY(!log.isEmpty() && pages < 2000);
    }
    QCOMPARE(pages, 1001);
}

void ProxyToolsTest::changesAreSeenIfTheClientListsFirst()
{
    ProxyStage stage;
    stage.openLegacy();
    (void)stage.kill();
    (void)stage.start();
    (void)stage.server(handshakeAnswer("\"rekindle-1\""));
    (void)stage.client(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
    (void)stage.server(answerTo("1", R"({"tools":[{"name":"read"},{"name":"new"}]})"));
    (void)stage.client(verify("2"));
    QVERIFY2(stage.lastAnswer().contains(R"("tools_added":["new"],"tools_removed":["write"])"),
             stage.lastAnswer().constData());
    (void)stage.pass(300ms);
    (void)stage.server(answerTo("\"rekindle-2\"", R"({"tools":[{"name":"read"},{"name":"new"}]})"));
    (void)stage.client(verify("3"));
    QVERIFY(stage.lastAnswer().contains(R"("tools_added":["new"],"tools_removed":["write"])"));
}

REKINDLE_TEST(ProxyToolsTest)
#include "proxytoolstest.moc"
