// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "proxystage.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

constexpr char meta[] = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})";

QByteArray modern(const QByteArray &id, const QByteArray &method, const QByteArray &members = {})
{
    return request(id, method, '{' + members + meta + '}');
}

const QByteArray writeCall = modern("1", "tools/call", R"("name":"write",)");
const QByteArray initialize = request("1", "initialize", R"({"protocolVersion":"2025-11-25"})");
const QByteArray discover = modern("0", "server/discover");
const QByteArray listen =
    modern("\"sub\"", "subscriptions/listen", R"("notifications":{"toolsListChanged":true},)");
const QByteArray acknowledged =
    R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"sub"}}})";
const QByteArray changedInSubscription =
    R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"sub"}}})";
const QString modernListRequest =
    QStringLiteral(R"(S {"jsonrpc":"2.0","id":1000000001,"method":"tools/list","params":{)")
    + QLatin1String(meta) + QLatin1String("}}");

} // namespace

// The modern protocol revision, and how the proxy finds out the revision.
class ProxyRevisionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void modernSessionsNeedNoReplay()
    {
        ProxyStage stage;
        stage.start();
        const QByteArray list = modern("1", "tools/list");
        LOG(stage.client(list), toServer(list));
        LOG(stage.kill(), ); // the request is repeated because it only reads
        LOG(stage.start(), text(crashMarker), toServer(list));
        QVERIFY(stage.session().isLive());
    }

    void modernErrorsHaveOtherCodes()
    {
        ProxyStage stage;
        stage.start();
        stage.client(writeCall);
        LOG(stage.kill(), text("C error 1 -31000 serverEnded"));
    }

    void reopensSubscriptions()
    {
        ProxyStage stage;
        stage.start();
        LOG(stage.client(listen), toServer(listen));
        LOG(stage.server(acknowledged), toClient(acknowledged));
        LOG(stage.kill(), );
        LOG(stage.start(), text(crashMarker), toServer(listen));
        LOG(stage.server(acknowledged), ); // the client has received it
        LOG(stage.server(changedInSubscription), toClient(changedInSubscription));

        ProxyStage early;
        early.start();
        early.client(listen);
        early.kill();
        early.start();
        LOG(early.server(acknowledged), toClient(acknowledged));
    }

    void doesNotReopenCancelledSubscriptions()
    {
        ProxyStage stage;
        stage.start();
        stage.client(listen);
        LOG(stage.client(cancellationOf("\"sub\"")), toServer(cancellationOf("\"sub\"")));
        stage.kill();
        LOG(stage.start(), text(crashMarker));
    }

    void modernServersCancelOnlySubscriptions()
    {
        ProxyStage stage;
        stage.start();
        stage.client(writeCall);
        stage.server(cancellationOf("1"));
        LOG(stage.server(answerTo("1")), text("answered"), toClient(answerTo("1")));
    }

    void modernListRequestsHaveNoProgressToken()
    {
        ProxyStage stage;
        stage.start();
        const QByteArray read = request(
            "1", "tools/call",
            R"({"name":"read","_meta":{"progressToken":"t","io.modelcontextprotocol/protocolVersion":"2026-07-28"}})");
        LOG(stage.client(read), toServer(read));
        LOG(stage.pass(300ms), modernListRequest);
    }

    void announcesChangedListsInSubscriptions()
    {
        ProxyStage stage;
        stage.start();
        stage.client(listen);
        stage.client(modern("1", "tools/list"));
        stage.server(answerTo("1", R"({"tools":[{"name":"a"}],"ttlMs":60000})"));
        QVERIFY(stage.lastAnswer().contains(R"("ttlMs":0})"));
        stage.kill();
        stage.start();
        LOG(stage.pass(300ms), modernListRequest);
        LOG(stage.server(answerTo("1000000001", R"({"tools":[{"name":"b"}]})")),
            toClient(changedInSubscription));
    }

    // Some legacy servers exit on any request before initialize.
    void continuesWithInitializeAfterDiscoverEndedTheServer()
    {
        ProxyStage stage;
        stage.start();
        LOG(stage.client(discover), toServer(discover));
        QCOMPARE(stage.kill().size(), 1);
        VERIFY_CONTAINS(stage.lastAnswer(), "-32601");
        LOG(stage.client(initialize), );
        LOG(stage.start(), text(crashMarker), toServer(initialize));
    }

    // The server supports only a modern revision.
    void continuesWithAModernRevisionAfterARejectedInitialize()
    {
        ProxyStage stage;
        stage.start();
        stage.client(initialize);
        const QByteArray rejection =
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no"}})";
        stage.server(rejection);
        QCOMPARE(stage.lastAnswer(), rejection);
        LOG(stage.client(discover), toServer(discover));
        stage.server(answerTo("0", R"({"supportedVersions":["2026-07-28"]})"));
        stage.client(listen);
        stage.kill();
        LOG(stage.start(), text(crashMarker), toServer(listen));
    }

    void restartsForInitializeAfterAnUnansweredDiscover()
    {
        ProxyStage stage;
        stage.start();
        stage.client(discover);
        const QStringList log = stage.client(initialize);
        QCOMPARE(log.size(), 2);
        QVERIFY(log[0].contains(text("-32601")));
        QVERIFY(log[1].startsWith(text("restart")));
        LOG(stage.decide(true), );
        QVERIFY(stage.server(answerTo("0")).constFirst().startsWith(text("note"))); // too late
        ServerExit end;
        end.kind = ServerExit::Kind::Requested;
        stage.end(end);
        QCOMPARE(stage.start().constLast(), toServer(initialize));
    }

    void continuesWithInitializeAfterARefusedDiscover()
    {
        ProxyStage stage;
        stage.start();
        stage.client(discover);
        LOG(stage.server(failureOf("0", -32601)), toClient(failureOf("0", -32601)));
        LOG(stage.client(initialize), toServer(initialize));
    }
};

REKINDLE_TEST(ProxyRevisionTest)
#include "proxyrevisiontest.moc"
