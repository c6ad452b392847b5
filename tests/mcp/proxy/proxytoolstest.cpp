// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "proxystage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

QByteArray restart(const QByteArray &id, const QByteArray &reason = "why")
{
    return call(id, "restart_server", R"({"reason":")" + reason + R"("})");
}

QByteArray verify(const QByteArray &id, const QByteArray &since = "2026-01-13T22:30:00Z")
{
    return call(id, "verify_server_restarted", R"({"since_timestamp":")" + since + R"("})");
}

QByteArray list(const QByteArray &id, const QByteArray &params = "{}")
{
    return request(id, "tools/list", params);
}

bool answers(const QString &line, const char *id)
{
    return line.startsWith(QStringLiteral(R"(C {"jsonrpc":"2.0","id":%1,)").arg(text(id)));
}

QString ownListRequest(int id)
{
    return QStringLiteral(R"(S {"jsonrpc":"2.0","id":%1,"method":"tools/list"})")
        .arg(OwnIds::usualFirst + id - 1);
}

} // namespace

// The injected tools, requested restarts, and the lists of the server.
class ProxyToolsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Restarts.

    void answersARestartBeforeItHappens()
    {
        ProxyStage stage;
        stage.openLegacy();
        QCOMPARE(stage.client(call("1", "restart_server", "{}")).size(), 1);
        QVERIFY(stage.lastAnswer().contains("reason"));
        LOG(stage.client(restart("2")), text("restart why"));
        QCOMPARE(stage.decide(true).size(), 1);
        QVERIFY(stage.lastAnswer().startsWith(R"({"jsonrpc":"2.0","id":2,"result")"));
        LOG(stage.client(call("3", "write")), ); // held for the next server
        ServerExit end;
        end.detail.exitCode = 0;
        stage.end(end);
        // The host has written the marker at the request.
        QVERIFY(stage.start().filter(QStringLiteral("marker")).isEmpty());
        const auto &restarted = stage.session().record().lastRestart;
        QVERIFY(restarted);
        QCOMPARE(restarted->reason, text("why"));
        QCOMPARE(restarted->exitCode, 42);
    }

    void reportsARefusedRestart()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(restart("2"));
        stage.decide(false);
        QVERIFY(stage.lastAnswer().contains(R"("isError":true)"));
        QVERIFY(stage.session().isLive());
    }

    void startsAServerThatWasGivenUp()
    {
        ProxyStage stage;
        stage.openLegacy();
        ServerExit end = killed();
        end.outlook = {ServerOutlook::Kind::GivenUp, {}, text("no more")};
        stage.end(end);
        LOG(stage.client(restart("2")), text("restart why"));
        QCOMPARE(stage.decide(true).size(), 1);
        LOG(stage.client(call("3", "write")), );
        QVERIFY(stage.start().contains(text("marker restart_server 42 why")));
    }

    void concurrentRestartsShareOneDecision()
    {
        ProxyStage stage;
        stage.openLegacy();
        LOG(stage.client(restart("1")), text("restart why"));
        LOG(stage.client(restart("2")), );
        QCOMPARE(stage.session().unansweredCount(), 2);
        const QStringList log = stage.decide(true);
        QCOMPARE(log.size(), 2);
        QVERIFY(answers(log[0], "1"));
        QVERIFY(answers(log[1], "2"));
        QCOMPARE(stage.client(restart("3")).size(), 1);
        QVERIFY(stage.lastAnswer().contains("already"));
    }

    void ignoresADecisionWithoutARequest()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(restart("1"));
        stage.decide(true);
        LOG(stage.decide(false), );
        stage.kill();
        stage.start();
        QCOMPARE(stage.session().record().lastRestart->method, text("restart_server"));
    }

    // With --watch.
    void restartsForTheHost()
    {
        ProxyStage stage;
        stage.openLegacy();
        LOG(stage.requestRestart("a.py changed"), text("restart a.py changed"));
        LOG(stage.decide(true), );
        LOG(stage.requestRestart("b.py changed"), ); // the new server has not started yet
        stage.client(call("1", "write"));
        stage.kill();
        stage.start();
        QCOMPARE(stage.session().record().lastRestart->reason, text("a.py changed"));
        // The server that starts may have read the old file.
        LOG(stage.requestRestart("b.py changed"), text("restart b.py changed"));
        LOG(stage.decide(true), );
        stage.kill();
        stage.start();
        QCOMPARE(stage.session().record().lastRestart->reason, text("b.py changed"));
        LOG(stage.server(handshakeAnswer("1000000002")), toServer(initialized), text("ready"),
            toServer(call("1", "write")));
        // A refused restart changes nothing.
        LOG(stage.requestRestart("c.py changed"), text("restart c.py changed"));
        LOG(stage.decide(false), );
        LOG(stage.client(call("2", "write")), toServer(call("2", "write")));
        stage.closeClient();
        LOG(stage.requestRestart("d.py changed"), );
    }

    // The policy of the failed server may not start another one.
    void restartsAFailedServerForTheHost()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.session().failServer(text("it does not respond"), stage.now());
        const QStringList log = stage.requestRestart("a.py changed");
        QVERIFY(!log.isEmpty());
        QCOMPARE(log.last(), text("restart a.py changed"));
        LOG(stage.decide(true), );
        LOG(stage.requestRestart("b.py changed"), ); // the new server has not started yet
        stage.kill();
        stage.start();
        const auto &record = stage.session().record();
        QVERIFY(record.lastRestart);
        QCOMPARE(record.lastRestart->reason, text("a.py changed"));
        QVERIFY(record.lastExit);
        const QString end = record.lastExit->description();
        VERIFY_CONTAINS(end, text("it does not respond"));
    }

    void restartOfServerThatWasGivenUpStatesTheReason()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.kill();
        stage.expect({ServerOutlook::Kind::GivenUp, {}, text("Program x was not found")});
        stage.client(restart("1", "again"));
        stage.expect({ServerOutlook::Kind::Restart, {}, {}}); // of the start that follows
        stage.decide(true);
        VERIFY_CONTAINS(stage.lastAnswer(),
                        "calls wait for the new server. The server was not "
                        "running: Program x was not found");
        stage.start();
        stage.client(restart("2", "once more"));
        stage.decide(true);
        QVERIFY2(!stage.lastAnswer().contains("not running"), stage.lastAnswer().constData());
    }

    // Verification.

    void verifiesWithTheMarkerBeforeTheFirstRestart()
    {
        ProxyStage stage;
        stage.openLegacy();
        LOG(stage.client(verify("1")), text("read marker"));
        stage.marker({});
        QVERIFY(stage.lastAnswer().contains("No restart marker found"));
        QVERIFY(stage.lastAnswer().contains(R"("isError":true)"));
        LOG(stage.client(verify("2")), text("read marker"));
        stage.marker(markerFromJson(
            R"({"timestamp":"2026-01-13T22:35:00.123456+00:00","reason":"r","exit_code":42})", {}));
        QVERIFY(stage.lastAnswer().contains("Server restart verified"));
        QVERIFY(stage.lastAnswer().contains(R"("isError":false)"));
    }

    void verifiesARequestedRestartOnlyAfterTheStart()
    {
        ProxyStage stage;
        stage.openLegacy();
        for (const char *earlier : {"first", "second"}) {
            stage.client(restart("1", earlier));
            stage.decide(true);
            for (const char *id : {"2", "3"}) {
                stage.client(verify(id)); // while the old server runs, and after its exit
                const QByteArray answer = stage.lastAnswer();
                const QByteArray pending = QByteArray("A restart was requested (reason: ") + earlier
                    + "), but the new server has not started yet";
                VERIFY_CONTAINS(answer, pending);
                QVERIFY(answer.contains(R"("isError":true)"));
                if (id == QByteArray("2"))
                    stage.kill();
            }
            stage.start();
            stage.server(handshakeAnswer("1000000001"));
            stage.client(verify("4"));
            const QByteArray answer = stage.lastAnswer();
            VERIFY_CONTAINS(answer, "Last restart: ");
            QVERIFY(answer.contains(earlier));
        }
    }

    void verifiesACompletedRestartWhileAnotherIsPending()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(restart("1", "first"));
        stage.decide(true);
        stage.restart(); // at 01:00
        stage.client(restart("2", "second"));
        stage.decide(true);
        stage.client(verify("3", "1970-01-01T00:59:00Z"));
        VERIFY_CONTAINS(stage.lastAnswer(), "Server restart verified");
        QVERIFY(stage.lastAnswer().contains(R"("isError":false)"));
        stage.client(verify("4", "1970-01-01T01:01:00Z"));
        VERIFY_CONTAINS(stage.lastAnswer(), "requested (reason: second)");
        QVERIFY(stage.lastAnswer().contains(R"("isError":true)"));
    }

    void concurrentVerificationsReadTheMarkerOnce()
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

    void reportsAServerThatDoesNotRun()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.kill();
        LOG(stage.client(verify("1")), text("read marker"));
        stage.marker({});
        for (const char *part : {"not running: it was terminated by SIGKILL", R"("running":false)",
                                 R"("current_pid":0)", R"("handshake_done":false)"})
            VERIFY_CONTAINS(stage.lastAnswer(), part);
        stage.start();
        stage.client(verify("2"));
        QVERIFY2(!stage.lastAnswer().contains("not running"), stage.lastAnswer().constData());
    }

    void reportsChangedToolsIfTheClientListsFirst()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.restart();
        const QByteArray tools = R"({"tools":[{"name":"read"},{"name":"new"}]})";
        const char changes[] = R"("tools_added":["new"],"tools_removed":["write"])";
        stage.client(list("1"));
        stage.server(answerTo("1", tools));
        stage.client(verify("2"));
        VERIFY_CONTAINS(stage.lastAnswer(), changes);
        stage.pass(300ms);
        stage.server(answerTo("1000000002", tools));
        stage.client(verify("3"));
        QVERIFY(stage.lastAnswer().contains(changes));
    }

    // Lists.

    void addsItsToolsToTheLastPage()
    {
        ProxyStage stage;
        stage.openLegacy(false);
        stage.client(list("1"));
        const QByteArray first = answerTo("1", R"({"tools":[{"name":"a"}],"nextCursor":"2"})");
        LOG(stage.server(first), toClient(first));
        stage.client(list("2", R"({"cursor":"2"})"));
        stage.server(answerTo("2", R"({"tools":[ ],"x" : 1.0})"));
        QVERIFY(stage.lastAnswer().startsWith(
            R"({"jsonrpc":"2.0","id":2,"result":{"tools":[ {"name":"restart_server")"));
        QVERIFY(stage.lastAnswer().endsWith(R"(],"x" : 1.0}})"));

        // A tool of the server with the same name takes precedence, on any page.
        stage.client(list("3"));
        stage.server(answerTo("3", R"({"tools":[{"name":"restart_server"}],"nextCursor":"2"})"));
        stage.client(list("4", R"({"cursor":"2"})"));
        stage.server(answerTo("4", R"({"tools":[{"name":"b"}]})"));
        QVERIFY(!stage.lastAnswer().contains("restart_server\""));
        QVERIFY(stage.lastAnswer().contains("verify_server_restarted"));
        LOG(stage.client(restart("5")), toServer(restart("5")));
    }

    void addsToolsToAServerWithoutTools()
    {
        ProxyStage stage;
        stage.start();
        stage.client(initializeRequest);
        LOG(stage.server(answerTo("0", R"({"protocolVersion":"2025-11-25","capabilities":{}})")),
            toClient(answerTo(
                "0",
                R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}}})")),
            text("ready"));
        QCOMPARE(stage.client(list("2")).size(), 1);
        QVERIFY(stage.lastAnswer().contains("restart_server"));
    }

    void announcesAChangedListOnce()
    {
        ProxyStage stage;
        stage.openLegacy();
        const QByteArray tools = R"({"tools":[{"name":"read"}]})";
        stage.restart();
        LOG(stage.pass(300ms), ownListRequest(2));
        LOG(stage.server(answerTo("1000000002", tools)), toClient(toolsChanged));
        stage.restart();
        LOG(stage.pass(300ms), ownListRequest(4));
        LOG(stage.server(answerTo("1000000004", tools)), );
    }

    // Some servers exit on a request that they do not know.
    void readsOnlyListsThatTheNewServerOffers()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.client(request("1", "prompts/list"));
        stage.server(answerTo("1", R"({"prompts":[{"name":"p"}]})"));
        stage.restart();
        QCOMPARE(stage.capabilities(), QByteArray(R"({"tools":{}})"));
        LOG(stage.pass(300ms), ownListRequest(2),
            toClient(R"({"jsonrpc":"2.0","method":"notifications/prompts/list_changed"})"));
    }

    void doesNotRepeatTheAnnouncementOfTheServer()
    {
        ProxyStage stage;
        stage.openLegacy();
        stage.restart();
        LOG(stage.server(toolsChanged), toClient(toolsChanged));
        stage.pass(300ms);
        LOG(stage.server(answerTo("1000000002", R"({"tools":[]})")), );
    }

    void doesNotShadowToolsOfTheServerBeforeTheFirstList()
    {
        ProxyStage stage;
        stage.openLegacy(false);
        LOG(stage.client(restart("1")), ownListRequest(1));
        LOG(stage.client(verify("2")), );
        QCOMPARE(stage.session().unansweredCount(), 2);
        LOG(stage.server(answerTo("1000000001", R"({"tools":[{"name":"restart_server"}]})")),
            toServer(restart("1")), text("read marker"));
        LOG(stage.client(restart("3")), toServer(restart("3")));

        ProxyStage pipelined;
        pipelined.start();
        pipelined.client(initializeRequest);
        pipelined.client(initialized);
        LOG(pipelined.client(restart("1")), );
        QCOMPARE(pipelined.server(handshakeAnswer("0")).constLast(), ownListRequest(1));

        ProxyStage without;
        without.openLegacy(false);
        without.client(restart("1"));
        LOG(without.server(failureOf("1000000001", -32601)), text("restart why"));
    }

    // A server that hangs can be restarted.
    void callsWaitForTheToolsWithinTheHoldTime()
    {
        ProxyStage stage;
        stage.openLegacy(false);
        stage.client(restart("1"));
        LOG(stage.pass(20s - 1ns), );
        LOG(stage.pass(1ns), text("restart why"));
    }

    void callsStopWaitingForTheToolsWhenTheServerEnds()
    {
        ProxyStage stage;
        stage.openLegacy(false);
        stage.client(restart("1"));
        LOG(stage.kill(), text("restart why"));
        QVERIFY(answers(stage.decide(true).constFirst(), "1"));

        ProxyStage closed;
        closed.openLegacy(false);
        closed.client(restart("1"));
        LOG(closed.closeClient(), );
        LOG(closed.kill(), text("C error 1 -32000 serverUnavailable"));
    }

    void limitsCallsThatWaitForTheTools_data()
    {
        const Rows<qsizetype, qsizetype> row("maximum", "maximumBytes");
        row("calls", qsizetype{2}, ProxyOptions().maximumHeldBytes);
        row("bytes", ProxyOptions().maximumHeld, 2 * restart("1").size());
    }

    void limitsCallsThatWaitForTheTools()
    {
        QFETCH(qsizetype, maximum);
        QFETCH(qsizetype, maximumBytes);
        ProxyStage stage({.maximumHeld = maximum, .maximumHeldBytes = maximumBytes});
        stage.openLegacy(false);
        LOG(stage.client(restart("1")), ownListRequest(1));
        LOG(stage.client(restart("2")), );
        LOG(stage.client(restart("3")), text("C error 3 -32000 tooManyHeld"));
        QCOMPARE(stage.session().unansweredCount(), 2);
        LOG(stage.client(cancellationOf("2")), );
        LOG(stage.client(restart("4")), );
        LOG(stage.client(restart("5")), text("C error 5 -32000 tooManyHeld"));
        LOG(stage.kill(), text("restart why"));
        QCOMPARE(stage.decide(true).size(), 2);
        // The next server has the same limits.
        stage.start();
        stage.server(handshakeAnswer("1000000002"));
        stage.client(restart("6"));
        stage.client(restart("7"));
        LOG(stage.client(restart("8")), text("C error 8 -32000 tooManyHeld"));
        QCOMPARE(stage.session().unansweredCount(), 2);
    }

    void forwardsOtherMethodsWithTheNameOfAnInjectedTool()
    {
        ProxyStage stage;
        stage.openLegacy();
        const QByteArray subscribe = request(
            "1", "resources/subscribe", R"({"uri":"restart_server","arguments":{"reason":"why"}})");
        LOG(stage.client(subscribe), toServer(subscribe));
    }

    void readsAnnotationsIfTheClientDoesNotList()
    {
        ProxyStage stage;
        stage.openLegacy(false);
        LOG(stage.pass(300ms), ownListRequest(1));
        LOG(stage.server(
                answerTo("1000000001",
                         R"({"tools":[{"name":"read","annotations":{"readOnlyHint":true}}]})")), );
        stage.client(call("1", "read"));
        LOG(stage.kill(), ); // the call is repeated

        ProxyStage unneeded(
            {.inject = false, .retry = CallRetry::Never, .calls = {.retry = CallRetry::Never}});
        unneeded.openLegacy(false);
        LOG(unneeded.pass(1s), );

        ProxyStage known;
        known.openLegacy();
        LOG(known.pass(1s), );
    }

    void stopsReadingEndlessLists()
    {
        ProxyStage same;
        same.openLegacy(false);
        same.pass(300ms);
        const char page[] = R"({"tools":[],"nextCursor":"x"})";
        QCOMPARE(same.server(answerTo("1000000001", page)).size(), 1);
        LOG(same.server(answerTo("1000000002", page)), text("note tools/list has no last page"));

        ProxyStage other;
        other.openLegacy(false);
        other.pass(300ms);
        int pages = 0;
        for (QStringList log{ownListRequest(1)}; log.constFirst().startsWith(text("S ")); ++pages) {
            const QByteArray next = QByteArray(R"({"tools":[],"nextCursor":"PAGE"})")
                                        .replace("PAGE", QByteArray::number(pages));
            log = other.server(answerTo(QByteArray::number(OwnIds::usualFirst + pages), next));
            QVERIFY(!log.isEmpty() && pages < 2000);
        }
        QCOMPARE(pages, 1001);
    }
};

REKINDLE_TEST(ProxyToolsTest)
#include "proxytoolstest.moc"
